/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps what was asked for by handle, and compares it with ASIC_DB. */

#include <config.h>

#include "orchd/orchagent/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/orchagent/asic_rows.h"
#include "orchd/orchagent/asic_states.h"
#include "orchd/orchagent/wish.h"
#include "orchd/orchagent/wish_text.h"
#include "orchd/reconcile/adopted_values.h"
#include "orchd/reconcile/confirmation.h"
#include "sai/core/attr_value.h"
#include "sai/core/backend.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"

/* What a port has if nothing says how many. */
enum { DEFAULT_PGS = 8, DEFAULT_QUEUES = 8 };

struct evidence {
    struct sai_backend backend;
    const struct asic_rows *rows;
    struct wishes *wishes;
    struct adopted_values names;
    struct confirmation confirmation;
    int64_t patience_ns, now;
    char *expected; /* The name of the next object to be created. */
};

static struct evidence *
evidence_of(struct sai_backend *backend)
{
    return (struct evidence *)backend;
}

/* Returns the answer to a request that was first made at 'since' and cannot be
 * confirmed. */
static sai_status_t
unconfirmed(const struct evidence *evidence, int64_t since)
{
    return evidence->now - since < evidence->patience_ns
               ? SAI_STATUS_NOT_EXECUTED
               : SAI_STATUS_FAILURE;
}

/* Returns whether STATE_DB does not say yet how many priority groups and queues
 * a new port has, which orchagent writes a bit later than the port. */
static bool
lacks_limits(const struct evidence *evidence, const struct handle *port)
{
    const struct asic_limits limits =
        asic_states_limits(asic_rows_states(evidence->rows), port->name);

    return !limits.n_pgs && evidence->now - port->since < EVIDENCE_LIMITS_NS;
}

/* --- The operations of the backend -------------------------------------- */

static sai_status_t
evidence_create_object(struct sai_backend *backend, sai_object_type_t type,
                       uint32_t n, const sai_attribute_t *attributes,
                       sai_object_id_t *oid)
{
    struct evidence *evidence = evidence_of(backend);
    const char *name = evidence->expected ? evidence->expected : "";
    struct handle *handle;

    if (type == SAI_OBJECT_TYPE_PORT) {
        handle = wishes_find_lanes(evidence->wishes, n, attributes);
        if (!handle) {
            return SAI_STATUS_NOT_EXECUTED;
        }
    } else {
        handle = wishes_draft(evidence->wishes, type, name, evidence->now);
        wishes_keep(evidence->wishes, handle, n, attributes, evidence->now);
    }
    handle->leaving = false;
    for (uint32_t i = 0; i < n; i++) {
        wishes_set(evidence->wishes, handle, &attributes[i], evidence->now);
    }
    if (!handle_is_part(handle) &&
        !wishes_check(evidence->wishes, handle, NULL)) {
        return unconfirmed(evidence, handle->since);
    }
    if (type == SAI_OBJECT_TYPE_PORT && lacks_limits(evidence, handle)) {
        return SAI_STATUS_NOT_EXECUTED;
    }
    for (uint32_t i = 0; handle_is_part(handle) && i < n; i++) {
        struct wish *wish = handle_wish(handle, attributes[i].id);

        if (!wishes_check(evidence->wishes, handle, wish)) {
            return unconfirmed(evidence, wish->since);
        }
    }
    *oid = wishes_adopt(evidence->wishes, handle);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
evidence_remove(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid)
{
    struct evidence *evidence = evidence_of(backend);
    struct handle *handle = wishes_find(evidence->wishes, oid);

    (void)type;
    if (!handle) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    if (!handle->leaving) {
        handle->leaving = true;
        handle->since = evidence->now;
    }
    if (handle_is_part(handle) ? wishes_is_there(evidence->wishes, handle)
                               : !wishes_gone(evidence->wishes, handle)) {
        return unconfirmed(evidence, handle->since);
    }
    if (handle_is_part(handle)) {
        wishes_forget(evidence->wishes, handle);
    } else {
        wishes_drop(evidence->wishes, handle);
    }
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
evidence_set(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct evidence *evidence = evidence_of(backend);
    struct handle *handle = wishes_find(evidence->wishes, oid);
    struct wish *wish;

    if (!handle) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    if (!metadata_attribute(type, attribute->id)) {
        return SAI_STATUS_UNKNOWN_ATTRIBUTE_0;
    }
    if (handle->leaving) {
        handle->leaving = false; /* It is wanted again. */
        handle->since = evidence->now;
    }
    wishes_set(evidence->wishes, handle, attribute, evidence->now);
    wish = handle_wish(handle, attribute->id);
    return wishes_check(evidence->wishes, handle, wish) ||
                   wishes_reset_is_over(evidence->wishes, handle, wish)
               ? SAI_STATUS_SUCCESS
               : unconfirmed(evidence, handle_since(handle, wish));
}

/* Fills the list of ids in '*value'. */
static sai_status_t
give_oids(sai_attribute_value_t *value, sai_object_id_t *oids, uint32_t n)
{
    const sai_attribute_value_t list = {.objlist = {n, oids}};

    return attr_value_get(KIND_OBJLIST, &list, value);
}

/* Gives the priority groups, queues or scheduler groups of 'port'. */
static sai_status_t
give_children(struct evidence *evidence, const struct handle *port,
              sai_object_type_t type, sai_attribute_value_t *value)
{
    const bool pgs = type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP;
    const struct asic_limits limits =
        asic_states_limits(asic_rows_states(evidence->rows), port->name);
    const uint32_t known = pgs ? limits.n_pgs : limits.n_queues;
    const uint32_t named = asic_rows_count(
        evidence->rows, pgs ? ASIC_MAP_PGS : ASIC_MAP_QUEUES, port->name);
    const uint32_t fallback = pgs ? DEFAULT_PGS : DEFAULT_QUEUES;
    const uint32_t n = known ? known : named ? named : fallback;
    sai_object_id_t *oids = check_calloc(n + 1u, sizeof *oids);
    sai_status_t status;

    for (uint32_t i = 0; i < n; i++) {
        oids[i] = wishes_part(evidence->wishes, type, port->name, (int)i)->oid;
    }
    status = give_oids(value, oids, n);
    free(oids);
    return status;
}

/* What give_ports() collects. */
struct port_list {
    struct evidence *evidence;
    sai_object_id_t *oids;
    uint32_t n;
};

static void
add_port(void *list_, const char *name, sai_object_id_t oid)
{
    struct port_list *list = list_;
    struct wishes *wishes = list->evidence->wishes;

    if (asic_rows_get(list->evidence->rows, oid) &&
        wishes_lanes(wishes, name)) {
        list->oids =
            check_realloc(list->oids, (list->n + 1) * sizeof *list->oids);
        list->oids[list->n++] =
            wishes_part(wishes, SAI_OBJECT_TYPE_PORT, name, -1)->oid;
    }
}

/* Gives the ports that have both a row and a name. */
static sai_status_t
give_ports(struct evidence *evidence, sai_attribute_value_t *value)
{
    struct port_list list = {.evidence = evidence};
    sai_status_t status;

    asic_rows_each_named(evidence->rows, ASIC_MAP_PORTS, add_port, &list);
    status = give_oids(value, list.oids, list.n);
    free(list.oids);
    return status;
}

static sai_status_t
get_of_switch(struct evidence *evidence, sai_attribute_t *attribute)
{
    switch (attribute->id) {
    case SAI_SWITCH_ATTR_PORT_LIST:
        return give_ports(evidence, &attribute->value);
    case SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE:
        attribute->value.u64 =
            asic_states_memory(asic_rows_states(evidence->rows)) / 1024;
        return attribute->value.u64 ? SAI_STATUS_SUCCESS
                                    : SAI_STATUS_NOT_SUPPORTED;
    default:
        return SAI_STATUS_NOT_SUPPORTED;
    }
}

/* Gives the speeds that STATE_DB says 'port' supports. */
static sai_status_t
give_speeds(const struct evidence *evidence, const struct handle *port,
            sai_attribute_value_t *value)
{
    sai_attribute_value_t list;

    memset(&list, 0, sizeof list);
    /* Borrowed, and only read. */
    list.u32list.list = (uint32_t *)(uintptr_t)asic_states_speeds(
        asic_rows_states(evidence->rows), port->name, &list.u32list.count);
    return list.u32list.count ? attr_value_get(KIND_U32LIST, &list, value)
                              : SAI_STATUS_NOT_SUPPORTED;
}

static sai_status_t
get_of_port(struct evidence *evidence, const struct handle *port,
            sai_attribute_t *attribute)
{
    const sai_u32_list_t *lanes;
    sai_attribute_value_t list;

    switch (attribute->id) {
    case SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST:
        return give_children(evidence, port,
                             SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                             &attribute->value);
    case SAI_PORT_ATTR_QOS_QUEUE_LIST:
        return give_children(evidence, port, SAI_OBJECT_TYPE_QUEUE,
                             &attribute->value);
    case SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST:
        return give_children(evidence, port, SAI_OBJECT_TYPE_SCHEDULER_GROUP,
                             &attribute->value);
    case SAI_PORT_ATTR_QOS_MAXIMUM_HEADROOM_SIZE:
        attribute->value.u32 = (uint32_t)asic_states_limits(
                                   asic_rows_states(evidence->rows), port->name)
                                   .headroom_bytes;
        return SAI_STATUS_SUCCESS;
    case SAI_PORT_ATTR_SUPPORTED_SPEED:
        return give_speeds(evidence, port, &attribute->value);
    case SAI_PORT_ATTR_HW_LANE_LIST:
        lanes = wishes_lanes(evidence->wishes, port->name);
        if (!lanes) {
            return SAI_STATUS_ITEM_NOT_FOUND;
        }
        memset(&list, 0, sizeof list);
        list.u32list = *lanes;
        return attr_value_get(KIND_U32LIST, &list, &attribute->value);
    default:
        return SAI_STATUS_NOT_SUPPORTED;
    }
}

/* Gives what only this backend knows about its virtual scheduler groups. */
static sai_status_t
get_of_group(struct evidence *evidence, const struct handle *group,
             sai_attribute_t *attribute)
{
    sai_object_id_t queue;

    if (attribute->id != SAI_SCHEDULER_GROUP_ATTR_CHILD_LIST) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    queue = wishes_part(evidence->wishes, SAI_OBJECT_TYPE_QUEUE, group->name,
                        group->index)
                ->oid;
    return give_oids(&attribute->value, &queue, 1);
}

/* Gives what ASIC_DB has, with the ids that were handed out: those that were
 * asked for, if they are there. */
static sai_status_t
get_seen(struct evidence *evidence, struct handle *handle,
         sai_object_type_t type, sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);
    struct wish *wish = handle_wish(handle, attribute->id);
    const sai_attribute_value_t *value;

    if (!meta) {
        return SAI_STATUS_UNKNOWN_ATTRIBUTE_0;
    }
    if (!wishes_is_there(evidence->wishes, handle)) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    value = wish && wishes_check(evidence->wishes, handle, wish)
                ? &wish->value
                : wishes_seen(evidence->wishes, handle, meta);
    return value ? attr_value_get(meta->kind, value, &attribute->value)
                 : SAI_STATUS_NOT_SUPPORTED;
}

static sai_status_t
evidence_get(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct evidence *evidence = evidence_of(backend);
    struct handle *handle = wishes_find(evidence->wishes, oid);
    sai_status_t result = SAI_STATUS_SUCCESS;

    if (!handle) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    for (uint32_t i = 0; i < n; i++) {
        sai_attribute_t *attribute = &attributes[i];
        sai_status_t status = SAI_STATUS_NOT_SUPPORTED;

        if (type == SAI_OBJECT_TYPE_SWITCH) {
            status = get_of_switch(evidence, attribute);
        } else if (type == SAI_OBJECT_TYPE_PORT) {
            status = get_of_port(evidence, handle, attribute);
        } else if (type == SAI_OBJECT_TYPE_SCHEDULER_GROUP) {
            status = get_of_group(evidence, handle, attribute);
        }
        if (status == SAI_STATUS_NOT_SUPPORTED) {
            status = get_seen(evidence, handle, type, attribute);
        }
        result = result ? result : status;
    }
    return result;
}

/* Counters are polled by syncd, which writes them to COUNTERS_DB. */
static sai_status_t
evidence_get_stats(struct sai_backend *backend, sai_object_type_t type,
                   sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                   sai_stats_mode_t mode, uint64_t *values)
{
    (void)backend;
    (void)type;
    (void)oid;
    (void)n;
    (void)ids;
    (void)mode;
    (void)values;
    return SAI_STATUS_NOT_SUPPORTED;
}

static const struct sai_backend_ops evidence_ops = {
    .create = evidence_create_object,
    .remove = evidence_remove,
    .set = evidence_set,
    .get = evidence_get,
    .get_stats = evidence_get_stats,
};

/* --- For the agent ------------------------------------------------------ */

static void
expect(void *evidence_, const char *name)
{
    struct evidence *evidence = evidence_;

    free(evidence->expected);
    evidence->expected = check_strdup(name);
}

/* An object that is accepted has the values that were asked for. */
static const sai_attribute_value_t *
found(void *evidence, sai_object_id_t oid, sai_attr_id_t id)
{
    (void)evidence;
    (void)oid;
    (void)id;
    return NULL;
}

/* Implements struct confirmation. */
static bool
explain(void *evidence_, const struct confirmation_request *request,
        struct err *err)
{
    const struct evidence *evidence = evidence_;
    const bool late = request->status == SAI_STATUS_FAILURE;
    struct text text = {0};
    const struct handle *handle;
    bool leaving;

    if (!late && request->status != SAI_STATUS_NOT_EXECUTED) {
        return false;
    }
    handle = request->oid ? wishes_find(evidence->wishes, request->oid)
                          : wishes_find_draft(evidence->wishes, request->type,
                                              request->name);
    leaving = handle && handle->leaving && request->whole;
    if (handle) {
        wish_text_add(evidence->wishes, handle,
                      request->whole ? NULL
                                     : handle_wish(handle, request->attribute),
                      &text);
    } else {
        text_add(&text, "ASIC_DB does not have it");
    }
    err_set(err, late ? ST_DEVICE : ST_BUSY,
            late ? "not-applied" : "unconfirmed", "%s %s: %s",
            leaving && late ? "orchagent has not removed"
            : leaving       ? "waiting for orchagent to remove"
            : late          ? "orchagent has not applied"
                            : "waiting for orchagent to apply",
            request->name, text_string(&text));
    err_set_remedy(
        err, "%s",
        late ? "read the log of orchagent for this object; orchd publishes the "
               "row again from time to time, and judges it by ASIC_DB"
             : "orchd judges the row again whenever ASIC_DB changes");
    text_fini(&text);
    return true;
}

struct evidence *
evidence_create(const struct asic_rows *rows, int64_t patience_ns)
{
    struct evidence *evidence = check_calloc(1, sizeof *evidence);

    evidence->backend.ops = &evidence_ops;
    evidence->rows = rows;
    evidence->wishes = wishes_create(rows);
    evidence->names = (struct adopted_values){expect, found, evidence};
    evidence->confirmation = (struct confirmation){explain, evidence};
    evidence->patience_ns = patience_ns;
    return evidence;
}

void
evidence_destroy(struct evidence *evidence)
{
    if (evidence) {
        wishes_destroy(evidence->wishes);
        free(evidence->expected);
        free(evidence);
    }
}

void
evidence_set_now(struct evidence *evidence, int64_t now)
{
    evidence->now = now;
}

void
evidence_set_lanes(struct evidence *evidence, const char *name,
                   const char *lanes)
{
    wishes_set_lanes(evidence->wishes, name, lanes);
}

size_t
evidence_n_ports(const struct evidence *evidence, size_t *n_there,
                 size_t *n_limited)
{
    return wishes_n_ports(evidence->wishes, n_there, n_limited);
}

bool
evidence_has_switch(struct evidence *evidence)
{
    size_t place = 0;

    if (!asic_rows_next(evidence->rows, SAI_OBJECT_TYPE_SWITCH, &place)) {
        return false;
    }
    evidence->backend.switch_id =
        wishes_part(evidence->wishes, SAI_OBJECT_TYPE_SWITCH, "", -1)->oid;
    return true;
}

struct sai_backend *
evidence_backend(struct evidence *evidence)
{
    return &evidence->backend;
}

const struct adopted_values *
evidence_names(const struct evidence *evidence)
{
    return &evidence->names;
}

const struct confirmation *
evidence_confirmation(const struct evidence *evidence)
{
    return &evidence->confirmation;
}

bool
evidence_left_over(const struct evidence *evidence, sai_object_type_t type,
                   const char *name, sai_attr_id_t id)
{
    return wishes_left_over(evidence->wishes, type, name, id);
}

bool
evidence_review(struct evidence *evidence)
{
    return wishes_review(evidence->wishes, evidence->now);
}

bool
evidence_doubts(void *evidence_, sai_object_id_t oid, sai_attr_id_t id)
{
    const struct evidence *evidence = evidence_;
    const struct handle *handle = wishes_find(evidence->wishes, oid);
    const struct wish *wish = handle ? handle_wish(handle, id) : NULL;

    return handle &&
           (handle_is_part(handle) ? wish && wish->doubted : handle->doubted);
}

uint64_t
evidence_epoch(const struct evidence *evidence)
{
    return wishes_epoch(evidence->wishes);
}
