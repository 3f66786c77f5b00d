/* SPDX-License-Identifier: Apache-2.0 */

/* Differences, one object each. */

#include <config.h>

#include "orchd/report/differences.h"

#include <string.h>

#include "base/text.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/compare.h"
#include "orchd/report/object_names.h"
#include "sai/core/status.h"

struct differences {
    struct sai_backend *backend;
    struct object_names *names;
    json_t *list;
    json_t *unread;
    size_t n_compared;
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
        object_names_value(differences->names, meta, difference->intended),
        "found",
        difference->found
            ? object_names_value(differences->names, meta, difference->found)
            : json_string("missing"));
    if (difference->refused != SAI_STATUS_SUCCESS) {
        json_object_set_new(json, "refused",
                            json_string(status_name(difference->refused, status,
                                                    sizeof status)));
    }
    json_array_append_new(differences->list, json);
    text_fini(&name);
}

static void
compare(void *differences_, const struct object *object)
{
    struct differences *differences = differences_;

    differences->n_compared += compare_object(object, differences->backend,
                                              on_difference, differences);
}

json_t *
differences_find(const struct agent *agent, struct sai_backend *backend)
{
    struct differences differences = {.backend = backend,
                                      .names = object_names_create(),
                                      .list = json_array(),
                                      .unread = json_array()};

    object_names_note_all(differences.names, agent);
    agent_each_object(agent, compare, &differences);
    object_names_destroy(differences.names);
    return json_pack("{s:I, s:o, s:o}", "compared",
                     (json_int_t)differences.n_compared, "differences",
                     differences.list, "unread", differences.unread);
}
