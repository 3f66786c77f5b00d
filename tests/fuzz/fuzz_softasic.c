/* SPDX-License-Identifier: Apache-2.0 */

/* The software switch through SAI: objects of all types with attributes of
 * all sorts, and traffic in between.
 *
 * After each operation the buffer's books are right, and a call that failed
 * has left no trace in what can be read. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sai/core/attr_value.h"
#include "sai/core/bridge_members.h"
#include "sai/core/metadata.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/snapshot.h"
#include "tests/fuzz/switch.h"
#include "vendors/objects/objects.h"
#include "vendors/softasic/sai/library.h"
#include "vendors/softasic/sai/local_verbs.h"
#include "vendors/softasic/state.h"

enum {
    MAX_OIDS = 128,
    MAX_ATTRIBUTES = 6,
    MAX_ELEMENTS = 8,
    MAX_STEPS = 60,
    ROOM = 64, /* Elements that a get has room for. */
};

/* The switch, and the objects that the program has seen. */
struct world {
    struct sai_backend *backend;
    const struct softasic_ops *ops;
    struct bytes bytes;
    struct {
        sai_object_id_t oid;
        sai_object_type_t type;
    } oids[MAX_OIDS];
    uint32_t n_oids;
};

/* Attributes under construction, with memory for their lists. */
struct list {
    sai_attribute_t attributes[MAX_ATTRIBUTES];
    uint32_t n;
    uint64_t elements[MAX_ATTRIBUTES][MAX_ELEMENTS * 4];
};

static void
remember(struct world *w, sai_object_id_t oid, sai_object_type_t type)
{
    if (w->n_oids < MAX_OIDS) {
        w->oids[w->n_oids].oid = oid;
        w->oids[w->n_oids++].type = type;
    }
}

/* Returns an object of 'type', seldom another, or none. */
static sai_object_id_t
some_oid(struct world *w, sai_object_type_t type)
{
    uint8_t choice = bytes_u8(&w->bytes);

    if (choice >= 250) {
        return bytes_number(&w->bytes);
    }
    if (choice >= 235) {
        return w->oids[choice % w->n_oids].oid;
    }
    if (choice >= 220) {
        return SAI_NULL_OBJECT_ID;
    }
    for (uint32_t i = 0; i < w->n_oids; i++) {
        uint32_t k = (choice + i) % w->n_oids;

        if (w->oids[k].type == type) {
            return w->oids[k].oid;
        }
    }
    return SAI_NULL_OBJECT_ID;
}

/* Returns a type of objects; for 'makes' not the switch, which is made and
 * removed by functions of its own. */
static const struct metadata_object *
some_object(struct world *w, bool makes)
{
    size_t n;
    const struct metadata_object *objects = metadata_objects(&n);

    FUZZ_CHECK(objects[0].type == SAI_OBJECT_TYPE_SWITCH || !makes);
    return &objects[makes + bytes_below(&w->bytes, (uint32_t)n - makes)];
}

/* Values -------------------------------------------------------------- */

static sai_object_id_t
some_reference(struct world *w, const struct metadata_attribute *meta)
{
    uint32_t n = 0;

    if (!meta->objects) {
        return some_oid(w, SAI_OBJECT_TYPE_NULL);
    }
    while (meta->objects[n] != SAI_OBJECT_TYPE_NULL) {
        n++;
    }
    return some_oid(w, n ? meta->objects[bytes_below(&w->bytes, n)]
                         : SAI_OBJECT_TYPE_NULL);
}

/* Fills a list of the right element size; its elements are small. */
static void
some_list(struct world *w, const struct metadata_attribute *meta,
          uint64_t *memory, sai_attribute_value_t *value)
{
    uint32_t n = bytes_below(&w->bytes, MAX_ELEMENTS + 1);
    size_t size = kind_layout(meta->kind)->element_size;
    uint8_t *at = (uint8_t *)memory;

    memset(memory, 0, n * size);
    if (meta->kind == KIND_OBJLIST) {
        for (uint32_t i = 0; i < n; i++) {
            memory[i] = some_reference(w, meta);
        }
    } else if (meta->kind != KIND_PORTSERDESTAPS) { /* Whose lists are empty. */
        for (size_t i = 0; i < n * size; i++) {
            at[i] = i % 4 ? 0 : bytes_u8(&w->bytes);
        }
    }
    kind_list_set(meta->kind, value, n, n ? memory : NULL);
}

static void
some_value(struct world *w, const struct metadata_attribute *meta,
           uint64_t *memory, sai_attribute_value_t *value)
{
    memset(value, 0, sizeof *value);
    if (meta->kind == KIND_BOOL) {
        value->booldata = bytes_u8(&w->bytes) & 1;
    } else if (meta->kind == KIND_OID) {
        value->oid = some_reference(w, meta);
    } else if (meta->kind == KIND_S32 && meta->enumeration) {
        uint32_t n = meta->enumeration->n_members;
        uint32_t i = bytes_below(&w->bytes, n + 1);

        value->s32 = i < n ? meta->enumeration->members[i].value : 12345;
    } else if (meta->kind == KIND_POINTER) {
        value->ptr = NULL; /* Callbacks are code, not data. */
    } else if (meta->kind == KIND_CHARDATA) {
        (void)bytes_string(&w->bytes, value->chardata, 32);
    } else if (kind_has_list(meta->kind)) {
        some_list(w, meta, memory, value);
    } else {
        value->u64 = bytes_number(&w->bytes);
    }
}

/* The attributes that matter most to the twin come up more often. */
static const struct metadata_attribute *
some_attribute(struct world *w, const struct metadata_object *object)
{
    uint32_t choice = bytes_below(&w->bytes, 65536);
    uint32_t first = 0;

    if (choice & 1) {
        return &object->attributes[choice / 2 % object->n_attributes];
    }
    while (first + 1 < object->n_attributes &&
           !(object->attributes[first].flags &
             (METADATA_FLAG_CREATE_ONLY | METADATA_FLAG_CREATE_AND_SET))) {
        first++;
    }
    first += choice / 2 % 12;
    return &object->attributes[first % object->n_attributes];
}

static void
add_attribute(struct world *w, struct list *list,
              const struct metadata_attribute *meta)
{
    some_value(w, meta, list->elements[list->n],
               &list->attributes[list->n].value);
    list->attributes[list->n++].id = meta->id;
}

static void
some_attributes(struct world *w, const struct metadata_object *object,
                struct list *list)
{
    uint8_t choice = bytes_u8(&w->bytes);

    list->n = 0;
    for (uint32_t i = 0; i < object->n_attributes && choice < 230; i++) {
        const struct metadata_attribute *meta = &object->attributes[i];

        if (meta->flags & METADATA_FLAG_MANDATORY_ON_CREATE &&
            list->n < MAX_ATTRIBUTES &&
            (meta->condition == METADATA_ALWAYS || choice & 1)) {
            add_attribute(w, list, meta);
        }
    }
    for (uint32_t i = choice % 4; i > 0 && list->n < MAX_ATTRIBUTES; i--) {
        add_attribute(w, list, some_attribute(w, object));
    }
    if (choice % 64 == 63 && list->n) {
        /* Whatever it turns out to be, there is no list. */
        memset(&list->attributes[0], 0, sizeof list->attributes[0]);
        list->attributes[0].id = (sai_attr_id_t)bytes_number(&w->bytes);
        list->attributes[0].value.u64 = bytes_number(&w->bytes);
    }
}

/* Verbs --------------------------------------------------------------- */

static sai_status_t
do_create(struct world *w)
{
    const struct metadata_object *object = some_object(w, true);
    struct list list;
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;
    sai_status_t status;

    some_attributes(w, object, &list);
    status = w->backend->ops->create(w->backend, object->type, list.n,
                                     list.attributes, &oid);
    if (status == SAI_STATUS_SUCCESS) {
        FUZZ_CHECK(oid != SAI_NULL_OBJECT_ID);
        remember(w, oid, object->type);
    } else {
        FUZZ_CHECK(oid == SAI_NULL_OBJECT_ID);
    }
    return status;
}

/* A pool and a profile on it: the beginning of most that is interesting. */
static sai_status_t
do_profile(struct world *w)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID,
         {.oid = some_oid(w, SAI_OBJECT_TYPE_BUFFER_POOL)}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE,
         {.u64 = bytes_u8(&w->bytes) * 10u}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH,
         {.s8 = (sai_int8_t)(bytes_u8(&w->bytes) % 12 - 8)}},
        {SAI_BUFFER_PROFILE_ATTR_XOFF_TH, {.u64 = bytes_u8(&w->bytes) * 20u}},
    };
    sai_object_id_t oid;
    sai_status_t status = w->backend->ops->create(
        w->backend, SAI_OBJECT_TYPE_BUFFER_PROFILE, 5, attributes, &oid);

    if (status == SAI_STATUS_SUCCESS) {
        remember(w, oid, SAI_OBJECT_TYPE_BUFFER_PROFILE);
    }
    return status;
}

/* Removes a port, and first its memberships unless 'bare'.  These are several
 * calls: a refusal brings the memberships back under other ids, so that it is
 * no refusal for the caller. */
static sai_status_t
remove_port(struct world *w, bool bare)
{
    const sai_object_id_t port = some_oid(w, SAI_OBJECT_TYPE_PORT);
    const struct objects *objects = switch_asic()->objects;
    const uint32_t n_bridge_ports =
        objects_count(objects, SAI_OBJECT_TYPE_BRIDGE_PORT);
    const uint32_t n_members =
        objects_count(objects, SAI_OBJECT_TYPE_VLAN_MEMBER);
    struct bridge_members *members;
    sai_object_type_t refused;
    sai_status_t status;
    bool was_member = false;

    if (bare) {
        return w->backend->ops->remove(w->backend, SAI_OBJECT_TYPE_PORT, port);
    }
    members = bridge_members_create();
    status = bridge_members_remove_port(members, w->backend, port, &refused,
                                        &was_member);
    bridge_members_destroy(members);
    FUZZ_CHECK(
        status == SAI_STATUS_SUCCESS ||
        (objects_count(objects, SAI_OBJECT_TYPE_BRIDGE_PORT) ==
             n_bridge_ports &&
         objects_count(objects, SAI_OBJECT_TYPE_VLAN_MEMBER) == n_members));
    return SAI_STATUS_SUCCESS;
}

/* Makes or ends a port: random lanes are seldom free. */
static sai_status_t
do_port(struct world *w)
{
    uint8_t choice = bytes_u8(&w->bytes);
    uint32_t lanes[2] = {200u + choice % 8, 208u + choice % 8};
    const sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST,
         {.u32list = {.count = 1u + (choice >> 3 & 1), .list = lanes}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = choice & 16 ? 100000 : 25000}},
        {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = choice & 32}},
    };
    sai_object_id_t oid;
    sai_status_t status;

    if (choice & 128) {
        return remove_port(w, choice & 64);
    }
    status = w->backend->ops->create(w->backend, SAI_OBJECT_TYPE_PORT, 3,
                                     attributes, &oid);
    if (status == SAI_STATUS_SUCCESS) {
        remember(w, oid, SAI_OBJECT_TYPE_PORT);
    }
    return status;
}

/* Makes or ends a scheduler group under another one, or under its port. */
static sai_status_t
do_group(struct world *w)
{
    uint8_t choice = bytes_u8(&w->bytes);
    sai_object_id_t port = some_oid(w, SAI_OBJECT_TYPE_PORT);
    const sai_attribute_t attributes[] = {
        {SAI_SCHEDULER_GROUP_ATTR_PORT_ID, {.oid = port}},
        {SAI_SCHEDULER_GROUP_ATTR_LEVEL, {.u8 = choice % 3}},
        {SAI_SCHEDULER_GROUP_ATTR_MAX_CHILDS, {.u8 = 1 + choice % 16}},
        {SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE,
         {.oid = choice & 64 ? port
                             : some_oid(w, SAI_OBJECT_TYPE_SCHEDULER_GROUP)}},
    };
    sai_object_id_t oid;
    sai_status_t status;

    if (choice & 128) {
        return w->backend->ops->remove(
            w->backend, SAI_OBJECT_TYPE_SCHEDULER_GROUP,
            some_oid(w, SAI_OBJECT_TYPE_SCHEDULER_GROUP));
    }
    status = w->backend->ops->create(
        w->backend, SAI_OBJECT_TYPE_SCHEDULER_GROUP, 4, attributes, &oid);
    if (status == SAI_STATUS_SUCCESS) {
        remember(w, oid, SAI_OBJECT_TYPE_SCHEDULER_GROUP);
    }
    return status;
}

static sai_status_t
do_set(struct world *w)
{
    const struct metadata_object *object = some_object(w, false);
    sai_object_id_t oid = some_oid(w, object->type);
    struct list list = {.n = 0};

    add_attribute(w, &list, some_attribute(w, object));
    return w->backend->ops->set(w->backend, object->type, oid, list.attributes);
}

/* Attaches a profile to a priority group or a queue. */
static sai_status_t
do_attach(struct world *w)
{
    bool queue = bytes_u8(&w->bytes) & 1;
    sai_object_type_t type =
        queue ? SAI_OBJECT_TYPE_QUEUE : SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP;
    sai_object_id_t oid = some_oid(w, type);
    const sai_attribute_t attribute = {
        queue ? (sai_attr_id_t)SAI_QUEUE_ATTR_BUFFER_PROFILE_ID
              : (sai_attr_id_t)SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
        {.oid = some_oid(w, SAI_OBJECT_TYPE_BUFFER_PROFILE)}};

    return w->backend->ops->set(w->backend, type, oid, &attribute);
}

static sai_status_t
do_remove(struct world *w)
{
    const struct metadata_object *object = some_object(w, true);

    return w->backend->ops->remove(w->backend, object->type,
                                   some_oid(w, object->type));
}

/* Reads a few attributes, lists into memory of some capacity. */
static sai_status_t
do_get(struct world *w)
{
    static uint64_t memory[MAX_ATTRIBUTES][ROOM * 4];
    const struct metadata_object *object = some_object(w, false);
    sai_object_id_t oid = some_oid(w, object->type);
    sai_attribute_t attributes[MAX_ATTRIBUTES];
    uint32_t n = bytes_below(&w->bytes, MAX_ATTRIBUTES + 1);
    uint32_t room = bytes_below(&w->bytes, ROOM + 1);

    memset(attributes, 0xa5, sizeof attributes);
    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *meta = some_attribute(w, object);

        attributes[i].id = meta->id;
        if (kind_has_list(meta->kind)) {
            memset(&attributes[i].value, 0, sizeof attributes[i].value);
            kind_list_set(meta->kind, &attributes[i].value, room,
                          room ? memory[i] : NULL);
        }
    }
    return w->backend->ops->get(w->backend, object->type, oid, n, attributes);
}

static sai_status_t
do_stats(struct world *w)
{
    const struct metadata_object *object = some_object(w, false);
    sai_object_id_t oid = some_oid(w, object->type);
    sai_stat_id_t ids[4];
    uint64_t values[4];
    uint32_t n = bytes_below(&w->bytes, 5);
    uint8_t mode = bytes_u8(&w->bytes);

    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = bytes_below(&w->bytes, object->n_stats + 1u);

        ids[i] = k < object->n_stats ? object->stats[k].id
                                     : (sai_stat_id_t)bytes_number(&w->bytes);
    }
    return w->backend->ops->get_stats(
        w->backend, object->type, oid, n, ids,
        mode & 1 ? SAI_STATS_MODE_READ : SAI_STATS_MODE_READ_AND_CLEAR, values);
}

static sai_status_t
do_send(struct world *w)
{
    uint8_t form = bytes_u8(&w->bytes);
    struct softasic_send send = {
        .from = some_oid(w, SAI_OBJECT_TYPE_PORT),
        .to = form & 1 ? SAI_NULL_OBJECT_ID : some_oid(w, SAI_OBJECT_TYPE_PORT),
        .destination = {form & 2, 0, 0, 0, 0, 1},
        .n_frames = bytes_u8(&w->bytes),
        .frame_bytes = 60u + bytes_u8(&w->bytes) * 5u,
        .dscp = bytes_u8(&w->bytes) % 66,
        .has_tag = form >> 7,
        .pcp = form >> 5 & 7,
        .ecn = (form >> 2) & 3,
        .until = (enum softasic_until)((form >> 4) % 3)};
    struct softasic_sent sent;
    sai_status_t status = w->ops->send(&send, &sent);

    if (status == SAI_STATUS_SUCCESS) {
        FUZZ_CHECK(sent.n_frames <= send.n_frames);
    }
    return status;
}

static sai_status_t
do_time(struct world *w)
{
    uint8_t form = bytes_u8(&w->bytes);

    if (form < 64) {
        return w->ops->run(form * INT64_C(100000));
    }
    if (form >= 224) {
        const struct softasic_pause pause = {.all = form & 1,
                                             .priorities = bytes_u8(&w->bytes),
                                             .quanta = (uint16_t)(form << 11)};

        return w->ops->pause(some_oid(w, SAI_OBJECT_TYPE_PORT), &pause);
    }
    return form < 128 ? w->ops->step(form & 15, NULL) : w->ops->settle(NULL);
}

/* Looks at an object through the twin's own table. */
static sai_status_t
do_look(struct world *w)
{
    struct softasic_received rows[8];
    struct softasic_pg_state pg;
    struct softasic_queue_state queue;
    struct softasic_pool_state pool;
    struct softasic_port_state port;
    struct softasic_class class;
    uint32_t n = bytes_below(&w->bytes, 9);

    switch (n) {
    case 0:
        return w->ops->pg_state(
            some_oid(w, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP), &pg);
    case 1:
        return w->ops->queue_state(some_oid(w, SAI_OBJECT_TYPE_QUEUE), &queue);
    case 2:
        return w->ops->pool_state(some_oid(w, SAI_OBJECT_TYPE_BUFFER_POOL),
                                  &pool);
    case 3:
        return w->ops->port_state(some_oid(w, SAI_OBJECT_TYPE_PORT), &port);
    case 4:
        return w->ops->classify(some_oid(w, SAI_OBJECT_TYPE_PORT),
                                some_oid(w, SAI_OBJECT_TYPE_PORT),
                                bytes_u8(&w->bytes), &class);
    default:
        return w->ops->received(some_oid(w, SAI_OBJECT_TYPE_PORT), &n, rows);
    }
}

static sai_status_t
do_entry(struct world *w)
{
    const sai_mac_t mac = {bytes_u8(&w->bytes) & 3, 0, 0, 0, 0, 1};

    if (mac[0] == 3) {
        return w->ops->l2_clear();
    }
    return w->ops->l2_set(mac, some_oid(w, SAI_OBJECT_TYPE_PORT));
}

/* Returns an entry of the forwarding database: few addresses, so that they meet
 * again. */
static sai_fdb_entry_t
some_entry(struct world *w)
{
    sai_fdb_entry_t entry = {
        .switch_id = some_oid(w, SAI_OBJECT_TYPE_SWITCH),
        .mac_address = {bytes_u8(&w->bytes) & 3, 0, 0, 0, 0,
                        bytes_u8(&w->bytes) & 7},
        .bv_id = some_oid(w, bytes_u8(&w->bytes) & 1 ? SAI_OBJECT_TYPE_VLAN
                                                     : SAI_OBJECT_TYPE_BRIDGE)};

    return entry;
}

/* A call on an entry of the forwarding database, or a flush. */
static sai_status_t
do_fdb(struct world *w)
{
    const uint8_t form = bytes_u8(&w->bytes) % 5;
    const struct metadata_object *object = metadata_object(
        form ? SAI_OBJECT_TYPE_FDB_ENTRY : SAI_OBJECT_TYPE_FDB_FLUSH);
    const sai_fdb_entry_t entry = some_entry(w);
    struct list list;

    some_attributes(w, object, &list);
    switch (form) {
    case 0:
        return local_verbs_flush_fdb_entries(entry.switch_id, list.n,
                                             list.attributes);
    case 1:
        return local_verbs_entry_create(SAI_OBJECT_TYPE_FDB_ENTRY, &entry,
                                        list.n, list.attributes);
    case 2:
        return local_verbs_entry_remove(SAI_OBJECT_TYPE_FDB_ENTRY, &entry);
    case 3:
        return local_verbs_entry_set(SAI_OBJECT_TYPE_FDB_ENTRY, &entry,
                                     list.n ? list.attributes : NULL);
    default:
        return local_verbs_entry_get(SAI_OBJECT_TYPE_FDB_ENTRY, &entry, list.n,
                                     list.attributes);
    }
}

/* The same to several objects of a type; says FAILURE although some of it was
 * done, so that the caller expects traces. */
static sai_status_t
do_several(struct world *w)
{
    enum { MANY = 3 };
    const struct metadata_object *object = some_object(w, true);
    const sai_bulk_op_error_mode_t mode =
        bytes_u8(&w->bytes) & 1 ? SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR
                                : SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR;
    struct list lists[MANY];
    const sai_attribute_t *pointers[MANY];
    sai_attribute_t *answers[MANY];
    sai_attribute_t firsts[MANY];
    uint32_t counts[MANY];
    sai_object_id_t oids[MANY];
    sai_status_t statuses[MANY] = {1, 1, 1};
    sai_status_t status;
    const uint8_t form = bytes_u8(&w->bytes) % 4;

    for (int i = 0; i < MANY; i++) {
        some_attributes(w, object, &lists[i]);
        pointers[i] = answers[i] = lists[i].attributes;
        counts[i] = lists[i].n;
        memset(&firsts[i], 0, sizeof firsts[i]);
        if (lists[i].n) {
            firsts[i] = lists[i].attributes[0];
        }
        oids[i] = form ? some_oid(w, object->type) : SAI_NULL_OBJECT_ID;
    }
    if (form == 0) {
        status =
            local_verbs_bulk_create(object->type, w->backend->switch_id, MANY,
                                    counts, pointers, mode, oids, statuses);
    } else if (form == 1) {
        status =
            local_verbs_bulk_remove(object->type, MANY, oids, mode, statuses);
    } else if (form == 2) {
        status = local_verbs_bulk_set(object->type, MANY, oids, firsts, mode,
                                      statuses);
    } else {
        status = local_verbs_bulk_get(object->type, MANY, oids, counts, answers,
                                      mode, statuses);
    }
    for (int i = 0; i < MANY; i++) {
        FUZZ_CHECK(statuses[i] != 1);
        FUZZ_CHECK(status != SAI_STATUS_SUCCESS || !statuses[i]);
        if (form == 0 && statuses[i] == SAI_STATUS_SUCCESS) {
            FUZZ_CHECK(oids[i] != SAI_NULL_OBJECT_ID);
            remember(w, oids[i], object->type);
        }
    }
    return status;
}

/* A whole frame, or what has come of one. */
static sai_status_t
do_frame(struct world *w)
{
    uint8_t frame[128];
    uint32_t n = bytes_below(&w->bytes, sizeof frame + 1);
    const sai_object_id_t port = some_oid(w, SAI_OBJECT_TYPE_PORT);
    const uint8_t form = bytes_u8(&w->bytes) % 4;

    if (form == 0) {
        return w->ops->capture(port, n & 1);
    }
    if (form == 1) {
        return w->ops->captured(port, &n, frame);
    }
    for (uint32_t i = 0; i < n; i++) {
        frame[i] = i < 12 ? bytes_u8(&w->bytes) & 3 : bytes_u8(&w->bytes);
    }
    return w->ops->inject(port, n, frame);
}

/* Routing -------------------------------------------------------------- */

/* Returns an address of few values, seldom of no family. */
static sai_ip_address_t
some_address(struct world *w)
{
    const uint8_t form = bytes_u8(&w->bytes);
    sai_ip_address_t address;

    memset(&address, 0, sizeof address);
    address.addr_family = (sai_ip_addr_family_t)(form >= 250 ? 7 : form & 1);
    address.addr.ip6[0] = (uint8_t)(form & 2 ? 20 : 10);
    address.addr.ip6[form & 1 ? 15 : 3] = (uint8_t)(form >> 4);
    return address;
}

/* A verb on a route or a neighbor. */
static sai_status_t
do_routing(struct world *w)
{
    const uint8_t form = bytes_u8(&w->bytes);
    const bool is_route = form & 1;
    const sai_object_type_t type =
        is_route ? SAI_OBJECT_TYPE_ROUTE_ENTRY : SAI_OBJECT_TYPE_NEIGHBOR_ENTRY;
    const struct metadata_object *object = metadata_object(type);
    const sai_ip_address_t address = some_address(w);
    union {
        sai_route_entry_t route;
        sai_neighbor_entry_t neighbor;
    } key;
    struct list list = {.n = 0};

    memset(&key, 0, sizeof key);
    if (is_route) {
        key.route.switch_id = w->backend->switch_id;
        key.route.vr_id = some_oid(w, SAI_OBJECT_TYPE_VIRTUAL_ROUTER);
        key.route.destination.addr_family = address.addr_family;
        key.route.destination.addr = address.addr;
        memset(&key.route.destination.mask, form & 2 ? 0xff : 0, 16);
        memset(&key.route.destination.mask, 0xff, 4);
    } else {
        key.neighbor.switch_id = w->backend->switch_id;
        key.neighbor.rif_id = some_oid(w, SAI_OBJECT_TYPE_ROUTER_INTERFACE);
        key.neighbor.ip_address = address;
    }
    switch (form >> 2 & 3) {
    case 0:
        return local_verbs_entry_remove(type, &key);
    case 1:
        add_attribute(w, &list, some_attribute(w, object));
        return local_verbs_entry_set(type, &key, list.attributes);
    case 2:
        list.attributes[0].id = some_attribute(w, object)->id;
        return local_verbs_entry_get(type, &key, 1, list.attributes);
    default:
        some_attributes(w, object, &list);
        return local_verbs_entry_create(type, &key, list.n, list.attributes);
    }
}

/* Packets for the router. */
static sai_status_t
do_packets(struct world *w)
{
    const struct softasic_send send = {
        .from = some_oid(w, SAI_OBJECT_TYPE_PORT),
        .destination = {0x02, 0x73, 0x61, 0x01, 0x00, 0x00},
        .n_frames = bytes_u8(&w->bytes) % 8u,
        .frame_bytes = 60u + bytes_u8(&w->bytes) * 7u,
    };
    const struct softasic_ip ip = {.source = some_address(w),
                                   .destination = some_address(w),
                                   .ttl = bytes_u8(&w->bytes),
                                   .protocol = bytes_u8(&w->bytes)};
    struct softasic_sent sent;

    return w->ops->send_ip(&send, &ip, &sent);
}

/* The frame ----------------------------------------------------------- */

/* Extends a digest by 'n' bytes, eight at a time. */
static uint64_t
mix(uint64_t digest, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
        uint64_t word = 0;

        memcpy(&word, (const char *)bytes + i,
               n - i < sizeof word ? n - i : sizeof word);
        digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        digest ^= digest >> 32;
    }
    return digest;
}

static uint64_t
mix_runs(uint64_t digest, const struct kind_run *runs, const char *from)
{
    for (size_t i = 0; i < KIND_MAX_RUNS; i++) {
        digest = mix(digest, from + runs[i].offset, runs[i].size);
    }
    return digest;
}

static uint64_t
mix_value(uint64_t digest, enum kind kind, const sai_attribute_value_t *value)
{
    const struct kind_layout *layout = kind_layout(kind);
    const uint32_t n = kind_has_list(kind) ? kind_list_count(kind, value) : 0;
    const char *elements = n ? kind_list_elements(kind, value) : NULL;

    digest = mix_runs(digest, layout->value_runs, (const char *)value);
    digest = mix(digest, &n, sizeof n);
    for (uint32_t i = 0; elements && i < n; i++) {
        digest = mix_runs(digest, layout->element_runs,
                          elements + (size_t)i * layout->element_size);
    }
    return digest;
}

/* Returns a digest of all objects: ids, references to them, and values. */
static uint64_t
picture(void)
{
    const struct objects *objects = switch_asic()->objects;
    size_t n;
    const struct metadata_object *types = metadata_objects(&n);
    uint64_t digest = n;

    for (size_t t = 0; t < n; t++) {
        for (const struct objects_item *item =
                 objects_first(objects, types[t].type);
             item; item = objects_next(objects, item)) {
            const uint32_t numbers[] = {item->n_references, item->n_values};

            digest = mix(digest, &item->oid, sizeof item->oid);
            digest = mix(digest, numbers, sizeof numbers);
            for (uint32_t i = 0; i < item->n_values; i++) {
                const sai_attribute_t *value = &item->values[i];

                digest = mix(digest, &value->id, sizeof value->id);
                digest = mix_value(
                    digest, metadata_attribute(item->type, value->id)->kind,
                    &value->value);
            }
        }
    }
    return digest;
}

static void
check(void)
{
    const char *wrong = mmu_check(switch_asic()->mmu);

    if (wrong) {
        fprintf(stderr, "mmu_check: %s\n", wrong);
    }
    FUZZ_CHECK(wrong == NULL);
}

/* Takes in the ids of all objects of 'type'. */
static void
find_all(struct world *w, sai_object_type_t type)
{
    const struct objects *objects = switch_asic()->objects;

    for (const struct objects_item *item = objects_first(objects, type); item;
         item = objects_next(objects, item)) {
        remember(w, item->oid, type);
    }
}

static void
step(struct world *w)
{
    typedef sai_status_t verb_fn(struct world *);
    static verb_fn *const verbs[] = {
        do_create, do_create, do_set,   do_set,    do_attach, do_attach,
        do_remove, do_get,    do_get,   do_send,   do_send,   do_time,
        do_look,   do_stats,  do_entry, do_profile};
    static verb_fn *const further[] = {do_fdb,     do_several, do_frame,
                                       do_routing, do_packets, do_port,
                                       do_group};
    uint8_t form = bytes_u8(&w->bytes), verb = form % 16;
    verb_fn *const other = (form & 0x30) == 0x30 ? further[verb % 7] : NULL;
    bool changes =
        other ? other == do_fdb || other == do_port || other == do_group
              : verb < 7 || verb == 15;
    const uint64_t before = changes ? picture() : 0;
    sai_status_t status = other ? other(w) : verbs[verb](w);

    FUZZ_CHECK(!changes || status == SAI_STATUS_SUCCESS || picture() == before);
    check();
}

static void
furnish(struct world *w)
{
    for (int32_t type = SAI_BUFFER_POOL_TYPE_INGRESS;
         type <= SAI_BUFFER_POOL_TYPE_EGRESS; type++) {
        const sai_attribute_t attributes[] = {
            {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = type}},
            {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 20000}},
            {SAI_BUFFER_POOL_ATTR_THRESHOLD_MODE,
             {.s32 = SAI_BUFFER_POOL_THRESHOLD_MODE_DYNAMIC}}};
        sai_object_id_t oid;

        FUZZ_CHECK(
            w->backend->ops->create(w->backend, SAI_OBJECT_TYPE_BUFFER_POOL, 3,
                                    attributes, &oid) == SAI_STATUS_SUCCESS);
    }
    find_all(w, SAI_OBJECT_TYPE_SWITCH);
    find_all(w, SAI_OBJECT_TYPE_PORT);
    find_all(w, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP);
    find_all(w, SAI_OBJECT_TYPE_QUEUE);
    find_all(w, SAI_OBJECT_TYPE_BUFFER_POOL);
    find_all(w, SAI_OBJECT_TYPE_VIRTUAL_ROUTER);
    find_all(w, SAI_OBJECT_TYPE_HASH);
    find_all(w, SAI_OBJECT_TYPE_VLAN);
    find_all(w, SAI_OBJECT_TYPE_BRIDGE);
    find_all(w, SAI_OBJECT_TYPE_BRIDGE_PORT);
    find_all(w, SAI_OBJECT_TYPE_VLAN_MEMBER);
}

/* Makes what routing begins with: two router ports, a neighbor behind each, a
 * next hop, a group and a LAG. */
static void
furnish_router(struct world *w)
{
    const struct objects *objects = switch_asic()->objects;
    const struct objects_item *port = switch_asic()->ports[0].item;
    const sai_attribute_t ecmp = {
        SAI_NEXT_HOP_GROUP_ATTR_TYPE,
        {.s32 = SAI_NEXT_HOP_GROUP_TYPE_DYNAMIC_UNORDERED_ECMP}};
    sai_object_id_t oid;

    for (uint8_t i = 0; i < 2; i++, port = switch_asic()->ports[1].item) {
        const sai_attribute_t interface[] = {
            {SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID,
             {.oid =
                  objects_first(objects, SAI_OBJECT_TYPE_VIRTUAL_ROUTER)->oid}},
            {SAI_ROUTER_INTERFACE_ATTR_TYPE,
             {.s32 = SAI_ROUTER_INTERFACE_TYPE_PORT}},
            {SAI_ROUTER_INTERFACE_ATTR_PORT_ID, {.oid = port->oid}}};
        const sai_attribute_t mac = {SAI_NEIGHBOR_ENTRY_ATTR_DST_MAC_ADDRESS,
                                     {.mac = {2, 0, 0, 0, 0, i}}};
        const sai_attribute_t up = {SAI_PORT_ATTR_ADMIN_STATE,
                                    {.booldata = true}};
        sai_neighbor_entry_t key = {.switch_id = w->backend->switch_id};

        FUZZ_CHECK(w->backend->ops->set(w->backend, SAI_OBJECT_TYPE_PORT,
                                        port->oid, &up) == SAI_STATUS_SUCCESS);
        FUZZ_CHECK(w->backend->ops->create(
                       w->backend, SAI_OBJECT_TYPE_ROUTER_INTERFACE, 3,
                       interface, &key.rif_id) == SAI_STATUS_SUCCESS);
        key.ip_address.addr.ip6[0] = 20;
        key.ip_address.addr.ip6[3] = i;
        FUZZ_CHECK(local_verbs_entry_create(SAI_OBJECT_TYPE_NEIGHBOR_ENTRY,
                                            &key, 1,
                                            &mac) == SAI_STATUS_SUCCESS);
        const sai_attribute_t hop[] = {
            {SAI_NEXT_HOP_ATTR_TYPE, {.s32 = SAI_NEXT_HOP_TYPE_IP}},
            {SAI_NEXT_HOP_ATTR_ROUTER_INTERFACE_ID, {.oid = key.rif_id}},
            {SAI_NEXT_HOP_ATTR_IP, {.ipaddr = key.ip_address}}};
        FUZZ_CHECK(w->backend->ops->create(w->backend, SAI_OBJECT_TYPE_NEXT_HOP,
                                           3, hop, &oid) == SAI_STATUS_SUCCESS);
    }
    FUZZ_CHECK(w->backend->ops->create(w->backend,
                                       SAI_OBJECT_TYPE_NEXT_HOP_GROUP, 1, &ecmp,
                                       &oid) == SAI_STATUS_SUCCESS);
    FUZZ_CHECK(w->backend->ops->create(w->backend, SAI_OBJECT_TYPE_LAG, 0, NULL,
                                       &oid) == SAI_STATUS_SUCCESS);
    find_all(w, SAI_OBJECT_TYPE_ROUTER_INTERFACE);
    find_all(w, SAI_OBJECT_TYPE_NEXT_HOP);
    find_all(w, SAI_OBJECT_TYPE_NEXT_HOP_GROUP);
    find_all(w, SAI_OBJECT_TYPE_LAG);
}

static struct world the_world;

static void
make(void)
{
    the_world.backend = switch_begin();
    the_world.ops = softasic_ops(SOFTASIC_OPS_VERSION);
    furnish(&the_world);
}

static void
run(const uint8_t *data, size_t size)
{
    struct world *w = &the_world;

    w->bytes = (struct bytes){data, size};
    if (bytes_u8(&w->bytes) & 1) {
        furnish_router(w);
    }
    for (int i = 0; i < MAX_STEPS && bytes_more(&w->bytes); i++) {
        step(w);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct snapshot_job job = {
        .make = make,
        .run = run,
        .end = switch_end,
        .variables = {{&the_world, sizeof the_world},
                      {library_get(), sizeof *library_get()}}};

    snapshot_run(&job, data, size);
    return 0;
}
