/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_STATE_H
#define ORCHD_CONTROL_STATE_H

/* What the daemon tells the control socket at the end of each turn, and what
 * commands that wait for something judge by. */

#include <stdbool.h>
#include <stddef.h>

struct err;

/* How things stand at the end of a turn, besides the rows. */
struct control_state {
    bool coming;      /* What some rows wait for will happen by itself: the
                       * switch is created, or a hold ends. */
    const char *hold; /* Why removals are held back, "" if they are not. */
    size_t withheld;  /* Of how many rows. */
    const struct err *trouble; /* Why there is no ASIC, or NULL. */
    const struct err *refused; /* Why the chip's parameters in STATE_DB are not
                                * in force, or NULL. */
};

#endif /* orchd/control/state.h */
