/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_AGENT_H
#define ORCHD_RECONCILE_AGENT_H

/* The whole flow in one process: intent -> derive -> translate -> reconcile ->
 * SAI.
 *
 * The agent takes the rows of the database and the time from its owner, brings
 * the ASIC to the wanted state, and reports to a listener what became of each
 * row.  It knows no database, clock or socket, so the daemon, a dry run and a
 * breakpoint test run the same code. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/intent.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/listener.h"
#include "sai/core/backend.h"

struct agent;
struct chip_trimming;
struct drift_options;
struct explanation;
struct graph_walk;
struct adopted_values;
struct derive_lookup;
struct llr_lookup;
struct pg_profile_lookup;
struct dynamic_state_chip;
struct platform;
struct row_answer;
struct shipped_lookups;
struct timeline;
struct watchdog;
struct watchdog_queue;
struct zero_profiles;

/* Creates an agent that validates rows against 'schema' and keeps its timers in
 * 'timeline'.  Both, and what 'listener' points to, are borrowed and must
 * outlive it.  The agent has no ASIC yet: it validates rows, and they wait. */
struct agent *agent_create(struct schema *schema, struct timeline *timeline,
                           const struct listener *listener, bool strict);

/* Frees 'agent'; the ASIC keeps what it holds.  Accepts NULL. */
void agent_destroy(struct agent *agent);

/* Takes in the rows handed in so far, as a turn does, before the agent has its
 * ASIC: so its watchdog knows which queues are watched, and can be informed of
 * storms that the first plan has to respect. */
void agent_take_in(struct agent *agent, int64_t now);

/* Gives the agent its ASIC, a switch that was just created: reads its ports,
 * and reconciles all rows with it in the next turn.  'backend' is borrowed. */
enum st agent_attach(struct agent *agent, struct sai_backend *backend,
                     struct err *err) ST_WARN_UNUSED;

/* Declares that the ASIC may hold objects of a previous run, and where to read
 * their values (orchd/reconcile/adopted_values.h); borrowed.  NULL, the
 * default: no adoption is in progress. */
void agent_set_adopted_values(struct agent *agent,
                              const struct adopted_values *adopted);

/* Declares that another program makes the changes, and that the backend only
 * confirms them (orchd/reconcile/confirmation.h); 'names' announces the name of
 * each object to it before it is created, in the place of
 * agent_set_adopted_values().  Both are borrowed.  Call it before
 * agent_attach(). */
struct confirmation;
void agent_set_confirmation(struct agent *agent,
                            const struct confirmation *confirmation,
                            const struct adopted_values *names);

/* Declares that another program acts on the rows of 'table': valid ones are
 * answered "unsupported" with 'reason', which is borrowed.  Call it before
 * there are rows. */
void agent_leave_table(struct agent *agent, enum table table,
                       const struct err *reason);

/* Sets a listener for the contents of rows that are in force (graph.h), which a
 * turn calls as it takes rows in.  'taken_in' is called after each such round,
 * with what was derived from the rows, before the agent plans for them. */
void agent_listen_in_force(struct agent *agent, graph_in_force_fn *fn,
                           void (*taken_in)(void *context), void *context);

/* Makes the next turn try again all that the backend has refused or not
 * confirmed, whenever it was due. */
void agent_reconsider(struct agent *agent);

/* Makes the next turn set again the attributes that the agent knows to be in
 * place, but for which 'doubted' returns true: they may have changed.  Must not
 * be called while a plan is in progress (agent_is_planning()). */
typedef bool agent_doubted_fn(void *context, sai_object_id_t oid,
                              sai_attr_id_t id);
void agent_doubt(struct agent *agent, agent_doubted_fn *doubted, void *context);
bool agent_is_planning(const struct agent *agent);

/* Returns whether an agent may ever set attribute 'id' of an object of 'type';
 * sai/stack/adoption.h needs that. */
bool agent_uses(sai_object_type_t type, sai_attr_id_t id);

/* Returns whether the object of that name ("BUFFER_POOL|x") is wanted, but does
 * not exist yet. */
bool agent_lacks(const struct agent *agent, const char *name);

/* Finds bindings that a previous run made on ports and that no row wants any
 * more (orchd/reconcile/stale_objects.h).  Those on ports that no row claims
 * are reset at once, the others in the next turns; returns the number of the
 * latter. Call it when the agent is settled. */
size_t agent_find_stale_objects(struct agent *agent);

/* Declares that the owner has removed objects of a previous run from the ASIC:
 * the next turn tries again what failed because something was in use, or
 * resources were lacking. */
void agent_note_release(struct agent *agent);

/* Sets the reason why there is no ASIC: the answer to rows that wait only for
 * it. NULL, the default: it is there, or is about to be. */
void agent_set_absence(struct agent *agent, const struct err *absence);

/* Sets the hwsku ("": none) that the ASIC was created with.  A row
 * DEVICE_METADATA with another one is answered "failed", code
 * "restart-required".  NULL, the default: any is accepted. */
void agent_set_hwsku(struct agent *agent, const char *hwsku);

/* Sets a warning about the chip of the ASIC (orchd/switch/switch_identity.h),
 * which the row DEVICE_METADATA shows; "": none. */
void agent_set_chip_warning(struct agent *agent, const char *warning);

/* Continues the numbers of plans from 'generation', that of a previous run. */
void agent_set_generation(struct agent *agent, uint64_t generation);

/* Selects where this switch takes schedulers: at queues, or (the default) at
 * the scheduler groups that they are in.  Call it before there are rows. */
void agent_set_scheduler_target(struct agent *agent, bool queues);

/* Sets the table from which lossless priority groups are derived; see
 * orchd/derive/derive.h.  Takes ownership of the content of 'lookup'.  Without
 * any, the default, none are derived. */
void agent_set_lookup(struct agent *agent, struct pg_profile_lookup *lookup);

/* The same for profiles of link-level retry: see derive_set_llr_lookup(). */
void agent_set_llr_lookup(struct agent *agent, struct llr_lookup *lookup);

/* Sets the tables that apply without one, by hwsku; see derive_set_shipped().
 * agent_get_lookup() returns which table applies (orchd/derive/derive.h). */
void agent_set_shipped(struct agent *agent, struct shipped_lookups *shipped);
void agent_get_lookup(const struct agent *agent, struct derive_lookup *lookup);

/* Sets the platform by whose rules rows are derived; NULL, the default: the one
 * in DEVICE_METADATA. */
void agent_set_platform(struct agent *agent, const struct platform *platform);

/* Sets the vendor's zero profiles for ports that are shut
 * (orchd/derive/zero_profiles.h).  Takes ownership of the content of
 * 'zeros'. */
void agent_set_zeros(struct agent *agent, struct zero_profiles *zeros);

/* Allows or forbids that an object that must be replaced is removed first, with
 * its users unbound in the meantime, if the ASIC has no room for two.  If
 * forbidden, the default, its row is answered "failed". */
void agent_allow_disruptive(struct agent *agent, bool allow);

/* Sets the chip parameters of the dynamic buffer model
 * (orchd/derive/dynamic_state.h). */
void agent_set_chip(struct agent *agent, const struct dynamic_state_chip *chip);

/* Declares that the chip takes the size and headroom of ingress pools from its
 * memory, so that guarantees have to fit beside them.  Call it before
 * agent_attach(). */
void agent_set_pools_reserve(struct agent *agent, bool reserve);

/* Sets the sizes and queues that the chip has for trimmed packets, so that rows
 * with others are rejected before a call. */
void agent_set_trimming(struct agent *agent,
                        const struct chip_trimming *trimming);

/* Declares that the switch has no link-level retry, so that rows about it are
 * answered before a call.  Call it before agent_attach(). */
void agent_set_lacks_llr(struct agent *agent, bool lacks);

/* Enables reading back the ASIC, and reporting or repairing drift, as 'options'
 * say; they are copied.  By default nothing is read. */
void agent_set_drift(struct agent *agent, const struct drift_options *options);

/* The rows; hand them in with intent_put() and related functions. */
struct intent *agent_intent(struct agent *agent);

/* Returns the row in force: the user-owned one unless it has no content, else
 * the derived one; NULL if there is neither.  Valid until the next turn. */
const struct row *agent_row(struct agent *agent, enum table table,
                            const char *key);

/* Returns what is derived for a row, whether or not there is a user-owned row
 * of that key; NULL: nothing.  Valid until the next turn. */
const struct row *agent_derived(const struct agent *agent, enum table table,
                                const char *key);

/* The PFC watchdog, which gets all rows but reads no counter: the poller passes
 * it samples, and settles queues after agent_effects_are_undone().  The next
 * turn applies its effects to the ASIC. */
struct watchdog *agent_watchdog(struct agent *agent);

/* Returns whether the ASIC ignores pauses of the priority of 'queue' because of
 * its storm. */
bool agent_pfc_is_off(const struct agent *agent,
                      const struct watchdog_queue *queue);

/* Returns whether no effect is in force for 'queue' any more. */
bool agent_effects_are_undone(const struct agent *agent,
                              const struct watchdog_queue *queue);

/* Explains the numbers of a row of the dynamic model, part by part; see
 * orchd/derive/explanation.h. */
bool agent_explain(const struct agent *agent, enum table table, const char *key,
                   size_t i, struct explanation *explanation);

/* Returns the next port or pool whose agent_explain() may have changed; see
 * derive_take_unexplained(). */
bool agent_take_unexplained(struct agent *agent, enum table *table,
                            const char **key);
void agent_unexplain(struct agent *agent);

/* Does the work due at 'now': takes in changed rows, plans, executes at most
 * 'budget' SAI calls, and notifies the listener.  Returns whether work is left
 * that needs no further input: call again soon.  Timers of retries and of rows
 * that changed recently are in the timeline. */
bool agent_turn(struct agent *agent, int64_t now, size_t budget);

/* Makes the next turn compare everything that is wanted with everything that
 * the agent knows about the ASIC, instead of only what changed. */
void agent_compare_all(struct agent *agent);

/* Returns whether everything handed in is applied or answered: no row waits for
 * quiet and no plan is in progress. */
bool agent_settled(const struct agent *agent);

/* The progress of the agent, and the use of the packet buffer. */
struct agent_figures {
    /* The number of plans that changed something or, where no plan was needed,
     * of answers to rows; and the last of them that was carried out, whatever
     * SAI answered. */
    uint64_t generation;
    uint64_t applied_generation;

    /* The number of plans since creation, and of changes of rows that were
     * taken in. */
    uint64_t n_plans;
    uint64_t n_changes;

    /* SAI calls made and refused since creation. */
    uint64_t sai_calls;
    uint64_t sai_failures;
    size_t n_rows[N_ROW_STATES]; /* Rows in each state now. */
    size_t n_unconfirmed; /* Those that wait for another program, for a bounded
                           * time (confirmation.h). */

    /* Reserved bytes of the packet buffer: the reserved size of attached
     * profiles, in both directions, and shared headroom.  In the dynamic model:
     * what the pools cannot use, that is these bytes and what its platform sets
     * aside. */
    uint64_t occupied_bytes;

    /* How the dynamic model sized its shared headroom pool: "off", "ratio" or
     * "size"; NULL: it is not enabled, or has not computed it yet. */
    const char *shared_headroom;
};
void agent_figures(const struct agent *agent, struct agent_figures *figures);

/* Calls 'visit' with the status of each row, ordered by table, then key. */
void agent_each_row(const struct agent *agent,
                    void (*visit)(void *context,
                                  const struct row_status *status),
                    void *context);

/* Does the same for the rows of 'n_tables' tables. */
void agent_each_row_of(const struct agent *agent, const enum table *tables,
                       size_t n_tables,
                       void (*visit)(void *context,
                                     const struct row_status *status),
                       void *context);

/* Calls 'visit' with the key of each row of 'table', in order. */
void agent_each_key(const struct agent *agent, enum table table,
                    void (*visit)(void *context, const char *key),
                    void *context);

/* Works out the status of one row into 'answer' (row_answer.h).  Returns NULL
 * if there is no such row, else the status, valid until the next turn. */
const struct row_status *agent_row_status(const struct agent *agent,
                                          enum table table, const char *key,
                                          struct row_answer *answer);

/* Finds a row as the reconciler has it; NULL if there is none.  See graph.h for
 * its members. */
const struct source *agent_source(const struct agent *agent, enum table table,
                                  const char *key);

/* Sorts the objects for agent_each_object(), which does it as well; after many
 * have been created it takes so long that it is worth a turn of its own. */
void agent_sort_objects(const struct agent *agent);

/* Calls 'visit' for each object on the ASIC that orchd manages, ordered by
 * table, name, index.  The CPU port is not included, because no row defines it
 * and tools do not list it; its queues are.  See graph.h for the members of an
 * object. */
void agent_each_object(const struct agent *agent,
                       void (*visit)(void *context,
                                     const struct object *object),
                       void *context);

/* Return the next row, or object, of a walk in the same order that may be
 * interrupted by turns (graph_walk.h); NULL after the last one.  The status is
 * valid until the next step or turn. */
const struct row_status *agent_walk_row(const struct agent *agent,
                                        struct graph_walk *walk);
const struct object *agent_walk_object(const struct agent *agent,
                                       struct graph_walk *walk);

/* Returns a number that changes whenever a port on the switch, and so the ids
 * of its queues, may have changed. */
uint64_t agent_port_reads(const struct agent *agent);

/* Finds such an object; NULL if there is none of that name.  'index' is -1
 * where the table has none. */
const struct object *agent_object(const struct agent *agent, enum table table,
                                  const char *name, int index);

#endif /* orchd/reconcile/agent.h */
