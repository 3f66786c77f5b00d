/* SPDX-License-Identifier: Apache-2.0 */

/* Parses hashes into typed values, once, when they come. */

#include <config.h>

#include "orchd/orchagent/asic_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/hash_index.h"
#include "base/parse.h"
#include "orchd/intent/field.h"
#include "orchd/orchagent/asic_states.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"

/* Names of more bytes are no names of ports. */
#define MAX_NAME 256

struct attribute {
    const struct metadata_attribute *meta;
    sai_attribute_value_t value; /* In the arena of the row. */
    bool known;                  /* Else the text was no such value. */
};

struct asic_row {
    sai_object_id_t oid;
    sai_object_type_t type;
    uint64_t epoch, moment; /* When it was set. */
    struct arena *arena;
    struct attribute *attributes; /* In the arena. */
    size_t n;
};

/* An entry of a map. */
struct entry {
    char *name;
    sai_object_id_t oid;
};

/* The types that rows of CONFIG_DB become, or refer to. */
static const sai_object_type_t kept[] = {
    SAI_OBJECT_TYPE_SWITCH,
    SAI_OBJECT_TYPE_PORT,
    SAI_OBJECT_TYPE_QUEUE,
    SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
    SAI_OBJECT_TYPE_BUFFER_POOL,
    SAI_OBJECT_TYPE_BUFFER_PROFILE,
    SAI_OBJECT_TYPE_QOS_MAP,
    SAI_OBJECT_TYPE_SCHEDULER,
    SAI_OBJECT_TYPE_SCHEDULER_GROUP,
    SAI_OBJECT_TYPE_WRED,
    SAI_OBJECT_TYPE_PORT_LLR_PROFILE,
};

enum { N_KEPT = sizeof kept / sizeof *kept };

struct asic_rows {
    struct hash_index rows;            /* By id. */
    struct hash_index of_type[N_KEPT]; /* Those of each type, by id. */
    struct hash_index maps[N_ASIC_MAPS];
    struct asic_states *states;
    uint64_t epoch, moment;

    /* The epoch of the last change of a row of each type, and of a map. */
    uint64_t type_epochs[N_KEPT], maps_epoch;
};

struct asic_rows *
asic_rows_create(void)
{
    struct asic_rows *rows = check_calloc(1, sizeof *rows);

    rows->epoch = 1;
    rows->states = asic_states_create();
    return rows;
}

static void
free_row(struct asic_row *row)
{
    arena_destroy(row->arena);
    free(row);
}

static void
clear_map(struct hash_index *map)
{
    struct entry *entry;
    size_t place = 0;

    while ((entry = hash_index_next(map, &place))) {
        free(entry->name);
        free(entry);
    }
    hash_index_fini(map);
}

void
asic_rows_destroy(struct asic_rows *rows)
{
    struct asic_row *row;
    size_t place = 0;

    if (!rows) {
        return;
    }
    while ((row = hash_index_next(&rows->rows, &place))) {
        free_row(row);
    }
    hash_index_fini(&rows->rows);
    for (int i = 0; i < N_KEPT; i++) {
        hash_index_fini(&rows->of_type[i]);
    }
    for (int i = 0; i < N_ASIC_MAPS; i++) {
        clear_map(&rows->maps[i]);
    }
    asic_states_destroy(rows->states);
    free(rows);
}

/* Returns the index of 'type' among those that are kept; N_KEPT: it is none. */
static int
find_type(sai_object_type_t type)
{
    int i = 0;

    while (i < N_KEPT && kept[i] != type) {
        i++;
    }
    return i;
}

bool
asic_rows_keeps(sai_object_type_t type)
{
    return find_type(type) < N_KEPT;
}

uint64_t
asic_rows_epoch(const struct asic_rows *rows)
{
    return rows->epoch;
}

/* A hash_index_equal_fn. */
static bool
row_has_oid(const void *row_, const void *oid)
{
    const struct asic_row *row = row_;

    return row->oid == *(const sai_object_id_t *)oid;
}

uint64_t
asic_rows_moment(const struct asic_rows *rows)
{
    return rows->moment;
}

static struct asic_row *
find_row(const struct asic_rows *rows, sai_object_id_t oid)
{
    return hash_index_find(&rows->rows, hash_index_number(oid), row_has_oid,
                           &oid);
}

static void
remove_row(struct asic_rows *rows, struct asic_row *row)
{
    const uint32_t hash = hash_index_number(row->oid);
    const int type = find_type(row->type);

    hash_index_remove(&rows->rows, hash, row);
    hash_index_remove(&rows->of_type[type], hash, row);
    free_row(row);
    rows->type_epochs[type] = ++rows->epoch;
}

/* Adds what the text of a field says to 'row'. */
static void
add_attribute(struct asic_row *row, const struct field *field)
{
    sai_object_type_t type = SAI_OBJECT_TYPE_NULL;
    const struct metadata_attribute *meta =
        metadata_attribute_by_name(field->name, &type);
    struct attribute *attribute = &row->attributes[row->n];

    if (!meta || type != row->type) {
        return;
    }
    attribute->meta = meta;
    attribute->known = serialize_parse_value(row->arena, meta, field->value,
                                             &attribute->value, NULL) == ST_OK;
    row->n++;
}

void
asic_rows_put(struct asic_rows *rows, sai_object_type_t type,
              sai_object_id_t oid, const struct field *fields, size_t n)
{
    struct asic_row *row = find_row(rows, oid);
    const int place = find_type(type);

    if (row) {
        remove_row(rows, row);
    }
    if (n == 0 || place == N_KEPT) {
        return;
    }
    row = check_calloc(1, sizeof *row);
    row->oid = oid;
    row->type = type;
    row->epoch = rows->type_epochs[place] = ++rows->epoch;
    row->moment = ++rows->moment;
    row->arena = arena_create(512);
    row->attributes = arena_alloc(row->arena, n, sizeof *row->attributes);
    for (size_t i = 0; i < n; i++) {
        add_attribute(row, &fields[i]);
    }
    hash_index_add(&rows->rows, hash_index_number(oid), row);
    hash_index_add(&rows->of_type[place], hash_index_number(oid), row);
}

void
asic_rows_sweep(struct asic_rows *rows, uint64_t moment)
{
    struct asic_row **stale =
        check_calloc(rows->rows.n + 1, sizeof(struct asic_row *));
    struct asic_row *row;
    size_t n = 0, place = 0;

    while ((row = hash_index_next(&rows->rows, &place))) {
        if (row->moment <= moment) {
            stale[n++] = row;
        }
    }
    for (size_t i = 0; i < n; i++) {
        remove_row(rows, stale[i]);
    }
    free(stale);
    rows->epoch += asic_states_sweep(rows->states, moment);
}

const struct asic_row *
asic_rows_get(const struct asic_rows *rows, sai_object_id_t oid)
{
    return find_row(rows, oid);
}

const struct asic_row *
asic_rows_next(const struct asic_rows *rows, sai_object_type_t type,
               size_t *place)
{
    const int i = find_type(type);

    return i < N_KEPT ? hash_index_next(&rows->of_type[i], place) : NULL;
}

uint64_t
asic_rows_epoch_of(const struct asic_rows *rows, sai_object_type_t type)
{
    const int i = find_type(type);

    return i < N_KEPT ? rows->type_epochs[i] : 0;
}

uint64_t
asic_rows_maps_epoch(const struct asic_rows *rows)
{
    return rows->maps_epoch;
}

sai_object_id_t
asic_row_oid(const struct asic_row *row)
{
    return row->oid;
}

sai_object_type_t
asic_row_type(const struct asic_row *row)
{
    return row->type;
}

uint64_t
asic_row_epoch(const struct asic_row *row)
{
    return row->epoch;
}

const sai_attribute_value_t *
asic_row_value(const struct asic_row *row, sai_attr_id_t id)
{
    for (size_t i = 0; i < row->n; i++) {
        if (row->attributes[i].meta->id == id) {
            return row->attributes[i].known ? &row->attributes[i].value : NULL;
        }
    }
    return NULL;
}

const struct metadata_attribute *
asic_row_each(const struct asic_row *row, size_t i)
{
    return i < row->n ? row->attributes[i].meta : NULL;
}

/* --- Maps --------------------------------------------------------------- */

/* A hash_index_equal_fn. */
static bool
entry_has_name(const void *entry_, const void *name)
{
    const struct entry *entry = entry_;

    return !strcmp(entry->name, name);
}

static const struct entry *
find_entry(const struct asic_rows *rows, enum asic_map map, const char *name)
{
    return hash_index_find(&rows->maps[map], hash_index_text(name),
                           entry_has_name, name);
}

void
asic_rows_put_map(struct asic_rows *rows, enum asic_map map,
                  const struct field *fields, size_t n)
{
    struct hash_index *index = &rows->maps[map];

    clear_map(index);
    for (size_t i = 0; i < n; i++) {
        sai_object_id_t oid;
        struct entry *entry;

        if (strlen(fields[i].name) > MAX_NAME ||
            serialize_parse_oid(fields[i].value, &oid)) {
            continue;
        }
        entry = check_calloc(1, sizeof *entry);
        entry->name = check_strdup(fields[i].name);
        entry->oid = oid;
        hash_index_add(index, hash_index_text(entry->name), entry);
    }
    rows->maps_epoch = ++rows->epoch;
}

sai_object_id_t
asic_rows_named(const struct asic_rows *rows, enum asic_map map,
                const char *name)
{
    const struct entry *entry = find_entry(rows, map, name);

    return entry ? entry->oid : SAI_NULL_OBJECT_ID;
}

uint32_t
asic_rows_count(const struct asic_rows *rows, enum asic_map map,
                const char *name)
{
    const size_t length = strlen(name);
    const struct entry *entry;
    size_t place = 0;
    uint32_t n = 0;

    while ((entry = hash_index_next(&rows->maps[map], &place))) {
        uint64_t index;

        if (!strncmp(entry->name, name, length) && entry->name[length] == ':' &&
            !parse_u64(entry->name + length + 1, 0, 255, &index) &&
            index >= n) {
            n = (uint32_t)index + 1;
        }
    }
    return n;
}

void
asic_rows_each_named(const struct asic_rows *rows, enum asic_map map,
                     void (*fn)(void *context, const char *name,
                                sai_object_id_t oid),
                     void *context)
{
    const struct entry *entry;
    size_t place = 0;

    while ((entry = hash_index_next(&rows->maps[map], &place))) {
        fn(context, entry->name, entry->oid);
    }
}

static int
compare_lanes(const void *a_, const void *b_)
{
    const uint32_t *a = a_, *b = b_;

    return *a < *b ? -1 : *a > *b;
}

/* Returns the id by which the vendor knows 'oid'. */
static sai_object_id_t
find_real(const struct asic_rows *rows, sai_object_id_t oid)
{
    sai_object_id_t real = SAI_NULL_OBJECT_ID;
    const struct entry *entry;
    size_t place = 0;

    while ((entry = hash_index_next(&rows->maps[ASIC_MAP_RIDS], &place))) {
        if (entry->oid == oid && !serialize_parse_oid(entry->name, &real)) {
            return real;
        }
    }
    return SAI_NULL_OBJECT_ID;
}

uint32_t *
asic_rows_lanes(const struct asic_rows *rows, sai_object_id_t oid, uint32_t *n)
{
    const struct hash_index *map = &rows->maps[ASIC_MAP_LANES];
    const sai_object_id_t real = find_real(rows, oid);
    uint32_t *lanes = check_calloc(map->n + 1, sizeof *lanes);
    const struct entry *entry;
    size_t place = 0;
    uint64_t lane;

    *n = 0;
    while ((entry = hash_index_next(map, &place))) {
        if (entry->oid == real &&
            !parse_u64(entry->name, 0, UINT32_MAX, &lane)) {
            lanes[(*n)++] = (uint32_t)lane;
        }
    }
    if (*n == 0) {
        free(lanes);
        return NULL;
    }
    qsort(lanes, *n, sizeof *lanes, compare_lanes);
    return lanes;
}

/* --- STATE_DB ----------------------------------------------------------- */

void
asic_rows_put_state(struct asic_rows *rows, const char *key,
                    const struct field *fields, size_t n)
{
    rows->epoch +=
        asic_states_put(rows->states, key, fields, n, ++rows->moment);
}

const struct asic_states *
asic_rows_states(const struct asic_rows *rows)
{
    return rows->states;
}
