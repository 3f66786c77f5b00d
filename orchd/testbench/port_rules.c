/* SPDX-License-Identifier: Apache-2.0 */

/* A rule is an access list (table) with one entry, bound to the port. */

#include <config.h>

#include "orchd/testbench/port_rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/target.h"
#include "orchd/switch/switch_query.h"
#include "sai/core/backend.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"

enum { NAME_SIZE = 160 };

#define ENTRY "SAI_ACL_ENTRY_ATTR_"

/* A rule in SAI's terms: attributes of the entry. */
struct rule {
    bool has_field; /* Else it matches all. */
    sai_attribute_t field, action;
};

/* Reads "NAME=VALUE", where SAI calls the attribute of an entry 'prefix' and
 * NAME. */
static enum st
read_part(struct arena *arena, const char *prefix, const char *text,
          sai_attribute_t *attribute, struct err *err)
{
    const char *equals = strchr(text, '=');
    const struct metadata_attribute *meta = NULL;
    sai_object_type_t type;
    char name[NAME_SIZE];

    if (equals && equals - text < NAME_SIZE / 2) {
        text_format(name, sizeof name, "%s%.*s", prefix, (int)(equals - text),
                    text);
        meta = metadata_attribute_by_name(name, &type);
    }
    if (!meta) {
        return err_set(err, ST_INVALID, "no-attribute",
                       "'%s': write NAME=VALUE, where SAI has the attribute "
                       "%sNAME of an entry of an access list",
                       text, prefix);
    }
    attribute->id = meta->id;
    return serialize_parse_value(arena, meta, equals + 1, &attribute->value,
                                 err);
}

static enum st
read_rule(struct arena *arena, const struct target_acl *acl, struct rule *rule,
          struct err *err)
{
    enum st st = ST_OK;

    *rule = (struct rule){.has_field = strcmp(acl->match, "any") != 0};
    if (rule->has_field) {
        st = read_part(arena, ENTRY "FIELD_", acl->match, &rule->field, err);
    }
    return st ? st
              : read_part(arena, ENTRY "ACTION_", acl->action, &rule->action,
                          err);
}

/* Removes what there is of 'list'.  Returns the first failure. */
static enum st
take_away(const struct port_rule *list, struct sai_backend *backend,
          struct err *err)
{
    const sai_attribute_t none = {.id = SAI_PORT_ATTR_INGRESS_ACL,
                                  .value.oid = SAI_NULL_OBJECT_ID};
    enum st st = switch_query_status(
        backend->ops->set(backend, SAI_OBJECT_TYPE_PORT, list->port, &none),
        "unbind an access list", err);

    if (!st && list->entry != SAI_NULL_OBJECT_ID) {
        st = switch_query_status(backend->ops->remove(backend,
                                                      SAI_OBJECT_TYPE_ACL_ENTRY,
                                                      list->entry),
                                 "remove a rule", err);
    }
    if (!st && list->table != SAI_NULL_OBJECT_ID) {
        st = switch_query_status(backend->ops->remove(backend,
                                                      SAI_OBJECT_TYPE_ACL_TABLE,
                                                      list->table),
                                 "remove an access list", err);
    }
    return st;
}

static enum st
create_table(struct sai_backend *backend, const struct rule *rule,
             sai_object_id_t *table, struct err *err)
{
    int32_t action =
        (int32_t)(rule->action.id - SAI_ACL_ENTRY_ATTR_ACTION_START);
    const sai_attribute_t attributes[] = {
        {.id = SAI_ACL_TABLE_ATTR_ACL_STAGE,
         .value.s32 = SAI_ACL_STAGE_INGRESS},
        {.id = SAI_ACL_TABLE_ATTR_ACL_ACTION_TYPE_LIST,
         .value.s32list = {1, &action}},
        /* Tables and entries number their fields alike. */
        {.id = rule->field.id - SAI_ACL_ENTRY_ATTR_FIELD_START +
               SAI_ACL_TABLE_ATTR_FIELD_START,
         .value.booldata = true},
    };

    return switch_query_status(
        backend->ops->create(backend, SAI_OBJECT_TYPE_ACL_TABLE,
                             rule->has_field ? 3 : 2, attributes, table),
        "create an access list", err);
}

static enum st
create_entry(struct sai_backend *backend, const struct rule *rule,
             sai_object_id_t table, sai_object_id_t *entry, struct err *err)
{
    const sai_attribute_t attributes[] = {
        {.id = SAI_ACL_ENTRY_ATTR_TABLE_ID, .value.oid = table},
        rule->action,
        rule->field,
    };

    return switch_query_status(
        backend->ops->create(backend, SAI_OBJECT_TYPE_ACL_ENTRY,
                             rule->has_field ? 3 : 2, attributes, entry),
        "create a rule", err);
}

/* Makes '*list' of 'rule'; on failure there is nothing of it. */
static enum st
put(struct port_rule *list, struct sai_backend *backend,
    const struct rule *rule, struct err *err)
{
    sai_attribute_t bound = {.id = SAI_PORT_ATTR_INGRESS_ACL};
    struct err ignored = {0};
    enum st st = create_table(backend, rule, &list->table, err);

    st = st ? st : create_entry(backend, rule, list->table, &list->entry, err);
    bound.value.oid = list->table;
    st = st ? st
            : switch_query_status(backend->ops->set(backend,
                                                    SAI_OBJECT_TYPE_PORT,
                                                    list->port, &bound),
                                  "bind an access list", err);
    if (st) {
        (void)!take_away(list, backend, &ignored);
    }
    return st;
}

/* Fails with ST_BUSY if 'port' has an access list. */
static enum st
check_free(struct sai_backend *backend, sai_object_id_t port, struct err *err)
{
    sai_attribute_t bound = {.id = SAI_PORT_ATTR_INGRESS_ACL};
    enum st st = switch_query_status(
        backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, port, 1, &bound),
        "read the access list of a port", err);

    return !st && bound.value.oid != SAI_NULL_OBJECT_ID
               ? err_set(err, ST_BUSY, "has-acl",
                         "the port has an access list that is not of this "
                         "scenario")
               : st;
}

enum st
port_rules_set(struct port_rules *lists, struct sai_backend *backend,
               sai_object_id_t port, const struct target_acl *acl,
               struct err *err)
{
    struct port_rule list = {.port = port};
    struct arena *arena;
    struct rule rule;
    enum st st = ST_OK;

    for (size_t i = 0; i < lists->n; i++) {
        if (lists->list[i].port == port) {
            st = take_away(&lists->list[i], backend, err);
            lists->list[i] = lists->list[--lists->n];
            break;
        }
    }
    if (st || !strcmp(acl->action, "none")) {
        return st;
    }
    arena = arena_create(0);
    st = read_rule(arena, acl, &rule, err);
    st = st ? st : check_free(backend, port, err);
    st = st ? st : put(&list, backend, &rule, err);
    arena_destroy(arena);
    if (!st) {
        lists->list =
            check_realloc(lists->list, (lists->n + 1) * sizeof *lists->list);
        lists->list[lists->n++] = list;
    }
    return st;
}

enum st
port_rules_remove_all(struct port_rules *lists, struct sai_backend *backend,
                      struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; i < lists->n; i++) {
        struct err another = {0};
        const enum st now = take_away(&lists->list[i], backend, &another);

        if (now && !st) {
            *err = another;
            st = now;
        }
    }
    port_rules_fini(lists);
    return st;
}

void
port_rules_fini(struct port_rules *lists)
{
    free(lists->list);
    *lists = (struct port_rules){NULL, 0};
}
