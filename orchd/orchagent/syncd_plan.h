/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_SYNCD_PLAN_H
#define ORCHD_ORCHAGENT_SYNCD_PLAN_H

/* Which counters syncd is asked to poll for orchd: those that are shown, and
 * that no other program lets it poll.
 *
 * syncd polls by rows of FLEX_COUNTER_DB.  A group has an interval and is
 * enabled or not; each object of a group has a list of counters:
 *
 *   FLEX_COUNTER_GROUP_TABLE:GROUP     POLL_INTERVAL, FLEX_COUNTER_STATUS, ...
 *   FLEX_COUNTER_TABLE:GROUP:oid:0x..  QUEUE_COUNTER_ID_LIST, ...
 *
 * The groups of orchd are those whose names begin with "ORCHD_", of this
 * release or another one; rows of no other group are ever changed.
 *
 * Which counters a switch has is not known here, and a reading of several fails
 * as a whole if one of them is missing, depending on the release of syncd.  So
 * a group holds only counters that switches have all together.
 *
 * A counter that an enabled group of another program has for the same object is
 * left out.  Watermarks are never asked for: they belong to the program that
 * clears them.
 *
 * Pure: the owner hands in the rows and objects, and sends what has to change
 * (syncd_polling.h). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

struct field;
struct syncd_plan;

#define SYNCD_PLAN_GROUPS  "FLEX_COUNTER_GROUP_TABLE"
#define SYNCD_PLAN_OBJECTS "FLEX_COUNTER_TABLE"

/* Returns a plan without rows and objects; free it with syncd_plan_destroy(),
 * which accepts NULL. */
struct syncd_plan *syncd_plan_create(void);
void syncd_plan_destroy(struct syncd_plan *plan);

/* Forgets all rows: they are read again. */
void syncd_plan_clear(struct syncd_plan *plan);

/* The row 'key' of one of the two tables has these fields now; none: it is
 * gone.  Ignores what is no such row. */
void syncd_plan_put(struct syncd_plan *plan, const char *key,
                    const struct field *fields, size_t n);

/* Replace the objects that are polled, ports, buffer pools, priority groups and
 * queues: none; then one more. */
void syncd_plan_begin_objects(struct syncd_plan *plan);
void syncd_plan_add_object(struct syncd_plan *plan, sai_object_type_t type,
                           sai_object_id_t oid);

/* What orchd has of objects of 'type' has to be sent again;
 * SAI_OBJECT_TYPE_NULL stands for all. */
void syncd_plan_repeat(struct syncd_plan *plan, sai_object_type_t type);

/* Sends what differs from what is wanted, with its key in 'table'; no fields:
 * the row is to be removed.  From then on takes it to be as sent.
 * 'interval_ms' 0: nothing is wanted.  Returns how many rows were sent. */
typedef void syncd_plan_send_fn(void *context, const char *table,
                                const char *key, const struct field *fields,
                                size_t n);
size_t syncd_plan_turn(struct syncd_plan *plan, uint32_t interval_ms,
                       syncd_plan_send_fn *send, void *context);

/* Sends that all groups of orchd are disabled, whose rows stay: a few short
 * requests, for an owner that ends and cannot wait until all rows are sent. */
void syncd_plan_disable(struct syncd_plan *plan, syncd_plan_send_fn *send,
                        void *context);

/* Returns whether, after the last turn, an enabled group, of anybody, has
 * counter 'id' of each object of 'type', and there is one. */
bool syncd_plan_polls(const struct syncd_plan *plan, sai_object_type_t type,
                      sai_stat_id_t id);

#endif /* orchd/orchagent/syncd_plan.h */
