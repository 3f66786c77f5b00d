/* SPDX-License-Identifier: Apache-2.0 */

/* Nodes and edges.
 *
 * Lifetimes.  A source exists from its first row until row_answer.h has
 * reported that the row is gone.  An object exists while anything mentions it:
 * a claim or edge of a source, a slot that holds it, a child.  'n_mentions'
 * counts these, and graph_sweep() frees objects without any, but only between
 * plans, and only touched objects; so the steps of a plan never point to freed
 * memory.  Code that removes the last mention must mark the object, or nothing
 * would check it.
 *
 * The wants in slots are borrowed from sources.  Code that removes a want first
 * clears all slots of its table on the objects that the source claims. */

#include <config.h>

#include "orchd/reconcile/graph.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/intent/key.h"
#include "orchd/reconcile/lane_set.h"
#include "sai/core/attr_value.h"

static const struct object_name switch_object = {"localhost",
                                                 TABLE_DEVICE_METADATA, -1};
static const struct object_name cpu_port = {"CPU", TABLE_PORT, -1};

/* There are about 40 of each per port; docs/explanation/cost.md gives the
 * total. */
_Static_assert(sizeof(struct object) <= 264, "an object is small");
_Static_assert(sizeof(struct source) <= 256, "so is a source");
_Static_assert(sizeof(struct slot) <= 128, "and a slot");

/* --- Objects ------------------------------------------------------------ */

static enum object_class
class_of(const struct object_name *name)
{
    switch (name->table) {
    case TABLE_DEVICE_METADATA:
    case TABLE_SYSTEM_PORT:
        return OBJECT_SWITCH;
    case TABLE_PORT:
        return strcmp(name->name, cpu_port.name) ? OBJECT_CLAIMED
                                                 : OBJECT_SWITCH;
    case TABLE_BUFFER_PG:
    case TABLE_BUFFER_QUEUE:
    case TABLE_QUEUE:
        return OBJECT_CHILD;
    default:
        return OBJECT_OWNED;
    }
}

static uint32_t
hash_of(const struct object_name *name)
{
    return hash_index_number((uint64_t)hash_index_text(name->name) << 32 |
                             (uint64_t)name->table << 16 |
                             (uint16_t)name->index);
}

/* A hash_index_equal_fn. */
static bool
object_has_name(const void *object_, const void *name_)
{
    const struct object *object = object_;
    const struct object_name *name = name_;

    return object->name.table == name->table &&
           object->name.index == name->index &&
           !strcmp(object->name.name, name->name);
}

struct object *
graph_find_object(const struct graph *graph, const struct object_name *name)
{
    return hash_index_find(&graph->objects_by_name, hash_of(name),
                           object_has_name, name);
}

struct object *
graph_find_id(const struct graph *graph, const char *id)
{
    const char *separator = strchr(id, '|');
    const char *last = strrchr(id, '|');
    struct object_name name = {.index = -1};
    struct object *object;
    struct text text = {0};

    if (!separator || !table_find(id, (size_t)(separator - id), &name.table)) {
        return NULL;
    }
    name.name = separator + 1;
    object = graph_find_object(graph, &name);
    if (!object && last > separator) { /* What follows may be an index. */
        text_add_bytes(&text, name.name, (size_t)(last - name.name));
        name.name = text_string(&text);
        name.index = (int)strtol(last + 1, NULL, 10);
        object = graph_find_object(graph, &name);
        text_fini(&text);
    }
    return object && !strcmp(object->id, id) ? object : NULL;
}

void
port_drop_former(struct object *port)
{
    struct port_children *children = port->port_children;

    for (uint32_t i = 0; i < children->n_former; i++) {
        attr_value_fini(children->former[i].meta->kind,
                        &children->former[i].value);
    }
    free(children->former);
    children->former = NULL;
    children->n_former = 0;
}

void
port_save_former(struct object *port)
{
    struct port_children *children = port->port_children;

    port_drop_former(port);
    children->former = check_calloc(port->n_slots, sizeof *children->former);
    for (size_t i = 0; i < port->n_slots; i++) {
        const struct slot *slot = &port->slots[i];

        if (slot->held && slot->n_targets == 0 &&
            slot->owner == port->name.table) {
            struct slot *saved = &children->former[children->n_former++];

            saved->meta = slot->meta;
            attr_value_copy(slot->meta->kind, &slot->value, &saved->value);
        }
    }
}

static void
link_port(struct object *port)
{
    struct graph *graph = port->graph;

    port->port_children->next_port = graph->ports_first;
    if (graph->ports_first) {
        graph->ports_first->port_children->previous_port = port;
    }
    graph->ports_first = port;
}

static void
unlink_port(struct object *port)
{
    struct port_children *children = port->port_children;

    if (children->previous_port) {
        children->previous_port->port_children->next_port = children->next_port;
    } else {
        port->graph->ports_first = children->next_port;
    }
    if (children->next_port) {
        children->next_port->port_children->previous_port =
            children->previous_port;
    }
}

void
graph_note_lanes(const struct object *object)
{
    struct port_children *children = object->port_children;

    if (object->class == OBJECT_CLAIMED && !children->is_relaned) {
        children->is_relaned = true;
        LL_PREPEND2(object->graph->relaned, children, next_relaned);
    }
}

/* Notes that the lanes of 'object' have changed, if 'slot' is these. */
static void
note_lanes(const struct object *object, const struct slot *slot)
{
    if (slot->meta->id == SAI_PORT_ATTR_HW_LANE_LIST) {
        graph_note_lanes(object);
    }
}

/* Creates an object of that name, whose hash is 'hash'. */
static struct object *
object_create(struct graph *graph, const struct object_name *name,
              uint32_t hash)
{
    struct object *object;
    struct text id = {0};

    object_name_add(&id, name);
    object = check_calloc(1, sizeof *object + id.length + 1);
    memcpy(object->id, text_string(&id), id.length);
    text_fini(&id);
    object->name = *name;
    object->name.name = object->id + strlen(table_name(name->table)) + 1;
    object->type = translate_object_type(name->table);
    object->class = class_of(name);
    object->graph = graph;
    object->direction = DIRECTION_UNKNOWN;
    if (name->table == TABLE_PORT || name->table == TABLE_SYSTEM_PORT) {
        object->port_children = check_calloc(1, sizeof *object->port_children);
        object->port_children->port = object;
    }
    if (object->class == OBJECT_CLAIMED) {
        link_port(object);
    }
    DL_APPEND2(graph->objects, object, previous, next);
    hash_index_add(&graph->objects_by_name, hash, object);
    graph->objects_sorted = false;
    return object;
}

/* Links a child to its port or system port, which is created if needed. */
static void
object_adopt_parent(struct object *object, const struct object_name *name)
{
    struct object_name port = {
        name->name,
        key_is_system_port(name->name) ? TABLE_SYSTEM_PORT : TABLE_PORT, -1};

    object->parent = graph_make_object(object->graph, &port);
    object->name.name = object->parent->name.name; /* Without the index. */
    object->sibling = object->parent->port_children->first;
    object->parent->port_children->first = object;
    object->parent->n_mentions++; /* So it outlives its children. */
    object_locate(object);
}

struct object *
graph_make_object(struct graph *graph, const struct object_name *name)
{
    const uint32_t hash = hash_of(name);
    struct object *object =
        hash_index_find(&graph->objects_by_name, hash, object_has_name, name);

    if (!object) {
        object = object_create(graph, name, hash);
        if (object->class == OBJECT_CHILD) {
            object_adopt_parent(object, name);
        }
    }
    return object;
}

sai_object_id_t
port_group_oid(const struct object *port, int index)
{
    const struct port_children *children = port->port_children;

    return children->group_oids && (uint32_t)index < children->n_queues
               ? children->group_oids[index]
               : SAI_NULL_OBJECT_ID;
}

void
object_locate(struct object *child)
{
    const struct object *port = child->parent;
    bool pg = child->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP;
    const struct port_children *children = port->port_children;
    uint32_t n = pg ? children->n_pgs : children->n_queues;
    uint32_t index = (uint32_t)child->name.index;

    child->oid = SAI_NULL_OBJECT_ID;
    if (child->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP) {
        child->oid = port_group_oid(port, child->name.index);
    } else if (index < n) {
        child->oid = (pg ? children->pg_oids : children->queue_oids)[index];
    }
    child->fresh = port->fresh;
}

/* Removes a mention of the port; it may have been the last one. */
static void
object_leave_parent(struct object *object)
{
    struct object **link = &object->parent->port_children->first;

    while (*link != object) {
        link = &(*link)->sibling;
    }
    *link = object->sibling;
    object->parent->n_mentions--;
    graph_mark(object->parent);
}

/* Releases everything that 'object' holds on the ASIC. */
static void
object_release_all(struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        object_release(object, &object->slots[i]);
    }
    while (object->former_versions) {
        object_bury(object, object->former_versions);
    }
}

void
port_unnote_lanes(const struct object *port)
{
    struct port_children *children = port->port_children;
    const struct lanes noted = {children->noted_lanes, children->n_noted_lanes};

    if (port->graph->lane_set) {
        lane_set_remove(port->graph->lane_set, &noted);
    }
    children->n_noted_lanes = 0;
}

/* Forgets the lanes of a port that is about to be freed. */
static void
forget_lanes(const struct object *port)
{
    struct port_children *children = port->port_children;

    port_unnote_lanes(port);
    free(children->noted_lanes);
    if (children->is_relaned) {
        LL_DELETE2(port->graph->relaned, children, next_relaned);
    }
}

static void
object_free(struct object *object)
{
    object_release_all(object);
    object_drop_retry(object);
    free(object->slots);
    if (object->class == OBJECT_CLAIMED) {
        unlink_port(object);
        forget_lanes(object);
        port_drop_former(object);
    }
    if (object->port_children) {
        free(object->port_children->pg_oids);
        free(object->port_children->queue_oids);
        free(object->port_children->group_oids);
        free(object->port_children->speeds_mbps);
        free(object->port_children);
    }
    free(object);
}

void
object_drop_retry(struct object *object)
{
    if (object->retry) {
        DL_DELETE2(object->graph->refused, object->retry, previous, next);
        free(object->retry);
        object->retry = NULL;
    }
}

bool
object_exists(const struct object *object)
{
    return object->oid != SAI_NULL_OBJECT_ID;
}

bool
object_is_made_elsewhere(const struct object *object)
{
    return object->graph->confirmation != NULL;
}

struct object *
graph_switch(const struct graph *graph)
{
    return graph_find_object(graph, &switch_object);
}

struct object *
graph_cpu_port(const struct graph *graph)
{
    return graph_find_object(graph, &cpu_port);
}

bool
object_is_cpu_port(const struct object *object)
{
    return object->type == SAI_OBJECT_TYPE_PORT &&
           object->class == OBJECT_SWITCH;
}

/* --- Slots -------------------------------------------------------------- */

struct slot *
object_slot(const struct object *object, sai_attr_id_t id)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        if (object->slots[i].meta->id == id) {
            return &object->slots[i];
        }
    }
    return NULL;
}

struct slot *
object_slot_make(struct object *object, const struct metadata_attribute *meta)
{
    struct slot *slot = object_slot(object, meta->id);
    size_t i = object->n_slots;

    if (slot) {
        return slot;
    }
    object->slots =
        check_realloc(object->slots, (object->n_slots + 1) * sizeof *slot);
    object->n_slots++;
    while (i > 0 && object->slots[i - 1].meta->id > meta->id) {
        object->slots[i] = object->slots[i - 1];
        i--;
    }
    /* Ordered by id, so that plans and creations are, too. */
    memset(&object->slots[i], 0, sizeof *slot);
    object->slots[i].meta = meta;
    return &object->slots[i];
}

struct object *const *
slot_targets(const struct slot *slot)
{
    return slot->n_targets > 1 ? slot->several : &slot->one;
}

enum slot_request
slot_request(const struct slot *slot)
{
    if (slot->frozen) {
        return SLOT_FROZEN;
    }
    return slot->want ? SLOT_VALUE : SLOT_DEFAULT;
}

sai_object_id_t
slot_target_oid(const struct slot *slot, size_t i)
{
    return slot->meta->kind == KIND_OID ? slot->value.oid
                                        : slot->value.objlist.list[i];
}

/* Updates the reserved bytes for 'slot' of 'object', which is held from now on,
 * or no longer. */
static void
note_reserved(const struct object *object, const struct slot *slot, bool held)
{
    struct reserved_bytes *reserved = &object->graph->reserved;
    sai_attr_id_t id = slot->meta->id;

    if (object->type == SAI_OBJECT_TYPE_BUFFER_POOL &&
        id == SAI_BUFFER_POOL_ATTR_XOFF_SIZE) {
        reserved->bytes += held ? slot->value.u64 : -slot->value.u64;
    } else if (object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE &&
               id == SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE) {
        (held ? reserved_bytes_add_size
              : reserved_bytes_take_size)(reserved, object, slot->value.u64);
    } else if (slot->n_targets &&
               ((object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP &&
                 id == SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE) ||
                (object->type == SAI_OBJECT_TYPE_QUEUE &&
                 id == SAI_QUEUE_ATTR_BUFFER_PROFILE_ID))) {
        (held ? reserved_bytes_add_user
              : reserved_bytes_take_user)(reserved, slot_targets(slot)[0]);
    }
}

void
object_hold(const struct object *object, struct slot *slot,
            const sai_attribute_value_t *value, struct object *const *targets,
            size_t n)
{
    sai_attribute_value_t copy;

    attr_value_copy(slot->meta->kind, value,
                    &copy); /* It may be the slot's own. */
    object_release(object, slot);
    slot->value = copy;
    slot->held = true;
    note_lanes(object, slot);
    slot->n_targets = (uint32_t)n;
    if (n > 1) {
        slot->several = check_calloc(n, sizeof *slot->several);
        memcpy(slot->several, targets, n * sizeof *targets);
    } else if (n) {
        slot->one = targets[0];
    }
    for (size_t i = 0; i < n; i++) {
        targets[i]->n_users++;
        targets[i]->n_mentions++;
    }
    note_reserved(object, slot, true);
}

void
object_release(const struct object *object, struct slot *slot)
{
    slot->uncertain = false;
    if (!slot->held) {
        return;
    }
    note_reserved(object, slot, false);
    for (size_t i = 0; i < slot->n_targets; i++) {
        struct object *target = slot_targets(slot)[i];
        /* Users that have not moved to the replacement hold a former id. */
        struct former_version *version =
            object_former_version(target, slot_target_oid(slot, i));

        --*(version ? &version->n_users : &target->n_users);
        target->n_mentions--;
        graph_mark(target); /* This may have been its last user. */
    }
    if (slot->n_targets > 1) {
        free(slot->several);
    }
    slot->n_targets = 0;
    attr_value_fini(slot->meta->kind, &slot->value);
    slot->held = false;
    note_lanes(object, slot);
}

struct former_version *
object_former_version(const struct object *object, sai_object_id_t oid)
{
    struct former_version *version = object->former_versions;

    while (version && version->oid != oid) {
        version = version->next;
    }
    return version;
}

void
object_retire(struct object *object)
{
    struct former_version *version = check_calloc(1, sizeof *version);

    version->oid = object->oid;
    version->n_users = object->n_users;
    version->slots = check_calloc(object->n_slots, sizeof *version->slots);
    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];

        /* Moved, not copied: the targets still count it. */
        if (slot->held) {
            version->slots[version->n_slots++] = *slot;
            memset(&slot->value, 0, sizeof slot->value);
            slot->n_targets = 0;
            slot->held = slot->uncertain = false;
        }
    }
    LL_PREPEND(object->former_versions, version);
    object->oid = SAI_NULL_OBJECT_ID;
    object->n_users = 0;
    object->lost = false;
}

void
object_bury(struct object *object, struct former_version *version)
{
    LL_DELETE(object->former_versions, version);
    for (size_t i = 0; i < version->n_slots; i++) {
        object_release(object, &version->slots[i]);
    }
    free(version->slots);
    free(version);
}

void
object_restore(struct object *object)
{
    struct former_version *version = object->former_versions;

    orch_assert(version && object->n_users == 0);
    for (size_t i = 0; i < object->n_slots; i++) {
        object_release(object, &object->slots[i]);
    }
    object->oid = version->oid;
    object->n_users = version->n_users;
    object->lost = false;
    for (size_t i = 0; i < version->n_slots; i++) {
        const struct slot *former = &version->slots[i];
        struct slot *slot = object_slot_make(object, former->meta);

        /* Moved, not copied: the targets still count it. */
        slot->value = former->value;
        slot->n_targets = former->n_targets;
        if (former->n_targets > 1) {
            slot->several = former->several;
        } else {
            slot->one = former->one;
        }
        slot->held = true;
    }
    LL_DELETE(object->former_versions, version);
    free(version->slots);
    free(version);
}

bool
object_refers(const struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        if (object->slots[i].n_targets > 0 || object->slots[i].uncertain) {
            return true;
        }
    }
    return false;
}

const sai_attribute_value_t *
object_value(const struct object *object, sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);

    return slot && slot->held ? &slot->value : NULL;
}

const sai_attribute_value_t *
object_version_value(const struct object *object, sai_object_id_t oid,
                     sai_attr_id_t id)
{
    const struct former_version *version = object_former_version(object, oid);

    if (!version) {
        return object_value(object, id);
    }
    for (size_t i = 0; i < version->n_slots; i++) {
        if (version->slots[i].meta->id == id) {
            return &version->slots[i].value;
        }
    }
    return NULL;
}

const struct object *
object_target(const struct object *object, sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);

    return slot && slot->held && slot->n_targets ? slot_targets(slot)[0] : NULL;
}

/* --- Work lists --------------------------------------------------------- */

void
graph_mark(struct object *object)
{
    struct graph *graph = object->graph;

    if (object->dirty) {
        return;
    }
    object->dirty = true;
    object->next_dirty = NULL;
    if (graph->dirty_last) {
        graph->dirty_last->next_dirty = object;
    } else {
        graph->dirty_first = object;
    }
    graph->dirty_last = object;
}

void
graph_mark_referrers(struct object *object)
{
    for (const struct edge *edge = object->referrers; edge; edge = edge->next) {
        struct source *source = edge->source;

        if (source->n_claims == 0) {
            graph_mark_answer(source);
        }
        for (size_t i = 0; i < source->n_claims; i++) {
            graph_mark(source->claims[i].object);
        }
    }
}

/* An array, because plan.h sorts it, and graph_sweep() frees objects while it
 * iterates. */
void
graph_touch(struct object *object)
{
    struct graph *graph = object->graph;

    if (object->touched) {
        return;
    }
    if (graph->n_touched == graph->touched_size) {
        graph->touched_size =
            graph->touched_size ? 2 * graph->touched_size : 256;
        graph->touched = check_realloc(
            graph->touched, graph->touched_size * sizeof *graph->touched);
    }
    graph->touched[graph->n_touched++] = object;
    object->touched = true;
}

void
graph_mark_answer(struct source *source)
{
    struct graph *graph = source->graph;

    if (source->unanswered) {
        return;
    }
    source->unanswered = true;
    source->next_unanswered = NULL;
    if (graph->unanswered_last) {
        graph->unanswered_last->next_unanswered = source;
    } else {
        graph->unanswered_first = source;
    }
    graph->unanswered_last = source;
}

void
graph_mark_answers(struct object *object)
{
    for (const struct claim *claim = object->claims; claim;
         claim = claim->next_on_object) {
        graph_mark_answer(claim->source);
    }
}

/* --- Sources ------------------------------------------------------------ */

/* What a source is found by. */
struct source_key {
    enum table table;
    const char *key;
};

/* A hash_index_equal_fn. */
static bool
source_has_key(const void *source_, const void *key_)
{
    const struct source *source = source_;
    const struct source_key *key = key_;

    return source->table == key->table && !strcmp(source_key(source), key->key);
}

uint32_t
source_hash(enum table table, const char *key)
{
    return hash_index_number((uint64_t)hash_index_text(key) << 32 |
                             (uint64_t)table);
}

struct source *
graph_find_source(const struct graph *graph, enum table table, const char *key)
{
    const struct source_key wanted = {table, key};

    return hash_index_find(&graph->sources_by_key, source_hash(table, key),
                           source_has_key, &wanted);
}

const struct edge *
source_edges(const struct source *source, const struct want *want)
{
    const struct edge *edge = source_first_edge(source);

    /* A row has a handful of wants: an index would cost more than it saves. */
    for (const struct want *w = source->demand.wants; w < want; w++) {
        edge += w->n_refs;
    }
    return edge;
}

/* --- The graph ---------------------------------------------------------- */

struct graph *
graph_create(void)
{
    struct graph *graph = check_calloc(1, sizeof *graph);

    graph->scratch = arena_create(0);
    graph_make_object(graph, &switch_object)->n_mentions = 1;
    graph_make_object(graph, &cpu_port)->n_mentions = 1;
    return graph;
}

void
graph_destroy(struct graph *graph)
{
    struct object *object, *next_object;

    if (!graph) {
        return;
    }
    orch_assert(!graph->sources);
    /* References first: releasing them decrements the counts and marks objects.
     */
    DL_FOREACH(graph->objects, object)
    {
        object_release_all(object);
    }
    DL_FOREACH_SAFE(graph->objects, object, next_object)
    {
        object_free(object);
    }
    hash_index_fini(&graph->objects_by_name);
    hash_index_fini(&graph->sources_by_key);
    free(graph->lane_set);
    arena_destroy(graph->scratch);
    free(graph->absence);
    free(graph->hwsku_made);
    free(graph->hwsku_wanted);
    free(graph->chip_warning);
    free(graph->touched);
    free(graph);
}

/* Returns whether 'object' can be freed.  A child is on the ASIC whether or not
 * orchd has an object for it. */
static bool
object_is_idle(const struct object *object)
{
    if (object->n_mentions > 0 || object->dirty ||
        (object->retry && timer_pending(&object->retry->timer))) {
        return false;
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        if (object->slots[i].held) {
            return false;
        }
    }
    return object->class == OBJECT_CHILD ||
           (!object_exists(object) && !object->former_versions);
}

void
graph_sweep(struct graph *graph)
{
    for (size_t i = 0; i < graph->n_touched; i++) {
        struct object *object = graph->touched[i];

        object->touched = false;
        if (!object_is_idle(object)) {
            continue;
        }
        if (object->parent) {
            object_leave_parent(object);
        }
        DL_DELETE2(graph->objects, object, previous, next);
        hash_index_remove(&graph->objects_by_name, hash_of(&object->name),
                          object);
        object_free(object);
    }
    graph->n_touched = 0;
}

const sai_attribute_value_t *
object_wanted_value(const struct object *object, sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);

    return slot && slot->want ? &slot->want->value : object_value(object, id);
}

const struct object *
object_wanted_target(const struct object *object, sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);

    if (!slot || !slot->want) {
        return object_target(object, id);
    }
    return slot->want->n_refs ? source_edges(slot->source, slot->want)->object
                              : NULL;
}
