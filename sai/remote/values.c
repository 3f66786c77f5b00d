/* SPDX-License-Identifier: Apache-2.0 */

/* One writer and one parser for values of all kinds.
 *
 * Only lists of lists (the taps of a SerDes) need functions of their own. */

#include <config.h>

#include "sai/remote/values.h"

#include <string.h>

#include "base/arena.h"
#include "sai/core/entry.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"

/* Which elements of a list are written. */
enum extent { ALL, NONE, FITTING };

/* Keys ----------------------------------------------------------------- */

void
values_put_key(struct wire_out *out, sai_object_type_t type,
               const sai_object_key_t *key)
{
    sai_object_key_t plain;

    if (entry_is_key(type)) {
        entry_normalise(type, key, &plain);
        wire_put_bytes(out, &plain, sizeof plain);
    } else {
        wire_put_u64(out, key->key.object_id);
    }
}

void
values_get_key(struct wire_in *in, sai_object_type_t type,
               sai_object_key_t *key)
{
    sai_object_key_t plain;

    memset(key, 0, sizeof *key);
    if (entry_is_key(type)) {
        wire_get_bytes(in, &plain, sizeof plain);
        entry_normalise(type, &plain, key);
    } else {
        key->key.object_id = wire_get_u64(in);
    }
}

/* Runs ----------------------------------------------------------------- */

static void
put_runs(struct wire_out *out, const struct kind_run *runs, const void *from)
{
    for (size_t i = 0; i < KIND_MAX_RUNS; i++) {
        wire_put_bytes(out, (const char *)from + runs[i].offset, runs[i].size);
    }
}

static void
get_runs(struct wire_in *in, const struct kind_run *runs, void *to)
{
    for (size_t i = 0; i < KIND_MAX_RUNS; i++) {
        wire_get_bytes(in, (char *)to + runs[i].offset, runs[i].size);
    }
}

static size_t
runs_bytes(const struct kind_run *runs)
{
    size_t n = 0;

    for (size_t i = 0; i < KIND_MAX_RUNS; i++) {
        n += runs[i].size;
    }
    return n;
}

/* Writing -------------------------------------------------------------- */

/* Returns the count to write: a list without memory has capacity 0. */
static uint32_t
count_written(enum extent extent, uint32_t count, const void *list)
{
    return extent == NONE && !list ? 0 : count;
}

/* Returns how many of 'count' elements at 'list' are written. */
static uint32_t
n_written(enum extent extent, uint32_t room, uint32_t count, const void *list)
{
    return extent == NONE || !list || (extent == FITTING && count > room)
               ? 0
               : count;
}

/* Writes the counts of inner lists even without elements, because they are
 * capacities. */
static void
put_taps(struct wire_out *out, const sai_taps_list_t *taps, enum extent extent,
         uint32_t room)
{
    const uint32_t n =
        n_written(extent == NONE ? ALL : extent, room, taps->count, taps->list);

    wire_put_u32(out, count_written(extent, taps->count, taps->list));
    wire_put_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        const sai_s32_list_t *inner = &taps->list[i];
        const uint32_t n_inner =
            n_written(extent, UINT32_MAX, inner->count, inner->list);

        wire_put_u32(out, count_written(extent, inner->count, inner->list));
        wire_put_u32(out, n_inner);
        wire_put_bytes(out, inner->list, n_inner * sizeof *inner->list);
    }
}

static void
put_list(struct wire_out *out, enum kind kind,
         const sai_attribute_value_t *value, enum extent extent, uint32_t room)
{
    const struct kind_layout *layout = kind_layout(kind);
    const uint32_t count = extent == ALL ? kind_list_count(kind, value)
                                         : kind_list_capacity(kind, value);
    const char *elements = kind_list_elements(kind, value);
    const uint32_t n = n_written(extent, room, count, elements);

    wire_put_u32(out, count_written(extent, count, elements));
    wire_put_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        put_runs(out, layout->element_runs,
                 elements + (size_t)i * layout->element_size);
    }
}

static void
put_attribute(struct wire_out *out, sai_object_type_t type,
              const sai_attribute_t *attribute, enum extent extent,
              uint32_t room)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);
    size_t length_at;

    wire_put_u32(out, attribute->id);
    length_at = out->length;
    wire_put_u32(out, 0);
    if (!meta) {
        return;
    }
    put_runs(out, kind_layout(meta->kind)->value_runs, &attribute->value);
    if (meta->kind == KIND_PORTSERDESTAPS) {
        put_taps(out, &attribute->value.portserdestaps, extent, room);
    } else if (kind_has_list(meta->kind)) {
        put_list(out, meta->kind, &attribute->value, extent, room);
    }
    wire_patch_u32(out, length_at,
                   (uint32_t)(out->length - length_at - sizeof(uint32_t)));
}

void
values_put(struct wire_out *out, sai_object_type_t type, uint32_t n,
           const sai_attribute_t *attributes)
{
    wire_put_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        put_attribute(out, type, &attributes[i], ALL, 0);
    }
}

void
values_put_room(struct wire_out *out, sai_object_type_t type, uint32_t n,
                const sai_attribute_t *attributes)
{
    wire_put_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        put_attribute(out, type, &attributes[i], NONE, 0);
    }
}

void
values_put_answer(struct wire_out *out, sai_object_type_t type, uint32_t n,
                  const sai_attribute_t *attributes, const uint32_t *rooms)
{
    wire_put_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        put_attribute(out, type, &attributes[i], FITTING, rooms[i]);
    }
}

uint32_t
values_room(sai_object_type_t type, const sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);

    return meta && kind_has_list(meta->kind)
               ? kind_list_capacity(meta->kind, &attribute->value)
               : 0;
}

/* Reading a request ---------------------------------------------------- */

/* The state of the parser. */
struct value_reader {
    struct wire_in *in;
    struct arena *arena;
    size_t *budget; /* NULL: elements are expected. */
};

/* Allocates a list of 'count' elements of 'size' bytes.  'n' elements of
 * 'n_bytes' each must follow in the input. */
static void *
make_list(struct value_reader *reader, uint32_t count, uint32_t n, size_t size,
          size_t n_bytes)
{
    struct wire_in *in = reader->in;

    if (count > KIND_LIST_MAX || (n && n != count) ||
        (uint64_t)n * n_bytes > in->left ||
        (reader->budget && (uint64_t)count * size > *reader->budget)) {
        in->bad = true;
    }
    if (in->bad || count == 0 || (!reader->budget && n == 0)) {
        return NULL;
    }
    if (reader->budget) {
        *reader->budget -= count * size;
    }
    return arena_alloc(reader->arena, count, size);
}

static void
get_taps(struct value_reader *reader, sai_taps_list_t *taps)
{
    struct wire_in *in = reader->in;
    uint32_t n;

    taps->count = wire_get_u32(in);
    n = wire_get_u32(in);
    taps->list = make_list(reader, taps->count, n, sizeof *taps->list,
                           2 * sizeof(uint32_t));
    for (uint32_t i = 0; i < n && taps->list; i++) {
        sai_s32_list_t *inner = &taps->list[i];
        uint32_t n_inner;

        inner->count = wire_get_u32(in);
        n_inner = wire_get_u32(in);
        inner->list = make_list(reader, inner->count, n_inner,
                                sizeof *inner->list, sizeof *inner->list);
        if (inner->list && n_inner) {
            wire_get_bytes(in, inner->list, n_inner * sizeof *inner->list);
        } else if (!inner->list && inner->count) {
            in->bad =
                true; /* The reader could not distinguish it from a list. */
        }
    }
}

static void
get_list(struct value_reader *reader, enum kind kind,
         sai_attribute_value_t *value)
{
    const struct kind_layout *layout = kind_layout(kind);
    struct wire_in *in = reader->in;
    const uint32_t count = wire_get_u32(in);
    const uint32_t n = wire_get_u32(in);
    char *elements = make_list(reader, count, n, layout->element_size,
                               runs_bytes(layout->element_runs));

    for (uint32_t i = 0; i < n && elements; i++) {
        get_runs(in, layout->element_runs,
                 elements + (size_t)i * layout->element_size);
    }
    kind_list_set(kind, value, in->bad ? 0 : count, elements);
}

/* Reads a value of 'kind'.  A byte that is neither false nor true would be
 * undefined behaviour in the code that reads it. */
static void
get_value(struct value_reader *reader, enum kind kind,
          sai_attribute_value_t *value)
{
    get_runs(reader->in, kind_layout(kind)->value_runs, value);
    if (kind == KIND_BOOL || kind_acl_part(kind) != KIND_N) {
        value->u8 = value->u8 != 0;
    }
    if (kind == KIND_ACLFIELD_BOOL) {
        value->aclfield.data.u8 = value->aclfield.data.u8 != 0;
    }
    if (kind == KIND_ACLACTION_BOOL) {
        value->aclaction.parameter.u8 = value->aclaction.parameter.u8 != 0;
    }
    if (kind == KIND_PORTSERDESTAPS) {
        get_taps(reader, &value->portserdestaps);
    } else if (kind_has_list(kind)) {
        get_list(reader, kind, value);
    }
}

/* Stores the first reason not to call the library. */
static void
refuse(struct values *values, sai_status_t base, uint32_t i)
{
    if (values->status == SAI_STATUS_SUCCESS) {
        values->status = base - (sai_status_t)i;
    }
}

static void
get_attribute(struct value_reader *reader, sai_object_type_t type, uint32_t i,
              struct values *values)
{
    sai_attribute_t *attribute = &values->attributes[i];
    struct wire_in *in = reader->in;
    const struct metadata_attribute *meta;
    struct wire_in whole = *in;
    uint32_t n;

    attribute->id = wire_get_u32(in);
    n = wire_get_u32(in);
    if (in->bad || n > in->left) {
        in->bad = true;
        return;
    }
    whole = (struct wire_in){in->next, n, false};
    in->next += n;
    in->left -= n;
    meta = metadata_attribute(type, attribute->id);
    if (!meta || n == 0) {
        refuse(values, SAI_STATUS_UNKNOWN_ATTRIBUTE_0, i);
        return;
    }
    reader->in = &whole;
    get_value(reader, meta->kind, &attribute->value);
    reader->in = in;
    in->bad |= !wire_ended(&whole);
    if (kind_has_list(meta->kind) &&
        kind_list_capacity(meta->kind, &attribute->value) &&
        !kind_list_elements(meta->kind, &attribute->value)) {
        refuse(values, SAI_STATUS_INVALID_ATTR_VALUE_0, i);
    }
}

static void
get_attributes(struct value_reader *reader, sai_object_type_t type,
               struct values *values)
{
    *values = (struct values){.n = wire_get_count(reader->in, VALUES_MAX)};
    values->attributes =
        arena_alloc(reader->arena, values->n, sizeof *values->attributes);
    for (uint32_t i = 0; i < values->n && !reader->in->bad; i++) {
        get_attribute(reader, type, i, values);
    }
}

void
values_get(struct wire_in *in, struct arena *arena, sai_object_type_t type,
           struct values *values)
{
    struct value_reader reader = {in, arena, NULL};

    get_attributes(&reader, type, values);
}

void
values_get_room(struct wire_in *in, struct arena *arena, sai_object_type_t type,
                size_t *budget, struct values *values)
{
    struct value_reader reader = {in, arena, budget};

    get_attributes(&reader, type, values);
}

/* Reading an answer ---------------------------------------------------- */

/* Parses the count of a list and the number of elements that follow, which must
 * fit into 'room' at 'list'. */
static uint32_t
answer_count(struct wire_in *in, uint32_t room, const void *list,
             uint32_t *count)
{
    uint32_t n;

    *count = wire_get_u32(in);
    n = wire_get_u32(in);
    if (n && (n != *count || n > room || !list)) {
        in->bad = true;
    }
    return in->bad ? 0 : n;
}

static void
answer_taps(struct wire_in *in, sai_taps_list_t *taps)
{
    uint32_t count;
    const uint32_t n = answer_count(in, taps->count, taps->list, &count);

    taps->count = count;
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        sai_s32_list_t *inner = &taps->list[i];
        uint32_t n_inner = wire_get_u32(in);
        const uint32_t n_bytes = wire_get_u32(in);

        if (n_bytes &&
            (n_bytes != n_inner || n_bytes > inner->count || !inner->list)) {
            in->bad = true;
        } else if (n_bytes) {
            wire_get_bytes(in, inner->list, n_bytes * sizeof *inner->list);
        }
        inner->count = n_inner;
    }
}

static void
answer_list(struct wire_in *in, enum kind kind, sai_attribute_value_t *value)
{
    const struct kind_layout *layout = kind_layout(kind);
    char *elements = kind_list_elements(kind, value);
    uint32_t count;
    const uint32_t n =
        answer_count(in, kind_list_capacity(kind, value), elements, &count);

    if (n) {
        memset(elements, 0, (size_t)n * layout->element_size);
    }
    for (uint32_t i = 0; i < n; i++) {
        get_runs(in, layout->element_runs,
                 elements + (size_t)i * layout->element_size);
    }
    kind_list_set(kind, value, count, elements);
}

static void
answer_attribute(struct wire_in *in, sai_object_type_t type,
                 sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);
    sai_attribute_value_t fresh;
    struct wire_in whole;
    uint32_t n;

    in->bad |= wire_get_u32(in) != attribute->id;
    n = wire_get_u32(in);
    if (in->bad || n > in->left || !meta) {
        in->bad = true;
        return;
    }
    whole = (struct wire_in){in->next, n, false};
    in->next += n;
    in->left -= n;
    memset(&fresh, 0, sizeof fresh);
    get_runs(&whole, kind_layout(meta->kind)->value_runs, &fresh);
    if (meta->kind == KIND_PORTSERDESTAPS) {
        fresh.portserdestaps = attribute->value.portserdestaps;
        answer_taps(&whole, &fresh.portserdestaps);
    } else if (kind_has_list(meta->kind)) {
        kind_list_set(meta->kind, &fresh,
                      kind_list_capacity(meta->kind, &attribute->value),
                      kind_list_elements(meta->kind, &attribute->value));
        answer_list(&whole, meta->kind, &fresh);
    }
    in->bad |= !wire_ended(&whole);
    if (!in->bad) {
        attribute->value = fresh;
    }
}

void
values_get_answer(struct wire_in *in, sai_object_type_t type, uint32_t n,
                  sai_attribute_t *attributes)
{
    in->bad |= wire_get_u32(in) != n;
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        answer_attribute(in, type, &attributes[i]);
    }
}
