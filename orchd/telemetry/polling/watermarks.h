/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_WATERMARKS_H
#define ORCHD_TELEMETRY_POLLING_WATERMARKS_H

/* Watermarks that continue when those of the hardware are read and cleared.
 *
 * Each read clears the watermarks of the switch.  Three tables of watermarks
 * are computed from them, which differ in what clears them:
 *
 *   USER        a user who wants to measure
 *   PERSISTENT  an operator, rarely
 *   PERIODIC    a timer, for telemetry
 *
 * Each watermark is the maximum of all values since it was cleared.  Watermarks
 * are not cleared by object but by class (enum watermark_class), for all
 * objects that exist at that time.
 *
 * Pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

/* X(member, name). */
#define WATERMARK_TABLE_LIST(X)                                                \
    X(USER, "USER")                                                            \
    X(PERSISTENT, "PERSISTENT")                                                \
    X(PERIODIC, "PERIODIC")

enum watermark_table {
#define X(member, name) WATERMARK_##member,
    WATERMARK_TABLE_LIST(X)
#undef X
        N_WATERMARK_TABLES
};

/* X(member, name, object type, counter, queue type or ANY_KIND). */
#define WATERMARK_CLASS_LIST(X)                                                \
    X(PG_HEADROOM, "PG_HEADROOM", INGRESS_PRIORITY_GROUP,                      \
      SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES,               \
      WATERMARK_ANY_KIND)                                                      \
    X(PG_SHARED, "PG_SHARED", INGRESS_PRIORITY_GROUP,                          \
      SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES,                  \
      WATERMARK_ANY_KIND)                                                      \
    X(Q_SHARED_UNI, "Q_SHARED_UNI", QUEUE,                                     \
      SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES, SAI_QUEUE_TYPE_UNICAST)           \
    X(Q_SHARED_MULTI, "Q_SHARED_MULTI", QUEUE,                                 \
      SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES, SAI_QUEUE_TYPE_MULTICAST)         \
    X(Q_SHARED_ALL, "Q_SHARED_ALL", QUEUE,                                     \
      SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES, SAI_QUEUE_TYPE_ALL)               \
    X(BUFFER_POOL, "BUFFER_POOL", BUFFER_POOL,                                 \
      SAI_BUFFER_POOL_STAT_WATERMARK_BYTES, WATERMARK_ANY_KIND)                \
    X(HEADROOM_POOL, "HEADROOM_POOL", BUFFER_POOL,                             \
      SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES, WATERMARK_ANY_KIND)

#define WATERMARK_ANY_KIND (-1)

enum watermark_class {
#define X(member, name, type, id, kind) WATERMARK_CLASS_##member,
    WATERMARK_CLASS_LIST(X)
#undef X
        N_WATERMARK_CLASSES
};

struct watermarks;

/* Called with each watermark that is new or has changed. */
typedef void watermark_listener_fn(void *context, enum watermark_table table,
                                   sai_object_type_t type, sai_object_id_t oid,
                                   sai_stat_id_t id, uint64_t value);

/* Creates watermarks without objects. */
struct watermarks *watermarks_create(watermark_listener_fn *notify,
                                     void *context);

/* Frees 'watermarks'.  Accepts NULL. */
void watermarks_destroy(struct watermarks *watermarks);

/* Handles a new 'value' of counter 'id' of an object of 'kind'
 * (sai_queue_type_t of queues).  Ignores counters that are in no class. */
void watermarks_update(struct watermarks *watermarks, sai_object_type_t type,
                       int32_t kind, sai_object_id_t oid, sai_stat_id_t id,
                       uint64_t value);

/* Removes the watermarks of an object without calling the listener. */
void watermarks_gone(struct watermarks *watermarks, sai_object_id_t oid);

/* Sets the watermarks of one class to 0, and reports those that were not. */
void watermarks_clear(struct watermarks *watermarks, enum watermark_table table,
                      enum watermark_class class);

/* Sets all watermarks of a table to 0. */
void watermarks_restart(struct watermarks *watermarks,
                        enum watermark_table table);

/* Calls the listener with all watermarks of an object again. */
void watermarks_republish(struct watermarks *watermarks, sai_object_id_t oid);

/* Returns one watermark, 0 if there is none. */
uint64_t watermarks_get(const struct watermarks *watermarks,
                        enum watermark_table table, sai_object_id_t oid,
                        sai_stat_id_t id);

/* Return the name of a table or class; find one by its name, or return false
 * and leave the result alone. */
const char *watermark_table_name(enum watermark_table table);
const char *watermark_class_name(enum watermark_class class);
bool watermark_table_find(const char *name, enum watermark_table *table);
bool watermark_class_find(const char *name, enum watermark_class *class);

#endif /* orchd/telemetry/polling/watermarks.h */
