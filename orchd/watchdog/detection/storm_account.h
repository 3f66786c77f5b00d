/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_STORM_ACCOUNT_H
#define ORCHD_WATCHDOG_DETECTION_STORM_ACCOUNT_H

/* What storms have cost a queue: how many there were, and the packets that were
 * sent and dropped while they lasted.
 *
 * The counters of the hardware run all the time, so an account keeps what they
 * were when the storm began, or when it was last brought up to date, and adds
 * the difference.  What is dropped between the last sample of a storm and the
 * moment when its action is undone counts too: storm_account_end() is to be
 * called with counters read after that. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/watchdog/detection/sample.h"

/* Starts zeroed. */
struct storm_account {
    uint64_t detected, restored;
    struct storm_counts total; /* Of all storms. */
    struct storm_counts last;  /* Of the one that is, or was. */

    /* While it is open. */
    bool is_open;
    bool has_base;
    struct storm_counts base;
};

/* A storm begins: one more was detected, unless that was counted before (by an
 * earlier run). */
void storm_account_begin(struct storm_account *account);

/* Adds what an earlier run has counted, now that it is known: a storm that it
 * saw begin and not end is the first one that is counted here. */
void storm_account_resume(struct storm_account *account,
                          const struct storm_account *earlier);

/* Adds what was counted since the last call. */
void storm_account_update(struct storm_account *account,
                          const struct storm_counts *counts);

/* The same, and the storm is over.  'counts' may be NULL: they cannot be read
 * any more.  Does nothing if none is open. */
void storm_account_end(struct storm_account *account,
                       const struct storm_counts *counts);

#endif /* orchd/watchdog/detection/storm_account.h */
