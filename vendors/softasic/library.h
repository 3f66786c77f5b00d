/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_LIBRARY_H
#define ORCHD_SOFTASIC_LIBRARY_H

/* The state of the library between two calls.
 *
 * SAI has no handle: sai_api_initialize(), sai_log_set() and create_switch()
 * act on "the library" of the process.  So this is the one place of the
 * project outside of main() with a variable that is neither constant nor
 * reached through an argument, a single pointer.  Everything else is given
 * the switch. */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

struct library {
    bool is_initialized;
    sai_service_method_table_t services; /* Of the host; may hold NULLs. */
    struct asic *asic;                   /* NULL: no switch was created. */
    sai_log_level_t levels[SAI_API_MAX]; /* Least severe that is written. */
};

/* Returns the library, which exists from the first such call on. */
struct library *library_get(void);

/* Frees everything: switch, services, levels. */
void library_forget(void);

/* Writes a message about 'api' to stderr if its level is severe enough. */
void library_log(sai_api_t api, sai_log_level_t level, const char *format, ...)
    ST_PRINTF(3, 4);

#endif /* vendors/softasic/library.h */
