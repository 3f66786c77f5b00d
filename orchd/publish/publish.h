/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_PUBLISH_H
#define ORCHD_PUBLISH_PUBLISH_H

/* What orchd tells the world through Redis.
 *
 *   STATE_DB    ORCHD_STATUS|TABLE|key    the answer to each row of CONFIG_DB
 *               ORCHD_SUMMARY|global      how many rows are in which state, ...
 *               ORCHD_EVENTS              list of changes of state as JSON,
 *                                         newest first, see events.h
 *               ORCHD_BUFFER_EXPLAIN|*, ORCHD_POOL_EXPLAIN|*
 *                                         see explanations.h
 *               ORCHD_DRIFT|*             what has changed on the ASIC behind
 *                                         orchd's back, see drifts.h
 *               PORT_TABLE|*              ports and their links, see
 *                                         port_states.h
 *               BUFFER_MAX_PARAM_TABLE|*  what the chip has, see
 * orchd/telemetry/name_maps.h BUFFER_POOL_TABLE|*, BUFFER_PROFILE_TABLE|*   see
 * buffer_tables.h APPL_DB     BUFFER_*_TABLE:*          the same, and so in
 * APPL_STATE_DB; and word to those who wait for the outcome of a row, see
 *               response.h
 *   ASIC_DB     ASIC_STATE:SAI_OBJECT_TYPE_X:oid:0x..   what SAI accepted
 *               ORCHD_OBJECTS             which row has made which object, see
 *                                         object_rows.h
 *   COUNTERS_DB COUNTERS_*_MAP            names and numbers of objects, as the
 *                                         SONiC tools look them up
 *               COUNTERS:oid:0x.. and others  what the objects count, see
 *                                         orchd/telemetry/counters.h and
 * orchd/telemetry/counter_rows.h
 *
 * The publisher observes the reconciler (orchd/reconcile/listener.h) and writes
 * each change once.  It remembers little: whatever Redis lost is told again by
 * the owner from the agent's memory (publisher_resync_begin and the two
 * functions after it), and what an earlier run left behind is removed at the
 * same time.
 *
 * The summary has: the number of rows in each state, by name of the state;
 *
 *   config_generation   the newest plan that CONFIG_DB led to, ...
 *   applied_generation  ... and the last that was carried out, in which each
 *                       row was applied or answered otherwise
 *   mmu_size, occupied  bytes of the packet buffer; of these, what is promised
 *                       to somebody: the sizes of profiles, for each group and
 *                       queue that they are attached to, and shared headroom;
 *                       in the dynamic model also what the platform sets aside
 *   buffer_model        "traditional" or "dynamic"
 *   shp                 the shared headroom pool: "off", by "ratio", or "size"
 *   pools_ready         whether all pools are applied
 *   last_error, hold    the last bad row; why nothing is removed ("": it is)
 *   sai_calls, sai_failures, uptime (seconds), updated
 *
 * A status of plain "applied" has the fields state, generation and updated,
 * if the row is the user's.
 * Every other one has, where they apply: code, reason, field, value, allowed,
 * remedy, blocked_by, referenced_by, warnings, origin, attempts.  A field that
 * no longer applies is removed in the same atomic step. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/reconcile/drift.h"
#include "orchd/reconcile/listener.h"

struct compare_difference;
struct drop_source;
struct log;
struct explanation;
struct loop;
struct object;
struct poller;
struct port_rates;
struct publisher;
struct redis;
struct sai_backend;
struct watermarks;

/* Creates a publisher that writes through 'redis', takes the time from 'loop'
 * and keeps its timers there, and complains to 'log' (which may be NULL).  All
 * are borrowed and must outlive it. */
struct publisher *publisher_create(struct loop *loop, struct log *log,
                                   struct redis *redis);

/* Frees 'publisher'; what it has published stays.  Accepts NULL. */
void publisher_destroy(struct publisher *publisher);

/* Returns the observer to give to the agent; it lives as long as
 * 'publisher'. */
const struct listener *publisher_observer(struct publisher *publisher);

/* Gives the publisher the ASIC, borrowed, once its switch was created and
 * before objects appear.  It asks for sizes and for the queues and priority
 * groups of ports, and changes nothing.  'drops' tells why it drops packets
 * (orchd/telemetry/port_rates.h), NULL: nobody knows. */
void publisher_attach(struct publisher *publisher, struct sai_backend *backend,
                      const struct drop_source *drops);

/* The names that an earlier life has given to objects (object_rows.h): whether
 * they are known yet; each of them that nobody has taken up so far; and word
 * that nobody will any more. */
typedef void publisher_name_fn(void *context, const char *name,
                               sai_object_type_t type, sai_object_id_t oid);
bool publisher_names_known(const struct publisher *publisher);
void publisher_each_name(const struct publisher *publisher,
                         publisher_name_fn *fn, void *context);
void publisher_settled(struct publisher *publisher);

/* The link of a port is up, or not.  Returns the name of the port, borrowed, if
 * that is new, else NULL. */
const char *publisher_link(struct publisher *publisher, sai_object_id_t port,
                           bool up);

/* Redis is (again) connected and may have lost or kept anything.  Call
 * publisher_resync_begin(), then hand in the status of every row with
 * publisher_resync_row(), and every object with the functions of
 * publisher_observer(). */
void publisher_resync_begin(struct publisher *publisher);
void publisher_resync_row(void *publisher, const struct row_status *status);

/* Has 'watch' told of the answer to each row as it is published; 'gone': there
 * is none any more, and of 'status' table and key count. */
typedef void publisher_watch_fn(void *context, const struct row_status *status,
                                bool gone);
void publisher_watch(struct publisher *publisher, publisher_watch_fn *watch,
                     void *context);

/* What there is to explain about a port or pool is now 'explanation'; NULL:
 * nothing.  See explanations.h. */
void publisher_explain(struct publisher *publisher, enum table table,
                       const char *key, const struct explanation *explanation);

/* What the summary says besides the count of rows per state. */
struct publisher_figures {
    uint64_t config_generation;  /* Of the newest plan, ... */
    uint64_t applied_generation; /* ... and of the last one carried out. */
    uint64_t sai_calls, sai_failures;
    uint64_t occupied_bytes;     /* Of the packet buffer. */
    const char *shared_headroom; /* "off", "ratio" or "size"; NULL: as the pool
                                  * says. */
    const char *hold; /* Why removals are held back, "" if they are not. */
    bool no_switch;   /* And none is expected in this moment. */
};

/* For those who read the ASIC back (orchd/reconcile/drift.h): an attribute has
 * drifted; an object was read, and 'n' of its attributes have; all were read.
 * 'publisher' is one. */
void publisher_drifted(void *publisher,
                       const struct compare_difference *difference,
                       enum drift_remedy remedy);
void publisher_read_back(void *publisher, const struct object *object, size_t n,
                         bool settled);
void publisher_rounded(void *publisher);

/* For those who show what is published: the counters as they were read last,
 * what follows from those of ports (orchd/telemetry/port_rates.h), watermarks,
 * and how many objects have drifted.  Borrowed. */
const struct poller *publisher_poller(const struct publisher *publisher);
const struct port_rates *publisher_ports(const struct publisher *publisher);
const struct watermarks *
publisher_watermarks(const struct publisher *publisher);
size_t publisher_n_drifted(const struct publisher *publisher);

/* The channels that a publisher listens to, NULL after the last one; and a
 * message that came over one of them. */
extern const char *const publisher_channels[];
void publisher_message(struct publisher *publisher, const char *channel,
                       const char *payload);

/* Remembers an event that is not about the answer to a row. */
void publisher_event(struct publisher *publisher, enum table table,
                     const char *key, const char *from, const char *to,
                     const char *reason);

/* To be called once per turn, after the agent's: writes what is due, and the
 * summary if it changed; reads counters, a slice at a time.  Returns whether
 * more of them are due. */
bool publisher_turn(struct publisher *publisher,
                    const struct publisher_figures *figures);

#endif /* orchd/publish/publish.h */
