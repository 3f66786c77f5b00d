/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_LISTENER_H
#define ORCHD_RECONCILE_LISTENER_H

/* Notifications from the reconciler: the answer to each row, and each change of
 * the ASIC that SAI accepted.
 *
 * publish/ implements a listener over Redis; tests record the calls.  The
 * reconciler calls it only from agent_turn().  It reports the status of a row
 * once per turn and only if it changed, and changes of the ASIC in the order in
 * which they were made.  All arguments are borrowed for the call. */

#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/intent/table.h"
#include "orchd/reconcile/row_status.h"
#include "sai/core/metadata.h"

/* One object on the ASIC, named after its row ("BUFFER_POOL",
 * "ingress_lossless_pool", -1) or by port and index ("BUFFER_PG", "Ethernet0",
 * 3). */
struct object_view {
    enum table table;
    const char *name;
    int index; /* -1: it has no index. */
    sai_object_type_t type;
    sai_object_id_t oid;
};

/* Members may be NULL. */
struct listener {
    /* The answer to a row is now 'status'. */
    void (*row_status)(void *context, const struct row_status *status);

    /* The row was deleted from CONFIG_DB, and the ASIC holds nothing of it any
     * more. */
    void (*row_gone)(void *context, enum table table, const char *key);

    /* SAI accepted an object: it was created, or adopted.  Its attributes
     * follow one by one.  Priority groups and queues come with their port and
     * are not announced: the first notification is one of their attributes. */
    void (*object_appeared)(void *context, const struct object_view *object);

    /* SAI accepted a value for an attribute. */
    void (*object_attribute)(void *context, const struct object_view *object,
                             const struct metadata_attribute *attribute,
                             const sai_attribute_value_t *value);

    /* The object was removed, or orchd no longer manages it.  Also called for
     * each priority group and queue of a port that is released, announced or
     * not. */
    void (*object_gone)(void *context, const struct object_view *object);

    void *context;
};

struct object;

/* Notify 'listener' that 'object' is on the ASIC now; that the object with the
 * id 'oid', which 'object' stood for, was removed or is no longer orchd's; that
 * attribute 'meta' of 'object' has 'value' now. */
void listener_notify_appeared(const struct listener *listener,
                              const struct object *object);
void listener_notify_gone(const struct listener *listener,
                          const struct object *object, sai_object_id_t oid);
void listener_notify_attribute(const struct listener *listener,
                               const struct object *object,
                               const struct metadata_attribute *meta,
                               const sai_attribute_value_t *value);

#endif /* orchd/reconcile/listener.h */
