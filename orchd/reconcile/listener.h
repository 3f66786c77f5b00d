/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_LISTENER_H
#define ORCHD_RECONCILE_LISTENER_H

/* What the reconciler tells the world: the answer to each row, and each change
 * of the ASIC that SAI accepted.
 *
 * publish/ implements this over Redis; tests record it.  The reconciler calls
 * an listener only from agent_turn(), tells each row's status once per turn
 * and only when it changed, and tells ASIC changes in the order in which they
 * were made.  All arguments are borrowed for the call. */

#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/intent/table.h"
#include "orchd/reconcile/row_status.h"
#include "sai/core/metadata.h"

/* One object of the ASIC as orchd knows it: named after the row that it stands
 * for ("BUFFER_POOL", "ingress_lossless_pool", -1) or by place ("BUFFER_PG",
 * "Ethernet0", 3). */
struct object_view {
    enum table table;
    const char *name;
    int index; /* -1 where there is none. */
    sai_object_type_t type;
    sai_object_id_t oid;
};

/* A member that is NULL is not told. */
struct listener {
    /* The answer to a row is now 'status'. */
    void (*row_status)(void *context, const struct row_status *status);

    /* The row is gone from CONFIG_DB and from the ASIC. */
    void (*row_gone)(void *context, enum table table, const char *key);

    /* SAI accepted an object: it was created, or adopted where the ASIC had it
     * already.  Its attributes follow one by one.  Priority groups and queues
     * come with their port and are not announced: they appear by their first
     * attribute. */
    void (*object_appeared)(void *context, const struct object_view *object);

    /* SAI accepted a value for an attribute. */
    void (*object_attribute)(void *context, const struct object_view *object,
                             const struct metadata_attribute *attribute,
                             const sai_attribute_value_t *value);

    /* The object was removed, or is no longer orchd's: also said of each
     * priority group and queue of a port that is let go, known or not. */
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
