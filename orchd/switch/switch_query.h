/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SWITCH_SWITCH_QUERY_H
#define ORCHD_SWITCH_SWITCH_QUERY_H

/* Queries of the ASIC, by name.
 *
 * The values come from SAI at the time of the query, not from what orchd has
 * set, because users look for differences between the two.  On softasic the
 * state of the buffer comes from its own function table, because SAI cannot
 * express it.
 *
 * A counter is named after the end of its SAI name in lower case:
 * SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES is "shared_watermark_bytes".  The first
 * query for each object type finds out which counters a vendor supports. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"

struct agent;
struct switch_query;
struct sai_backend;
struct softasic_ops;

/* X(member, word, type, indexed).  Objects that have counters. */
#define SWITCH_QUERY_KIND_LIST(X)                                              \
    X(PORT, "port", SAI_OBJECT_TYPE_PORT, false)                               \
    X(PG, "pg", SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, true)                  \
    X(QUEUE, "queue", SAI_OBJECT_TYPE_QUEUE, true)                             \
    X(POOL, "pool", SAI_OBJECT_TYPE_BUFFER_POOL, false)

enum switch_query_kind {
#define X(member, word, type, indexed) SWITCH_QUERY_##member,
    SWITCH_QUERY_KIND_LIST(X)
#undef X
        N_SWITCH_QUERY_KINDS
};

/* An object; 'name' is that of its port or pool, borrowed. */
struct switch_query_object {
    enum switch_query_kind kind;
    const char *name;
    unsigned int index;
    sai_object_id_t oid;
};

/* Most priority groups or queues of a port. */
#define SWITCH_QUERY_CHILDREN_MAX 128

/* Returns an object that answers queries of the ASIC behind 'backend' (NULL:
 * none yet), with objects named as 'agent' names them; 'softasic' is NULL for
 * other vendors. Borrows all three. It caches which counters are supported. */
struct switch_query *switch_query_create(const struct agent *agent,
                                         struct sai_backend *backend,
                                         const struct softasic_ops *softasic);

/* Frees 'query'.  Accepts NULL. */
void switch_query_destroy(struct switch_query *query);

/* Return ST_OK if there is an ASIC; if it is softasic. Otherwise fill 'err'. */
enum st switch_query_check(struct switch_query *query,
                           struct err *err) ST_WARN_UNUSED;
enum st switch_query_check_soft(struct switch_query *query,
                                struct err *err) ST_WARN_UNUSED;

/* Returns ST_OK if 'status' is success; otherwise fills 'err' with the failure
 * of the request 'what'. */
enum st switch_query_status(sai_status_t status, const char *what,
                            struct err *err);

/* Finds a port by name. */
enum st switch_query_port(struct switch_query *query, const char *name,
                          sai_object_id_t *oid, struct err *err) ST_WARN_UNUSED;

/* Finds the object of a kind's 'word' ("pg"), name and index. */
enum st switch_query_find(struct switch_query *query, const char *word,
                          const char *name, unsigned int index,
                          struct switch_query_object *object,
                          struct err *err) ST_WARN_UNUSED;

/* Returns the SAI type of objects of 'kind'. */
sai_object_type_t switch_query_type(enum switch_query_kind kind);

/* Stores the ids of the priority groups (SWITCH_QUERY_PG) or queues of 'port'
 * in 'oids', which has room for SWITCH_QUERY_CHILDREN_MAX, and returns how
 * many. */
uint32_t switch_query_children(struct switch_query *query, sai_object_id_t port,
                               enum switch_query_kind kind,
                               sai_object_id_t *oids);

/* Reads one attribute; false if SAI does not return it. */
bool switch_query_get(struct switch_query *query, sai_object_type_t type,
                      sai_object_id_t oid, sai_attr_id_t id,
                      sai_attribute_value_t *value);

/* Returns all counters and states of 'object' as a JSON object, {} if SAI has
 * none.  Nothing is cleared. */
json_t *switch_query_stats(struct switch_query *query,
                           const struct switch_query_object *object);

/* Writes the name that the SAI counter 'counter' has in these objects:
 * "dropped_packets". */
#define SWITCH_QUERY_STAT_SIZE 96
void switch_query_stat_name(const char *counter,
                            char name[SWITCH_QUERY_STAT_SIZE]);

/* Returns whether the number 'name' is a counter of events; otherwise it is a
 * level, a limit or a state. */
bool switch_query_counts(const char *name);

/* Resets the watermarks of 'object' to what it holds. */
enum st switch_query_clear(struct switch_query *query,
                           const struct switch_query_object *object,
                           struct err *err) ST_WARN_UNUSED;

/* Returns {"kind": ..., "name": ..., "index": ..., "stats": {...}}. */
json_t *switch_query_snapshot(struct switch_query *query,
                              const struct switch_query_object *object);

#endif /* orchd/switch/switch_query.h */
