/* SPDX-License-Identifier: Apache-2.0 */

/* Names and ids, those of this life and of the one before. */

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
    bool
        left; /* By an earlier life; in this one it is not there, or not yet. */
    UT_hash_handle hh;
    char text[]; /* Key. */
};

struct object_rows {
    struct redis *redis;
    struct name *all;
    bool known;
    bool settled; /* What is left is not needed any more. */
};

struct object_rows *
object_rows_create(struct redis *redis)
{
    struct object_rows *makers = check_calloc(1, sizeof *makers);

    makers->redis = redis;
    return makers;
}

static void
forget(struct object_rows *makers, struct name *name)
{
    HASH_DEL(makers->all, name);
    free(name);
}

void
object_rows_destroy(struct object_rows *makers)
{
    struct name *name, *next;

    if (makers) {
        HASH_ITER(hh, makers->all, name, next)
        {
            forget(makers, name);
        }
        free(makers);
    }
}

/* Returns the name 'text', or NULL. */
static struct name *
find(const struct object_rows *makers, const char *text)
{
    struct name *name;

    HASH_FIND_STR(makers->all, text, name);
    return name;
}

/* The same, but makes it. */
static struct name *
make(struct object_rows *makers, const char *text)
{
    struct name *name = find(makers, text);

    if (!name) {
        const size_t length = strlen(text);

        name = check_calloc(1, sizeof *name + length + 1);
        memcpy(name->text, text, length);
        HASH_ADD_KEYPTR(hh, makers->all, name->text, length, name);
    }
    return name;
}

/* Returns the type of the objects that rows like 'name' make. */
static sai_object_type_t
type_of(const char *name)
{
    const char *bar = strchr(name, '|');
    enum table table;

    return bar && table_find(name, (size_t)(bar - name), &table)
               ? translate_object_type(table)
               : SAI_OBJECT_TYPE_NULL;
}

/* Takes a field that is in the hash.  One that makes no sense has no id. */
static void
take_field(struct object_rows *makers, const struct field *field)
{
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;
    sai_object_type_t type = SAI_OBJECT_TYPE_NULL;
    struct name *name;

    if (find(makers, field->name)) {
        return;
    }
    name = make(makers, field->name);
    name->left = true;
    if (!serialize_parse_key(field->value, &type, &oid) &&
        type == type_of(field->name)) {
        name->type = type;
        name->oid = oid;
    }
}

static void
on_hash(void *makers_, const char *key, const struct field *fields, size_t n)
{
    struct object_rows *makers = makers_;

    (void)key;
    for (size_t i = 0; i < n; i++) {
        take_field(makers, &fields[i]);
    }
    makers->known = true;
    if (makers->settled) {
        object_rows_settled(makers);
    }
}

void
object_rows_restart(struct object_rows *makers)
{
    redis_fetch(makers->redis, ASIC_DB, KEY, on_hash, makers);
}

bool
object_rows_known(const struct object_rows *makers)
{
    return makers->known;
}

void
object_rows_each_left(const struct object_rows *makers, object_rows_fn *fn,
                      void *context)
{
    for (const struct name *name = makers->all; name; name = name->hh.next) {
        if (name->left && name->oid != SAI_NULL_OBJECT_ID) {
            fn(context, name->text, name->type, name->oid);
        }
    }
}

void
object_rows_settled(struct object_rows *makers)
{
    struct name *name, *next;

    makers->settled = true;
    HASH_ITER(hh, makers->all, name, next)
    {
        if (name->left) {
            redis_hdel(makers->redis, ASIC_DB, KEY, name->text);
            forget(makers, name);
        }
    }
}

/* Returns the name of 'object', in 'text'; NULL if it is not of the sort that
 * has one. */
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
object_rows_appeared(struct object_rows *makers,
                     const struct object_view *object)
{
    struct text text = {0}, value = {0};
    const char *id = name_of(object, &text);

    if (id) {
        struct name *name = make(makers, id);

        name->type = object->type;
        name->oid = object->oid;
        name->left = false;
        serialize_key(object->type, object->oid, &value);
        redis_hset(makers->redis, ASIC_DB, KEY,
                   &(struct field){id, text_string(&value)}, 1);
    }
    text_fini(&value);
    text_fini(&text);
}

/* An object that is replaced goes after its successor appeared. */
void
object_rows_gone(struct object_rows *makers, const struct object_view *object)
{
    struct text text = {0};
    const char *id = name_of(object, &text);
    struct name *name = id ? find(makers, id) : NULL;

    if (name && !name->left && name->oid == object->oid) {
        redis_hdel(makers->redis, ASIC_DB, KEY, id);
        forget(makers, name);
    }
    text_fini(&text);
}
