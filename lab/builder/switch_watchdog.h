/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_WATCHDOG_H
#define ORCHD_LAB_BUILDER_SWITCH_WATCHDOG_H

/* orchd's PFC watchdog on one switch of a fabric, in virtual time.
 *
 * It is the daemon's (orchd/watchdog/pfcwd.h), with the rows that an operator
 * would write, a store in memory, and the clock of the engine:
 *
 *     PFC_WD rows -> pipeline of the switch -> watchdog
 *     SAI counters of the twin -> reader -> watchdog -> agent -> SAI -> twin
 *
 * A timer of the engine calls it when a poll is due; what it wants is on the
 * switch before time continues.  So a storm in a fabric is found, handled and
 * ended by the code that does so on a box.
 *
 * The switch gets a pipeline of its own (switch_instance_set()). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct engine;
struct switch_instance;
struct switch_watchdog;

/* Called when a storm of queue 'queue' of the port in 'slot' begins, or is
 * over. */
typedef void switch_watchdog_fn(void *context, uint32_t slot,
                                unsigned int queue, bool begins);

struct switch_watchdog_config {
    uint32_t detection_ms, restoration_ms, poll_ms;
    uint8_t priorities;    /* A bit for each that is watched. */
    const char *action;    /* "drop", "forward", "alert". */
    const uint32_t *slots; /* Of the watched ports. */
    size_t n_slots;
    /* Of the first port of the switch (sim_entity()): it decides the order of
     * events at the same time (twin/event/event.h). */
    uint32_t entity;
    switch_watchdog_fn *storm;
    void *context;
};

/* Writes the rows into the configuration of 'instance', which is on 'engine',
 * and begins to watch.  'config' is copied, except what 'context' points to.
 * Fails as switch_instance_set(), with nothing to destroy. */
enum st switch_watchdog_create(struct switch_instance *instance,
                               struct engine *engine,
                               const struct switch_watchdog_config *config,
                               struct switch_watchdog **watchdog,
                               struct err *err) ST_WARN_UNUSED;

/* Ends it, before the instance; storms that last continue.  Accepts NULL. */
void switch_watchdog_destroy(struct switch_watchdog *watchdog);

#endif /* lab/builder/switch_watchdog.h */
