/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_NAMES_H
#define ORCHD_SAIHOSTD_NAMES_H

/* How ports are called.  SAI knows them by their lanes only.
 *
 * A config_db.json says it, by the lanes of its PORT rows; without one the name
 * is a prefix and the number of the first lane, counted from 0 as SONiC does
 * where lanes are in order: "Ethernet4" for lanes 5 to 8 of a chip that counts
 * from 1. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct object_names;

/* Reads config_db.json 'path'; NULL: there is none.  ST_INVALID: 'err' says
 * what is wrong. */
enum st names_read(const char *path, struct object_names **names,
                   struct err *err) ST_WARN_UNUSED;

/* Accepts NULL. */
void object_names_destroy(struct object_names *names);

/* Writes the name of the port whose first lane is 'lane' into 'name' of 'size'
 * bytes: from the file, else 'prefix' (NULL: "Ethernet") and what 'lane' is
 * beyond 'first_lane'. */
void names_find(const struct object_names *names, uint32_t lane,
                uint32_t first_lane, const char *prefix, char *name,
                size_t size);

/* Returns name 'i' of the file; NULL: there are no more, or no file. */
const char *names_at(const struct object_names *names, size_t i);

/* Returns whether a port can be called 'name': by the file, or if there is none
 * by 'prefix' and some number. */
bool names_can_be(const struct object_names *names, const char *prefix,
                  const char *name);

#endif /* saihostd/names.h */
