/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_WATERMARKS_H
#define ORCHD_TELEMETRY_POLLING_WATERMARKS_H

/* Watermarks that outlast the reading of the hardware's.
 *
 * The watermarks of the switch restart each time they are read.  From them
 * three others are made, which differ in who lets them restart:
 *
 *   USER        whoever asks for it, for a look of his own
 *   PERSISTENT  an operator, rarely
 *   PERIODIC    a timer, for telemetry
 *
 * Each is the maximum of all that was read since.  What is cleared is not asked
 * for object by object but for a class of watermarks (enum watermark_class), of
 * which there are always all objects that are there now.
 *
 * Pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

/* X(member, name). */
#define WATERMARK_KEEPER_LIST(X)                                               \
    X(USER, "USER")                                                            \
    X(PERSISTENT, "PERSISTENT")                                                \
    X(PERIODIC, "PERIODIC")

enum watermark_keeper {
#define X(member, name) WATERMARK_##member,
    WATERMARK_KEEPER_LIST(X)
#undef X
        N_WATERMARK_KEEPERS
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

/* Is told each watermark that is new or changed. */
typedef void watermark_tell_fn(void *context, enum watermark_keeper keeper,
                               sai_object_type_t type, sai_object_id_t oid,
                               sai_stat_id_t id, uint64_t value);

/* Creates watermarks of no object. */
struct watermarks *watermarks_create(watermark_tell_fn *tell, void *context);

/* Frees 'watermarks'.  Accepts NULL. */
void watermarks_destroy(struct watermarks *watermarks);

/* Counter 'id' of an object, of 'kind' (sai_queue_type_t of queues), was read
 * to be 'value'.  Ignores counters that are not of a class. */
void watermarks_take(struct watermarks *watermarks, sai_object_type_t type,
                     int32_t kind, sai_object_id_t oid, sai_stat_id_t id,
                     uint64_t value);

/* The object is gone: it has no watermarks any more, and nothing is told. */
void watermarks_gone(struct watermarks *watermarks, sai_object_id_t oid);

/* Lets watermarks of one class restart at 0, those that are 0 excepted. */
void watermarks_clear(struct watermarks *watermarks,
                      enum watermark_keeper keeper, enum watermark_class class);

/* Lets all watermarks of a keeper restart, of whatever class or none. */
void watermarks_restart(struct watermarks *watermarks,
                        enum watermark_keeper keeper);

/* Tells all watermarks of an object again. */
void watermarks_retell(struct watermarks *watermarks, sai_object_id_t oid);

/* Returns one watermark, 0 if there is none. */
uint64_t watermarks_get(const struct watermarks *watermarks,
                        enum watermark_keeper keeper, sai_object_id_t oid,
                        sai_stat_id_t id);

/* Returns the name of a keeper or class; finds one by its name, or returns
 * false and leaves the result alone. */
const char *watermark_keeper_name(enum watermark_keeper keeper);
const char *watermark_class_name(enum watermark_class class);
bool watermark_keeper_find(const char *name, enum watermark_keeper *keeper);
bool watermark_class_find(const char *name, enum watermark_class *class);

#endif /* orchd/telemetry/polling/watermarks.h */
