/* SPDX-License-Identifier: Apache-2.0 */

/* Rows of CONFIG_DB as text, to the part that judges them.
 *
 * A line with a '|' is the table and the key of a row, "-" before them removes
 * it; other lines are its fields, NAME=VALUE.  Every row gets a verdict, and a
 * rejection is explained.  What is accepted is accepted again as it is in
 * force, and stays the same. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/timeline.h"
#include "orchd/intent/intent.h"
#include "orchd/intent/key.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/modules.h"
#include "tests/fuzz/snapshot.h"

enum { MAX_FIELDS = 24, MAX_ROWS = 64 };

static struct {
    struct timeline *timeline;
    struct intent *intent[2]; /* The second is strict. */
    int64_t now;
} world;

/* A row as it was written; borrows the text. */
struct row_text {
    enum table table;
    const char *key;
    struct field fields[MAX_FIELDS];
    size_t n;
};

/* The derived row of each key: an intent_base_fn. */
static const struct row *
find_base(void *context, enum table table, const char *key)
{
    static const struct field fields[] = {
        {"dynamic_th", "1"}, {"pool", "p"}, {"size", "9"}};
    static struct row row;

    (void)context;
    if (table != TABLE_BUFFER_PROFILE || strncmp(key, "pg_", 3) != 0) {
        return NULL;
    }
    row = (struct row){.table = table,
                       .key = key,
                       .present = true,
                       .effective = true,
                       .fields = fields,
                       .n_fields = 3,
                       .verdict = ROW_ACCEPTED,
                       .warnings = "",
                       .generated = true};
    return &row;
}

static void
make(void)
{
    world.timeline = timeline_create();
    for (int i = 0; i < 2; i++) {
        world.intent[i] = intent_create(modules(), world.timeline, i);
        intent_set_base(world.intent[i], find_base, NULL);
    }
}

static void
end(void)
{
    intent_destroy(world.intent[0]);
    intent_destroy(world.intent[1]);
    timeline_destroy(world.timeline);
}

/* Lets all rows settle. */
static void
settle(struct intent *intent)
{
    world.now += INTENT_PATIENCE_NS + INTENT_QUIET_NS;
    timeline_run(world.timeline, world.now);
    while (intent_take(intent)) {
    }
}

/* Puts what is in force of a row once more. */
static void
put_again(struct intent *intent, const struct row *row)
{
    struct field *fields = check_calloc(row->n_fields + 1, sizeof *fields);
    char *key = check_strdup(row->key);
    const enum table table = row->table;
    const size_t n = row->n_fields;

    for (size_t i = 0; i < n; i++) {
        fields[i].name = check_strdup(row->fields[i].name);
        fields[i].value = check_strdup(row->fields[i].value);
    }
    intent_put(intent, table, key, fields, n, world.now);
    settle(intent);
    row = intent_get(intent, table, key);
    FUZZ_CHECK(row && row->verdict == ROW_ACCEPTED && row->n_fields == n);
    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(strcmp(row->fields[i].name, fields[i].name) == 0);
        FUZZ_CHECK(strcmp(row->fields[i].value, fields[i].value) == 0);
        free((char *)fields[i].name);
        free((char *)fields[i].value);
    }
    free(key);
    free(fields);
}

static void
check_row(struct intent *intent, const struct row_text *text)
{
    const struct row *row = intent_get(intent, text->table, text->key);

    FUZZ_CHECK(row && row->table == text->table && row->warnings);
    FUZZ_CHECK(strcmp(row->key, text->key) == 0);
    FUZZ_CHECK(row->verdict != ROW_UNDECIDED && row->verdict != ROW_WITHHELD);
    if (row->verdict != ROW_ACCEPTED) {
        FUZZ_CHECK(row->err && row->err->code[0] && row->err->reason[0]);
        return;
    }
    FUZZ_CHECK(row->effective && row->present);
    for (size_t i = 0; i + 1 < row->n_fields; i++) {
        FUZZ_CHECK(strcmp(row->fields[i].name, row->fields[i + 1].name) < 0);
    }
    if (row->n_fields && !row->partial) {
        put_again(intent, row);
    }
}

static void
put(const struct row_text *text, bool remove)
{
    for (int i = 0; i < 2; i++) {
        struct intent *intent = world.intent[i];

        if (remove) {
            intent_remove(intent, text->table, text->key, world.now);
            settle(intent);
            FUZZ_CHECK(!intent_get(intent, text->table, text->key) ||
                       !intent_get(intent, text->table, text->key)->present);
        } else if (text->n) {
            intent_put(intent, text->table, text->key, text->fields, text->n,
                       world.now);
            settle(intent);
            check_row(intent, text);
        }
    }
}

/* As in Redis, a row has one field of a name. */
static void
set_field(struct row_text *text, const char *name, const char *value)
{
    size_t i = 0;

    while (i < text->n && strcmp(text->fields[i].name, name) != 0) {
        i++;
    }
    if (i < MAX_FIELDS) {
        text->fields[i] = (struct field){name, value};
        text->n += i == text->n;
    }
}

static void
run(const uint8_t *data, size_t size)
{
    char *copy = bytes_text(data, size), *save = NULL;
    struct row_text text = {.n = 0};
    bool has_row = false, remove = false;
    int n_rows = 0;

    for (char *line = strtok_r(copy, "\n", &save); line && n_rows < MAX_ROWS;
         line = strtok_r(NULL, "\n", &save)) {
        char *bar = strchr(line, '|'), *equals = strchr(line, '=');
        const bool minus = line[0] == '-';

        if (bar && (!equals || bar < equals)) {
            if (has_row) {
                put(&text, remove);
                n_rows++;
            }
            text.n = 0;
            text.key = bar + 1;
            remove = minus;
            has_row = table_find(line + minus, (size_t)(bar - line - minus),
                                 &text.table);
        } else if (equals) {
            *equals = '\0';
            set_field(&text, line, equals + 1);
        }
    }
    if (has_row) {
        put(&text, remove);
    }
    free(copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct snapshot_job job = {
        .make = make,
        .run = run,
        .leave = modules_forget,
        .end = end,
        .variables = {{&world, sizeof world}}};

    (void)modules();
    snapshot_run(&job, data, size);
    return 0;
}
