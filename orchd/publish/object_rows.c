/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps names and ids of objects, of this run and of the previous one. */

#include <config.h>

#include "orchd/publish/object_rows.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/translate/name.h"
#include "orchd/translate/translate.h"
#include "sai/core/serialize.h"
#include "sai/stack/adoption.h"

#define KEY "ORCHD_OBJECTS"

/* A field of the hash. */
struct name {
    sai_object_type_t type;
    sai_object_id_t oid;
    bool previous; /* A previous run wrote it; no object has taken it. */
    UT_hash_handle hh;
    char text[]; /* Key. */
};

struct object_rows {
    struct redis *redis;
    struct name *all;
    bool known;
    bool settled; /* Names of the previous run are no longer needed. */
};

struct object_rows *
object_rows_create(struct redis *redis)
{
    struct object_rows *rows = check_calloc(1, sizeof *rows);

    rows->redis = redis;
    return rows;
}

static void
forget(struct object_rows *rows, struct name *name)
{
    HASH_DEL(rows->all, name);
    free(name);
}

void
object_rows_destroy(struct object_rows *rows)
{
    struct name *name, *next;

    if (rows) {
        HASH_ITER(hh, rows->all, name, next)
        {
            forget(rows, name);
        }
        free(rows);
    }
}

/* Returns the name 'text', or NULL. */
static struct name *
find(const struct object_rows *rows, const char *text)
{
    struct name *name;

    HASH_FIND_STR(rows->all, text, name);
    return name;
}

/* Returns the name 'text', which is added if it is new. */
static struct name *
make(struct object_rows *rows, const char *text)
{
    struct name *name = find(rows, text);

    if (!name) {
        const size_t length = strlen(text);

        name = check_calloc(1, sizeof *name + length + 1);
        memcpy(name->text, text, length);
        HASH_ADD_KEYPTR(hh, rows->all, name->text, length, name);
    }
    return name;
}

/* Returns the type of the objects of rows like 'name'. */
static sai_object_type_t
type_of(const char *name)
{
    const char *bar = strchr(name, '|');
    enum table table;

    return bar && table_find(name, (size_t)(bar - name), &table)
               ? translate_object_type(table)
               : SAI_OBJECT_TYPE_NULL;
}

/* Adds a field of the hash.  An invalid field gets no id. */
static void
take_field(struct object_rows *rows, const struct field *field)
{
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;
    sai_object_type_t type = SAI_OBJECT_TYPE_NULL;
    struct name *name;

    if (find(rows, field->name)) {
        return;
    }
    name = make(rows, field->name);
    name->previous = true;
    if (!serialize_parse_key(field->value, &type, &oid) &&
        type == type_of(field->name)) {
        name->type = type;
        name->oid = oid;
    }
}

static void
on_hash(void *makers_, const char *key, const struct field *fields, size_t n)
{
    struct object_rows *rows = makers_;

    (void)key;
    for (size_t i = 0; i < n; i++) {
        take_field(rows, &fields[i]);
    }
    rows->known = true;
    if (rows->settled) {
        object_rows_settled(rows);
    }
}

void
object_rows_restart(struct object_rows *rows)
{
    redis_fetch(rows->redis, ASIC_DB, KEY, on_hash, rows);
}

bool
object_rows_known(const struct object_rows *rows)
{
    return rows->known;
}

void
object_rows_each_previous(const struct object_rows *rows, object_rows_fn *fn,
                          void *context)
{
    for (const struct name *name = rows->all; name; name = name->hh.next) {
        if (name->previous && name->oid != SAI_NULL_OBJECT_ID) {
            fn(context, name->text, name->type, name->oid);
        }
    }
}

void
object_rows_settled(struct object_rows *rows)
{
    struct name *name, *next;

    rows->settled = true;
    HASH_ITER(hh, rows->all, name, next)
    {
        if (name->previous) {
            redis_hdel(rows->redis, ASIC_DB, KEY, name->text);
            forget(rows, name);
        }
    }
}

/* Returns the name of 'object', in 'text'; NULL if objects of its type have
 * none. */
static const char *
name_of(const struct object_view *object, struct text *text)
{
    const struct object_name name = {object->name, object->table,
                                     object->index};

    if (!adoption_considers(object->type)) {
        return NULL;
    }
    object_name_add(text, &name);
    return text_string(text);
}

void
object_rows_appeared(struct object_rows *rows, const struct object_view *object)
{
    struct text text = {0}, value = {0};
    const char *id = name_of(object, &text);

    if (id) {
        struct name *name = make(rows, id);

        name->type = object->type;
        name->oid = object->oid;
        name->previous = false;
        serialize_key(object->type, object->oid, &value);
        redis_hset(rows->redis, ASIC_DB, KEY,
                   &(struct field){id, text_string(&value)}, 1);
    }
    text_fini(&value);
    text_fini(&text);
}

/* Removes the name unless a new object, which replaces this one, has taken it
 * already. */
void
object_rows_gone(struct object_rows *rows, const struct object_view *object)
{
    struct text text = {0};
    const char *id = name_of(object, &text);
    struct name *name = id ? find(rows, id) : NULL;

    if (name && !name->previous && name->oid == object->oid) {
        redis_hdel(rows->redis, ASIC_DB, KEY, id);
        forget(rows, name);
    }
    text_fini(&text);
}
