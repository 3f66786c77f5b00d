/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_PFCWD_H
#define ORCHD_WATCHDOG_PFCWD_H

/* Runs the PFC watchdog: polls the switch, passes samples to the pure part
 * (orchd/watchdog/detection), and writes the results to a store and a listener.
 *
 *     SAI -> reader -> watchdog -> agent -> SAI
 *                         +-> rows -> store
 *
 * It reads no clock, never blocks and knows no database: its owner calls
 * pfcwd_turn().  The daemon does so when the loop reports that a poll is due,
 * with Redis as the store; a breakpoint test does so when the time of its
 * switch has come, with a store in memory.  Both handle a storm in the same
 * way.
 *
 * Time is the time of the switch.  A simulated switch has its own, which its
 * owner advances; a poll is then due by that clock, and storms can be tested
 * without waiting.
 *
 * A storm that a previous run left in APPL_DB (PFC_WD_TABLE_INSTORM) is taken
 * for a current one, which ends like any other: a queue that is healthy now is
 * restored after its restoration time.  Its statistics continue.
 *
 * If the switch can detect storms and recover in hardware
 * (hardware_recovery.h), it may do so; the reports are the same.
 *
 * For tests, a queue whose row COUNTERS:<queue> has DEBUG_STORM=enabled counts
 * as paused.  The rows are read in turn, so with many queues that takes a
 * while.  A message on the channel PFC_WD_ACTION starts or ends a storm. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct agent;
struct pfcwd;
struct sai_backend;
struct storm_rule;
struct storm_store;

/* Receives notifications; members may be NULL. */
struct pfcwd_listener {
    /* A line for the log: a warning, or information.  'object' is a port, or
     * "". */
    void (*log)(void *context, bool warns, const char *code, const char *object,
                const char *text);

    /* A queue of 'port' changes from one state to another: "operational" or
     * "stormed". */
    void (*event)(void *context, const char *port, const char *from,
                  const char *to, const char *reason);

    /* A storm of queue 'index' of 'port' begins, handled by 'action' ("drop",
     * "forward", "alert"), or is over. */
    void (*storm)(void *context, const char *port, unsigned int index,
                  bool begins, const char *action);

    /* Returns whether the owner itself publishes the pauses of ports, from
     * their counters; then the watchdog does not write its history of them,
     * which is coarser. */
    bool (*publishes_pauses)(void *context);
    void *context;
};

/* Creates one that watches nothing.  'agent' and 'store' are borrowed,
 * 'listener' is copied. */
struct pfcwd *pfcwd_create(struct agent *agent, struct storm_store *store,
                           const struct pfcwd_listener *listener);

/* Frees 'pfcwd'; storms in progress continue.  Accepts NULL. */
void pfcwd_destroy(struct pfcwd *pfcwd);

/* Enables hardware recovery where the switch supports it.  The owner receives
 * the deadlock notifications of the switch (sai/stack/notifications.h), and
 * passes them to pfcwd_deadlock().  Call it before pfcwd_attach(). */
void pfcwd_use_hardware(struct pfcwd *pfcwd);

/* The switch reports a queue as 'dead', or recovered. */
void pfcwd_deadlock(struct pfcwd *pfcwd, sai_object_id_t queue, bool dead);

/* Lets rows APPL_DB PFC_WD_TABLE:<port> request storms: the field is the number
 * of a queue, the value "storm".  The storm begins with the field, and ends
 * like any other once the field is removed. */
void pfcwd_accept_requests(struct pfcwd *pfcwd);

/* Returns the time of the switch, in ns; never decreases. */
typedef int64_t pfcwd_clock_fn(void *context);

/* Gives it the switch.  'rule' (borrowed) selects how storms are detected;
 * NULL: the best rule that the switch has counters for.
 *
 * Storms of a previous run are resumed here.  The next plan of the agent then
 * leaves their effects on the switch in place.  So the agent should have taken
 * in all rows, and pfcwd_knows_past() should be true, but the agent must have
 * no ASIC yet. */
void pfcwd_attach(struct pfcwd *pfcwd, struct sai_backend *backend,
                  const struct storm_rule *rule, pfcwd_clock_fn *clock,
                  void *context);

/* Reads what a previous run left in the store, and writes everything again: the
 * store may have lost or kept anything. */
void pfcwd_resync(struct pfcwd *pfcwd);

/* Returns whether the store has returned the storms that a previous run
 * recorded. */
bool pfcwd_knows_past(const struct pfcwd *pfcwd);

/* Handles a message on a channel; ignores other channels. */
void pfcwd_message(struct pfcwd *pfcwd, const char *channel,
                   const char *payload);

/* Call it after each turn of the agent, and at pfcwd_next(); 'wall_ns' is the
 * time of day, for people.  Returns whether the agent needs another turn. */
bool pfcwd_turn(struct pfcwd *pfcwd, int64_t wall_ns);

/* Returns when the next poll is due by the clock of the switch, INT64_MAX:
 * nothing is watched. */
int64_t pfcwd_next(const struct pfcwd *pfcwd);

#endif /* orchd/watchdog/pfcwd.h */
