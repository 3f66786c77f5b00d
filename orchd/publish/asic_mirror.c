/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps the objects in ASIC_DB, and collects the attributes of one of them. */

#include <config.h>

#include "orchd/publish/asic_mirror.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"

#define PREFIX "ASIC_STATE:"

/* An object in ASIC_DB. */
struct mirrored {
    sai_object_id_t oid; /* Key. */
    bool fresh;          /* Nothing was written yet. */
    bool placeholder;    /* It has the placeholder. */
    uint64_t seen;       /* The last audit that found it, or began before it. */
};

/* One collected attribute. */
struct collected {
    const char *name; /* Of the metadata. */
    char *value;      /* Owned. */
};

struct asic_mirror {
    struct redis *redis;
    struct hash_index objects; /* By id. */
    bool swept;                /* No object of a previous run is left. */

    uint64_t audits; /* How many have begun. */
    asic_mirror_checked_fn *checked;
    void *checked_context;

    /* The object being collected; NULL if none is. */
    struct mirrored *current;
    struct text key;
    struct collected *collected;
    size_t n_collected, size;
    struct field *fields; /* Scratch, of the same size. */
};

static const struct field placeholder = {"NULL", "NULL"};

struct asic_mirror *
asic_mirror_create(struct redis *redis)
{
    struct asic_mirror *mirror = check_calloc(1, sizeof *mirror);

    mirror->redis = redis;
    return mirror;
}

/* Forgets all objects and the collected attributes. */
static void
forget(struct asic_mirror *mirror)
{
    struct mirrored *object;
    size_t place = 0;

    while ((object = hash_index_next(&mirror->objects, &place))) {
        free(object);
    }
    hash_index_fini(&mirror->objects);
    for (size_t i = 0; i < mirror->n_collected; i++) {
        free(mirror->collected[i].value);
    }
    mirror->n_collected = 0;
    mirror->current = NULL;
}

void
asic_mirror_destroy(struct asic_mirror *mirror)
{
    if (mirror) {
        forget(mirror);
        text_fini(&mirror->key);
        free(mirror->collected);
        free(mirror->fields);
        free(mirror);
    }
}

/* A hash_index_equal_fn. */
static bool
has_oid(const void *object_, const void *oid)
{
    const struct mirrored *object = object_;

    return object->oid == *(const sai_object_id_t *)oid;
}

/* Returns the object if it is in ASIC_DB. */
static struct mirrored *
find(const struct asic_mirror *mirror, sai_object_id_t oid)
{
    return hash_index_find(&mirror->objects, hash_index_number(oid), has_oid,
                           &oid);
}

/* A redis_keep_fn: keeps a key of a previous run if an object of this run has
 * the same id. */
static bool
keep(void *mirror_, const char *key)
{
    const struct asic_mirror *mirror = mirror_;
    sai_object_type_t type;
    sai_object_id_t oid;

    return !serialize_parse_key(key + strlen(PREFIX), &type, &oid) &&
           find(mirror, oid);
}

static void
on_swept(void *mirror_)
{
    struct asic_mirror *mirror = mirror_;

    mirror->swept = true;
}

void
asic_mirror_restart(struct asic_mirror *mirror)
{
    forget(mirror);
    mirror->swept = false;
    redis_sweep(mirror->redis, ASIC_DB, PREFIX "*", keep, on_swept, mirror);
}

/* Implements redis_found_fn for an audit. */
static void
on_found(void *mirror_, const char *key)
{
    const struct asic_mirror *mirror = mirror_;
    struct mirrored *object = NULL;
    sai_object_type_t type;
    sai_object_id_t oid;

    if (!serialize_parse_key(key + strlen(PREFIX), &type, &oid)) {
        object = find(mirror, oid);
    }
    if (object) {
        object->seen = mirror->audits;
    }
}

/* All keys were found. */
static void
on_found_all(void *mirror_, enum st status)
{
    const struct asic_mirror *mirror = mirror_;
    const struct mirrored *object;
    size_t n = 0, place = 0;

    while ((object = hash_index_next(&mirror->objects, &place))) {
        n += object->seen != mirror->audits;
    }
    mirror->checked(mirror->checked_context, status ? 0 : n);
}

void
asic_mirror_audit(struct asic_mirror *mirror, asic_mirror_checked_fn *checked,
                  void *context)
{
    if (!redis_owns(mirror->redis, ASIC_DB, PREFIX)) {
        checked(context, 0);
        return;
    }
    asic_mirror_flush(mirror);
    mirror->audits++;
    mirror->checked = checked;
    mirror->checked_context = context;
    redis_find(mirror->redis, ASIC_DB, PREFIX "*", on_found, on_found_all,
               mirror);
}

/* Sets the scratch key to that of an object. */
static void
set_key(struct asic_mirror *mirror, sai_object_type_t type, sai_object_id_t oid)
{
    text_clear(&mirror->key);
    text_add(&mirror->key, PREFIX);
    serialize_key(type, oid, &mirror->key);
}

void
asic_mirror_flush(struct asic_mirror *mirror)
{
    struct mirrored *object = mirror->current;
    const char *key = text_string(&mirror->key);
    size_t n = mirror->n_collected;

    if (!object) {
        return;
    }
    mirror->current = NULL;
    for (size_t i = 0; i < n; i++) {
        mirror->fields[i].name = mirror->collected[i].name;
        mirror->fields[i].value = mirror->collected[i].value;
    }
    if (object->fresh && !mirror->swept) {
        redis_del(mirror->redis, ASIC_DB, key);
    }
    if (n) {
        redis_hset(mirror->redis, ASIC_DB, key, mirror->fields, n);
    } else if (object->fresh) {
        redis_hset(mirror->redis, ASIC_DB, key, &placeholder, 1);
    }
    if (n && object->placeholder) {
        redis_hdel(mirror->redis, ASIC_DB, key, placeholder.name);
    }
    object->placeholder = !n && (object->fresh || object->placeholder);
    object->fresh = false;
    for (size_t i = 0; i < n; i++) {
        free(mirror->collected[i].value);
    }
    mirror->n_collected = 0;
}

/* Starts to collect the attributes of 'oid'. */
static void
collect(struct asic_mirror *mirror, sai_object_type_t type, sai_object_id_t oid)
{
    struct mirrored *object = find(mirror, oid);

    if (mirror->current && mirror->current == object) {
        return;
    }
    asic_mirror_flush(mirror);
    if (!object) {
        object = check_calloc(1, sizeof *object);
        object->oid = oid;
        object->fresh = true;
        object->seen = mirror->audits;
        hash_index_add(&mirror->objects, hash_index_number(oid), object);
    }
    mirror->current = object;
    set_key(mirror, type, oid);
}

void
asic_mirror_appeared(struct asic_mirror *mirror, sai_object_type_t type,
                     sai_object_id_t oid)
{
    collect(mirror, type, oid);
}

/* Returns the slot for the value of 'name': the existing one, or a new one. */
static struct collected *
find_slot(struct asic_mirror *mirror, const char *name)
{
    for (size_t i = 0; i < mirror->n_collected; i++) {
        if (mirror->collected[i].name == name) {
            free(mirror->collected[i].value);
            return &mirror->collected[i];
        }
    }
    if (mirror->n_collected == mirror->size) {
        mirror->size = mirror->size ? 2 * mirror->size : 16;
        mirror->collected = check_realloc(
            mirror->collected, mirror->size * sizeof *mirror->collected);
        mirror->fields = check_realloc(mirror->fields,
                                       mirror->size * sizeof *mirror->fields);
    }
    return &mirror->collected[mirror->n_collected++];
}

void
asic_mirror_attribute(struct asic_mirror *mirror, sai_object_type_t type,
                      sai_object_id_t oid,
                      const struct metadata_attribute *attribute,
                      const sai_attribute_value_t *value)
{
    struct text text = {0};
    struct collected *collected;

    collect(mirror, type, oid);
    if (serialize_value(attribute, value, &text)) {
        text_fini(&text); /* A kind without a text form is not mirrored. */
        return;
    }
    collected = find_slot(mirror, attribute->name);
    collected->name = attribute->name;
    collected->value = text_take(&text);
}

void
asic_mirror_gone(struct asic_mirror *mirror, sai_object_type_t type,
                 sai_object_id_t oid)
{
    struct mirrored *object;

    asic_mirror_flush(mirror);
    object = find(mirror, oid);
    if (object) {
        hash_index_remove(&mirror->objects, hash_index_number(object->oid),
                          object);
        free(object);
    }
    set_key(mirror, type, oid);
    redis_del(mirror->redis, ASIC_DB, text_string(&mirror->key));
}
