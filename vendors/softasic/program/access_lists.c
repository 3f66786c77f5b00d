/* SPDX-License-Identifier: Apache-2.0 */

/* Tables and groups of access lists, and where they are bound. */

#include <config.h>

#include "vendors/softasic/program/access_lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/forwarding/acl.h"
#include "vendors/softasic/program/access_entries.h"
#include "vendors/softasic/program/access_fields.h"
#include "vendors/softasic/program/supported_attributes.h"

/* The data of a table, and of a group.  Both begin with what is bound. */
struct table {
    struct acl_set alone; /* The table by itself. */
    const struct acl_table *self;
    struct acl_table *rules;
    uint32_t n_entries;
    uint32_t last_number; /* Of an entry, from 1. */
};

struct group {
    struct acl_set set;
};

/* The data of an entry. */
struct entry {
    struct acl_rule *rule; /* NULL while it is created. */
    bool is_in;            /* The rule is in its table. */
};

/* The types of this module. */
static const sai_object_type_t types[] = {
    SAI_OBJECT_TYPE_ACL_TABLE,       SAI_OBJECT_TYPE_ACL_ENTRY,
    SAI_OBJECT_TYPE_ACL_COUNTER,     SAI_OBJECT_TYPE_ACL_RANGE,
    SAI_OBJECT_TYPE_ACL_TABLE_GROUP, SAI_OBJECT_TYPE_ACL_TABLE_GROUP_MEMBER,
};

enum { N_TYPES = sizeof types / sizeof types[0] };

/* The attributes that bind. */
static const struct {
    sai_object_type_t type;
    sai_attr_id_t id;
    sai_acl_stage_t stage;
    sai_acl_bind_point_type_t point;
} bindings[] = {
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_INGRESS_ACL, SAI_ACL_STAGE_INGRESS,
     SAI_ACL_BIND_POINT_TYPE_PORT},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_EGRESS_ACL, SAI_ACL_STAGE_EGRESS,
     SAI_ACL_BIND_POINT_TYPE_PORT},
    {SAI_OBJECT_TYPE_LAG, SAI_LAG_ATTR_INGRESS_ACL, SAI_ACL_STAGE_INGRESS,
     SAI_ACL_BIND_POINT_TYPE_LAG},
    {SAI_OBJECT_TYPE_LAG, SAI_LAG_ATTR_EGRESS_ACL, SAI_ACL_STAGE_EGRESS,
     SAI_ACL_BIND_POINT_TYPE_LAG},
    {SAI_OBJECT_TYPE_VLAN, SAI_VLAN_ATTR_EGRESS_ACL, SAI_ACL_STAGE_EGRESS,
     SAI_ACL_BIND_POINT_TYPE_VLAN},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_INGRESS_ACL, SAI_ACL_STAGE_INGRESS,
     SAI_ACL_BIND_POINT_TYPE_SWITCH},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_EGRESS_ACL, SAI_ACL_STAGE_EGRESS,
     SAI_ACL_BIND_POINT_TYPE_SWITCH},
};

enum { N_BINDINGS = sizeof bindings / sizeof bindings[0] };

/* Capacity ------------------------------------------------------------- */

/* Returns the memory of 'asic' for tables of 'stage'. */
static const struct chip_access *
memory_of(const struct asic *asic, sai_acl_stage_t stage)
{
    return stage == SAI_ACL_STAGE_EGRESS ? &asic->chip->egress_acl
                                         : &asic->chip->ingress_acl;
}

/* Returns the stage of a table or a group. */
static sai_acl_stage_t
stage_of(const struct objects_item *item)
{
    return (sai_acl_stage_t)objects_number(
        item, item->type == SAI_OBJECT_TYPE_ACL_TABLE
                  ? (sai_attr_id_t)SAI_ACL_TABLE_ATTR_ACL_STAGE
                  : (sai_attr_id_t)SAI_ACL_TABLE_GROUP_ATTR_ACL_STAGE);
}

bool
access_lists_handle_type(sai_object_type_t type)
{
    for (size_t i = 0; i < N_TYPES; i++) {
        if (types[i] == type) {
            return true;
        }
    }
    return false;
}

/* Returns how many entries 'table' takes from the memory of its stage. */
static uint64_t
taken_by(const struct objects_item *table)
{
    const struct table *data = table->data;
    const uint64_t size =
        (uint64_t)objects_number(table, SAI_ACL_TABLE_ATTR_SIZE);

    return size ? size : data ? data->n_entries : 0;
}

/* Stores how many tables of 'stage' there are besides 'except' (may be NULL),
 * and returns how many entries these have taken. */
static uint64_t
count_taken(const struct asic *asic, sai_acl_stage_t stage,
            const struct objects_item *except, uint64_t *n_tables)
{
    uint64_t taken = 0;

    *n_tables = 0;
    for (const struct objects_item *i =
             objects_first(asic->objects, SAI_OBJECT_TYPE_ACL_TABLE);
         i; i = objects_next(asic->objects, i)) {
        if (i != except && stage_of(i) == stage) {
            taken += taken_by(i);
            (*n_tables)++;
        }
    }
    return taken;
}

/* Returns what is left of 'most' after 'used'. */
static uint64_t
left_of(uint64_t most, uint64_t used)
{
    return used < most ? most - used : 0;
}

/* Returns how many entries of 'stage' no table but 'except' has taken. */
static uint64_t
free_entries(const struct asic *asic, sai_acl_stage_t stage,
             const struct objects_item *except)
{
    uint64_t n_tables;
    const uint64_t taken = count_taken(asic, stage, except, &n_tables);

    return left_of(memory_of(asic, stage)->entries, taken);
}

uint64_t
access_lists_stage_room(const struct asic *asic, sai_acl_stage_t stage,
                        const struct objects_item *except)
{
    uint64_t n_tables;

    (void)count_taken(asic, stage, except, &n_tables);
    return left_of(memory_of(asic, stage)->tables, n_tables);
}

uint64_t
access_lists_room(const struct asic *asic, sai_object_type_t type)
{
    const uint64_t used = objects_count(asic->objects, type);

    switch (type) {
    case SAI_OBJECT_TYPE_ACL_TABLE:
        return access_lists_stage_room(asic, SAI_ACL_STAGE_INGRESS, NULL) +
               access_lists_stage_room(asic, SAI_ACL_STAGE_EGRESS, NULL);
    case SAI_OBJECT_TYPE_ACL_ENTRY:
        return free_entries(asic, SAI_ACL_STAGE_INGRESS, NULL) +
               free_entries(asic, SAI_ACL_STAGE_EGRESS, NULL);
    case SAI_OBJECT_TYPE_ACL_COUNTER:
        return left_of(asic->chip->acl_counters, used);
    case SAI_OBJECT_TYPE_ACL_RANGE:
        return left_of(ACCESS_MAX_RANGES, used);
    case SAI_OBJECT_TYPE_ACL_TABLE_GROUP:
        return left_of(ACCESS_MAX_GROUPS, used);
    default:
        return left_of(ACCESS_MAX_MEMBERS, used);
    }
}

/* Returns whether 'item', which is new and counts already, fits. */
static bool
fits(const struct asic *asic, const struct objects_item *item)
{
    const uint64_t used = objects_count(asic->objects, item->type);

    switch (item->type) {
    case SAI_OBJECT_TYPE_ACL_TABLE:
        return access_lists_stage_room(asic, stage_of(item), item) > 0;
    case SAI_OBJECT_TYPE_ACL_ENTRY: /* Its table decides. */
        return true;
    case SAI_OBJECT_TYPE_ACL_COUNTER:
        return used <= asic->chip->acl_counters;
    case SAI_OBJECT_TYPE_ACL_RANGE:
        return used <= ACCESS_MAX_RANGES;
    case SAI_OBJECT_TYPE_ACL_TABLE_GROUP:
        return used <= ACCESS_MAX_GROUPS;
    default:
        return used <= ACCESS_MAX_MEMBERS;
    }
}

int64_t
access_lists_entry_room(const struct asic *asic,
                        const struct objects_item *table)
{
    const struct table *data = table->data;
    const int64_t size = objects_number(table, SAI_ACL_TABLE_ATTR_SIZE);

    return size ? size - data->n_entries
                : (int64_t)free_entries(asic, stage_of(table), NULL);
}

int64_t
access_lists_counter_room(const struct asic *asic,
                          const struct objects_item *table)
{
    (void)table;
    return (int64_t)access_lists_room(asic, SAI_OBJECT_TYPE_ACL_COUNTER);
}

/* Tables --------------------------------------------------------------- */

static sai_status_t
create_table(struct asic *asic, struct objects_item *item, struct err *err)
{
    const uint64_t size =
        (uint64_t)objects_number(item, SAI_ACL_TABLE_ATTR_SIZE);
    const uint64_t left = free_entries(asic, stage_of(item), item);
    struct table *data;

    if (size > left) {
        err_set(err, ST_NO_RESOURCE, "acl-size", "%llu entries are free",
                (unsigned long long)left);
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    data = check_calloc(1, sizeof *data);
    data->rules = acl_table_create();
    data->self = data->rules;
    data->alone = (struct acl_set){.n = 1, .tables = &data->self};
    item->data = data;
    return SAI_STATUS_SUCCESS;
}

static struct table *
table_of(const struct asic *asic, const struct objects_item *item,
         sai_attr_id_t id)
{
    return objects_referent(asic->objects, item, id)->data;
}

/* Entries -------------------------------------------------------------- */

/* Makes the rules of 'table' agree with 'entry': its rule is 'rule' from now
 * on. */
static void
put(struct table *table, struct objects_item *item, struct acl_rule *rule)
{
    struct entry *entry = item->data;

    if (entry->is_in) {
        acl_table_remove(table->rules, entry->rule);
    }
    access_entries_free(entry->rule);
    entry->rule = rule;
    entry->is_in =
        rule && objects_number(item, SAI_ACL_ENTRY_ATTR_ADMIN_STATE) != 0;
    if (entry->is_in) {
        acl_table_add(table->rules, rule);
    }
}

static sai_status_t
create_entry(struct asic *asic, struct objects_item *item, sai_attr_id_t *blame,
             struct err *err)
{
    const struct objects_item *owner =
        objects_referent(asic->objects, item, SAI_ACL_ENTRY_ATTR_TABLE_ID);
    struct table *table = owner->data;
    struct acl_rule *rule;
    sai_status_t status;

    if (access_lists_entry_room(asic, owner) <= 0) {
        err_set(err, ST_NO_RESOURCE, "acl-entries",
                "there is no room for another entry");
        return objects_number(owner, SAI_ACL_TABLE_ATTR_SIZE)
                   ? SAI_STATUS_TABLE_FULL
                   : SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    status = access_entries_compile(asic, item, table->last_number + 1, &rule,
                                    blame, err);
    if (status == SAI_STATUS_SUCCESS) {
        table->last_number++;
        table->n_entries++;
        item->data = check_calloc(1, sizeof(struct entry));
        put(table, item, rule);
    }
    return status;
}

/* Compiles 'item', which has changed, again. */
static sai_status_t
set_entry(struct asic *asic, struct objects_item *item, struct err *err)
{
    const struct entry *entry = item->data;
    struct acl_rule *rule;
    sai_attr_id_t blame;
    const sai_status_t status = access_entries_compile(
        asic, item, entry->rule->number, &rule, &blame, err);

    if (status == SAI_STATUS_SUCCESS) {
        put(table_of(asic, item, SAI_ACL_ENTRY_ATTR_TABLE_ID), item, rule);
    }
    return status;
}

static void
remove_entry(struct asic *asic, struct objects_item *item)
{
    struct table *table = table_of(asic, item, SAI_ACL_ENTRY_ATTR_TABLE_ID);

    put(table, item, NULL);
    table->n_entries--;
    free(item->data);
    item->data = NULL;
}

/* Counters ------------------------------------------------------------- */

int64_t
access_lists_packets(const struct asic *asic,
                     const struct objects_item *counter)
{
    (void)asic;
    return objects_number(counter, SAI_ACL_COUNTER_ATTR_ENABLE_PACKET_COUNT)
               ? (int64_t)access_entries_count(counter)->packets
               : 0;
}

int64_t
access_lists_bytes(const struct asic *asic, const struct objects_item *counter)
{
    (void)asic;
    return objects_number(counter, SAI_ACL_COUNTER_ATTR_ENABLE_BYTE_COUNT)
               ? (int64_t)access_entries_count(counter)->bytes
               : 0;
}

/* Moves the value that was stored for 'id' to the counter: from now on it is
 * computed. */
static void
set_count(struct asic *asic, struct objects_item *item, sai_attr_id_t id)
{
    struct acl_count *count = access_entries_count(item);

    if (id == SAI_ACL_COUNTER_ATTR_PACKETS) {
        count->packets = (uint64_t)objects_number(item, id);
        objects_unset(asic->objects, item, id);
    } else if (id == SAI_ACL_COUNTER_ATTR_BYTES) {
        count->bytes = (uint64_t)objects_number(item, id);
        objects_unset(asic->objects, item, id);
    }
}

static sai_status_t
create_counter(struct asic *asic, struct objects_item *item)
{
    item->data = check_calloc(1, sizeof(struct acl_count));
    set_count(asic, item, SAI_ACL_COUNTER_ATTR_PACKETS);
    set_count(asic, item, SAI_ACL_COUNTER_ATTR_BYTES);
    return SAI_STATUS_SUCCESS;
}

/* Ranges --------------------------------------------------------------- */

static sai_status_t
create_range(const struct objects_item *item, sai_attr_id_t *blame,
             struct err *err)
{
    const sai_attribute_value_t *limit =
        objects_value(item, SAI_ACL_RANGE_ATTR_LIMIT);

    if (limit->u32range.min <= limit->u32range.max) {
        return SAI_STATUS_SUCCESS;
    }
    err_set(err, ST_INVALID, "acl-range", "the range is empty");
    *blame = SAI_ACL_RANGE_ATTR_LIMIT;
    return SAI_STATUS_INVALID_ATTR_VALUE_0;
}

/* Groups --------------------------------------------------------------- */

#define MEMBER_GROUP SAI_ACL_TABLE_GROUP_MEMBER_ATTR_ACL_TABLE_GROUP_ID
#define MEMBER_TABLE SAI_ACL_TABLE_GROUP_MEMBER_ATTR_ACL_TABLE_ID

/* Lists the tables of 'group' again, without that of 'except': the largest
 * priority first, then the oldest member. */
static void
list_members(struct asic *asic, const struct objects_item *group,
             const struct objects_item *except)
{
    struct acl_set *set = &((struct group *)group->data)->set;
    const uint32_t most =
        objects_count(asic->objects, SAI_OBJECT_TYPE_ACL_TABLE_GROUP_MEMBER);
    int64_t *priorities = check_calloc(most + 1, sizeof *priorities);

    set->tables = check_realloc(set->tables, (most + 1) * sizeof *set->tables);
    set->n = 0;
    for (const struct objects_item *i = objects_first(
             asic->objects, SAI_OBJECT_TYPE_ACL_TABLE_GROUP_MEMBER);
         i; i = objects_next(asic->objects, i)) {
        const int64_t priority =
            objects_number(i, SAI_ACL_TABLE_GROUP_MEMBER_ATTR_PRIORITY);
        uint32_t at = set->n;

        if (i == except || objects_oid(i, MEMBER_GROUP) != group->oid) {
            continue;
        }
        for (; at > 0 && priorities[at - 1] < priority; at--) {
            priorities[at] = priorities[at - 1];
            set->tables[at] = set->tables[at - 1];
        }
        priorities[at] = priority;
        set->tables[at] = table_of(asic, i, MEMBER_TABLE)->rules;
        set->n++;
    }
    free(priorities);
}

static sai_status_t
create_group(struct objects_item *item)
{
    struct group *data = check_calloc(1, sizeof *data);

    data->set.is_parallel =
        objects_number(item, SAI_ACL_TABLE_GROUP_ATTR_TYPE) ==
        SAI_ACL_TABLE_GROUP_TYPE_PARALLEL;
    item->data = data;
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
create_member(struct asic *asic, const struct objects_item *item,
              sai_attr_id_t *blame, struct err *err)
{
    const struct objects_item *group =
        objects_referent(asic->objects, item, MEMBER_GROUP);

    if (stage_of(group) !=
        stage_of(objects_referent(asic->objects, item, MEMBER_TABLE))) {
        err_set(err, ST_INVALID, "acl-member",
                "the table is of another stage than the group");
        *blame = MEMBER_TABLE;
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    for (const struct objects_item *i = objects_first(
             asic->objects, SAI_OBJECT_TYPE_ACL_TABLE_GROUP_MEMBER);
         i; i = objects_next(asic->objects, i)) {
        if (i != item && objects_oid(i, MEMBER_GROUP) == group->oid &&
            objects_oid(i, MEMBER_TABLE) == objects_oid(item, MEMBER_TABLE)) {
            err_set(err, ST_EXISTS, "acl-member",
                    "the table is in this group already");
            *blame = MEMBER_TABLE;
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
    }
    list_members(asic, group, NULL);
    return SAI_STATUS_SUCCESS;
}

/* Binding -------------------------------------------------------------- */

bool
access_lists_bind(sai_object_type_t type, sai_attr_id_t id)
{
    for (size_t i = 0; i < N_BINDINGS; i++) {
        if (bindings[i].type == type && bindings[i].id == id) {
            return true;
        }
    }
    return false;
}

/* Returns whether 'bound', a table or a group, may be bound to 'point' at
 * 'stage'. */
static bool
may_bind(const struct objects_item *bound, sai_acl_stage_t stage,
         sai_acl_bind_point_type_t point)
{
    const sai_attribute_value_t *points = objects_value(
        bound,
        bound->type == SAI_OBJECT_TYPE_ACL_TABLE
            ? (sai_attr_id_t)SAI_ACL_TABLE_ATTR_ACL_BIND_POINT_TYPE_LIST
            : (sai_attr_id_t)SAI_ACL_TABLE_GROUP_ATTR_ACL_BIND_POINT_TYPE_LIST);

    if (stage_of(bound) != stage) {
        return false;
    }
    if (!points || points->s32list.count == 0) {
        return true;
    }
    for (uint32_t i = 0; i < points->s32list.count; i++) {
        if (points->s32list.list[i] == (int32_t)point) {
            return true;
        }
    }
    return false;
}

sai_status_t
access_lists_check(const struct asic *asic, const struct objects_item *place,
                   sai_attr_id_t *blame, struct err *err)
{
    for (size_t i = 0; i < N_BINDINGS; i++) {
        const struct objects_item *bound =
            bindings[i].type == place->type
                ? objects_referent(asic->objects, place, bindings[i].id)
                : NULL;

        if (bound && !may_bind(bound, bindings[i].stage, bindings[i].point)) {
            err_set(err, ST_INVALID, "acl-bind",
                    "the access list is not for this stage, or not for this "
                    "kind of bind point");
            *blame = bindings[i].id;
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
    }
    return SAI_STATUS_SUCCESS;
}

void
access_lists_program(struct asic *asic, const struct objects_item *place)
{
    for (size_t i = 0; i < N_BINDINGS; i++) {
        const struct objects_item *bound;
        const struct acl_set *set;

        if (bindings[i].type != place->type) {
            continue;
        }
        bound = objects_referent(asic->objects, place, bindings[i].id);
        set = bound ? bound->data : NULL; /* Begins with its set. */
        if (place->type == SAI_OBJECT_TYPE_VLAN) {
            sim_set_vlan_acl(
                asic->sim,
                (uint16_t)objects_number(place, SAI_VLAN_ATTR_VLAN_ID), set);
        } else {
            sim_set_acl(asic->sim,
                        bindings[i].stage == SAI_ACL_STAGE_EGRESS ? SIM_EGRESS
                                                                  : SIM_INGRESS,
                        place->type == SAI_OBJECT_TYPE_SWITCH ? MMU_NONE
                                                              : place->handle,
                        set);
        }
    }
}

/* By type -------------------------------------------------------------- */

/* Returns the attribute of a table that is attribute 'id' of 'type'. */
static sai_attr_id_t
as_of_table(sai_object_type_t type, sai_attr_id_t id)
{
    return type == SAI_OBJECT_TYPE_ACL_TABLE_GROUP
               ? (sai_attr_id_t)SAI_ACL_TABLE_ATTR_ACL_BIND_POINT_TYPE_LIST
               : id;
}

/* Returns whether 'value' of list 'id' of a table or a group is possible at
 * 'stage'. */
static bool
is_listed_at(sai_acl_stage_t stage, sai_attr_id_t id, int32_t value)
{
    switch (id) {
    case SAI_ACL_TABLE_ATTR_ACL_BIND_POINT_TYPE_LIST:
        return access_fields_binds_at(stage, value);
    case SAI_ACL_TABLE_ATTR_ACL_ACTION_TYPE_LIST:
        return access_fields_is_at(stage, SAI_ACL_ENTRY_ATTR_ACTION_START +
                                              (sai_attr_id_t)value);
    default:
        return true;
    }
}

/* Checks the values in a list of an attribute. */
static sai_status_t
check_list(const struct objects_item *item, sai_attr_id_t id,
           sai_attr_id_t *blame, struct err *err)
{
    const sai_attribute_value_t *list = objects_value(item, id);

    for (uint32_t i = 0; list && i < list->s32list.count; i++) {
        const int32_t value = list->s32list.list[i];

        if (!access_fields_value(item->type, id, value) ||
            !is_listed_at(stage_of(item), as_of_table(item->type, id), value)) {
            err_set(err, ST_UNSUPPORTED, "acl-list",
                    "access lists do not support value %d here", (int)value);
            *blame = id;
            return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Checks that the fields of a table exist at its stage. */
static sai_status_t
check_fields(const struct objects_item *table, sai_attr_id_t *blame,
             struct err *err)
{
    for (uint32_t i = 0; i < table->n_values; i++) {
        const sai_attr_id_t id = table->values[i].id;

        if (!access_fields_is_at(stage_of(table), id) &&
            objects_number(table, id)) {
            err_set(err, ST_UNSUPPORTED, "acl-field",
                    "there is no such field at this stage");
            *blame = id;
            return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Checks what a new object says of itself. */
static sai_status_t
check(const struct objects_item *item, sai_attr_id_t *blame, struct err *err)
{
    static const struct {
        sai_object_type_t type;
        sai_attr_id_t id;
    } lists[] = {
        {SAI_OBJECT_TYPE_ACL_TABLE,
         SAI_ACL_TABLE_ATTR_ACL_BIND_POINT_TYPE_LIST},
        {SAI_OBJECT_TYPE_ACL_TABLE, SAI_ACL_TABLE_ATTR_ACL_ACTION_TYPE_LIST},
        {SAI_OBJECT_TYPE_ACL_TABLE, SAI_ACL_TABLE_ATTR_FIELD_ACL_RANGE_TYPE},
        {SAI_OBJECT_TYPE_ACL_TABLE_GROUP,
         SAI_ACL_TABLE_GROUP_ATTR_ACL_BIND_POINT_TYPE_LIST},
    };
    sai_status_t status = supported_attributes_check_all(item, blame, err);

    for (size_t i = 0;
         i < sizeof lists / sizeof lists[0] && status == SAI_STATUS_SUCCESS;
         i++) {
        if (lists[i].type == item->type) {
            status = check_list(item, lists[i].id, blame, err);
        }
    }
    if (status == SAI_STATUS_SUCCESS &&
        item->type == SAI_OBJECT_TYPE_ACL_TABLE) {
        status = check_fields(item, blame, err);
    }
    return status;
}

/* Does what 'item' of its type needs. */
static sai_status_t
create(struct asic *asic, struct objects_item *item, sai_attr_id_t *blame,
       struct err *err)
{
    if (!fits(asic, item)) {
        err_set(err, ST_NO_RESOURCE, "acl-room",
                "there is no room for another one");
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    switch (item->type) {
    case SAI_OBJECT_TYPE_ACL_TABLE:
        return create_table(asic, item, err);
    case SAI_OBJECT_TYPE_ACL_ENTRY:
        return create_entry(asic, item, blame, err);
    case SAI_OBJECT_TYPE_ACL_COUNTER:
        return create_counter(asic, item);
    case SAI_OBJECT_TYPE_ACL_RANGE:
        return create_range(item, blame, err);
    case SAI_OBJECT_TYPE_ACL_TABLE_GROUP:
        return create_group(item);
    default:
        return create_member(asic, item, blame, err);
    }
}

sai_status_t
access_lists_create(struct asic *asic, struct objects_item *item,
                    sai_attr_id_t *blame, struct err *err)
{
    const sai_status_t status = check(item, blame, err);

    sim_change_acl(asic->sim);
    return status == SAI_STATUS_SUCCESS ? create(asic, item, blame, err)
                                        : status;
}

sai_status_t
access_lists_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
                 struct err *err)
{
    const sai_status_t status = supported_attributes_check(item, id, err);

    sim_change_acl(asic->sim);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (item->type == SAI_OBJECT_TYPE_ACL_ENTRY) {
        return set_entry(asic, item, err);
    }
    if (item->type == SAI_OBJECT_TYPE_ACL_COUNTER) {
        set_count(asic, item, id);
    }
    return SAI_STATUS_SUCCESS;
}

/* Frees the data of 'item', without the rule of an entry. */
static void
free_data(struct objects_item *item)
{
    if (item->data && item->type == SAI_OBJECT_TYPE_ACL_TABLE) {
        acl_table_destroy(((struct table *)item->data)->rules);
    } else if (item->data && item->type == SAI_OBJECT_TYPE_ACL_TABLE_GROUP) {
        free(((struct group *)item->data)->set.tables);
    }
    free(item->data);
    item->data = NULL;
}

sai_status_t
access_lists_remove(struct asic *asic, struct objects_item *item)
{
    sim_change_acl(asic->sim);
    if (item->type == SAI_OBJECT_TYPE_ACL_ENTRY) {
        remove_entry(asic, item);
    } else if (item->type == SAI_OBJECT_TYPE_ACL_TABLE_GROUP_MEMBER) {
        list_members(asic, objects_referent(asic->objects, item, MEMBER_GROUP),
                     item);
    } else {
        free_data(item);
    }
    return SAI_STATUS_SUCCESS;
}

void
access_lists_fini(struct asic *asic)
{
    for (size_t t = 0; t < N_TYPES; t++) {
        for (struct objects_item *i = objects_first(asic->objects, types[t]); i;
             i = objects_next(asic->objects, i)) {
            if (i->type == SAI_OBJECT_TYPE_ACL_ENTRY) {
                access_entries_free(((struct entry *)i->data)->rule);
            }
            free_data(i);
        }
    }
}
