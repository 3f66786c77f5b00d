/* SPDX-License-Identifier: Apache-2.0 */

/* Checks whether SAI allows a call. */

#include <config.h>

#include "sai/stack/call_check.h"

#include <stdbool.h>

#include "sai/core/entry.h"
#include "sai/core/metadata.h"
#include "sai/core/validate.h"

/* The context of the queries of sai/core/validate.h. */
struct question {
    const struct call_check *check;
    const struct registry_item *item; /* NULL: created, or an entry. */
    bool unknown;                     /* An answer could not be had. */
};

static sai_object_type_t
type_of(void *context, sai_object_id_t oid)
{
    const struct question *question = context;
    const struct registry_item *item =
        registry_find(question->check->registry, oid);

    return item ? item->type : SAI_OBJECT_TYPE_NULL;
}

/* Returns the current value of a number: the value that was given; for an
 * object that was created without it, nothing, so that the default applies; for
 * an object that existed before the guard, the value that the vendor returns.
 */
static bool
current(void *context, sai_attr_id_t id, int64_t *value)
{
    struct question *question = context;
    const struct registry_item *item = question->item;
    const struct registry_fact *fact = item ? registry_fact(item, id) : NULL;
    const struct metadata_attribute *meta;
    struct sai_backend *inner = question->check->inner;
    sai_attribute_t attribute = {.id = id};

    if (!item) {
        question->unknown = true;
        return false;
    }
    meta = metadata_attribute(item->type, id);
    if (fact) {
        *value = fact->number;
        return true;
    }
    if (item->created) {
        return false;
    }
    if (!meta || kind_has_list(meta->kind) ||
        inner->ops->get(inner, item->type, item->oid, 1, &attribute) !=
            SAI_STATUS_SUCCESS) {
        question->unknown = true;
        return false;
    }
    *value = metadata_number(meta->kind, &attribute.value);
    return true;
}

sai_status_t
call_check_locate(const struct call_check *check, sai_object_type_t type,
                  sai_object_id_t oid, struct registry_item **item)
{
    *item = registry_find(check->registry, oid);
    if (!*item) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    return (*item)->type == type ? SAI_STATUS_SUCCESS
                                 : SAI_STATUS_INVALID_OBJECT_TYPE;
}

/* Checks first that there is a switch: without one no other error is
 * meaningful. */
sai_status_t
call_check_create(const struct call_check *check, sai_object_type_t type,
                  uint32_t n, const sai_attribute_t *attributes)
{
    struct question question = {.check = check};
    const struct validate_env env = {.context = &question, .type_of = type_of};
    const bool is_switch = type == SAI_OBJECT_TYPE_SWITCH;
    const bool has_switch = check->inner->switch_id != SAI_NULL_OBJECT_ID;

    sai_status_t status;

    if (is_switch == has_switch) {
        return is_switch ? SAI_STATUS_ITEM_ALREADY_EXISTS
                         : SAI_STATUS_UNINITIALIZED;
    }
    status = validate_create(type, n, attributes, &env);
    return status == SAI_STATUS_SUCCESS &&
                   registry_has_key(check->registry, type, n, attributes)
               ? SAI_STATUS_ITEM_ALREADY_EXISTS
               : status;
}

sai_status_t
call_check_set(const struct call_check *check, sai_object_type_t type,
               const sai_attribute_t *attribute,
               const struct registry_item *item)
{
    struct question question = {.check = check, .item = item};
    const struct validate_env env = {
        .context = &question, .type_of = type_of, .current = current};
    const sai_status_t status = validate_set(type, attribute, &env);

    /* Do not refuse a call because of a condition that is only assumed. */
    return status == SAI_STATUS_INVALID_PARAMETER && attribute &&
                   question.unknown
               ? SAI_STATUS_SUCCESS
               : status;
}

/* Allows the removal of a child: the vendor decides whether queues can be
 * removed. */
sai_status_t
call_check_remove(const struct call_check *check, sai_object_type_t type,
                  sai_object_id_t oid, struct registry_item **item)
{
    const sai_status_t status = call_check_locate(check, type, oid, item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    return registry_in_use(*item) ? SAI_STATUS_OBJECT_IN_USE
                                  : SAI_STATUS_SUCCESS;
}

/* If one counter does not exist, none is read. */
sai_status_t
call_check_stats(const struct call_check *check,
                 const struct call_check_stats *call)
{
    struct registry_item *item;
    const sai_status_t status =
        call_check_locate(check, call->type, call->oid, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!metadata_object(call->type)->n_stats) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    /* A longer list has at least one counter twice. */
    if (call->n > metadata_object(call->type)->n_stats ||
        (call->n && (!call->ids || !call->values)) ||
        (call->mode != SAI_STATS_MODE_READ &&
         call->mode != SAI_STATS_MODE_READ_AND_CLEAR)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (!metadata_stat(call->type, call->ids[i])) {
            return SAI_STATUS_INVALID_PARAMETER;
        }
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
call_check_key(const struct call_check *check, sai_object_type_t type,
               sai_object_key_t *key, struct registry_item **item)
{
    sai_object_id_t *oids[ENTRY_MAX_OIDS];

    *item = NULL;
    if (!entry_is_key(type)) {
        return call_check_locate(check, type, key->key.object_id, item);
    }
    for (uint32_t i = 0; i < entry_oids(type, key, oids); i++) {
        if (!registry_find(check->registry, *oids[i])) {
            return SAI_STATUS_INVALID_OBJECT_ID;
        }
    }
    return SAI_STATUS_SUCCESS;
}
