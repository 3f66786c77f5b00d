/* SPDX-License-Identifier: Apache-2.0 */

/* A hash of rows, and a list of changed ones. */

#include <config.h>

#include "orchd/derive/derived_rows.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "base/text.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"

struct derived_row {
    char *id; /* "TABLE|key"; owned; 'key' points into it. */
    const char *key;
    enum table table;
    size_t n_refs;
    bool user; /* The user has a row of that key. */

    /* A content, an error, or both if the row keeps its content because of the
     * error.  Both NULL: not set yet. */
    struct content *content;
    struct err *err;

    bool fresh; /* 'content' or 'err' changed since it was taken. */

    bool reported; /* It was taken last as present. */
    bool changed;  /* In the list of changed rows. */
    struct derived_row *prev, *next;

    bool overridden; /* In the list of overridden rows. */
    struct derived_row *prev_overridden, *next_overridden;
};

struct derived_rows {
    struct hash_index all; /* By id. */
    struct derived_row *changed;
    struct derived_row *overridden; /* Changed beneath the user's row. */
    struct derived_row *taken;      /* Backs 'row'. */
    struct row row;
    struct key parsed;
    struct row found;
};

struct derived_rows *
derived_rows_create(void)
{
    return check_calloc(1, sizeof(struct derived_rows));
}

/* Frees a row that is not in the hash. */
static void
derived_row_free(struct derived_rows *derived_rows, struct derived_row *derived)
{
    if (derived->overridden) {
        DL_DELETE2(derived_rows->overridden, derived, prev_overridden,
                   next_overridden);
    }
    content_unref(derived->content);
    free(derived->err);
    free(derived->id);
    free(derived);
}

/* Releases the row that was taken last, and frees it if nothing refers to
 * it. */
static void
drop_taken(struct derived_rows *derived_rows)
{
    struct derived_row *derived = derived_rows->taken;

    key_fini(&derived_rows->parsed);
    derived_rows->taken = NULL;
    if (derived && !derived->n_refs && !derived->user && !derived->reported &&
        !derived->changed) {
        hash_index_remove(&derived_rows->all, hash_index_text(derived->id),
                          derived);
        derived_row_free(derived_rows, derived);
    }
}

void
derived_rows_destroy(struct derived_rows *derived_rows)
{
    struct derived_row *derived;
    size_t place = 0;

    if (!derived_rows) {
        return;
    }
    drop_taken(derived_rows);
    while ((derived = hash_index_next(&derived_rows->all, &place))) {
        derived_row_free(derived_rows, derived);
    }
    hash_index_fini(&derived_rows->all);
    free(derived_rows);
}

/* A hash_index_equal_fn. */
static bool
has_id(const void *derived_, const void *id)
{
    const struct derived_row *derived = derived_;

    return !strcmp(derived->id, id);
}

static struct derived_row *
derived_row_find(struct derived_rows *derived_rows, enum table table,
                 const char *key, bool make)
{
    struct text id = {0};
    struct derived_row *derived;
    uint32_t hash;

    table_add_row(&id, table, key);
    hash = hash_index_bytes(id.bytes, id.length);
    derived = hash_index_find(&derived_rows->all, hash, has_id, id.bytes);
    if (!derived && make) {
        derived = check_calloc(1, sizeof *derived);
        derived->id = text_take(&id);
        derived->key = derived->id + strlen(table_name(table)) + 1;
        derived->table = table;
        hash_index_add(&derived_rows->all, hash, derived);
    }
    text_fini(&id);
    return derived;
}

static void
mark(struct derived_rows *derived_rows, struct derived_row *derived)
{
    if (!derived->changed) {
        derived->changed = true;
        DL_APPEND(derived_rows->changed, derived);
    }
}

struct derived_row *
derived_row_ref(struct derived_rows *derived_rows, enum table table,
                const char *key)
{
    struct derived_row *derived =
        derived_row_find(derived_rows, table, key, true);

    derived->n_refs++;
    mark(derived_rows, derived);
    return derived;
}

void
derived_row_unref(struct derived_rows *derived_rows,
                  struct derived_row *derived)
{
    orch_assert(derived->n_refs > 0);
    derived->n_refs--;
    mark(derived_rows, derived);
}

void
derived_row_set(struct derived_rows *derived_rows, struct derived_row *derived,
                const struct field *fields, size_t n)
{
    struct content *content = content_create(fields, n);

    if (derived->content && !derived->err &&
        content_equal(derived->content, content)) {
        content_unref(content);
        return;
    }
    content_unref(derived->content);
    derived->content = content;
    free(derived->err);
    derived->err = NULL;
    derived->fresh = true;
    mark(derived_rows, derived);
}

static void
set_err(struct derived_rows *derived_rows, struct derived_row *derived,
        const struct err *err)
{
    free(derived->err);
    derived->err = check_malloc(sizeof *err);
    *derived->err = *err;
    derived->fresh = true;
    mark(derived_rows, derived);
}

void
derived_row_refuse(struct derived_rows *derived_rows,
                   struct derived_row *derived, const struct err *err)
{
    if (derived->err && !derived->content &&
        !strcmp(derived->err->reason, err->reason)) {
        return;
    }
    content_unref(derived->content);
    derived->content = NULL;
    set_err(derived_rows, derived, err);
}

void
derived_row_hold(struct derived_rows *derived_rows, struct derived_row *derived,
                 const struct err *err)
{
    if (!derived->err || strcmp(derived->err->reason, err->reason) != 0) {
        set_err(derived_rows, derived, err);
    }
}

void
derived_rows_set_user(struct derived_rows *derived_rows, enum table table,
                      const char *key, bool present)
{
    struct derived_row *derived =
        derived_row_find(derived_rows, table, key, present);

    if (derived && derived->user != present) {
        derived->user = present;
        mark(derived_rows, derived);
    }
}

void
derived_rows_renew(struct derived_rows *derived_rows, enum table table,
                   const char *key)
{
    struct derived_row *derived =
        derived_row_find(derived_rows, table, key, false);

    if (derived && !derived->user) {
        derived->fresh = true;
        mark(derived_rows, derived);
    }
}

static struct row
row_of(const struct derived_row *derived)
{
    const struct content *content = derived->content;

    return (struct row){
        .table = derived->table,
        .key = derived->key,
        .present = derived->reported,
        .effective = derived->reported && content,
        .fields = content ? content->fields : NULL,
        .n_fields = content ? content->n : 0,
        .content = derived->content,
        .verdict = derived->err ? ROW_WITHHELD : ROW_ACCEPTED,
        .err = derived->err,
        .warnings = "",
        .generated = true,
    };
}

const struct row *
derived_rows_wanted(struct derived_rows *derived_rows, enum table table,
                    const char *key)
{
    const struct derived_row *derived =
        derived_row_find(derived_rows, table, key, false);

    if (!derived || !derived->n_refs || !derived->content || derived->err) {
        return NULL;
    }
    derived_rows->found = row_of(derived);
    return &derived_rows->found;
}

const struct row *
derived_rows_base(struct derived_rows *derived_rows, enum table table,
                  const char *key)
{
    const struct derived_row *derived =
        derived_row_find(derived_rows, table, key, false);

    if (!derived || !derived->n_refs || !derived->content) {
        return NULL;
    }
    derived_rows->found = row_of(derived);
    return &derived_rows->found;
}

/* Notes that 'derived' may have changed beneath the user's row. */
static void
note_overridden(struct derived_rows *derived_rows, struct derived_row *derived)
{
    if (derived->table == TABLE_BUFFER_PROFILE && !derived->overridden) {
        derived->overridden = true;
        DL_APPEND2(derived_rows->overridden, derived, prev_overridden,
                   next_overridden);
    }
}

const char *
derived_rows_take_overridden(struct derived_rows *derived_rows)
{
    struct derived_row *derived = derived_rows->overridden;

    if (!derived) {
        return NULL;
    }
    derived->overridden = false;
    DL_DELETE2(derived_rows->overridden, derived, prev_overridden,
               next_overridden);
    return derived->key;
}

/* Fills 'derived_rows->row' from 'derived'. */
static const struct row *
make_row(struct derived_rows *derived_rows, struct derived_row *derived)
{
    struct key *key = &derived_rows->parsed;
    enum st st = key_parse(derived->table, derived->key, key, NULL);

    orch_assert(st == ST_OK); /* Its parts are names from the user's rows. */
    derived_rows->taken = derived;
    derived_rows->row = row_of(derived);
    derived_rows->row.ports = key->ports;
    derived_rows->row.n_ports = key->n_ports;
    derived_rows->row.first = key->first;
    derived_rows->row.last = key->last;
    return &derived_rows->row;
}

const struct row *
derived_rows_take(struct derived_rows *derived_rows)
{
    drop_taken(derived_rows);
    while (derived_rows->changed) {
        struct derived_row *derived = derived_rows->changed;
        bool wanted = derived->n_refs > 0 && !derived->user &&
                      (derived->content || derived->err);

        DL_DELETE(derived_rows->changed, derived);
        derived->changed = false;
        if (derived->user) {
            derived->reported = false; /* The user's row replaces this one. */
            note_overridden(derived_rows, derived);
        } else if (wanted != derived->reported || (wanted && derived->fresh)) {
            derived->reported = wanted;
            derived->fresh = false;
            return make_row(derived_rows, derived);
        }
        derived_rows->taken = derived;
        drop_taken(derived_rows);
    }
    return NULL;
}

const struct row *
derived_rows_get(struct derived_rows *derived_rows, enum table table,
                 const char *key)
{
    struct derived_row *derived =
        derived_row_find(derived_rows, table, key, false);

    if (!derived || !derived->reported) {
        return NULL;
    }
    derived_rows->found = row_of(derived);
    return &derived_rows->found;
}
