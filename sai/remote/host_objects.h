/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_HOST_OBJECTS_H
#define ORCHD_SAI_REMOTE_HOST_OBJECTS_H

/* The objects that clients of a host have created and not removed.
 *
 * Motivation: a client that restarts asks which objects the switch has
 * (sai_get_object_key()).  Some libraries do not export that function, or
 * refuse it.  A record that the client keeps itself lacks an object if the
 * client was killed between the call and the record.  The host outlives the
 * client and sees the result of each call, so its record is exact: the host
 * answers in the place of such a library.
 *
 * Objects that the library creates by itself, such as queues, and entries,
 * whose keys are no ids, are not in it. */

#include <stdint.h>

#include <sai.h>

struct call;
struct call_answer;
struct host_objects;

/* Creates an empty record.  host_objects_destroy() frees it, and accepts NULL.
 */
struct host_objects *host_objects_create(void);
void host_objects_destroy(struct host_objects *objects);

/* Records what 'call' has created and removed, by its statuses and ids in
 * 'answer'.  The removal of the switch empties the record. */
void host_objects_follow(struct host_objects *objects, const struct call *call,
                         const struct call_answer *answer);

/* Forgets an object that the host itself has removed; unknown ids have no
 * effect. */
void host_objects_forget(struct host_objects *objects, sai_object_id_t oid);

/* Lists the objects of 'type' like sai_get_object_key(): '*n' is the room in
 * 'keys', and becomes the number of objects.  Returns
 * SAI_STATUS_BUFFER_OVERFLOW, and stores no keys, if the room is too small. */
sai_status_t host_objects_list(const struct host_objects *objects,
                               sai_object_type_t type, uint32_t *n,
                               sai_object_key_t *keys);

#endif /* sai/remote/host_objects.h */
