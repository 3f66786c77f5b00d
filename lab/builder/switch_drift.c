/* SPDX-License-Identifier: Apache-2.0 */

/* Changes values behind the back of a control plane, and finds them. */

#include <config.h>

#include "lab/builder/switch_drift.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/random.h"
#include "base/text.h"
#include "lab/builder/switch_image.h"
#include "orchd/intent/table.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/compare.h"
#include "orchd/reconcile/graph.h"
#include "sai/core/attr_value.h"
#include "sai/core/backend.h"
#include "sai/core/kind.h"
#include "sai/core/serialize.h"

enum { BUFFER_STEP = 4096, PFC_BITS = 8, TC_BITS = 7 };

/* What may drift. */
static const struct {
    sai_object_type_t type;
    sai_attr_id_t attribute;
} drifting[] = {
    {SAI_OBJECT_TYPE_QOS_MAP, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST},
    {SAI_OBJECT_TYPE_BUFFER_PROFILE, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH},
    {SAI_OBJECT_TYPE_BUFFER_PROFILE, SAI_BUFFER_PROFILE_ATTR_XOFF_TH},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL},
    {SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_GREEN_MIN_THRESHOLD},
    {SAI_OBJECT_TYPE_SCHEDULER, SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT},
};

#define N_DRIFTING (sizeof drifting / sizeof *drifting)

/* Looks for the objects that have one of these values. */
struct search {
    size_t which; /* Of 'drifting'. */
    const struct object **objects;
    size_t n, size;
};

static void
collect(void *context, const struct object *object)
{
    struct search *search = context;

    if (object->type != drifting[search->which].type) {
        return;
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        if (object->slots[i].meta->id == drifting[search->which].attribute &&
            object->slots[i].held) {
            if (search->n == search->size) {
                search->size = search->size ? 2 * search->size : 64;
                search->objects = check_realloc(
                    search->objects, search->size * sizeof *search->objects);
            }
            search->objects[search->n++] = object;
        }
    }
}

/* Changes '*value' of 'kind' into one that differs, if it can. */
static bool
change(enum kind kind, struct random *random, sai_attribute_value_t *value)
{
    sai_qos_map_list_t *map = &value->qosmap;

    switch (kind) {
    case KIND_QOSMAP:
        if (map->count == 0) {
            return false;
        }
        /* Another traffic class: of a map of DSCPs. */
        map->list[random_below(random, map->count)].value.tc ^=
            1 + (uint8_t)random_below(random, TC_BITS);
        return true;
    case KIND_S8:
        value->s8 = value->s8 > 0 ? value->s8 - 1 : value->s8 + 1;
        return true;
    case KIND_U8:
        value->u8 ^= (uint8_t)(1U << random_below(random, PFC_BITS));
        return true;
    case KIND_U32:
        value->u32 += BUFFER_STEP;
        return true;
    case KIND_U64:
        value->u64 += BUFFER_STEP;
        return true;
    default:
        return false;
    }
}

/* Returns whether 'object' is a map, but not one of DSCPs. */
static bool
is_other_map(const struct object *object, struct sai_backend *backend)
{
    sai_attribute_t type = {.id = SAI_QOS_MAP_ATTR_TYPE};

    return object->type == SAI_OBJECT_TYPE_QOS_MAP &&
           (backend->ops->get(backend, object->type, object->oid, 1, &type) !=
                SAI_STATUS_SUCCESS ||
            type.value.s32 != SAI_QOS_MAP_TYPE_DSCP_TO_TC);
}

/* Changes the value number 'which' of 'object', and returns whether it is
 * another one now. */
static bool
disturb(const struct object *object, size_t which, struct sai_backend *backend,
        struct random *random)
{
    const struct metadata_attribute *meta = NULL;
    sai_attribute_t attribute = {.id = drifting[which].attribute};
    sai_attribute_value_t after;
    bool differs = false;

    for (size_t i = 0; i < object->n_slots; i++) {
        if (object->slots[i].meta->id == attribute.id) {
            meta = object->slots[i].meta;
        }
    }
    if (!meta || is_other_map(object, backend) ||
        compare_read(object, meta, backend, &attribute.value) !=
            SAI_STATUS_SUCCESS) {
        return false;
    }
    if (change(meta->kind, random, &attribute.value) &&
        backend->ops->set(backend, object->type, object->oid, &attribute) ==
            SAI_STATUS_SUCCESS &&
        compare_read(object, meta, backend, &after) == SAI_STATUS_SUCCESS) {
        differs = attr_value_equal(meta->kind, &attribute.value, &after);
        attr_value_fini(meta->kind, &after);
    }
    attr_value_fini(meta->kind, &attribute.value);
    return differs;
}

/* Tries to change a value of 'which', beginning with a random object. */
static bool
make_one(struct switch_instance *instance, size_t which, struct random *random,
         struct switch_drift *made)
{
    struct search search = {.which = which};
    bool is_made = false;
    size_t first;

    agent_each_object(switch_instance_agent(instance), collect, &search);
    first = search.n ? random_below(random, search.n) : 0;
    for (size_t i = 0; !is_made && i < search.n; i++) {
        const struct object *object = search.objects[(first + i) % search.n];

        is_made =
            disturb(object, which, switch_instance_backend(instance), random);
        *made = (struct switch_drift){object->oid, drifting[which].attribute};
    }
    free(search.objects);
    return is_made;
}

enum st
switch_drift_make(struct switch_instance *instance, struct random *random,
                  struct switch_drift *made, struct err *err)
{
    const size_t first = random_below(random, N_DRIFTING);

    for (size_t i = 0; i < N_DRIFTING; i++) {
        if (make_one(instance, (first + i) % N_DRIFTING, random, made)) {
            return ST_OK;
        }
    }
    return err_set(err, ST_NOT_FOUND, "drift",
                   "the switch has no value that could drift");
}

/* An audit. */
struct audit {
    struct sai_backend *backend;
    switch_difference_fn *fn;
    void *context;
    size_t n;
};

/* Appends 'value' of 'meta'; NULL: there is none. */
static void
add_value(struct text *text, const struct metadata_attribute *meta,
          const sai_attribute_value_t *value)
{
    if (!value) {
        text_add(text, "nothing");
    } else if (serialize_value(meta, value, text)) {
        text_add(text, "?");
    }
}

/* A compare_fn: reports a value that was read and is another one. */
static void
on_difference(void *context, const struct compare_difference *difference)
{
    const struct audit *audit = context;
    const struct object *object = difference->object;
    struct text row = {0}, found = {0}, intended = {0};

    if (!difference->found && !compare_is_missing(difference->unread)) {
        return;
    }
    table_add_row(&row, object->name.table, object->name.name);
    add_value(&found, difference->meta, difference->found);
    add_value(&intended, difference->meta, difference->intended);
    audit->fn(audit->context,
              &(struct switch_difference){
                  .of = {object->oid, (uint32_t)difference->meta->id},
                  .row = text_string(&row),
                  .attribute = difference->meta->name,
                  .found = text_string(&found),
                  .intended = text_string(&intended)});
    text_fini(&row);
    text_fini(&found);
    text_fini(&intended);
}

static void
audit_object(void *context, const struct object *object)
{
    struct audit *audit = context;

    audit->n += compare_object(object, audit->backend, on_difference, audit);
}

size_t
switch_drift_audit(struct switch_instance *instance, switch_difference_fn *fn,
                   void *context)
{
    struct audit audit = {.backend = switch_instance_backend(instance),
                          .fn = fn,
                          .context = context};

    agent_each_object(switch_instance_agent(instance), audit_object, &audit);
    return audit.n;
}
