/* SPDX-License-Identifier: Apache-2.0 */

/* The cache of capabilities.
 *
 * The results for an object type are an array parallel to the attributes in its
 * metadata, allocated at the first query for the type. */

#include <config.h>

#include "sai/core/capability.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"

/* The capabilities of one attribute. */
struct row_answer {
    bool flags_asked;
    bool values_asked;
    unsigned int flags;
    int32_t *values; /* Owned; NULL if unknown. */
    uint32_t n_values;
};

struct capability {
    struct capability_queries queries;
    size_t n_types;
    struct row_answer **types; /* As metadata_objects(); NULL: nothing asked. */
};

struct capability *
capability_create(const struct capability_queries *queries)
{
    struct capability *capability = check_calloc(1, sizeof *capability);

    capability->queries = *queries;
    (void)metadata_objects(&capability->n_types);
    capability->types =
        check_calloc(capability->n_types, sizeof *capability->types);
    return capability;
}

void
capability_destroy(struct capability *capability)
{
    if (capability) {
        capability_forget(capability);
        free(capability->types);
        free(capability);
    }
}

void
capability_forget(struct capability *capability)
{
    const struct metadata_object *objects =
        metadata_objects(&capability->n_types);

    for (size_t i = 0; i < capability->n_types; i++) {
        struct row_answer *answers = capability->types[i];

        for (size_t j = 0; answers && j < objects[i].n_attributes; j++) {
            free(answers[j].values);
        }
        free(answers);
        capability->types[i] = NULL;
    }
}

/* Returns the row of an attribute; NULL if there is no switch or the attribute
 * is not modelled. */
static struct row_answer *
find_answer(struct capability *capability, sai_object_id_t switch_id,
            sai_object_type_t type, const struct metadata_attribute *attribute)
{
    const struct metadata_object *object = metadata_object(type);
    struct row_answer **answers;
    size_t n;

    if (switch_id == SAI_NULL_OBJECT_ID || !object || !attribute) {
        return NULL;
    }
    answers = &capability->types[object - metadata_objects(&n)];
    if (!*answers) {
        *answers = check_calloc(object->n_attributes, sizeof **answers);
    }
    return *answers + (attribute - object->attributes);
}

unsigned int
capability_flags(struct capability *capability, sai_object_id_t switch_id,
                 sai_object_type_t type, sai_attr_id_t id)
{
    struct row_answer *answer =
        find_answer(capability, switch_id, type, metadata_attribute(type, id));
    sai_attr_capability_t reported;

    if (!answer || !capability->queries.attribute) {
        return 0;
    }
    if (!answer->flags_asked) {
        answer->flags_asked = true;
        memset(&reported, 0, sizeof reported);
        if (capability->queries.attribute(switch_id, type, id, &reported) ==
            SAI_STATUS_SUCCESS) {
            answer->flags =
                CAPABILITY_KNOWN |
                (reported.create_implemented ? CAPABILITY_CREATE : 0) |
                (reported.set_implemented ? CAPABILITY_SET : 0) |
                (reported.get_implemented ? CAPABILITY_GET : 0);
        }
    }
    return answer->flags;
}

/* Queries twice: the number of values, then the values. */
static void
ask_values(const struct capability *capability, sai_object_id_t switch_id,
           sai_object_type_t type, sai_attr_id_t id, struct row_answer *answer)
{
    sai_s32_list_t list = {.count = 0, .list = NULL};

    if (capability->queries.enum_values(switch_id, type, id, &list) !=
            SAI_STATUS_BUFFER_OVERFLOW ||
        list.count == 0 || list.count > KIND_LIST_MAX) {
        return;
    }
    answer->n_values = list.count;
    list.list = answer->values =
        check_calloc(list.count, sizeof *answer->values);
    if (capability->queries.enum_values(switch_id, type, id, &list) !=
            SAI_STATUS_SUCCESS ||
        list.count > answer->n_values) {
        free(answer->values);
        answer->values = NULL;
        return;
    }
    answer->n_values = list.count;
}

const int32_t *
capability_enum_values(struct capability *capability, sai_object_id_t switch_id,
                       sai_object_type_t type, sai_attr_id_t id, uint32_t *n)
{
    const struct metadata_attribute *attribute = metadata_attribute(type, id);
    struct row_answer *answer =
        find_answer(capability, switch_id, type, attribute);

    if (!answer || !attribute->enumeration ||
        !capability->queries.enum_values) {
        return NULL;
    }
    if (!answer->values_asked) {
        answer->values_asked = true;
        ask_values(capability, switch_id, type, id, answer);
    }
    if (answer->values) {
        *n = answer->n_values;
    }
    return answer->values;
}
