/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps one row per object, with the watermarks of the classes of its type, of
 * which there are at most two. */

#include <config.h>

#include "orchd/telemetry/polling/watermarks.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"

#define PER_OBJECT 2

struct class_info {
    const char *name;
    sai_object_type_t type;
    sai_stat_id_t id;
    int32_t kind;
};

static const struct class_info classes[N_WATERMARK_CLASSES] = {
#define X(member, name, type, id, kind)                                        \
    [WATERMARK_CLASS_##member] = {name, SAI_OBJECT_TYPE_##type, id, kind},
    WATERMARK_CLASS_LIST(X)
#undef X
};

static const char *const table_names[N_WATERMARK_TABLES] = {
#define X(member, name) [WATERMARK_##member] = name,
    WATERMARK_TABLE_LIST(X)
#undef X
};

struct mark {
    sai_stat_id_t id;
    uint64_t values[N_WATERMARK_TABLES];
};

struct row {
    sai_object_id_t oid; /* Key. */
    sai_object_type_t type;
    int32_t kind;
    unsigned int n;
    struct mark marks[PER_OBJECT];
    UT_hash_handle hh;
};

struct watermarks {
    struct row *rows;
    watermark_listener_fn *notify;
    void *context;
};

struct watermarks *
watermarks_create(watermark_listener_fn *notify, void *context)
{
    struct watermarks *watermarks = check_calloc(1, sizeof *watermarks);

    watermarks->notify = notify;
    watermarks->context = context;
    return watermarks;
}

void
watermarks_destroy(struct watermarks *watermarks)
{
    struct row *row, *next;

    if (!watermarks) {
        return;
    }
    HASH_ITER(hh, watermarks->rows, row, next)
    {
        HASH_DEL(watermarks->rows, row);
        free(row);
    }
    free(watermarks);
}

static struct row *
find_row(const struct watermarks *watermarks, sai_object_id_t oid)
{
    struct row *row;

    HASH_FIND(hh, watermarks->rows, &oid, sizeof oid, row);
    return row;
}

static struct mark *
find_mark(struct row *row, sai_stat_id_t id)
{
    for (unsigned int i = 0; i < row->n; i++) {
        if (row->marks[i].id == id) {
            return &row->marks[i];
        }
    }
    return NULL;
}

static bool
is_watermark(sai_object_type_t type, sai_stat_id_t id)
{
    for (int i = 0; i < N_WATERMARK_CLASSES; i++) {
        if (classes[i].type == type && classes[i].id == id) {
            return true;
        }
    }
    return false;
}

static struct row *
add_row(struct watermarks *watermarks, sai_object_type_t type, int32_t kind,
        sai_object_id_t oid)
{
    struct row *row = check_calloc(1, sizeof *row);

    row->oid = oid;
    row->type = type;
    row->kind = kind;
    HASH_ADD(hh, watermarks->rows, oid, sizeof row->oid, row);
    return row;
}

static void
notify(const struct watermarks *watermarks, const struct row *row,
       const struct mark *mark, int table)
{
    watermarks->notify(watermarks->context, (enum watermark_table)table,
                       row->type, row->oid, mark->id, mark->values[table]);
}

void
watermarks_update(struct watermarks *watermarks, sai_object_type_t type,
                  int32_t kind, sai_object_id_t oid, sai_stat_id_t id,
                  uint64_t value)
{
    struct row *row = find_row(watermarks, oid);
    struct mark *mark;
    bool fresh;

    if (!is_watermark(type, id)) {
        return;
    }
    if (!row) {
        row = add_row(watermarks, type, kind, oid);
    }
    mark = find_mark(row, id);
    fresh = !mark;
    if (fresh) {
        orch_assert(row->n < PER_OBJECT);
        mark = &row->marks[row->n++];
        mark->id = id;
    }
    for (int i = 0; i < N_WATERMARK_TABLES; i++) {
        if (fresh || value > mark->values[i]) {
            mark->values[i] = value;
            notify(watermarks, row, mark, i);
        }
    }
}

void
watermarks_gone(struct watermarks *watermarks, sai_object_id_t oid)
{
    struct row *row = find_row(watermarks, oid);

    if (row) {
        HASH_DEL(watermarks->rows, row);
        free(row);
    }
}

static void
restart(const struct watermarks *watermarks, const struct row *row,
        struct mark *mark, enum watermark_table table)
{
    if (mark->values[table]) {
        mark->values[table] = 0;
        notify(watermarks, row, mark, (int)table);
    }
}

void
watermarks_clear(struct watermarks *watermarks, enum watermark_table table,
                 enum watermark_class class)
{
    const struct class_info *info = &classes[class];

    for (struct row *row = watermarks->rows; row; row = row->hh.next) {
        struct mark *mark = find_mark(row, info->id);

        if (row->type == info->type && mark &&
            (info->kind == WATERMARK_ANY_KIND || info->kind == row->kind)) {
            restart(watermarks, row, mark, table);
        }
    }
}

void
watermarks_restart(struct watermarks *watermarks, enum watermark_table table)
{
    for (struct row *row = watermarks->rows; row; row = row->hh.next) {
        for (unsigned int i = 0; i < row->n; i++) {
            restart(watermarks, row, &row->marks[i], table);
        }
    }
}

void
watermarks_republish(struct watermarks *watermarks, sai_object_id_t oid)
{
    const struct row *row = find_row(watermarks, oid);

    for (unsigned int i = 0; row && i < row->n; i++) {
        for (int table = 0; table < N_WATERMARK_TABLES; table++) {
            notify(watermarks, row, &row->marks[i], table);
        }
    }
}

uint64_t
watermarks_get(const struct watermarks *watermarks, enum watermark_table table,
               sai_object_id_t oid, sai_stat_id_t id)
{
    struct row *row = find_row(watermarks, oid);
    const struct mark *mark = row ? find_mark(row, id) : NULL;

    return mark ? mark->values[table] : 0;
}

const char *
watermark_table_name(enum watermark_table table)
{
    return table_names[table];
}

const char *watermark_class_name(enum watermark_class class)
{
    return classes[class].name;
}

bool
watermark_table_find(const char *name, enum watermark_table *table)
{
    for (int i = 0; i < N_WATERMARK_TABLES; i++) {
        if (!strcmp(table_names[i], name)) {
            *table = (enum watermark_table)i;
            return true;
        }
    }
    return false;
}

bool
watermark_class_find(const char *name, enum watermark_class *class)
{
    for (int i = 0; i < N_WATERMARK_CLASSES; i++) {
        if (!strcmp(classes[i].name, name)) {
            *class = (enum watermark_class)i;
            return true;
        }
    }
    return false;
}
