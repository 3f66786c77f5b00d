/* SPDX-License-Identifier: Apache-2.0 */

/* Walks through both values at once. */

#include <config.h>

#include "orchd/page/delta.h"

#include <stddef.h>

#include "base/text.h"

/* Returns the change to 'value'. */
static json_t *
replace(json_t *value)
{
    if (json_is_null(value) || json_is_object(value) || json_is_array(value)) {
        json_t *change = json_object();

        json_object_set(change, "=", value);
        return change;
    }
    return json_incref(value);
}

/* Adds the change of one member, if there is one. */
static void
add_change(json_t **changes, const char *name, json_t *change)
{
    if (change) {
        if (!*changes) {
            *changes = json_object();
        }
        json_object_set_new_nocheck(*changes, name, change);
    }
}

/* Returns the change between two objects. */
static json_t *
compare_objects(json_t *old, json_t *new)
{
    json_t *changes = NULL, *value;
    const char *name;

    if (json_object_get(old, "=") || json_object_get(new, "=")) {
        return json_equal(old, new) ? NULL : replace(new);
    }
    json_object_foreach(new, name, value)
    {
        json_t *before = json_object_get(old, name);

        add_change(&changes, name,
                   before ? delta_make(before, value) : replace(value));
    }
    json_object_foreach(old, name, value)
    {
        if (!json_object_get(new, name)) {
            add_change(&changes, name, json_null());
        }
    }
    return changes;
}

/* Returns the change between two arrays. */
static json_t *
compare_arrays(json_t *old, json_t *new)
{
    json_t *changes = NULL;

    if (json_array_size(old) != json_array_size(new)) {
        return replace(new);
    }
    for (size_t i = 0; i < json_array_size(new); i++) {
        json_t *change =
            delta_make(json_array_get(old, i), json_array_get(new, i));
        char name[24];

        if (change) {
            (void)text_format(name, sizeof name, "%zu", i);
            add_change(&changes, name, change);
        }
    }
    return changes;
}

json_t *
delta_make(json_t *old, json_t *new)
{
    if (old == new) {
        return NULL;
    }
    if (json_is_object(old) && json_is_object(new)) {
        return compare_objects(old, new);
    }
    if (json_is_array(old) && json_is_array(new)) {
        return compare_arrays(old, new);
    }
    return json_equal(old, new) ? NULL : replace(new);
}
