/* SPDX-License-Identifier: Apache-2.0 */

/* A hash of rows, and a list of those that changed. */

#include <config.h>

#include "orchd/derive/derived_rows.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>
#include <utlist.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"

struct derived_rows {
    char *id; /* "TABLE|key"; owned, and the memory of 'key'. */
    const char *key;
    enum table table;
    size_t n_refs;
    bool user; /* The user has a row of that key. */

    /* What it is: a content, an error, or both if it keeps its content because
     * of the error; both NULL: not said yet. */
    struct content *content;
    struct err *err;

    bool fresh; /* That changed since it was taken. */

    bool told; /* It was taken, and was present then. */
    bool news; /* In the list of changed ones. */
    struct derived_rows *prev, *next;
    UT_hash_handle hh;
};

struct outcomes {
    struct derived_rows *all;
    struct derived_rows *changed;
    struct derived_rows *taken; /* Behind 'row'. */
    struct row row;
    struct key parsed;
    struct row found;
};

struct outcomes *
outcomes_create(void)
{
    return check_calloc(1, sizeof(struct outcomes));
}

static void
derived_rows_free(struct outcomes *outcomes, struct derived_rows *outcome)
{
    HASH_DEL(outcomes->all, outcome);
    content_unref(outcome->content);
    free(outcome->err);
    free(outcome->id);
    free(outcome);
}

/* Forgets what was taken last, and the row itself if nobody knows it. */
static void
drop_taken(struct outcomes *outcomes)
{
    struct derived_rows *outcome = outcomes->taken;

    key_fini(&outcomes->parsed);
    outcomes->taken = NULL;
    if (outcome && !outcome->n_refs && !outcome->user && !outcome->told &&
        !outcome->news) {
        derived_rows_free(outcomes, outcome);
    }
}

void
outcomes_destroy(struct outcomes *outcomes)
{
    struct derived_rows *outcome, *next;

    if (!outcomes) {
        return;
    }
    drop_taken(outcomes);
    HASH_ITER(hh, outcomes->all, outcome, next)
    {
        derived_rows_free(outcomes, outcome);
    }
    free(outcomes);
}

static struct derived_rows *
derived_rows_find(struct outcomes *outcomes, enum table table, const char *key,
                  bool make)
{
    struct text id = {0};
    struct derived_rows *outcome;

    table_add_row(&id, table, key);
    HASH_FIND(hh, outcomes->all, id.bytes, id.length, outcome);
    if (!outcome && make) {
        outcome = check_calloc(1, sizeof *outcome);
        outcome->id = text_take(&id);
        outcome->key = outcome->id + strlen(table_name(table)) + 1;
        outcome->table = table;
        HASH_ADD_KEYPTR(hh, outcomes->all, outcome->id, strlen(outcome->id),
                        outcome);
    }
    text_fini(&id);
    return outcome;
}

static void
mark(struct outcomes *outcomes, struct derived_rows *outcome)
{
    if (!outcome->news) {
        outcome->news = true;
        DL_APPEND(outcomes->changed, outcome);
    }
}

struct derived_rows *
derived_rows_ref(struct outcomes *outcomes, enum table table, const char *key)
{
    struct derived_rows *outcome =
        derived_rows_find(outcomes, table, key, true);

    outcome->n_refs++;
    mark(outcomes, outcome);
    return outcome;
}

void
derived_rows_unref(struct outcomes *outcomes, struct derived_rows *outcome)
{
    orch_assert(outcome->n_refs > 0);
    outcome->n_refs--;
    mark(outcomes, outcome);
}

void
derived_rows_set(struct outcomes *outcomes, struct derived_rows *outcome,
                 const struct field *fields, size_t n)
{
    struct content *content = content_create(fields, n);

    if (outcome->content && !outcome->err &&
        content_equal(outcome->content, content)) {
        content_unref(content);
        return;
    }
    content_unref(outcome->content);
    outcome->content = content;
    free(outcome->err);
    outcome->err = NULL;
    outcome->fresh = true;
    mark(outcomes, outcome);
}

static void
set_err(struct outcomes *outcomes, struct derived_rows *outcome,
        const struct err *err)
{
    free(outcome->err);
    outcome->err = check_malloc(sizeof *err);
    *outcome->err = *err;
    outcome->fresh = true;
    mark(outcomes, outcome);
}

void
derived_rows_refuse(struct outcomes *outcomes, struct derived_rows *outcome,
                    const struct err *err)
{
    if (outcome->err && !outcome->content &&
        !strcmp(outcome->err->reason, err->reason)) {
        return;
    }
    content_unref(outcome->content);
    outcome->content = NULL;
    set_err(outcomes, outcome, err);
}

void
derived_rows_hold(struct outcomes *outcomes, struct derived_rows *outcome,
                  const struct err *err)
{
    if (!outcome->err || strcmp(outcome->err->reason, err->reason) != 0) {
        set_err(outcomes, outcome, err);
    }
}

void
outcomes_set_user(struct outcomes *outcomes, enum table table, const char *key,
                  bool present)
{
    struct derived_rows *outcome =
        derived_rows_find(outcomes, table, key, present);

    if (outcome && outcome->user != present) {
        outcome->user = present;
        mark(outcomes, outcome);
    }
}

static struct row
row_of(const struct derived_rows *outcome)
{
    const struct content *content = outcome->content;

    return (struct row){
        .table = outcome->table,
        .key = outcome->key,
        .present = outcome->told,
        .effective = outcome->told && content,
        .fields = content ? content->fields : NULL,
        .n_fields = content ? content->n : 0,
        .content = outcome->content,
        .verdict = outcome->err ? ROW_WITHHELD : ROW_ACCEPTED,
        .err = outcome->err,
        .warnings = "",
        .generated = true,
    };
}

const struct row *
outcomes_wanted(struct outcomes *outcomes, enum table table, const char *key)
{
    const struct derived_rows *outcome =
        derived_rows_find(outcomes, table, key, false);

    if (!outcome || !outcome->n_refs || !outcome->content || outcome->err) {
        return NULL;
    }
    outcomes->found = row_of(outcome);
    return &outcomes->found;
}

/* Makes 'outcomes->row' of 'outcome'. */
static const struct row *
make_row(struct outcomes *outcomes, struct derived_rows *outcome)
{
    struct key *key = &outcomes->parsed;
    enum st st = key_parse(outcome->table, outcome->key, key, NULL);

    orch_assert(st == ST_OK); /* Its parts are names of the user's rows. */
    outcomes->taken = outcome;
    outcomes->row = row_of(outcome);
    outcomes->row.ports = key->ports;
    outcomes->row.n_ports = key->n_ports;
    outcomes->row.first = key->first;
    outcomes->row.last = key->last;
    return &outcomes->row;
}

const struct row *
outcomes_take(struct outcomes *outcomes)
{
    drop_taken(outcomes);
    while (outcomes->changed) {
        struct derived_rows *outcome = outcomes->changed;
        bool wanted = outcome->n_refs > 0 && !outcome->user &&
                      (outcome->content || outcome->err);

        DL_DELETE(outcomes->changed, outcome);
        outcome->news = false;
        if (outcome->user) {
            outcome->told = false; /* His row took the place of this one. */
        } else if (wanted != outcome->told || (wanted && outcome->fresh)) {
            outcome->told = wanted;
            outcome->fresh = false;
            return make_row(outcomes, outcome);
        }
        outcomes->taken = outcome;
        drop_taken(outcomes);
    }
    return NULL;
}

const struct row *
outcomes_get(struct outcomes *outcomes, enum table table, const char *key)
{
    struct derived_rows *outcome =
        derived_rows_find(outcomes, table, key, false);

    if (!outcome || !outcome->told) {
        return NULL;
    }
    outcomes->found = row_of(outcome);
    return &outcomes->found;
}
