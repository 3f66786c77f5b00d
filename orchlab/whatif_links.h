/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_WHATIF_LINKS_H
#define ORCHD_ORCHLAB_WHATIF_LINKS_H

/* The links that a question of "orchlab whatif" can name. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "lab/builder/topology.h"

/* Returns whether both ends of 'link' are switches. */
bool whatif_joins_switches(const struct topology *topology, uint32_t link);

/* Returns the number of the level of 'link' in FABRIC_LEVELS, by the tier of
 * its lower end. */
int whatif_link_level(const struct topology *topology, uint32_t link);

/* Appends the name of 'link' to 'text', "t0-0.t1-0"; with its number, unless it
 * is the first one between its ends. */
void whatif_name_link(const struct topology *topology, uint32_t link,
                      struct text *text);

/* Stores the link called 'name' in '*link'.  ST_INVALID: 'err' says that there
 * is none, or that it leads to a host where 'switches' asks for one between
 * switches, and names the nearest. */
enum st whatif_find_link(const struct topology *topology, const char *name,
                         bool switches, uint32_t *link,
                         struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/whatif_links.h */
