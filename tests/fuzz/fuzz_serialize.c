/* SPDX-License-Identifier: Apache-2.0 */

/* Values and keys of SAI from text: ids, entries.
 *
 * The first line names the attribute; any other line stands for some
 * attribute.  The rest is its value: what can be read is written so that it
 * can be read again, and means the same then. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "sai/core/attr_value.h"
#include "sai/core/entry.h"
#include "sai/core/serialize.h"
#include "tests/fuzz/fuzz.h"

/* Returns the attribute that 'name' names, or one by its characters. */
static const struct metadata_attribute *
choose(const char *name)
{
    const struct metadata_attribute *attribute =
        metadata_attribute_by_name(name, NULL);
    const struct metadata_object *objects;
    uint32_t hash = 0;
    size_t n;

    if (attribute) {
        return attribute;
    }
    for (; *name; name++) {
        hash = hash * 31 + (uint8_t)*name;
    }
    objects = metadata_objects(&n);
    objects += hash % n;
    return &objects->attributes[hash / n % objects->n_attributes];
}

static void
try_value(const struct metadata_attribute *attribute, const char *string)
{
    struct arena *arena = arena_create(0);
    sai_attribute_value_t value, again;
    sai_attribute_value_t copied;
    struct text text = {0}, second = {0};
    struct err err = {0};
    enum st st = serialize_parse_value(arena, attribute, string, &value, &err);

    if (st == ST_OK) {
        FUZZ_CHECK(serialize_value(attribute, &value, &text) == ST_OK);
        FUZZ_CHECK(serialize_parse_value(arena, attribute, text_string(&text),
                                         &again, &err) == ST_OK);
        FUZZ_CHECK(attr_value_equal(attribute->kind, &value, &again));
        attr_value_copy(attribute->kind, &value, &copied);
        FUZZ_CHECK(attr_value_equal(attribute->kind, &copied, &value));
        attr_value_fini(attribute->kind, &copied);
        FUZZ_CHECK(serialize_value(attribute, &again, &second) == ST_OK);
        FUZZ_CHECK(strcmp(text_string(&text), text_string(&second)) == 0);
    } else {
        FUZZ_CHECK(st == ST_INVALID || st == ST_UNSUPPORTED);
        FUZZ_CHECK(err.status == st && err.code[0] && err.reason[0]);
    }
    text_fini(&text);
    text_fini(&second);
    arena_destroy(arena);
}

static void
try_ids(const char *string)
{
    struct text text = {0};
    sai_object_type_t type, type_again;
    sai_object_id_t oid, oid_again;

    if (serialize_parse_oid(string, &oid) == ST_OK) {
        serialize_oid(oid, &text);
        FUZZ_CHECK(serialize_parse_oid(text_string(&text), &oid_again) ==
                   ST_OK);
        FUZZ_CHECK(oid == oid_again);
    }
    text_clear(&text);
    if (serialize_parse_key(string, &type, &oid) == ST_OK) {
        serialize_key(type, oid, &text);
        FUZZ_CHECK(serialize_parse_key(text_string(&text), &type_again,
                                       &oid_again) == ST_OK);
        FUZZ_CHECK(type == type_again && oid == oid_again);
    }
    text_fini(&text);
}

/* A key is written so that it reads as the same key. */
static void
try_entry(const char *string)
{
    struct text text = {0};
    sai_object_type_t type, type_again;
    sai_object_key_t key, again;

    if (entry_parse(string, &type, &key) == ST_OK) {
        entry_write(type, &key, &text);
        FUZZ_CHECK(entry_parse(text_string(&text), &type_again, &again) ==
                   ST_OK);
        FUZZ_CHECK(type == type_again && entry_equal(type, &key, &again));
    }
    text_fini(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = bytes_text(data, size);
    char *end = strchr(name, '\n');

    try_ids(name);
    try_entry(name);
    if (end) {
        *end = '\0';
        try_value(choose(name), end + 1);
        try_ids(end + 1);
    }
    free(name);
    return 0;
}
