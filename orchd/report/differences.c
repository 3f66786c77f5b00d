/* SPDX-License-Identifier: Apache-2.0 */

/* Differences, one object each. */

#include <config.h>

#include "orchd/report/differences.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/compare.h"
#include "orchd/reconcile/graph_walk.h"
#include "orchd/report/object_names.h"
#include "sai/core/status.h"

struct differences {
    struct graph_walk walk;
    json_t *list;
    json_t *unread;
    size_t n_compared;

    /* Valid only in differences_read(). */
    const struct agent *agent;
    struct object_names *names;
    bool named; /* 'names' has the objects. */
};

/* Counts an attribute that cannot be read: a device that does not support it
 * does not support it for any object. */
static void
note_unread(struct differences *differences,
            const struct compare_difference *difference)
{
    const char *attribute = object_names_attribute(difference->meta);
    struct text name = {0};
    char buffer[64];
    const char *status = status_name(difference->unread, buffer, sizeof buffer);
    json_t *entry;
    size_t i;

    json_array_foreach(differences->unread, i, entry)
    {
        json_t *n = json_object_get(entry, "objects");

        if (json_integer_value(json_object_get(entry, "type")) ==
                difference->object->type &&
            !strcmp(json_string_value(json_object_get(entry, "attribute")),
                    attribute) &&
            !strcmp(json_string_value(json_object_get(entry, "status")),
                    status)) {
            json_integer_set(n, json_integer_value(n) + 1);
            return;
        }
    }
    object_name_add(&name, &difference->object->name);
    json_array_append_new(differences->unread,
                          json_pack("{s:i, s:s, s:s, s:s, s:i}", "type",
                                    (int)difference->object->type, "attribute",
                                    attribute, "status", status, "example",
                                    text_string(&name), "objects", 1));
    text_fini(&name);
}

/* Returns a value; only that of another object needs all names. */
static json_t *
value_json(struct differences *differences,
           const struct metadata_attribute *meta,
           const sai_attribute_value_t *value)
{
    if (!differences->named &&
        (meta->kind == KIND_OID || meta->kind == KIND_OBJLIST)) {
        object_names_note_all(differences->names, differences->agent);
        differences->named = true;
    }
    return object_names_value(differences->names, meta, value);
}

static void
on_difference(void *differences_, const struct compare_difference *difference)
{
    struct differences *differences = differences_;
    const struct metadata_attribute *meta = difference->meta;
    struct text name = {0};
    char status[64];
    json_t *json;

    if (!difference->found && !compare_is_missing(difference->unread)) {
        note_unread(differences, difference);
        return;
    }
    object_name_add(&name, &difference->object->name);
    json = json_pack(
        "{s:s, s:s, s:o, s:o}", "object", text_string(&name), "attribute",
        object_names_attribute(meta), "intended",
        value_json(differences, meta, difference->intended), "found",
        difference->found ? value_json(differences, meta, difference->found)
                          : json_string("missing"));
    if (difference->refused != SAI_STATUS_SUCCESS) {
        json_object_set_new(json, "refused",
                            json_string(status_name(difference->refused, status,
                                                    sizeof status)));
    }
    json_array_append_new(differences->list, json);
    text_fini(&name);
}

struct differences *
differences_create(void)
{
    struct differences *differences = check_calloc(1, sizeof *differences);

    differences->list = json_array();
    differences->unread = json_array();
    return differences;
}

void
differences_destroy(struct differences *differences)
{
    if (differences) {
        graph_walk_fini(&differences->walk);
        json_decref(differences->list);
        json_decref(differences->unread);
        free(differences);
    }
}

bool
differences_read(struct differences *differences, const struct agent *agent,
                 struct sai_backend *backend, size_t n)
{
    const struct object *object = NULL;
    size_t done = 0;

    differences->agent = agent;
    differences->names = object_names_create();
    differences->named = false;
    while (done < n &&
           (object = agent_walk_object(agent, &differences->walk)) != NULL) {
        differences->n_compared +=
            compare_object(object, backend, on_difference, differences);
        done += 1 + object->n_slots;
    }
    /* Objects may have other ids in the next turn. */
    object_names_destroy(differences->names);
    return object != NULL;
}

json_t *
differences_end(struct differences *differences)
{
    json_t *json = json_pack("{s:I, s:O, s:O}", "compared",
                             (json_int_t)differences->n_compared, "differences",
                             differences->list, "unread", differences->unread);

    differences_destroy(differences);
    return json;
}
