/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_LIBRARY_H
#define ORCHD_SOFTASIC_SAI_LIBRARY_H

/* The state of the library between two calls.
 *
 * SAI has no handle: sai_api_initialize(), sai_log_set() and create_switch()
 * act on "the library" of the process.  So the library has one global variable,
 * in library.c, the exception to the rule against mutable globals.  The entry
 * points reach it through library_get() and pass the switch to everything else.
 *
 * A client that unloads the library without sai_api_uninitialize() leaks the
 * switch. */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/front_panel.h"
#include "vendors/softasic/sai/gaps.h"
#include "vendors/softasic/state.h"

struct library {
    bool is_initialized;
    sai_service_method_table_t
        services;      /* Of the client; members may be NULL. */
    struct asic *asic; /* NULL: no switch was created. */
    struct asic *left; /* Runs without a client (warm_restart.h). */
    bool left_is_warm; /* The next create_switch() returns it. */
    bool listens;      /* Whether 'listener' is set. */
    struct softasic_listener listener; /* Of the front panel. */
    sai_log_level_t
        levels[SAI_API_MAX]; /* The least severe level that is logged. */

    /* By type, and by number (gaps.h): the log says that such objects, or the
     * attribute, have no effect. */
    bool logged_objects[SAI_OBJECT_TYPE_MAX];
    bool logged_attributes[GAPS_N_ATTRIBUTES];
};

/* Returns the library. */
struct library *library_get(void);

/* Frees the switch and resets services and levels to the initial state. */
void library_reset(void);

/* Writes a message about 'api' to stderr if its level is severe enough. */
void library_log(sai_api_t api, sai_log_level_t level, const char *format, ...)
    ST_PRINTF(3, 4);

#endif /* vendors/softasic/sai/library.h */
