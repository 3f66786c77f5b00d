/* SPDX-License-Identifier: Apache-2.0 */

/* Differences, one object each. */

#include <config.h>

#include "orchd/document/differences.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/agent.h"
#include "orchd/reconcile/compare.h"
#include "sai/serialize.h"
#include "sai/status.h"

struct named {
    sai_object_id_t oid;
    const struct object *object;
    UT_hash_handle hh;
};

struct differences {
    struct sai_backend *backend;
    struct named *names;
    json_t *list;
    size_t n_compared;
};

static void
note_name(void *differences_, const struct object *object)
{
    struct differences *differences = differences_;
    struct named *named = check_calloc(1, sizeof *named);

    named->oid = object->oid;
    named->object = object;
    HASH_ADD(hh, differences->names, oid, sizeof named->oid, named);
}

static void
add_name(const struct differences *differences, sai_object_id_t oid,
         struct text *text)
{
    const struct named *named;

    HASH_FIND(hh, differences->names, &oid, sizeof oid, named);
    if (named) {
        object_name_add(text, &named->object->name);
    } else {
        serialize_oid(oid, text);
    }
}

static json_t *
value_json(const struct differences *differences,
           const struct metadata_attribute *meta,
           const sai_attribute_value_t *value)
{
    struct text text = {0};
    json_t *json;

    if (meta->kind == KIND_OID) {
        add_name(differences, value->oid, &text);
    } else if (meta->kind == KIND_OBJLIST) {
        for (uint32_t i = 0; i < value->objlist.count; i++) {
            text_add(&text, i ? "," : "");
            add_name(differences, value->objlist.list[i], &text);
        }
    } else if (serialize_value(meta, value, &text)) {
        text_add(&text, "?");
    }
    json = json_string(text_string(&text));
    text_fini(&text);
    return json ? json : json_string("(not UTF-8)");
}

static void
on_difference(void *differences_, const struct compare_difference *difference)
{
    struct differences *differences = differences_;
    const char *tail = strstr(difference->meta->name, "_ATTR_");
    struct text name = {0};
    char status[64];
    json_t *json;

    object_name_add(&name, &difference->object->name);
    json = json_pack(
        "{s:s, s:s, s:o, s:o}", "object", text_string(&name), "attribute",
        tail ? tail + strlen("_ATTR_") : difference->meta->name, "intended",
        value_json(differences, difference->meta, difference->intended),
        "found", value_json(differences, difference->meta, difference->found));
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
    struct differences differences = {.backend = backend, .list = json_array()};
    struct named *named, *next;

    agent_each_object(agent, note_name, &differences);
    agent_each_object(agent, compare, &differences);
    HASH_ITER(hh, differences.names, named, next)
    {
        HASH_DEL(differences.names, named);
        free(named);
    }
    return json_pack("{s:I, s:o}", "compared",
                     (json_int_t)differences.n_compared, "differences",
                     differences.list);
}
