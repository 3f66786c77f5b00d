/* SPDX-License-Identifier: Apache-2.0 */

/* Writes a snapshot of the existing objects to a record. */

#include <config.h>

#include "sai/stack/record_snapshot.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/check.h"
#include "sai/core/metadata.h"
#include "sai/stack/guard.h"
#include "sai/stack/recorder.h"
#include "sai/stack/registry.h"
#include "sai/trace/trace.h"

/* The parts of a snapshot, by objects and attributes. */
enum part {
    PART_PORTS,   /* What a port cannot be created without. */
    PART_OBJECTS, /* What was created, references aside. */
    PART_REST,
};

struct snapshot {
    struct recorder *recorder;
    struct sai_backend *backend; /* To read from: behind the guard. */
    enum part part;
    sai_object_id_t cpu_port; /* Created by the switch itself. */
};

enum { MAX_PORTS = 8192, MAX_ATTRIBUTES = 512 };

/* Attributes of one object, with memory for their lists. */
struct attributes {
    sai_attribute_t list[MAX_ATTRIBUTES];
    void *memory[MAX_ATTRIBUTES];
    uint32_t n;
};

static bool
is_reference(const struct metadata_attribute *meta)
{
    return meta->kind == KIND_OID || meta->kind == KIND_OBJLIST;
}

/* Returns whether the attribute is mandatory at creation or create-only. */
static bool
is_of_creation(const struct metadata_attribute *meta)
{
    return meta->flags &
           (METADATA_FLAG_MANDATORY_ON_CREATE | METADATA_FLAG_CREATE_ONLY);
}

/* Returns whether 'part' writes attribute 'meta' of 'item'. */
static bool
is_written(const struct registry_item *item,
           const struct metadata_attribute *meta, enum part part)
{
    const bool given = registry_fact(item, meta->id) != NULL;

    if (meta->flags & METADATA_FLAG_READ_ONLY || meta->kind == KIND_POINTER) {
        return false;
    }
    if (item->type == SAI_OBJECT_TYPE_PORT) {
        return part == PART_PORTS
                   ? is_of_creation(meta)
                   : part == PART_REST && given && !is_of_creation(meta);
    }
    if (part == PART_OBJECTS) {
        return item->created && item->type != SAI_OBJECT_TYPE_SWITCH && given &&
               (is_of_creation(meta) || !is_reference(meta));
    }
    return part == PART_REST && given && !is_of_creation(meta) &&
           (is_reference(meta) || !item->created ||
            item->type == SAI_OBJECT_TYPE_SWITCH);
}

/* Reads attribute 'meta' of 'item'; a list gets '*memory', which the caller
 * frees.  Returns whether it can be read. */
static bool
read_one(const struct snapshot *snapshot, const struct registry_item *item,
         const struct metadata_attribute *meta, sai_attribute_t *attribute,
         void **memory)
{
    struct sai_backend *backend = snapshot->backend;
    sai_status_t status;
    uint32_t n;

    *attribute = (sai_attribute_t){.id = meta->id};
    *memory = NULL;
    status = backend->ops->get(backend, item->type, item->oid, 1, attribute);
    if (status == SAI_STATUS_BUFFER_OVERFLOW && kind_has_list(meta->kind)) {
        n = kind_list_capacity(meta->kind, &attribute->value);
        if (n > KIND_LIST_MAX) {
            return false;
        }
        *memory = check_calloc(n, kind_layout(meta->kind)->element_size);
        kind_list_set(meta->kind, &attribute->value, n, *memory);
        status =
            backend->ops->get(backend, item->type, item->oid, 1, attribute);
    }
    return status == SAI_STATUS_SUCCESS;
}

/* Collects the attributes of 'item' that the current part writes. */
static void
collect(const struct snapshot *snapshot, const struct registry_item *item,
        struct attributes *attributes)
{
    const struct metadata_object *object = metadata_object(item->type);

    attributes->n = 0;
    for (uint32_t i = 0;
         i < object->n_attributes && attributes->n < MAX_ATTRIBUTES; i++) {
        const struct metadata_attribute *meta = &object->attributes[i];
        const uint32_t n = attributes->n;

        if (is_written(item, meta, snapshot->part)) {
            if (read_one(snapshot, item, meta, &attributes->list[n],
                         &attributes->memory[n])) {
                attributes->n++;
            } else {
                free(attributes->memory[n]);
            }
        }
    }
}

/* Reads a list of a port by a recorded call, from which the replay learns which
 * queue is which. */
static void
read_children(const struct snapshot *snapshot, sai_object_id_t port,
              sai_attr_id_t id)
{
    struct sai_backend *backend = recorder_backend(snapshot->recorder);
    sai_object_id_t list[256];
    sai_attribute_t attribute = {id, {.objlist = {256, list}}};

    (void)backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, port, 1, &attribute);
}

/* Implements the visit of registry_each(). */
static void
record_snapshot_one(void *context, const struct registry_item *item)
{
    const struct snapshot *snapshot = context;
    struct attributes *attributes = check_calloc(1, sizeof *attributes);
    const bool is_new = snapshot->part == PART_PORTS
                            ? item->type == SAI_OBJECT_TYPE_PORT
                            : snapshot->part == PART_OBJECTS && item->created &&
                                  item->type != SAI_OBJECT_TYPE_PORT &&
                                  item->type != SAI_OBJECT_TYPE_SWITCH;

    if (snapshot->part != PART_PORTS || item->oid != snapshot->cpu_port) {
        collect(snapshot, item, attributes);
    }
    if ((is_new && item->oid != snapshot->cpu_port) || attributes->n) {
        struct trace_call call = {.op = OP_SNAPSHOT,
                                  .type = item->type,
                                  .oid = item->oid,
                                  .n = attributes->n,
                                  .attributes = attributes->list,
                                  .status = SAI_STATUS_SUCCESS};

        recorder_write(snapshot->recorder, &call);
    }
    for (uint32_t i = 0; i < attributes->n; i++) {
        free(attributes->memory[i]);
    }
    free(attributes);
}

/* The ids of all ports.  Reading a list adds objects to the registry, which is
 * not allowed while its objects are visited. */
struct ports {
    sai_object_id_t *list;
    uint32_t n;
};

/* Implements the visit of registry_each(). */
static void
note_port(void *context, const struct registry_item *item)
{
    struct ports *ports = context;

    if (item->type == SAI_OBJECT_TYPE_PORT) {
        ports->list =
            check_realloc(ports->list, (ports->n + 1) * sizeof *ports->list);
        ports->list[ports->n++] = item->oid;
    }
}

/* Reads the CPU port by a recorded call, from which the replay learns which of
 * its ports that is. */
static sai_object_id_t
read_cpu_port(const struct snapshot *snapshot)
{
    struct sai_backend *backend = recorder_backend(snapshot->recorder);
    sai_attribute_t attribute = {.id = SAI_SWITCH_ATTR_CPU_PORT};

    return backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH,
                             backend->switch_id, 1,
                             &attribute) == SAI_STATUS_SUCCESS
               ? attribute.value.oid
               : SAI_NULL_OBJECT_ID;
}

/* Reads the list of ports, so that the guard knows all of them. */
static void
learn_ports(struct sai_backend *backend)
{
    sai_object_id_t *list = check_calloc(MAX_PORTS, sizeof *list);
    sai_attribute_t attribute = {SAI_SWITCH_ATTR_PORT_LIST,
                                 {.objlist = {MAX_PORTS, list}}};

    (void)backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id,
                            1, &attribute);
    free(list);
}

void
record_snapshot(struct recorder *recorder, struct guard *guard)
{
    struct snapshot snapshot = {
        .recorder = recorder,
        .backend = guard_inner(guard),
        .part = PART_PORTS,
    };
    const struct registry *registry = guard_registry(guard);
    struct ports ports = {0};

    learn_ports(guard_backend(guard));
    snapshot.cpu_port = read_cpu_port(&snapshot);
    registry_each(registry, record_snapshot_one, &snapshot);
    registry_each(registry, note_port, &ports);
    for (uint32_t i = 0; i < ports.n; i++) {
        read_children(&snapshot, ports.list[i],
                      SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST);
        read_children(&snapshot, ports.list[i], SAI_PORT_ATTR_QOS_QUEUE_LIST);
    }
    free(ports.list);
    snapshot.part = PART_OBJECTS;
    registry_each(registry, record_snapshot_one, &snapshot);
    snapshot.part = PART_REST;
    registry_each(registry, record_snapshot_one, &snapshot);
}
