/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_STORM_ACCOUNT_H
#define ORCHD_WATCHDOG_DETECTION_STORM_ACCOUNT_H

/* The statistics of the storms of a queue: how many there were, and the packets
 * sent and dropped while they lasted.
 *
 * The hardware counters run continuously.  So an account keeps their values
 * from the beginning of the storm, or from its last update, and adds the
 * differences. Packets that are dropped between the last sample of a storm and
 * the moment when its action is undone count as well: call storm_account_end()
 * with counters that were read after that. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/watchdog/detection/sample.h"

/* Zero-initialise. */
struct storm_account {
    uint64_t detected, restored;
    struct storm_counts total; /* Of all storms. */
    struct storm_counts last;  /* Of the current or the last storm. */

    /* Valid while a storm is in progress. */
    bool is_open;
    bool has_base;
    struct storm_counts base;
};

/* Begins a storm, and counts it as detected unless a previous run did. */
void storm_account_begin(struct storm_account *account);

/* Adds the statistics of a previous run, now that they are known.  A storm that
 * it saw begin but not end is the first one counted here. */
void storm_account_resume(struct storm_account *account,
                          const struct storm_account *earlier);

/* Adds the increments since the last call. */
void storm_account_update(struct storm_account *account,
                          const struct storm_counts *counts);

/* As storm_account_update(), and ends the storm.  'counts' may be NULL: they
 * cannot be read any more.  Does nothing if no storm is in progress. */
void storm_account_end(struct storm_account *account,
                       const struct storm_counts *counts);

#endif /* orchd/watchdog/detection/storm_account.h */
