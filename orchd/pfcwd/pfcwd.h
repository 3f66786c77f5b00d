/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PFCWD_PFCWD_H
#define ORCHD_PFCWD_PFCWD_H

/* Runs the PFC watchdog: polls the switch, hands samples to the pure part
 * (orchd/watchdog), and tells Redis and the log what comes of it.
 *
 *     SAI -> reader -> watchdog -> agent -> SAI
 *                         +-> rows -> Redis
 *
 * Time is that of the switch: a simulated one has its own, which a daemon that
 * lets it run moves on; then a poll is due by that clock, and storms can be
 * tried without waiting for them.
 *
 * What an earlier run left in APPL_DB (PFC_WD_TABLE_INSTORM) is taken for a
 * storm of today, which ends like any other: a queue that is healthy by now is
 * restored after its restoration time.  Its statistics go on from what they
 * were.
 *
 * For tests, a queue whose row COUNTERS:<queue> has DEBUG_STORM=enabled is
 * taken to be paused; the rows are asked in turn, so it takes a while with many
 * queues.  A message on the channel PFC_WD_ACTION makes or ends a storm. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct agent;
struct log;
struct loop;
struct pfcwd;
struct redis;
struct sai_backend;
struct storm_rule;

/* What a poll has cost. */
struct pfcwd_figures {
    const char *rule;  /* By which storms are told; "" : none yet, or none. */
    uint64_t n_queues; /* That are watched, on ports that are there. */
    uint64_t n_polls;  /* Of all queues. */
    uint64_t n_looks;  /* At some, in between. */
    uint64_t n_calls;  /* SAI calls, in all. */
};

/* Creates one that watches nothing.  All is borrowed; 'log' may be NULL. */
struct pfcwd *pfcwd_create(struct loop *loop, struct log *log,
                           struct redis *redis, struct agent *agent);

/* Frees 'pfcwd'; a storm goes on.  Accepts NULL. */
void pfcwd_destroy(struct pfcwd *pfcwd);

/* Tells what time it is, in ns; never goes back. */
typedef int64_t pfcwd_clock_fn(void *context);

/* Gives it the switch.  'rule' (borrowed) says by what storms are told; NULL:
 * by the best that the switch has counters for.  'own_time': 'clock' is the
 * switch's own, which may stand still. */
void pfcwd_attach(struct pfcwd *pfcwd, struct sai_backend *backend,
                  const struct storm_rule *rule, pfcwd_clock_fn *clock,
                  void *context, bool own_time);

/* Redis may have lost or kept anything: reads what an earlier run left, and
 * writes all again. */
void pfcwd_resync(struct pfcwd *pfcwd);

/* A message came over a channel; those of others are ignored. */
void pfcwd_message(struct pfcwd *pfcwd, const char *channel,
                   const char *payload);

/* To be called after each turn of the agent.  Returns whether the agent has to
 * have another one. */
bool pfcwd_turn(struct pfcwd *pfcwd);

void pfcwd_figures(const struct pfcwd *pfcwd, struct pfcwd_figures *figures);

/* What happens to a queue, for those who keep a list of events: the states are
 * "operational" and "stormed". */
typedef void pfcwd_event_fn(void *context, const char *port, const char *from,
                            const char *to, const char *reason);
void pfcwd_on_event(struct pfcwd *pfcwd, pfcwd_event_fn *fn, void *context);

#endif /* orchd/pfcwd/pfcwd.h */
