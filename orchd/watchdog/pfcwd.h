/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_PFCWD_H
#define ORCHD_WATCHDOG_PFCWD_H

/* Runs the PFC watchdog: polls the switch, hands samples to the pure part
 * (orchd/watchdog), and tells a store and a listener what comes of it.
 *
 *     SAI -> reader -> watchdog -> agent -> SAI
 *                         +-> rows -> store
 *
 * It reads no clock, waits for nothing and knows no database: whoever owns it
 * gives it turns.  The daemon does so when the loop says that a poll is due,
 * with Redis for a store; a breakpoint test when the time of its switch has
 * come there, with a store in memory.  What is done about a storm is the same.
 *
 * Time is that of the switch: a simulated one has its own, which its owner
 * moves on; then a poll is due by that clock, and storms can be tried without
 * waiting for them.
 *
 * What an earlier run left in APPL_DB (PFC_WD_TABLE_INSTORM) is taken for a
 * storm of today, which ends like any other: a queue that is healthy by now is
 * restored after its restoration time.  Its statistics go on from what they
 * were.
 *
 * Where the switch itself detects storms and recovers (hardware_recovery.h) it
 * may be left to do so; what is told of a storm is the same.
 *
 * For tests, a queue whose row COUNTERS:<queue> has DEBUG_STORM=enabled is
 * taken to be paused; the rows are asked in turn, so it takes a while with many
 * queues.  A message on the channel PFC_WD_ACTION makes or ends a storm. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct agent;
struct pfcwd;
struct sai_backend;
struct storm_rule;
struct storm_store;

/* Hears what happens; each may be NULL. */
struct pfcwd_listener {
    /* A line for the log: a warning, or a piece of information.  'object' is a
     * port, or "". */
    void (*say)(void *context, bool warns, const char *code, const char *object,
                const char *text);

    /* A queue of 'port' goes from one state to another: "operational" or
     * "stormed". */
    void (*event)(void *context, const char *port, const char *from,
                  const char *to, const char *reason);
    void *context;
};

/* Creates one that watches nothing.  'agent' and 'store' are borrowed,
 * 'listener' is copied. */
struct pfcwd *pfcwd_create(struct agent *agent, struct storm_store *store,
                           const struct pfcwd_listener *listener);

/* Frees 'pfcwd'; a storm goes on.  Accepts NULL. */
void pfcwd_destroy(struct pfcwd *pfcwd);

/* Lets the switch guard queues where it can: somebody listens to what it says
 * of dead queues (sai/stack/notifications.h), and hands it on by
 * pfcwd_deadlock(). To be called before there is a switch. */
void pfcwd_use_hardware(struct pfcwd *pfcwd);

/* The switch says that a queue is 'dead', or has recovered. */
void pfcwd_deadlock(struct pfcwd *pfcwd, sai_object_id_t queue, bool dead);

/* Lets rows APPL_DB PFC_WD_TABLE:<port> make storms: a field is the number of a
 * queue, its value "storm".  The storm begins with it, and ends like any other
 * once it is gone. */
void pfcwd_accept_requests(struct pfcwd *pfcwd);

/* Tells what time it is on the switch, in ns; never goes back. */
typedef int64_t pfcwd_clock_fn(void *context);

/* Gives it the switch.  'rule' (borrowed) says by what storms are told; NULL:
 * by the best that the switch has counters for.
 *
 * Storms of an earlier run are taken up here.  A plan that the agent makes
 * after this leaves what is done about them as it is on the switch; so it
 * should have taken in all rows, and pfcwd_knows_past(), but have no ASIC yet.
 */
void pfcwd_attach(struct pfcwd *pfcwd, struct sai_backend *backend,
                  const struct storm_rule *rule, pfcwd_clock_fn *clock,
                  void *context);

/* The store may have lost or kept anything: reads what an earlier run left, and
 * writes all again. */
void pfcwd_resync(struct pfcwd *pfcwd);

/* Returns whether the store has told which storms an earlier run has noted. */
bool pfcwd_knows_past(const struct pfcwd *pfcwd);

/* A message came over a channel; those of others are ignored. */
void pfcwd_message(struct pfcwd *pfcwd, const char *channel,
                   const char *payload);

/* To be called after each turn of the agent, and at pfcwd_next(); 'wall_ns' is
 * the time of day, for people.  Returns whether the agent has to have another
 * turn. */
bool pfcwd_turn(struct pfcwd *pfcwd, int64_t wall_ns);

/* Returns when the next poll is due by the switch's clock, INT64_MAX: nothing
 * is watched. */
int64_t pfcwd_next(const struct pfcwd *pfcwd);

#endif /* orchd/watchdog/pfcwd.h */
