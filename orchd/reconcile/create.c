/* SPDX-License-Identifier: Apache-2.0 */

/* Creates objects on the ASIC.
 *
 * If the device does not support an optional attribute, the creation is
 * repeated without it; the attribute keeps its refusal, and the rest of the row
 * is applied. Several objects go into one call; each result is handled
 * separately, and an object that needs a second try is created alone. */

#include <config.h>

#include "orchd/reconcile/create.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/reconcile/adopted_values.h"
#include "orchd/reconcile/executor.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom_order.h"
#include "orchd/reconcile/lane_claims.h"
#include "orchd/reconcile/listener.h"
#include "orchd/reconcile/port_details.h"
#include "orchd/reconcile/ports.h"
#include "orchd/reconcile/refusal.h"
#include "orchd/reconcile/resolved_value.h"
#include "sai/core/attr_value.h"
#include "sai/core/status.h"

/* The attributes of an object to be created, and their slots, in the order of
 * the object's slots. */
struct creation {
    sai_attribute_t *attributes;
    struct slot **slots;
    struct resolved_value *resolved;
    uint32_t n;
};

static void
creation_fini(struct creation *creation)
{
    for (uint32_t i = 0; i < creation->n; i++) {
        resolved_value_fini(&creation->resolved[i]);
    }
    free(creation->attributes);
    free(creation->slots);
    free(creation->resolved);
}

/* An unsupported attribute is left out of creations until the row changes;
 * otherwise the object could never be created. */
static bool
is_unsupported(const struct slot *slot)
{
    return slot->refusal.status != SAI_STATUS_SUCCESS && !slot->refusal.due &&
           st_from_sai(slot->refusal.status) == ST_UNSUPPORTED;
}

/* Returns whether 'slot' wants or holds an object of 'type'. */
static bool
refers_to_type(const struct slot *slot, sai_object_type_t type)
{
    const sai_object_type_t *types = slot->meta->objects;

    for (; types && *types != SAI_OBJECT_TYPE_NULL; types++) {
        if (*types == type && (slot->want || slot->held)) {
            return true;
        }
    }
    return false;
}

/* A port is created with admin state down: its queues and priority groups, and
 * so their buffers, are known only after the creation. */
static bool
comes_later(const struct object *object, const struct slot *slot)
{
    return object->type == SAI_OBJECT_TYPE_PORT &&
           slot->meta->id == SAI_PORT_ATTR_ADMIN_STATE;
}

/* Collects the wanted attributes of 'object'.  Returns false if an object that
 * it refers to does not exist, or another change has to come first
 * (headroom_order.h). */
static bool
creation_collect(const struct object *object, struct creation *creation)
{
    memset(creation, 0, sizeof *creation);
    if (!headroom_order_allows_creation(object)) {
        return false;
    }
    creation->attributes =
        check_calloc(object->n_slots, sizeof *creation->attributes);
    creation->slots = check_calloc(object->n_slots, sizeof *creation->slots);
    creation->resolved =
        check_calloc(object->n_slots, sizeof *creation->resolved);
    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];
        uint32_t n = creation->n;

        if (!resolved_value_exists(slot) || is_unsupported(slot) ||
            comes_later(object, slot)) {
            continue;
        }
        if (!resolved_value_init(slot, &creation->resolved[n])) {
            creation_fini(creation);
            return false;
        }
        creation->slots[n] = slot;
        creation->attributes[n].id = slot->meta->id;
        creation->attributes[n].value = creation->resolved[n].value;
        creation->n++;
    }
    return true;
}

/* Returns the slot of the attribute that 'status' names, or NULL. */
static struct slot *
creation_culprit(const struct creation *creation, sai_status_t status)
{
    uint32_t index;

    if (!status_attribute_index(status, &index) || index >= creation->n) {
        return NULL;
    }
    return creation->slots[index];
}

static void
commit_creation(struct executor *executor, struct object *object,
                const struct creation *creation, sai_object_id_t oid)
{
    if (object_exists(object)) {
        object_retire(object);
    }
    object->oid = oid;
    object->fresh = true;
    refusal_note_change(object);
    refusal_forget(&object->refusal);
    object->refused = NULL;
    listener_notify_appeared(executor->listener, object);
    /* Slots that were not part of the creation have their defaults. */
    for (size_t i = 0, j = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];
        const struct resolved_value *resolved = &creation->resolved[j];

        if (j == creation->n || creation->slots[j] != slot) {
            object_release(object, slot);
            continue;
        }
        object_hold(object, slot, &resolved->value, resolved->targets,
                    resolved->n_targets);
        refusal_forget(&slot->refusal);
        listener_notify_attribute(executor->listener, object, slot->meta,
                                  &slot->value);
        j++;
    }
    graph_mark(object);
    graph_mark_referrers(object); /* They are not bound to it yet. */
}

/* Records that attribute 'meta' of the adopted 'object' has 'value' rather than
 * the requested one.  For a reference it is only known that it differs. */
static void
note_adopted_value(struct executor *executor, struct object *object,
                   const struct metadata_attribute *meta,
                   const sai_attribute_value_t *value)
{
    struct slot *slot = object_slot_make(object, meta);

    if (meta->kind == KIND_OID || meta->kind == KIND_OBJLIST) {
        object_release(object, slot);
        slot->uncertain = true;
    } else {
        object_hold(object, slot, value, NULL, 0);
        listener_notify_attribute(executor->listener, object, meta,
                                  &slot->value);
    }
}

/* Records the values of 'object' that differ if it was adopted instead of
 * created. */
static void
note_adopted_values(struct executor *executor, struct object *object)
{
    const struct adopted_values *adopted = executor->adopted;
    const struct metadata_object *type = metadata_object(object->type);

    for (uint16_t i = 0; adopted && type && i < type->n_attributes; i++) {
        const struct metadata_attribute *meta = &type->attributes[i];
        const sai_attribute_value_t *held = object_value(object, meta->id);
        const sai_attribute_value_t *found =
            adopted->found(adopted->context, object->oid, meta->id);
        sai_attribute_value_t default_value;

        if (found && !held && metadata_default(meta, &default_value)) {
            held = &default_value;
        }
        if (found && held && !attr_value_equal(meta->kind, held, found)) {
            note_adopted_value(executor, object, meta, found);
        }
    }
}

/* Returns the meaning of 'status', with which a device refused to create
 * 'object'. Devices that do not allow ports to share lanes report that with
 * many codes, most of which would rule out a retry. */
static sai_status_t
creation_verdict(const struct executor *executor, const struct object *object,
                 sai_status_t status)
{
    const struct slot *lanes = object_slot(object, SAI_PORT_ATTR_HW_LANE_LIST);
    bool shared = object->type == SAI_OBJECT_TYPE_PORT && lanes &&
                  lanes->want &&
                  ports_overlap(executor->ports, &lanes->want->value.u32list);

    return shared ? SAI_STATUS_OBJECT_IN_USE : status;
}

/* Records the result of a creation.  Returns false if it should be repeated,
 * without the attribute that the device does not support. */
static bool
settle_creation(struct executor *executor, struct object *object,
                const struct creation *creation, sai_status_t status,
                sai_object_id_t oid, int64_t now)
{
    struct slot *culprit = creation_culprit(creation, status);

    executor->n_calls++;
    if (status == SAI_STATUS_SUCCESS) {
        commit_creation(executor, object, creation, oid);
        note_adopted_values(executor, object);
        return true;
    }
    if (culprit && st_from_sai(status) == ST_UNSUPPORTED &&
        !(culprit->meta->flags & METADATA_FLAG_MANDATORY_ON_CREATE)) {
        executor_refuse(executor, object, &culprit->refusal, status, now);
        return false;
    }
    object->refused = culprit ? culprit->meta : NULL;
    executor_refuse(executor, object, &object->refusal,
                    creation_verdict(executor, object, status), now);
    return true;
}

/* Creates 'object' without the attributes that the device does not support.
 * Each round leaves out one more, so the loop ends. */
static void
create_owned(struct executor *executor, struct object *object, int64_t now)
{
    struct creation creation;
    bool settled = false;

    while (!settled && creation_collect(object, &creation)) {
        sai_object_id_t oid = SAI_NULL_OBJECT_ID;
        sai_status_t status;

        if (executor->adopted) {
            executor->adopted->expect(executor->adopted->context, object->id);
        }
        status = executor->backend->ops->create(executor->backend, object->type,
                                                creation.n, creation.attributes,
                                                &oid);

        settled =
            settle_creation(executor, object, &creation, status, oid, now);
        creation_fini(&creation);
    }
}

/* Adopts ASIC port 'oid', which has the wanted 'lanes', for 'object'. */
static void
adopt_port(struct executor *executor, struct object *object, struct slot *lanes,
           sai_object_id_t oid)
{
    object->oid = oid;
    object->fresh = false; /* Its attributes may have been set before. */
    refusal_forget(&object->refusal);
    listener_notify_appeared(executor->listener, object);
    object_hold(object, lanes, &lanes->want->value, NULL, 0);
    refusal_note_change(object);
    listener_notify_attribute(executor->listener, object, lanes->meta,
                              &lanes->value);
    graph_mark(object);
}

static void
release_all(struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        object_release(object, &object->slots[i]);
        refusal_forget(&object->slots[i].refusal);
    }
}

void
create_undo(struct executor *executor, struct object *object)
{
    for (struct object *child = object_children(object); child;
         child = child->sibling) {
        if (object_exists(child)) {
            listener_notify_gone(executor->listener, child, child->oid);
        }
    }
    listener_notify_gone(executor->listener, object, object->oid);
    port_details_forget(object);
    ports_give(executor->ports, object->oid);
    object->oid = SAI_NULL_OBJECT_ID;
    release_all(object);
    graph_mark(object);
    graph_mark_referrers(object);
}

bool
create_forget_port(struct executor *executor, struct object *object)
{
    const sai_object_id_t oid = object->oid;
    /* The backends in between learn from the status that it is gone. */
    const sai_status_t status = executor->backend->ops->remove(
        executor->backend, SAI_OBJECT_TYPE_PORT, oid);

    if (status != SAI_STATUS_SUCCESS && status != SAI_STATUS_ITEM_NOT_FOUND &&
        status != SAI_STATUS_INVALID_OBJECT_ID) {
        return false;
    }
    for (struct object *child = object_children(object); child;
         child = child->sibling) {
        release_all(child);
    }
    create_undo(executor, object);
    ports_lose(executor->ports, executor->backend, oid);
    return true;
}

/* Reads the children of 'n' ports that are on the ASIC now. */
static void
finish_ports(struct executor *executor, uint32_t n,
             struct object *const *objects, int64_t now)
{
    sai_status_t *statuses = check_calloc(n + 1u, sizeof *statuses);

    port_details_read(executor->backend, n, objects, statuses);
    for (uint32_t i = 0; i < n; i++) {
        if (statuses[i] != SAI_STATUS_SUCCESS) {
            /* The next try adopts it. */
            create_undo(executor, objects[i]);
            executor_refuse(executor, objects[i], &objects[i]->refusal,
                            statuses[i], now);
        }
    }
    free(statuses);
}

/* Returns the slot with the wanted lanes of 'object', a port. */
static struct slot *
lanes_of(const struct object *object)
{
    struct slot *lanes = object_slot(object, SAI_PORT_ATTR_HW_LANE_LIST);

    orch_assert(lanes && lanes->want); /* Mandatory in the schema. */
    return lanes;
}

/* Adopts the unclaimed ASIC port with the lanes of 'object', if there is one.
 * Returns whether there is. */
static bool
take_port(struct executor *executor, struct object *object)
{
    struct slot *lanes = lanes_of(object);
    const sai_object_id_t oid =
        ports_take(executor->ports, &lanes->want->value.u32list);

    if (oid != SAI_NULL_OBJECT_ID) {
        adopt_port(executor, object, lanes, oid);
    }
    return oid != SAI_NULL_OBJECT_ID;
}

/* Sets attribute 'former' of 'object' again, which has just been created. */
static void
return_attribute(struct executor *executor, struct object *object,
                 const struct slot *former, bool set)
{
    const sai_attribute_t attribute = {former->meta->id, former->value};
    sai_status_t status = SAI_STATUS_SUCCESS;
    struct slot *slot;

    if (set) {
        executor->n_calls++;
        status = executor->backend->ops->set(executor->backend, object->type,
                                             object->oid, &attribute);
    }
    if (status == SAI_STATUS_SUCCESS) {
        slot = object_slot_make(object, former->meta);
        object_hold(object, slot, &former->value, NULL, 0);
        port_details_note(object, slot->meta, &slot->value);
        listener_notify_attribute(executor->listener, object, slot->meta,
                                  &slot->value);
    }
}

/* Creates the former port of 'object' again, whose move the device refused,
 * unless its lanes are in use meanwhile. */
static void
return_port(struct executor *executor, struct object *object)
{
    const struct port_children *children = object->port_children;
    const sai_u32_list_t *lanes = NULL;
    sai_attribute_t attributes[4];
    uint32_t n = 0;

    for (uint32_t i = 0; i < children->n_former && n < 4; i++) {
        const struct slot *former = &children->former[i];

        if (former->meta->flags & METADATA_FLAG_MANDATORY_ON_CREATE) {
            attributes[n].id = former->meta->id;
            attributes[n++].value = former->value;
        }
        if (former->meta->id == SAI_PORT_ATTR_HW_LANE_LIST) {
            lanes = &former->value.u32list;
        }
    }
    if (!lanes || ports_overlap(executor->ports, lanes)) {
        return;
    }
    object->oid = ports_take(executor->ports, lanes);
    object->fresh = object->oid == SAI_NULL_OBJECT_ID;
    if (object->fresh) {
        executor->n_calls++;
        if (executor->backend->ops->create(executor->backend, object->type, n,
                                           attributes, &object->oid) !=
            SAI_STATUS_SUCCESS) {
            object->oid = SAI_NULL_OBJECT_ID;
            return;
        }
        ports_rejoin(executor->ports, executor->backend, object->oid, lanes);
        ports_add(executor->ports, object->oid, lanes);
    }
    listener_notify_appeared(executor->listener, object);
    for (uint32_t i = 0; i < children->n_former; i++) {
        return_attribute(executor, object, &children->former[i],
                         !(children->former[i].meta->flags &
                           METADATA_FLAG_MANDATORY_ON_CREATE));
    }
    graph_mark(object);
    graph_mark_referrers(object);
}

/* Registers a port that was just created.  If the device refused it and would
 * refuse it again, returns to the former port, if there was one. */
static void
add_port(struct executor *executor, struct object *object)
{
    const sai_status_t status = object->refusal.status;

    if (object_exists(object)) {
        ports_rejoin(executor->ports, executor->backend, object->oid,
                     &lanes_of(object)->want->value.u32list);
        ports_add(executor->ports, object->oid,
                  &lanes_of(object)->want->value.u32list);
    } else if (st_retry(st_from_sai(status)) != ST_RETRY_NEVER) {
        return;
    } else if (object->port_children->former) {
        return_port(executor, object);
    }
    port_drop_former(object);
}

/* Frees the lanes of 'object' by removing unclaimed ports, unless a claimed
 * port has exactly these lanes.  Returns whether they are free; if not, records
 * why. */
static bool
clear_lanes(struct executor *executor, struct object *object, int64_t now)
{
    const sai_u32_list_t *list = &lanes_of(object)->want->value.u32list;
    sai_object_type_t refused = SAI_OBJECT_TYPE_NULL;
    const sai_status_t status =
        ports_taken(executor->ports, list)
            ? SAI_STATUS_OBJECT_IN_USE
            : ports_clear(executor->ports, executor->backend, list, &refused);

    if (status != SAI_STATUS_SUCCESS) {
        object->refused = NULL;
        executor_refuse(executor, object, &object->refusal, status, now);
        object->blocking = refused;
    }
    return status == SAI_STATUS_SUCCESS;
}

/* Collects what the row of 'port' says about attributes that a creation needs.
 * Returns their number, at most 'size'. */
static uint32_t
collect_mandatory(const struct object *port, sai_attribute_t *attributes,
                  uint32_t size)
{
    const struct demand *demand = NULL;
    uint32_t n = 0;

    for (const struct claim *claim = port->claims; claim && !demand;
         claim = claim->next_on_object) {
        demand = claim->source->demand.defines ? &claim->source->demand : NULL;
    }
    for (size_t i = 0; demand && i < demand->n_wants && n < size; i++) {
        const struct want *want = &demand->wants[i];

        if (want->meta->flags & METADATA_FLAG_MANDATORY_ON_CREATE) {
            attributes[n].id = want->meta->id;
            attributes[n++].value = want->value;
        }
    }
    return n;
}

void
create_prepare(struct executor *executor, struct object *object, int64_t now)
{
    const struct want *want = lane_claims_wanted(object);
    sai_object_type_t refused = SAI_OBJECT_TYPE_NULL;
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;
    sai_attribute_t attributes[4];
    sai_status_t status;
    const uint32_t n = collect_mandatory(
        object, attributes, sizeof attributes / sizeof *attributes);

    orch_assert(want != NULL); /* Otherwise it would not move. */
    status = ports_clear(executor->ports, executor->backend,
                         &want->value.u32list, &refused);
    if (status == SAI_STATUS_SUCCESS) {
        refused = SAI_OBJECT_TYPE_NULL;
        executor->n_calls++;
        status = executor->backend->ops->create(executor->backend, object->type,
                                                n, attributes, &oid);
    }
    object->refused = NULL;
    if (status != SAI_STATUS_SUCCESS) {
        uint32_t index;

        if (status_attribute_index(status, &index) && index < n) {
            object->refused =
                metadata_attribute(object->type, attributes[index].id);
        }
        executor_refuse(executor, object, &object->refusal, status, now);
        object->blocking = refused;
        return;
    }
    refusal_forget(&object->refusal);
    ports_rejoin(executor->ports, executor->backend, oid, &want->value.u32list);
    ports_add(executor->ports, oid, &want->value.u32list);
    ports_give(executor->ports, oid);
    graph_note_lanes(object);
    graph_mark(object);
}

/* --- Several at once --------------------------------------------------- */

bool
create_is_apart(const struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        if (refers_to_type(&object->slots[i], object->type)) {
            return false;
        }
    }
    return true;
}

bool
create_is_plain(const struct executor *executor, const struct object *object)
{
    return create_is_apart(object) &&
           (object->class == OBJECT_OWNED
                ? !executor->adopted
                : ports_are_at_hand(executor->ports,
                                    &lanes_of(object)->want->value.u32list));
}

/* Fills 'many' with the creation of all 'creations'.  Allocates its arrays. */
static void
make_call(struct backend_many *many, const struct creation *creations,
          uint32_t n, uint32_t *counts)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i < n; i++) {
        counts[i] = creations[i].n;
        total += counts[i];
    }
    many->n = n;
    many->counts = counts;
    many->keys = check_calloc(n, sizeof *many->keys);
    many->statuses = check_calloc(n, sizeof *many->statuses);
    many->attributes = check_calloc(total + 1u, sizeof *many->attributes);
    total = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (counts[i]) {
            memcpy(&many->attributes[total], creations[i].attributes,
                   counts[i] * sizeof *many->attributes);
        }
        total += counts[i];
    }
}

/* Records each result; an object that should be tried again is created alone.
 */
static void
settle_all(struct executor *executor, struct object *const *objects,
           struct creation *creations, const struct backend_many *many,
           int64_t now)
{
    for (uint32_t i = 0; i < many->n; i++) {
        if (!settle_creation(executor, objects[i], &creations[i],
                             many->statuses[i], many->keys[i].key.object_id,
                             now)) {
            create_owned(executor, objects[i], now);
        }
        if (objects[i]->class == OBJECT_CLAIMED) {
            add_port(executor, objects[i]);
        }
    }
}

/* Creates 'n' objects of one type in one call. */
static void
create_together(struct executor *executor, struct object *const *objects,
                size_t n, int64_t now)
{
    struct creation *creations = check_calloc(n, sizeof *creations);
    struct object **found = check_calloc(n, sizeof(struct object *));
    uint32_t *counts = check_calloc(n, sizeof *counts);
    struct backend_many many = {.op = OP_CREATE_MANY,
                                .type = objects[0]->type,
                                .mode = SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR};
    uint32_t n_found = 0;

    for (size_t i = 0; i < n; i++) {
        if (creation_collect(objects[i], &creations[n_found])) {
            found[n_found++] = objects[i];
        }
    }
    if (n_found) {
        make_call(&many, creations, n_found, counts);
        (void)backend_do_many(executor->backend, &many);
        settle_all(executor, found, creations, &many, now);
    }
    for (uint32_t i = 0; i < n_found; i++) {
        creation_fini(&creations[i]);
    }
    free(many.keys);
    free(many.statuses);
    free(many.attributes);
    free(counts);
    free(found);
    free(creations);
}

/* Creates port 'object'.  Where the ASIC has no room for it, ports that no row
 * names make room. */
static void
create_port(struct executor *executor, struct object *object, int64_t now)
{
    do {
        create_owned(executor, object, now);
    } while (!object_exists(object) &&
             object->refusal.status == SAI_STATUS_INSUFFICIENT_RESOURCES &&
             ports_give_up(executor->ports, executor->backend));
    add_port(executor, object);
}

/* Creates 'n' ports. */
static void
create_new_ports(struct executor *executor, struct object *const *objects,
                 size_t n, int64_t now)
{
    if (n == 1) {
        create_port(executor, objects[0], now);
        return;
    }
    if (n > 1) {
        create_together(executor, objects, n, now);
    }
    for (size_t i = 0; i < n; i++) {
        if (!object_exists(objects[i]) &&
            objects[i]->refusal.status == SAI_STATUS_INSUFFICIENT_RESOURCES &&
            ports_give_up(executor->ports, executor->backend)) {
            create_port(executor, objects[i], now);
        }
    }
}

/* Adopts the ports that the ASIC has, creates the others, and reads the
 * children of all of them. */
static void
create_ports(struct executor *executor, struct object *const *objects, size_t n,
             int64_t now)
{
    struct object **there = check_calloc(n, sizeof(struct object *));
    struct object **others = check_calloc(n, sizeof(struct object *));
    uint32_t n_there = 0;
    size_t n_others = 0;

    for (size_t i = 0; i < n; i++) {
        if (take_port(executor, objects[i])) {
            there[n_there++] = objects[i];
        } else if (clear_lanes(executor, objects[i], now)) {
            others[n_others++] = objects[i];
        }
    }
    create_new_ports(executor, others, n_others, now);
    for (size_t i = 0; i < n_others; i++) {
        if (object_exists(others[i])) {
            there[n_there++] = others[i];
        }
    }
    finish_ports(executor, n_there, there, now);
    free(others);
    free(there);
}

void
create_one(struct executor *executor, struct object *object, int64_t now)
{
    if (object->class == OBJECT_CLAIMED) {
        create_ports(executor, &object, 1, now);
    } else {
        create_owned(executor, object, now);
    }
}

void
create_several(struct executor *executor, struct object *const *objects,
               size_t n, int64_t now)
{
    if (objects[0]->class == OBJECT_CLAIMED) {
        create_ports(executor, objects, n, now);
    } else {
        create_together(executor, objects, n, now);
    }
}
