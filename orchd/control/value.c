/* SPDX-License-Identifier: Apache-2.0 */

/* Reads and converts values by their kind in the SAI metadata. */

#include <config.h>

#include "orchd/control/value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_query.h"
#include "sai/core/metadata.h"

/* The longest list to show: the lanes of a port, the entries of a map. */
#define LIST_MAX 256

struct named {
    sai_object_id_t oid;
    enum table table;
    char *name;
};

struct value_names {
    const struct agent *agent;
    struct named *list; /* Sorted by id. */
    size_t n, size;
    bool fresh; /* Read in this turn. */
};

/* Notes the name of an object that is on the ASIC.  Queues and priority groups,
 * which are most of the objects, are never values. */
static void
names_visit(void *context, const struct object *object)
{
    struct value_names *names = context;

    if (object->oid == SAI_NULL_OBJECT_ID || object->name.index >= 0) {
        return;
    }
    if (names->n == names->size) {
        names->size = names->size ? 2 * names->size : 256;
        names->list =
            check_realloc(names->list, names->size * sizeof *names->list);
    }
    names->list[names->n++] = (struct named){object->oid, object->name.table,
                                             check_strdup(object->name.name)};
}

/* For qsort() and bsearch(): by id. */
static int
named_compare(const void *a_, const void *b_)
{
    const struct named *a = a_, *b = b_;

    return a->oid < b->oid ? -1 : a->oid > b->oid;
}

/* Forgets all names. */
static void
names_clear(struct value_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        free(names->list[i].name);
    }
    names->n = 0;
}

/* Reads the names. */
static void
names_read(struct value_names *names)
{
    names_clear(names);
    agent_each_object(names->agent, names_visit, names);
    if (names->n) {
        qsort(names->list, names->n, sizeof *names->list, named_compare);
    }
    names->fresh = true;
}

struct value_names *
value_names_create(const struct agent *agent)
{
    struct value_names *names = check_calloc(1, sizeof *names);

    names->agent = agent;
    names_read(names);
    return names;
}

void
value_names_destroy(struct value_names *names)
{
    if (names) {
        names_clear(names);
        free(names->list);
        free(names);
    }
}

void
value_names_turn(struct value_names *names)
{
    names->fresh = false;
}

/* Finds the name of 'oid', if it still is one. */
static const struct named *
names_find(const struct value_names *names, sai_object_id_t oid)
{
    const struct named key = {.oid = oid};
    const struct named *named =
        names->n ? bsearch(&key, names->list, names->n, sizeof *names->list,
                           named_compare)
                 : NULL;
    const struct object *object =
        named ? agent_object(names->agent, named->table, named->name, -1)
              : NULL;

    return object && object->oid == oid ? named : NULL;
}

json_t *
value_oid(sai_object_id_t oid)
{
    return json_sprintf("oid:0x%llx", (unsigned long long)oid);
}

json_t *
value_name(struct value_names *names, sai_object_id_t oid)
{
    const struct named *named;

    if (oid == SAI_NULL_OBJECT_ID) {
        return json_null();
    }
    named = names_find(names, oid);
    if (!named && !names->fresh) {
        names_read(names);
        named = names_find(names, oid);
    }
    return named ? json_string(named->name) : value_oid(oid);
}

/* Returns the tail of an enumerator's name: what comes after the name of its
 * enumeration ("sai_buffer_pool_type_t"), in lower case. */
static json_t *
value_enum(const struct metadata_enum *enumeration, int32_t number)
{
    const char *name = metadata_enum_name(enumeration, number);
    size_t prefix = strlen(enumeration->name);
    char tail[96];

    if (!name) {
        return json_integer(number);
    }
    /* Drop the "t"; the "_" before it follows the prefix of the enumerators. */
    prefix = prefix && strlen(name) >= prefix ? prefix - 1 : 0;
    text_copy(tail, sizeof tail, name + prefix);
    for (char *p = tail; *p; p++) {
        *p = (char)tolower((unsigned char)*p);
    }
    return json_string(tail);
}

/* Returns the member of 'params' that 'word' names. */
static int
map_number(const sai_qos_map_params_t *params, const char *word)
{
    if (!strcmp(word, "DSCP")) {
        return params->dscp;
    }
    if (!strcmp(word, "QUEUE")) {
        return (int)params->queue_index;
    }
    if (!strcmp(word, "PRIORITY_GROUP")) {
        return params->pg;
    }
    if (!strcmp(word, "PFC_PRIORITY")) {
        return params->prio;
    }
    if (!strcmp(word, "DOT1P")) {
        return params->dot1p;
    }
    if (!strcmp(word, "MPLS_EXP")) {
        return params->mpls_exp;
    }
    if (!strcmp(word, "FORWARDING_CLASS")) {
        return params->fc;
    }
    return params->tc;
}

/* Returns the entries of a map.  The name of its type says what it maps:
 * SAI_QOS_MAP_TYPE_DSCP_TO_TC. */
static json_t *
value_map(const struct command_context *context, sai_object_id_t oid,
          const sai_qos_map_list_t *entries)
{
    const struct metadata_enum *types = metadata_enum("sai_qos_map_type_t");
    sai_attribute_value_t type = {.s32 = 0};
    json_t *list = json_array();
    char words[96];
    const char *name = NULL;
    char *to;

    if (types && switch_query_get(context->query, SAI_OBJECT_TYPE_QOS_MAP, oid,
                                  SAI_QOS_MAP_ATTR_TYPE, &type)) {
        name = metadata_enum_name(types, type.s32);
    }
    text_copy(words, sizeof words,
              name ? name + strlen("SAI_QOS_MAP_TYPE_") : "");
    to = strstr(words, "_TO_");
    for (uint32_t i = 0; to && i < entries->count; i++) {
        *to = '\0';
        json_array_append_new(
            list, json_pack("{s:i, s:i}", "from",
                            map_number(&entries->list[i].key, words), "to",
                            map_number(&entries->list[i].value, to + 4)));
    }
    return list;
}

/* Returns an array of numbers. */
static json_t *
value_u32list(const sai_u32_list_t *numbers)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < numbers->count; i++) {
        json_array_append_new(list, json_integer(numbers->list[i]));
    }
    return list;
}

/* Room for the elements of any kind of list. */
union lists {
    uint32_t numbers[LIST_MAX];
    sai_qos_map_t entries[LIST_MAX];
};

/* Points a value of list kind to the room that SAI fills. */
static void
give_room(enum kind kind, union lists *lists, sai_attribute_value_t *value)
{
    if (kind == KIND_U32LIST) {
        value->u32list.count = LIST_MAX;
        value->u32list.list = lists->numbers;
    } else if (kind == KIND_QOSMAP) {
        value->qosmap.count = LIST_MAX;
        value->qosmap.list = lists->entries;
    }
}

/* Returns the number, or the name of the enumerator that it is. */
static json_t *
value_number(const struct metadata_attribute *attribute,
             const sai_attribute_value_t *value)
{
    switch (attribute->kind) {
    case KIND_U64:
        return json_integer(value->u64 > INT64_MAX ? INT64_MAX
                                                   : (json_int_t)value->u64);
    case KIND_U32:
        return json_integer(value->u32);
    case KIND_U8:
        return json_integer(value->u8);
    case KIND_S8:
        return json_integer(value->s8);
    case KIND_S32:
        return attribute->enumeration
                   ? value_enum(attribute->enumeration, value->s32)
                   : json_integer(value->s32);
    default:
        return NULL;
    }
}

json_t *
value_read(const struct command_context *context, sai_object_type_t type,
           sai_object_id_t oid, sai_attr_id_t id, struct value_names *names)
{
    const struct metadata_attribute *attribute = metadata_attribute(type, id);
    sai_attribute_value_t value;
    union lists lists;

    orch_assert(attribute);
    memset(&value, 0, sizeof value);
    give_room(attribute->kind, &lists, &value);
    if (!switch_query_get(context->query, type, oid, id, &value)) {
        return NULL;
    }
    switch (attribute->kind) {
    case KIND_BOOL:
        return json_boolean(value.booldata);
    case KIND_OID:
        return value_name(names, value.oid);
    case KIND_U32LIST:
        return value_u32list(&value.u32list);
    case KIND_QOSMAP:
        return value_map(context, oid, &value.qosmap);
    default:
        return value_number(attribute, &value);
    }
}
