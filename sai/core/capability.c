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
#include "sai/core/metadata.h"

/* The capabilities of one attribute. */
struct row_answer {
    bool asked;
    unsigned int flags;
};

struct capability {
    capability_query_fn *query; /* NULL if the library lacks it. */
    size_t n_types;
    struct row_answer **types; /* As metadata_objects(); NULL: nothing asked. */
};

struct capability *
capability_create(capability_query_fn *query)
{
    struct capability *capability = check_calloc(1, sizeof *capability);

    capability->query = query;
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
    for (size_t i = 0; i < capability->n_types; i++) {
        free(capability->types[i]);
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

    if (!answer || !capability->query) {
        return 0;
    }
    if (!answer->asked) {
        answer->asked = true;
        memset(&reported, 0, sizeof reported);
        if (capability->query(switch_id, type, id, &reported) ==
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
