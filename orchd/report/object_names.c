/* SPDX-License-Identifier: Apache-2.0 */

/* Object names, by id. */

#include <config.h>

#include "orchd/report/object_names.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "orchd/reconcile/agent.h"
#include "orchd/report/row_answers.h"
#include "sai/core/serialize.h"

struct named {
    sai_object_id_t oid;
    char *name;
    UT_hash_handle hh;
};

struct object_names {
    struct named *list;
    const struct agent *agent; /* Has more names; NULL: none. */
};

struct object_names *
object_names_create(void)
{
    return check_calloc(1, sizeof(struct object_names));
}

void
object_names_destroy(struct object_names *names)
{
    struct named *named, *next;

    if (!names) {
        return;
    }
    HASH_ITER(hh, names->list, named, next)
    {
        HASH_DEL(names->list, named);
        free(named->name);
        free(named);
    }
    free(names);
}

void
object_names_note(struct object_names *names, sai_object_id_t oid,
                  const struct object_name *name)
{
    struct text text = {0};
    struct named *named;

    HASH_FIND(hh, names->list, &oid, sizeof oid, named);
    if (!named) {
        named = check_calloc(1, sizeof *named);
        named->oid = oid;
        HASH_ADD(hh, names->list, oid, sizeof named->oid, named);
    }
    free(named->name);
    object_name_add(&text, name);
    named->name = text_take(&text);
}

static void
note(void *names, const struct object *object)
{
    object_names_note(names, object->oid, &object->name);
}

static void
note_few(void *names, const struct object *object)
{
    if (object->name.index < 0) {
        note(names, object);
    }
}

void
object_names_note_all(struct object_names *names, const struct agent *agent)
{
    names->agent = agent;
    agent_each_object(agent, note_few, names);
}

bool
object_names_add(struct object_names *names, sai_object_id_t oid,
                 struct text *text)
{
    const struct named *named;

    HASH_FIND(hh, names->list, &oid, sizeof oid, named);
    if (!named && names->agent) {
        agent_each_object(names->agent, note, names);
        names->agent = NULL;
        HASH_FIND(hh, names->list, &oid, sizeof oid, named);
    }
    if (named) {
        text_add(text, named->name);
    }
    return named != NULL;
}

/* Appends the name of an object or, if it has none, its id. */
static void
add_reference(struct object_names *names, sai_object_id_t oid,
              struct text *text)
{
    if (oid != SAI_NULL_OBJECT_ID && !object_names_add(names, oid, text)) {
        serialize_oid(oid, text);
    }
}

json_t *
object_names_value(struct object_names *names,
                   const struct metadata_attribute *meta,
                   const sai_attribute_value_t *value)
{
    struct text text = {0};
    json_t *json;

    if (meta->kind == KIND_OID) {
        add_reference(names, value->oid, &text);
    } else if (meta->kind == KIND_OBJLIST) {
        for (uint32_t i = 0; i < value->objlist.count; i++) {
            text_add(&text, i ? "," : "");
            add_reference(names, value->objlist.list[i], &text);
        }
    } else if (serialize_value(meta, value, &text)) {
        text_add(&text, "?");
    }
    json = text.length ? row_answers_text(text_string(&text)) : json_null();
    text_fini(&text);
    return json;
}

const char *
object_names_attribute(const struct metadata_attribute *meta)
{
    const char *tail = strstr(meta->name, "_ATTR_");

    return tail ? tail + strlen("_ATTR_") : meta->name;
}
