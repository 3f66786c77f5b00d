/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_AGENT_H
#define ORCHD_RECONCILE_AGENT_H

/* The flow in one process: intent -> derive -> translate -> reconcile -> SAI.
 *
 * The agent takes rows as the database has them and time as its owner says it,
 * brings the ASIC there and tells an listener what became of each row.  It
 * knows no database, no clock and no socket, so the daemon, a dry run and a
 * breakpoint test drive the same code. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/intent.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/listener.h"
#include "sai/core/backend.h"

struct agent;
struct drift_options;
struct explanation;
struct adopted_values;
struct lookup;
struct dynamic_state_chip;
struct platform;
struct timeline;
struct watchdog;
struct watchdog_queue;
struct zero_profiles;

/* Creates an agent that judges rows with 'schema' and keeps its timers in
 * 'timeline'.  Both, and what 'listener' points to, are borrowed and must
 * outlive it.  It has no ASIC yet: rows are judged and wait. */
struct agent *agent_create(struct schema *schema, struct timeline *timeline,
                           const struct listener *listener, bool strict);

/* Frees 'agent'; the ASIC keeps what it holds.  Accepts NULL. */
void agent_destroy(struct agent *agent);

/* Takes in what was handed in, as a turn does, before the agent has its ASIC:
 * so that its watchdog knows what is to be watched, and can be told of storms
 * that the first plan has to respect. */
void agent_take_in(struct agent *agent, int64_t now);

/* Gives the agent its ASIC, a switch that was just created: reads its ports
 * and reconciles all rows with it in the next turn.  'backend' is borrowed. */
enum st agent_attach(struct agent *agent, struct sai_backend *backend,
                     struct err *err) ST_WARN_UNUSED;

/* Says that the ASIC may hold what an earlier life has made
 * (orchd/reconcile/adopted_values.h); borrowed.  NULL, as at first: not (any
 * more).
 */
void agent_set_adopted_values(struct agent *agent,
                              const struct adopted_values *adopted);

/* Returns whether an agent may ever give attribute 'id' of an object of 'type':
 * what sai/stack/adoption.h has to know. */
bool agent_uses(sai_object_type_t type, sai_attr_id_t id);

/* Returns whether the object of that name ("BUFFER_POOL|x") is wanted, but not
 * there yet. */
bool agent_lacks(const struct agent *agent, const char *name);

/* Looks for what an earlier life has set on ports and nobody wants any more
 * (orchd/reconcile/stale_objects.h); it is taken back at once where
 * no row claims the port, else in the next turns: returns for how much.  To be
 * called when the agent is settled. */
size_t agent_find_stale_objects(struct agent *agent);

/* Says why there is no ASIC: the answer to rows that only wait for it.  NULL,
 * as at first: it is there, or about to be. */
void agent_set_absence(struct agent *agent, const struct err *absence);

/* Says for which hwsku ("": none) the ASIC was made.  A row DEVICE_METADATA
 * that names another one is answered "failed", code "restart-required".  NULL,
 * as at first: any will do. */
void agent_set_hwsku(struct agent *agent, const char *hwsku);

/* Says that plans go on from 'generation', that of an earlier run. */
void agent_set_generation(struct agent *agent, uint64_t generation);

/* Says where this switch takes schedulers: at queues, or (as at first) at the
 * scheduler groups that they are in.  To be called before there are rows. */
void agent_set_scheduler_target(struct agent *agent, bool queues);

/* Gives the agent the table from which lossless priority groups are derived;
 * see orchd/derive/derive.h.  The content of 'lookup' is taken over.  Without
 * one, as at first, none are derived. */
void agent_set_lookup(struct agent *agent, struct lookup *lookup);

/* Says by the rules of which platform rows are derived; NULL, as at first: of
 * the one that DEVICE_METADATA names. */
void agent_set_platform(struct agent *agent, const struct platform *platform);

/* Says which zero profiles the vendor has for ports that are shut
 * (orchd/derive/zero_profiles.h); the content of 'zeros' is taken over. */
void agent_set_zeros(struct agent *agent, struct zero_profiles *zeros);

/* Says whether an object that has to be replaced may be removed first, with its
 * users unbound meanwhile, where the ASIC has no room for two of it.  If not,
 * as at first, its row is answered "failed". */
void agent_allow_disruptive(struct agent *agent, bool allow);

/* Says what the dynamic buffer model computes with
 * (orchd/derive/dynamic_state.h). */
void agent_set_chip(struct agent *agent, const struct dynamic_state_chip *chip);

/* Has what is on the ASIC read back, and drift told or repaired, as 'options'
 * say; they are copied.  Without this, nothing is read. */
void agent_set_drift(struct agent *agent, const struct drift_options *options);

/* The rows: hand in through intent_put() and its relatives. */
struct intent *agent_intent(struct agent *agent);

/* Returns the row in force: the user's, else a derived one; NULL if there is
 * neither.  Valid until the next turn. */
const struct row *agent_row(struct agent *agent, enum table table,
                            const char *key);

/* Returns what is derived for a row, whether or not the user has one of that
 * key; NULL: nothing.  Valid until the next turn. */
const struct row *agent_derived(const struct agent *agent, enum table table,
                                const char *key);

/* The PFC watchdog, which knows all rows and no counter: who polls hands in
 * samples, and settles queues once agent_effects_are_undone().  What it wants
 * of the ASIC is carried out by the next turn. */
struct watchdog *agent_watchdog(struct agent *agent);

/* Returns whether the ASIC does not obey pauses of the priority of 'queue'
 * because of its storm. */
bool agent_pfc_is_off(const struct agent *agent,
                      const struct watchdog_queue *queue);

/* Returns whether nothing is done about 'queue' any more. */
bool agent_effects_are_undone(const struct agent *agent,
                              const struct watchdog_queue *queue);

/* Explains the numbers of a row of the dynamic model, part by part; see
 * orchd/derive/explanation.h. */
bool agent_explain(const struct agent *agent, enum table table, const char *key,
                   size_t i, struct explanation *explanation);

/* Returns the next port or pool of which agent_explain() may have something
 * else to say; see derive_take_unexplained(). */
bool agent_take_unexplained(struct agent *agent, enum table *table,
                            const char **key);
void agent_unexplain(struct agent *agent);

/* Does what there is to do at 'now': takes changed rows, plans, executes at
 * most 'budget' SAI calls, and tells the listener.  Returns whether work is
 * left that needs no further input: call again soon.  Timers of retries and of
 * quiet rows are in the timeline. */
bool agent_turn(struct agent *agent, int64_t now, size_t budget);

/* Makes the next turn compare everything that is wanted with everything that
 * the agent knows of the ASIC, instead of only what changed. */
void agent_compare_all(struct agent *agent);

/* Returns whether everything handed in is applied or judged: no row waits for
 * quiet and no plan is under way. */
bool agent_settled(const struct agent *agent);

/* How far the agent has got, and what has become of the packet buffer. */
struct agent_figures {
    /* The number of plans that changed something, and the last of them that
     * was carried out, whatever SAI said to it. */
    uint64_t generation;
    uint64_t applied_generation;

    /* Made and refused since creation. */
    uint64_t sai_calls;
    uint64_t sai_failures;
    size_t n_rows[N_ROW_STATES]; /* Rows in each state now. */

    /* Bytes of the packet buffer that are promised to somebody: the reserved
     * size of attached profiles, in both directions, and shared headroom.  In
     * the dynamic model, what pools are computed without: this, and what its
     * platform sets aside. */
    uint64_t occupied_bytes;

    /* How the dynamic model came to its shared headroom pool: "off", "ratio" or
     * "size"; NULL: it is not on, or has not got that far. */
    const char *shared_headroom;
};
void agent_figures(const struct agent *agent, struct agent_figures *figures);

/* Calls 'visit' with the status of each row, ordered by table, then key. */
void agent_each_row(const struct agent *agent,
                    void (*visit)(void *context,
                                  const struct row_status *status),
                    void *context);

/* Finds a row as the reconciler has it; NULL if there is none.  See graph.h for
 * what it tells. */
const struct source *agent_source(const struct agent *agent, enum table table,
                                  const char *key);

/* Calls 'visit' for each object on the ASIC that orchd has to do with, ordered
 * by table, name, index.  The CPU port is not among them: no row makes it, and
 * it is none of the ports that people or tools list; its queues are.  See
 * graph.h for what an object tells. */
void agent_each_object(const struct agent *agent,
                       void (*visit)(void *context,
                                     const struct object *object),
                       void *context);

/* Finds such an object; NULL if orchd has none of that name.  'index' is -1
 * where the table has none. */
const struct object *agent_object(const struct agent *agent, enum table table,
                                  const char *name, int index);

#endif /* orchd/reconcile/agent.h */
