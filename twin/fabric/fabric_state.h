/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FABRIC_FABRIC_STATE_H
#define ORCHD_TWIN_FABRIC_FABRIC_STATE_H

/* What a fabric consists of, for its own files only.
 *
 *   fabric_build.c  builds it;
 *   divide.c        divides it into lanes;
 *   loop.c          handles its events;
 *   census.c        counts its frames. */

#include "twin/fabric/fabric.h"

/* Pointers to all objects of one kind. */
struct set {
    void **items;
    size_t n;
};

struct fabric {
    struct engine *engine;
    uint64_t seed;
    uint32_t next_entity; /* For what comes without a number. */
    struct set switches;
    struct set adopted; /* Switches of the caller. */
    struct set hosts;
    struct set nics;
    struct set links;
    struct set trees; /* Of PCIe switches. */
    bool has_loops;
};

#endif /* twin/fabric/fabric_state.h */
