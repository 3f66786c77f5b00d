/* SPDX-License-Identifier: Apache-2.0 */

/* Tells an observer what has become of an object on the ASIC. */

#include <config.h>

#include "orchd/reconcile/notify_listener.h"

#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/listener.h"

static struct object_view
view_of(const struct object *object, sai_object_id_t oid)
{
    return (struct object_view){object->name.table, object->name.name,
                                object->name.index, object->type, oid};
}

void
notify_listener_appeared(const struct listener *observer,
                         const struct object *object)
{
    struct object_view view = view_of(object, object->oid);

    if (observer->object_appeared) {
        observer->object_appeared(observer->context, &view);
    }
}

void
notify_listener_gone(const struct listener *observer,
                     const struct object *object, sai_object_id_t oid)
{
    struct object_view view = view_of(object, oid);

    if (observer->object_gone) {
        observer->object_gone(observer->context, &view);
    }
}

void
notify_listener_attribute(const struct listener *observer,
                          const struct object *object,
                          const struct metadata_attribute *meta,
                          const sai_attribute_value_t *value)
{
    struct object_view view = view_of(object, object->oid);

    if (observer->object_attribute) {
        observer->object_attribute(observer->context, &view, meta, value);
    }
}
