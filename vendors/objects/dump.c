/* SPDX-License-Identifier: Apache-2.0 */

/* The state of a switch as text that can be compared. */

#include <config.h>

#include "vendors/objects/dump.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/attr_value.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"

enum {
    /* References to references: profile, pool, WRED profile and some more. */
    DEPTH_MAX = 6,
};

/* A growing array of strings, each owned. */
struct lines {
    char **lines;
    size_t n;
    size_t size;
};

static void lines_add(struct lines *lines, char *line);
static void lines_join(struct lines *lines, const char *separator,
                       struct text *text);
static bool is_worth_a_line(const struct objects_item *item);
static bool is_said(const struct objects_item *item,
                    const struct metadata_attribute *meta,
                    const sai_attribute_t *attribute);
static void add_item(const struct objects *objects,
                     const struct objects_item *item, bool key_only,
                     unsigned int depth, struct text *text);
static void add_value(const struct objects *objects,
                      const struct metadata_attribute *meta,
                      const sai_attribute_value_t *value, unsigned int depth,
                      struct text *text);
static void add_reference(const struct objects *objects, sai_object_id_t oid,
                          unsigned int depth, struct text *text);
static void add_acl_reference(const struct objects *objects, enum kind kind,
                              const sai_attribute_value_t *value,
                              unsigned int depth, struct text *text);
static void add_list(const struct objects *objects, enum kind kind,
                     const sai_attribute_value_t *value, unsigned int depth,
                     struct text *text);
static void add_bytes(const struct kind_run *runs, const void *bytes,
                      struct text *text);

void
dump_objects(const struct objects *objects, struct text *text)
{
    struct lines lines = {0};
    size_t n_types;
    const struct metadata_object *types = metadata_objects(&n_types);

    for (size_t t = 0; t < n_types; t++) {
        for (const struct objects_item *i =
                 objects_first(objects, types[t].type);
             i; i = objects_next(objects, i)) {
            if (is_worth_a_line(i)) {
                struct text line = {0};

                add_item(objects, i, false, 0, &line);
                text_add_char(&line, '\n');
                lines_add(&lines, text_take(&line));
            }
        }
    }
    lines_join(&lines, "", text);
}

/* Appends 'line' and takes ownership of it. */
static void
lines_add(struct lines *lines, char *line)
{
    if (lines->n == lines->size) {
        lines->size = lines->size ? 2 * lines->size : 64;
        lines->lines =
            check_realloc(lines->lines, lines->size * sizeof *lines->lines);
    }
    lines->lines[lines->n++] = line;
}

static int
compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Appends all lines to 'text', sorted, and frees them. */
static void
lines_join(struct lines *lines, const char *separator, struct text *text)
{
    if (lines->n) {
        qsort(lines->lines, lines->n, sizeof *lines->lines, compare_lines);
    }
    for (size_t i = 0; i < lines->n; i++) {
        text_add(text, i ? separator : "");
        text_add(text, lines->lines[i]);
        free(lines->lines[i]);
    }
    free(lines->lines);
}

/* Returns whether the text says more of 'item' than its identity. */
static bool
is_worth_a_line(const struct objects_item *item)
{
    if (!item->parent) {
        return true;
    }
    for (uint32_t i = 0; i < item->n_values; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(item->type, item->values[i].id);

        if (!(meta->flags & METADATA_FLAG_KEY) &&
            is_said(item, meta, &item->values[i])) {
            return true;
        }
    }
    return false;
}

/* Returns whether the value of an attribute differs from its default, or is
 * part of the key. */
static bool
is_said(const struct objects_item *item, const struct metadata_attribute *meta,
        const sai_attribute_t *attribute)
{
    sai_attribute_value_t fallback;

    if (meta->flags & METADATA_FLAG_KEY) {
        return true;
    }
    if (meta->flags & METADATA_FLAG_READ_ONLY) {
        return false;
    }
    if (!objects_implied(item, attribute->id, &fallback) &&
        !metadata_default(meta, &fallback)) {
        return true;
    }
    return !attr_value_equal(meta->kind, &attribute->value, &fallback);
}

/* Fills '*attribute' (whose lists are borrowed) with the stored or implied
 * value of 'item'.  Returns false if there is none. */
static bool
known(const struct objects_item *item, const struct metadata_attribute *meta,
      sai_attribute_t *attribute)
{
    const sai_attribute_value_t *stored = objects_value(item, meta->id);

    attribute->id = meta->id;
    if (stored) {
        attribute->value = *stored;
        return true;
    }
    return objects_implied(item, meta->id, &attribute->value);
}

/* Appends "QUEUE{INDEX=3,...}". */
static void
add_item(const struct objects *objects, const struct objects_item *item,
         bool key_only, unsigned int depth, struct text *text)
{
    const char *type = metadata_type_name(item->type);
    const struct metadata_object *all = metadata_object(item->type);
    const char *separator = "";

    text_addf(text, "%s{", type + strlen("SAI_OBJECT_TYPE_"));
    for (uint32_t i = 0; all && i < all->n_attributes; i++) {
        const struct metadata_attribute *meta = &all->attributes[i];
        sai_attribute_t attribute;

        if ((key_only && !(meta->flags & METADATA_FLAG_KEY)) ||
            !known(item, meta, &attribute) ||
            !is_said(item, meta, &attribute)) {
            continue;
        }
        text_addf(text, "%s%s=", separator,
                  strstr(meta->name, "_ATTR_") + strlen("_ATTR_"));
        add_value(objects, meta, &attribute.value, depth, text);
        separator = ",";
    }
    text_add_char(text, '}');
}

/* Appends a value by its kind: names of enumerators, decimal numbers, the
 * object a reference refers to, bytes for the rest. */
static void
add_value(const struct objects *objects, const struct metadata_attribute *meta,
          const sai_attribute_value_t *value, unsigned int depth,
          struct text *text)
{
    const char *name;

    switch (meta->kind) {
    case KIND_BOOL:
    case KIND_U8:
    case KIND_S8:
    case KIND_U16:
    case KIND_U32:
    case KIND_U64:
    case KIND_S32:
        name = meta->enumeration
                   ? metadata_enum_name(meta->enumeration, value->s32)
                   : NULL;
        if (name) {
            text_add(text, name);
        } else {
            text_addf(text, "%lld",
                      (long long)metadata_number(meta->kind, value));
        }
        break;
    case KIND_OID:
        add_reference(objects, value->oid, depth, text);
        break;
    case KIND_POINTER:
        text_add(text, value->ptr
                           ? "set"
                           : "null"); /* An address differs between runs. */
        break;
    default:
        if (kind_has_list(meta->kind)) {
            add_list(objects, meta->kind, value, depth, text);
        } else if (kind_acl_part(meta->kind) == KIND_OID) {
            add_acl_reference(objects, meta->kind, value, depth, text);
        } else {
            add_bytes(kind_layout(meta->kind)->value_runs, value, text);
        }
        break;
    }
}

/* Appends the object that a field or action of an access list names. */
static void
add_acl_reference(const struct objects *objects, enum kind kind,
                  const sai_attribute_value_t *value, unsigned int depth,
                  struct text *text)
{
    uint32_t n;
    const sai_object_id_t *oids = kind_object_ids(kind, value, &n);

    if (n) {
        add_reference(objects, *oids, depth, text);
    } else {
        text_add(text, "disabled");
    }
}

/* Appends object 'oid': its key, or all of it.  Below DEPTH_MAX it appends the
 * type only, so that a cycle of references ends. */
static void
add_reference(const struct objects *objects, sai_object_id_t oid,
              unsigned int depth, struct text *text)
{
    const struct objects_item *item = objects_find(objects, oid);
    bool has_key = false;

    if (!item) {
        text_add(text, oid == SAI_NULL_OBJECT_ID ? "null" : "dangling");
        return;
    }
    for (uint32_t i = 0; i < item->n_values; i++) {
        has_key |= (metadata_attribute(item->type, item->values[i].id)->flags &
                    METADATA_FLAG_KEY) != 0;
    }
    has_key |= item->parent != NULL;
    add_item(objects, item, has_key || depth >= DEPTH_MAX, depth + 1, text);
}

/* Appends "[...]".  The entries of a map have no order, so they are sorted. */
static void
add_list(const struct objects *objects, enum kind kind,
         const sai_attribute_value_t *value, unsigned int depth,
         struct text *text)
{
    const struct kind_layout *layout = kind_layout(kind);
    const uint32_t n = kind_list_count(kind, value);
    const char *elements = kind_list_elements(kind, value);
    uint32_t n_oids;
    const sai_object_id_t *oids = kind_object_ids(kind, value, &n_oids);
    struct lines sorted = {0};

    text_add_char(text, '[');
    for (uint32_t i = 0; i < n; i++) {
        const void *element = elements + (size_t)i * layout->element_size;
        struct text item = {0};

        if (oids) {
            add_reference(objects, oids[i], depth, &item);
        } else if (kind == KIND_U32LIST) {
            text_addf(&item, "%u", value->u32list.list[i]);
        } else {
            add_bytes(layout->element_runs, element, &item);
        }
        if (kind == KIND_QOSMAP || kind == KIND_MAPLIST) {
            lines_add(&sorted, text_take(&item));
        } else {
            text_add(text, i ? "," : "");
            text_add(text, text_string(&item));
            text_fini(&item);
        }
    }
    lines_join(&sorted, ",", text);
    text_add_char(text, ']');
}

/* Appends the meaningful bytes in hexadecimal. */
static void
add_bytes(const struct kind_run *runs, const void *bytes, struct text *text)
{
    const unsigned char *byte = bytes;

    for (int r = 0; r < KIND_MAX_RUNS; r++) {
        for (unsigned int i = 0; i < runs[r].size; i++) {
            text_addf(text, "%02x", byte[runs[r].offset + i]);
        }
    }
}
