/* SPDX-License-Identifier: Apache-2.0 */

/* Entries of access lists.  Fields without a mask have a function each. */

#include <config.h>

#include "vendors/softasic/program/access_entries.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/forwarding/acl.h"
#include "vendors/softasic/program/access_fields.h"
#include "vendors/softasic/program/policers.h"
#include "vendors/softasic/program/port_lookup.h"

/* The work on one entry. */
struct job {
    const struct asic *asic;
    const struct objects_item *entry;
    const struct objects_item *table;
    struct acl_rule *rule;
    struct err *err;
};

/* Fields --------------------------------------------------------------- */

static sai_status_t
refuse(const struct job *job, const char *why)
{
    err_set(job->err, ST_INVALID, "acl-entry", "%s", why);
    return SAI_STATUS_INVALID_ATTR_VALUE_0;
}

static sai_acl_stage_t
stage_of(const struct job *job)
{
    return (sai_acl_stage_t)objects_number(job->table,
                                           SAI_ACL_TABLE_ATTR_ACL_STAGE);
}

static sai_status_t
refuse_at_egress(const struct job *job)
{
    err_set(job->err, ST_UNSUPPORTED, "acl-entry",
            "at egress packets can be counted, forwarded and dropped, and "
            "nothing else");
    return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
}

/* Requires 'field' of the rule to be 'data' under 'mask'. */
static sai_status_t
add_masked(const struct job *job, const struct access_field *field,
           const sai_acl_field_data_t *given)
{
    const sai_acl_field_data_data_t *data = &given->data;
    const sai_acl_field_data_mask_t *mask = &given->mask;
    static const uint8_t none[16] = {0};
    union {
        uint64_t mac;
        uint16_t u16;
        uint8_t u8;
        uint8_t bytes[16];
    } v = {0}, m = {0};
    size_t size = 0;

    switch (field->form) {
    case ACCESS_NUMBER8:
        size = sizeof v.u8;
        v.u8 = (uint8_t)(data->u8 << field->shift);
        m.u8 = (uint8_t)((mask->u8 & field->most) << field->shift);
        break;
    case ACCESS_NUMBER16:
        size = sizeof v.u16;
        v.u16 = data->u16;
        m.u16 = mask->u16 & field->most;
        break;
    case ACCESS_MAC:
        size = sizeof v.mac;
        v.mac = port_lookup_mac_number(data->mac);
        m.mac = port_lookup_mac_number(mask->mac);
        break;
    case ACCESS_BYTES4:
        size = sizeof data->ip4;
        memcpy(v.bytes, &data->ip4, size);
        memcpy(m.bytes, &mask->ip4, size);
        break;
    case ACCESS_BYTES16:
        size = sizeof data->ip6;
        memcpy(v.bytes, data->ip6, size);
        memcpy(m.bytes, mask->ip6, size);
        break;
    }
    if ((field->form == ACCESS_NUMBER8 &&
         (data->u8 & mask->u8) > field->most) ||
        (field->form == ACCESS_NUMBER16 &&
         (data->u16 & mask->u16) > field->most)) {
        return refuse(job, "the field has fewer bits");
    }
    if (memcmp(&m, none, size) != 0) {
        acl_rule_require(job->rule, field->offset, size, &v, &m);
        acl_rule_require_is(job->rule, field->has_is, field->has_is);
    }
    return SAI_STATUS_SUCCESS;
}

/* Restricts the rule to the ports in a list. */
static sai_status_t
add_ports(const struct job *job, const sai_object_list_t *list)
{
    const uint32_t n = job->asic->chip->ports;
    uint64_t *bits = check_calloc(n / 64 + 1, sizeof *bits);

    job->rule->ports = bits; /* Freed with the rule. */
    job->rule->n_ports = n;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct objects_item *port =
            objects_find(job->asic->objects, list->list[i]);

        if (port->handle == MMU_NONE) {
            return refuse(job, "no packet passes the CPU port");
        }
        bits[port->handle / 64] |= UINT64_C(1) << port->handle % 64;
    }
    return SAI_STATUS_SUCCESS;
}

/* The same for one port, or the LAG that it is in. */
static sai_status_t
add_port(const struct job *job, sai_object_id_t oid)
{
    const struct objects_item *port = objects_find(job->asic->objects, oid);
    const uint16_t all = UINT16_MAX;
    uint16_t number;

    if (!port || port->handle == MMU_NONE) {
        return refuse(job, "no packet passes there");
    }
    number = (uint16_t)port->handle;
    acl_rule_require(job->rule,
                     port->type == SAI_OBJECT_TYPE_LAG
                         ? offsetof(struct acl_fields, in_lag)
                         : offsetof(struct acl_fields, in_port),
                     sizeof number, &number, &all);
    return SAI_STATUS_SUCCESS;
}

/* Returns whether the ranges of 'table' may be of 'type'. */
static bool
has_range(const struct objects_item *table, int32_t type)
{
    const sai_attribute_value_t *types =
        objects_value(table, SAI_ACL_TABLE_ATTR_FIELD_ACL_RANGE_TYPE);

    for (uint32_t i = 0; types && i < types->s32list.count; i++) {
        if (types->s32list.list[i] == type) {
            return true;
        }
    }
    return false;
}

/* Adds a range to the rule. */
static sai_status_t
add_range(const struct job *job, const struct objects_item *range)
{
    const sai_attribute_value_t *limit =
        objects_value(range, SAI_ACL_RANGE_ATTR_LIMIT);
    const int32_t type =
        (int32_t)objects_number(range, SAI_ACL_RANGE_ATTR_TYPE);
    struct acl_rule *rule = job->rule;
    struct acl_range *made = &rule->ranges[rule->n_ranges];

    if (!has_range(job->table, type)) {
        return refuse(job, "the table has no ranges of this type");
    }
    if (rule->n_ranges == ACL_MAX_RANGES) {
        return refuse(job, "too many ranges");
    }
    rule->n_ranges++;
    made->min = limit->u32range.min;
    made->max = limit->u32range.max;
    switch (type) {
    case SAI_ACL_RANGE_TYPE_L4_SRC_PORT_RANGE:
        made->of = ACL_SRC_PORT;
        acl_rule_require_is(rule, ACL_HAS_PORTS, ACL_HAS_PORTS);
        break;
    case SAI_ACL_RANGE_TYPE_L4_DST_PORT_RANGE:
        made->of = ACL_DST_PORT;
        acl_rule_require_is(rule, ACL_HAS_PORTS, ACL_HAS_PORTS);
        break;
    case SAI_ACL_RANGE_TYPE_OUTER_VLAN:
        made->of = ACL_VLAN;
        acl_rule_require_is(rule, ACL_HAS_TAG, ACL_HAS_TAG);
        break;
    default:
        made->of = ACL_LENGTH;
        break;
    }
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
add_ranges(const struct job *job, const sai_object_list_t *list)
{
    sai_status_t status = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < list->count && status == SAI_STATUS_SUCCESS; i++) {
        status =
            add_range(job, objects_find(job->asic->objects, list->list[i]));
    }
    return status;
}

/* Adds what field 'id' requires. */
static sai_status_t
add_field(const struct job *job, sai_attr_id_t id,
          const sai_acl_field_data_t *given)
{
    const struct access_field *field = access_fields_find(id);
    uint16_t value, mask;

    if (id != SAI_ACL_ENTRY_ATTR_FIELD_ACL_RANGE_TYPE &&
        !objects_number(job->table, id)) {
        return refuse(job, "the table does not have this field");
    }
    switch (id) {
    case SAI_ACL_ENTRY_ATTR_FIELD_IN_PORTS:
    case SAI_ACL_ENTRY_ATTR_FIELD_OUT_PORTS:
        return add_ports(job, &given->data.objlist);
    case SAI_ACL_ENTRY_ATTR_FIELD_IN_PORT:
    case SAI_ACL_ENTRY_ATTR_FIELD_OUT_PORT:
        return add_port(job, given->data.oid);
    case SAI_ACL_ENTRY_ATTR_FIELD_ACL_RANGE_TYPE:
        return add_ranges(job, &given->data.objlist);
    case SAI_ACL_ENTRY_ATTR_FIELD_HAS_VLAN_TAG:
        acl_rule_require_is(job->rule, given->data.booldata ? ACL_HAS_TAG : 0,
                            ACL_HAS_TAG);
        return SAI_STATUS_SUCCESS;
    case SAI_ACL_ENTRY_ATTR_FIELD_ACL_IP_TYPE:
        if (!access_fields_ip_type(given->data.s32, &value, &mask)) {
            return refuse(job, "there is no such type of packets");
        }
        acl_rule_require_is(job->rule, value, mask);
        return SAI_STATUS_SUCCESS;
    default:
        return add_masked(job, field, given);
    }
}

/* Actions -------------------------------------------------------------- */

/* Returns whether entries of 'table' may have action 'id'. */
static bool
has_action(const struct objects_item *table, sai_attr_id_t id)
{
    const sai_attribute_value_t *types =
        objects_value(table, SAI_ACL_TABLE_ATTR_ACL_ACTION_TYPE_LIST);

    if (!types || types->s32list.count == 0) {
        return true;
    }
    for (uint32_t i = 0; i < types->s32list.count; i++) {
        if (id == SAI_ACL_ENTRY_ATTR_ACTION_START +
                      (uint32_t)types->s32list.list[i]) {
            return true;
        }
    }
    return false;
}

static sai_status_t
add_counter(const struct job *job, sai_object_id_t oid)
{
    const struct objects_item *counter = objects_find(job->asic->objects, oid);

    if (!counter || objects_oid(counter, SAI_ACL_COUNTER_ATTR_TABLE_ID) !=
                        job->table->oid) {
        return refuse(job, "the counter belongs to another table");
    }
    job->rule->count = access_entries_count(counter);
    return SAI_STATUS_SUCCESS;
}

/* Adds action 'id'. */
static sai_status_t
add_action(const struct job *job, sai_attr_id_t id,
           const sai_acl_action_parameter_t *given)
{
    struct acl_actions *made = &job->rule->actions;
    const struct objects_item *policer;

    if (!access_fields_is_at(stage_of(job), id)) {
        return refuse_at_egress(job);
    }
    if (!has_action(job->table, id)) {
        return refuse(job, "the table does not have this action");
    }
    switch (id) {
    case SAI_ACL_ENTRY_ATTR_ACTION_PACKET_ACTION:
        made->kinds |= ACL_SETS_ACTION;
        if (!access_fields_outcome(given->s32, &made->action)) {
            return refuse(job, "this packet action is not supported");
        }
        return stage_of(job) == SAI_ACL_STAGE_EGRESS &&
                       (made->action & ACL_COPY)
                   ? refuse_at_egress(job)
                   : SAI_STATUS_SUCCESS;
    case SAI_ACL_ENTRY_ATTR_ACTION_COUNTER:
        return add_counter(job, given->oid);
    case SAI_ACL_ENTRY_ATTR_ACTION_SET_POLICER:
        policer = objects_find(job->asic->objects, given->oid);
        if (!policer) {
            return refuse(job, "there is no policer");
        }
        made->kinds |= ACL_METERS;
        made->policer = policers_get(policer);
        return SAI_STATUS_SUCCESS;
    case SAI_ACL_ENTRY_ATTR_ACTION_SET_TC:
        made->kinds |= ACL_SETS_TC;
        made->tc = given->u8;
        return given->u8 < job->asic->chip->tcs
                   ? SAI_STATUS_SUCCESS
                   : refuse(job, "the chip has fewer traffic classes");
    case SAI_ACL_ENTRY_ATTR_ACTION_SET_PACKET_COLOR:
        made->kinds |= ACL_SETS_COLOR;
        made->color = given->s32 & 3;
        return SAI_STATUS_SUCCESS;
    case SAI_ACL_ENTRY_ATTR_ACTION_PACKET_TRIM_DISABLE:
        made->kinds |= given->booldata ? ACL_KEEPS_WHOLE : 0;
        return SAI_STATUS_SUCCESS;
    default:
        made->kinds |= ACL_SETS_DSCP;
        made->dscp = given->u8;
        return given->u8 <= ACCESS_MAX_DSCP
                   ? SAI_STATUS_SUCCESS
                   : refuse(job, "a DSCP is at most 63");
    }
}

/* Entries -------------------------------------------------------------- */

struct acl_count *
access_entries_count(const struct objects_item *counter)
{
    return counter->data;
}

/* Adds attribute 'id' to the rule. */
static sai_status_t
add(const struct job *job, sai_attr_id_t id, const sai_attribute_value_t *value)
{
    if (id == SAI_ACL_ENTRY_ATTR_PRIORITY) {
        job->rule->priority = value->u32;
        return value->u32 <= ACCESS_PRIORITY_MAX
                   ? SAI_STATUS_SUCCESS
                   : refuse(job, "a priority is at most 65535");
    }
    if (access_fields_is_field(id)) {
        return value->aclfield.enable ? add_field(job, id, &value->aclfield)
                                      : SAI_STATUS_SUCCESS;
    }
    return access_fields_is_action(id) && value->aclaction.enable
               ? add_action(job, id, &value->aclaction.parameter)
               : SAI_STATUS_SUCCESS;
}

sai_status_t
access_entries_compile(const struct asic *asic,
                       const struct objects_item *entry, uint32_t number,
                       struct acl_rule **rule, sai_attr_id_t *blame,
                       struct err *err)
{
    const struct job job = {
        .asic = asic,
        .entry = entry,
        .table =
            objects_referent(asic->objects, entry, SAI_ACL_ENTRY_ATTR_TABLE_ID),
        .rule = check_calloc(1, sizeof(struct acl_rule)),
        .err = err,
    };
    sai_status_t status = SAI_STATUS_SUCCESS;

    job.rule->number = number;
    for (uint32_t i = 0; i < entry->n_values && status == SAI_STATUS_SUCCESS;
         i++) {
        *blame = entry->values[i].id;
        status = add(&job, *blame, &entry->values[i].value);
    }
    if (status != SAI_STATUS_SUCCESS) {
        access_entries_free(job.rule);
        return status;
    }
    *rule = job.rule;
    return SAI_STATUS_SUCCESS;
}

void
access_entries_free(struct acl_rule *rule)
{
    if (rule) {
        free((void *)(uintptr_t)rule->ports);
        free(rule);
    }
}
