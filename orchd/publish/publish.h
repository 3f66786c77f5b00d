/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_PUBLISH_H
#define ORCHD_PUBLISH_PUBLISH_H

/* Publishes the state of orchd in Redis.
 *
 * STATE_DB:
 *   ORCHD_STATUS|TABLE|key   the status of each row of CONFIG_DB
 *   ORCHD_SUMMARY|global     how many rows are in which state, ...
 *   ORCHD_EVENTS             a list of changes of state as JSON, newest first:
 *                            events.h
 *   ORCHD_BUFFER_EXPLAIN|*, ORCHD_POOL_EXPLAIN|*   explanations.h
 *   ORCHD_DRIFT|*            what others have changed on the ASIC: drifts.h
 *   PORT_TABLE|*             ports and their links: port_states.h
 *   BUFFER_MAX_PARAM_TABLE|* limits of the chip: orchd/telemetry/name_maps.h
 *   BUFFER_POOL_TABLE|*, BUFFER_PROFILE_TABLE|*    buffer_tables.h
 * APPL_DB and APPL_STATE_DB:
 *   PORT_TABLE:*             what tools read about ports: port_table.h
 *   BUFFER_*_TABLE:*         buffer_tables.h; and channels with the results of
 *                            rows: response.h
 * ASIC_DB:
 *   ASIC_STATE:SAI_OBJECT_TYPE_X:oid:0x..   what SAI accepted: asic_mirror.h
 *   ORCHD_OBJECTS            which object belongs to which row: object_rows.h
 * COUNTERS_DB:
 *   COUNTERS_*_MAP           names and numbers of objects, for the SONiC tools
 *   COUNTERS:oid:0x.. ...    counters: orchd/telemetry/counters.h and
 *                            orchd/telemetry/counter_rows.h
 *
 * The publisher listens to the reconciler (orchd/reconcile/listener.h) and
 * writes each change once.  It remembers little: if Redis has lost data, the
 * owner reports everything again from the agent's memory
 * (publisher_resync_begin() and the function after it), and keys of a previous
 * run are removed at the same time.
 *
 * The summary has the number of rows in each state, by name of the state, and
 *
 *   config_generation   the newest plan that CONFIG_DB led to
 *   applied_generation  the newest plan that was carried out: each row was
 *                       applied, refused or found waiting
 *   mmu_size, occupied  bytes of the packet buffer, and how many of them are
 *                       reserved: the sizes of profiles, for each group and
 *                       queue that they are attached to, and shared headroom;
 *                       in the dynamic model also the reserve of the platform
 *   buffer_model        "traditional" or "dynamic"
 *   shp                 the shared headroom pool: "off", by "ratio", or "size"
 *   pools_ready         whether all pools are applied
 *   last_error          the last row that was rejected or failed
 *   hold                why removals are held back; "" if they are not
 *   sai_calls, sai_failures, uptime (seconds), updated
 *
 * The status of a user-owned row that is applied without warnings has the
 * fields state, generation and updated.  Every other status also has those that
 * apply of: code, reason, field, value, allowed, remedy, blocked_by,
 * referenced_by, warnings, origin, attempts.  A field that no longer applies is
 * removed in the same atomic step. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/reconcile/drift.h"
#include "orchd/reconcile/listener.h"

struct compare_difference;
struct drop_source;
struct llr_capability;
struct log;
struct explanation;
struct loop;
struct object;
struct poller;
struct poller_clock;
struct port_rates;
struct publisher;
struct redis;
struct sai_backend;
struct trimming_capability;
struct watermarks;

/* Creates a publisher that writes through 'redis', uses the time and the timers
 * of 'loop', and logs to 'log' (which may be NULL).  All are borrowed and must
 * outlive it. */
struct publisher *publisher_create(struct loop *loop, struct log *log,
                                   struct redis *redis);

/* Frees 'publisher'; the databases stay as they are.  Accepts NULL. */
void publisher_destroy(struct publisher *publisher);

/* Publishes the hashes of ASIC_DB that syncd keeps beside the objects
 * (asic_maps.h).  Call it before the ASIC is attached. */
void publisher_want_maps(struct publisher *publisher);

/* Publishes what the switch behind 'backend' can do (switch_capabilities.h);
 * 'trimming' and 'llr' are copied.  Without a call nothing is published about
 * it. */
void publisher_set_capabilities(struct publisher *publisher,
                                struct sai_backend *backend,
                                const struct trimming_capability *trimming,
                                const struct llr_capability *llr);

/* Returns the listener to pass to the agent; it belongs to 'publisher'. */
const struct listener *publisher_listener(struct publisher *publisher);

/* Attaches the ASIC, borrowed, after its switch was created and before objects
 * appear.  The publisher removes what others have left in ASIC_DB, which it
 * does not touch before.  It reads sizes, and the queues and priority groups of
 * ports, and changes nothing.  'drops' knows why the ASIC drops packets
 * (orchd/telemetry/port_rates.h); NULL: the reasons are unknown.  'clock' is
 * its own clock (poller_set_clock()), NULL: it has none. */
void publisher_attach(struct publisher *publisher, struct sai_backend *backend,
                      const struct drop_source *drops,
                      const struct poller_clock *clock);

/* The names that a previous run has given to objects (object_rows.h).
 * publisher_names_known() returns whether they were read;
 * publisher_each_name() calls 'fn' for each that no object has taken;
 * publisher_settled() removes those, when the initial configuration is
 * programmed. */
typedef void publisher_name_fn(void *context, const char *name,
                               sai_object_type_t type, sai_object_id_t oid);
bool publisher_names_known(const struct publisher *publisher);
void publisher_each_name(const struct publisher *publisher,
                         publisher_name_fn *fn, void *context);
void publisher_settled(struct publisher *publisher);

/* Handles a notification that the link of a port is 'up' or down.  Returns the
 * name of the port, borrowed, if its link has changed, else NULL. */
const char *publisher_link(struct publisher *publisher, sai_object_id_t port,
                           bool up);

/* For when Redis has been connected (again) and may have lost or kept any key.
 * Call publisher_resync_begin(), then report the status of every row with
 * publisher_resync_row(), and every object with the functions of
 * publisher_listener(). */
void publisher_resync_begin(struct publisher *publisher);
void publisher_resync_row(void *publisher, const struct row_status *status);

/* Checks that Redis still has the status of each row and the objects in
 * ASIC_DB. If another client has removed one, calls redis_republish(). */
void publisher_audit(struct publisher *publisher);

/* Sets a listener that is called with each status as it is published; 'gone':
 * the row is removed, and only table and key of 'status' are set. */
typedef void publisher_row_fn(void *context, const struct row_status *status,
                              bool gone);
void publisher_listen_rows(struct publisher *publisher,
                           publisher_row_fn *row_listener, void *context);

/* Publishes the explanation of a port or pool (explanations.h); NULL removes
 * it. */
void publisher_explain(struct publisher *publisher, enum table table,
                       const char *key, const struct explanation *explanation);

/* What the summary has besides the number of rows in each state. */
struct publisher_figures {
    uint64_t config_generation;  /* Of the newest plan, ... */
    uint64_t applied_generation; /* ... and of the last one carried out. */
    uint64_t sai_calls, sai_failures;
    uint64_t occupied_bytes;     /* Of the packet buffer. */
    const char *shared_headroom; /* "off", "ratio" or "size"; NULL: depends on
                                  * xoff of the pool. */
    const char *hold; /* Why removals are held back, "" if they are not. */
    bool no_switch;   /* And it will not be created soon. */
};

/* Functions for struct drift_options (orchd/reconcile/drift.h), with a
 * publisher as the context: an attribute has drifted; an object was read, and
 * 'n' of its attributes have drifted; all objects were read. */
void publisher_drifted(void *publisher,
                       const struct compare_difference *difference,
                       enum drift_remedy remedy);
void publisher_object_checked(void *publisher, const struct object *object,
                              size_t n, bool settled);
void publisher_round_checked(void *publisher);

/* Return what is published, for orchctl and metrics: the counters of the last
 * poll, rates and pauses of ports (orchd/telemetry/port_rates.h), watermarks,
 * and the number of drifted objects.  Borrowed. */
const struct poller *publisher_poller(const struct publisher *publisher);
const struct port_rates *publisher_ports(const struct publisher *publisher);
const struct watermarks *
publisher_watermarks(const struct publisher *publisher);
size_t publisher_n_drifted(const struct publisher *publisher);

/* Returns the last error of a row, "TABLE|key: reason"; "" if there was none.
 */
const char *publisher_last_error(const struct publisher *publisher);

/* The Redis channels that a publisher listens to, NULL after the last one; and
 * the handler of their messages. */
extern const char *const publisher_channels[];
void publisher_message(struct publisher *publisher, const char *channel,
                       const char *payload);

/* Adds an event that is not a change of a row's status. */
void publisher_event(struct publisher *publisher, enum table table,
                     const char *key, const char *from, const char *to,
                     const char *reason);

/* Call it once per turn, after the agent's turn: writes pending changes, and
 * the summary if it has changed; reads one slice of counters.  Returns whether
 * more counters are due. */
bool publisher_turn(struct publisher *publisher,
                    const struct publisher_figures *figures);

#endif /* orchd/publish/publish.h */
