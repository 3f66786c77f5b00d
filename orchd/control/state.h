/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_STATE_H
#define ORCHD_CONTROL_STATE_H

/* The state that the daemon passes to the control socket at the end of each
 * turn; commands that wait use it. */

#include <stdbool.h>
#include <stddef.h>

struct err;

struct control_state {
    bool coming;      /* Rows wait for something that will happen by itself: the
                       * switch will be created, or a hold ends. */
    const char *hold; /* Why removals are held back, "" if they are not. */
    size_t withheld;  /* How many removals are held back. */
    const struct err *trouble; /* Why there is no ASIC, or NULL. */
    const struct err *refused; /* Why the chip rows in STATE_DB are refused, or
                                * NULL. */
};

#endif /* orchd/control/state.h */
