/* SPDX-License-Identifier: Apache-2.0 */

/* Calls the members of a listener that are set. */

#include <config.h>

#include "orchd/reconcile/listener.h"

#include "orchd/reconcile/graph.h"

static struct object_view
view_of(const struct object *object, sai_object_id_t oid)
{
    return (struct object_view){object->name.table, object->name.name,
                                object->name.index, object->type, oid};
}

void
listener_notify_appeared(const struct listener *listener,
                         const struct object *object)
{
    struct object_view view = view_of(object, object->oid);

    if (listener->object_appeared) {
        listener->object_appeared(listener->context, &view);
    }
}

void
listener_notify_gone(const struct listener *listener,
                     const struct object *object, sai_object_id_t oid)
{
    struct object_view view = view_of(object, oid);

    if (listener->object_gone) {
        listener->object_gone(listener->context, &view);
    }
}

void
listener_notify_attribute(const struct listener *listener,
                          const struct object *object,
                          const struct metadata_attribute *meta,
                          const sai_attribute_value_t *value)
{
    struct object_view view = view_of(object, object->oid);

    if (listener->object_attribute) {
        listener->object_attribute(listener->context, &view, meta, value);
    }
}
