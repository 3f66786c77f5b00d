/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_EXPLANATION_H
#define ORCHD_DERIVE_EXPLANATION_H

/* Where the numbers of a row come from in the dynamic model: the functions that
 * computed them run again and list their terms.
 *
 *   BUFFER_PROFILE  if generated: the terms of its headroom
 *   BUFFER_PG       for each port: the same, what the groups of the port take
 *                   of its limit, and the longest cable
 *   BUFFER_POOL     without a size: what is reserved, and what is left
 *   PORT            the same as for its lowest generated group */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/derive/headroom.h"
#include "orchd/derive/terms.h"
#include "orchd/intent/table.h"

struct dynamic_state;

struct explanation {
    const char *port;    /* NULL: not about a port.  Borrowed. */
    const char *profile; /* Generated; NULL: none.  Borrowed. */

    /* The inputs of that profile, and its headroom in force. */
    uint32_t speed_mbps, cable_m, mtu;
    struct headroom headroom;

    uint64_t headroom_limit;  /* Of the port, bytes; 0: it has none. */
    bool has_longest;         /* The limit bounds the cable length: */
    uint32_t longest_cable_m; /* the port keeps its limit up to this. */
    struct terms terms;
};

/* Fills '*explanation' with part 'i' of the explanation of a row; false if
 * there is no such part. */
bool explanation_make(const struct dynamic_state *model, enum table table,
                      const char *key, size_t i,
                      struct explanation *explanation);

#endif /* orchd/derive/explanation.h */
