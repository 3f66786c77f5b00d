/* SPDX-License-Identifier: Apache-2.0 */

/* Copies rows to the databases, and remembers what they contain. */

#include <config.h>

#include "orchd/publish/buffer_tables.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/hash_index.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/intent/key.h"
#include "orchd/reconcile/listener.h"

/* The copies of a row. */
enum copy {
    COPY_IN_FORCE, /* APPL_DB. */
    COPY_APPLIED,  /* APPL_STATE_DB. */
    COPY_STATE,    /* STATE_DB. */
};

static const struct {
    enum database database;
    char separator;
} copies[] = {
    [COPY_IN_FORCE] = {APPL_DB, ':'},
    [COPY_APPLIED] = {APPL_STATE_DB, ':'},
    [COPY_STATE] = {STATE_DB, '|'},
};

enum { N_COPIES = sizeof copies / sizeof *copies };

/* The tables that are copied, and how many of the copies have them. */
static const struct {
    enum table table;
    int n_copies;
} written[] = {
    {TABLE_BUFFER_POOL, N_COPIES},
    {TABLE_BUFFER_PROFILE, N_COPIES},
    {TABLE_BUFFER_PG, COPY_IN_FORCE + 1},
    {TABLE_BUFFER_QUEUE, COPY_IN_FORCE + 1},
    {TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST, COPY_IN_FORCE + 1},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, COPY_IN_FORCE + 1},
};

enum { N_WRITTEN = sizeof written / sizeof *written };

/* A key that was written, and what; digests, for a switch has thousands of
 * keys. */
struct shown {
    uint64_t key;
    uint64_t names, values;
};

/* The context of the sweeps that remove keys of a previous run from one copy.
 */
struct sweep {
    struct buffer_tables *tables;
    enum copy copy;
};

struct buffer_tables {
    struct redis *redis;
    struct hash_index shown[N_COPIES]; /* By key. */
    struct sweep sweeps[N_COPIES];
    size_t n_sweeps; /* Not finished: the databases may have unknown keys. */
    struct text key; /* Scratch. */
};

struct buffer_tables *
buffer_tables_create(struct redis *redis)
{
    struct buffer_tables *tables = check_calloc(1, sizeof *tables);

    tables->redis = redis;
    for (int i = 0; i < N_COPIES; i++) {
        tables->sweeps[i] = (struct sweep){tables, (enum copy)i};
    }
    return tables;
}

static void
forget(struct buffer_tables *tables)
{
    for (int i = 0; i < N_COPIES; i++) {
        struct shown *shown;
        size_t place = 0;

        while ((shown = hash_index_next(&tables->shown[i], &place))) {
            free(shown);
        }
        hash_index_fini(&tables->shown[i]);
    }
}

void
buffer_tables_destroy(struct buffer_tables *tables)
{
    if (tables) {
        forget(tables);
        text_fini(&tables->key);
        free(tables);
    }
}

/* Returns how many of the copies have 'table'. */
static int
n_copies_of(enum table table)
{
    for (int i = 0; i < N_WRITTEN; i++) {
        if (written[i].table == table) {
            return written[i].n_copies;
        }
    }
    return 0;
}

/* A hash_index_equal_fn. */
static bool
has_key(const void *shown_, const void *key)
{
    const struct shown *shown = shown_;

    return shown->key == *(const uint64_t *)key;
}

static struct shown *
find(const struct buffer_tables *tables, enum copy copy, const char *key)
{
    const uint64_t digest = digest_text(DIGEST_START, key);

    return hash_index_find(&tables->shown[copy], hash_index_number(digest),
                           has_key, &digest);
}

/* Returns the key of a row in 'copy', with the separator of its database; valid
 * until the next call. */
static const char *
key_of(struct buffer_tables *tables, enum copy copy,
       const struct row_status *status)
{
    const char separator = copies[copy].separator;
    size_t start;

    text_clear(&tables->key);
    text_add(&tables->key, table_name(status->table));
    text_add(&tables->key, "_TABLE");
    text_add_char(&tables->key, separator);
    start = tables->key.length;
    text_add(&tables->key, status->key);
    key_separate(tables->key.bytes + start, separator);
    return text_string(&tables->key);
}

static void
remove_row(struct buffer_tables *tables, enum copy copy,
           const struct row_status *status)
{
    const char *key = key_of(tables, copy, status);
    struct shown *shown = find(tables, copy, key);

    if (shown) {
        redis_del(tables->redis, copies[copy].database, key);
        hash_index_remove(&tables->shown[copy], hash_index_number(shown->key),
                          shown);
        free(shown);
    }
}

/* Writes the 'n' fields unless the row has them already. */
static void
write_row(struct buffer_tables *tables, enum copy copy,
          const struct row_status *status, const struct field *fields, size_t n)
{
    static const struct field placeholder = {"NULL", "NULL"};
    const enum database database = copies[copy].database;
    const char *key = key_of(tables, copy, status);
    struct shown *shown = find(tables, copy, key);
    uint64_t names = DIGEST_START, values = DIGEST_START;
    bool replace = shown || tables->n_sweeps;

    for (size_t i = 0; i < n; i++) {
        names = digest_text(names, fields[i].name);
        values = digest_text(values, fields[i].value);
    }
    if (!shown) {
        shown = check_calloc(1, sizeof *shown);
        shown->key = digest_text(DIGEST_START, key);
        hash_index_add(&tables->shown[copy], hash_index_number(shown->key),
                       shown);
    } else if (shown->names == names) {
        if (shown->values == values) {
            return;
        }
        replace = false;
    }
    shown->names = names;
    shown->values = values;
    if (n == 0) { /* Redis has no hash without fields. */
        fields = &placeholder;
        n = 1;
    }
    if (replace) {
        redis_replace(tables->redis, database, key, fields, n);
    } else {
        redis_hset(tables->redis, database, key, fields, n);
    }
}

/* Writes a pool or profile that the ASIC has to APPL_STATE_DB if it has xoff;
 * of a pool, only xoff, because other programs wait for nothing else. */
static void
write_applied(struct buffer_tables *tables, const struct row_status *status)
{
    const struct field *xoff = NULL;

    for (size_t i = 0; i < status->n_accepted; i++) {
        if (!strcmp(status->accepted[i].name, "xoff")) {
            xoff = &status->accepted[i];
        }
    }
    if (!xoff) {
        remove_row(tables, COPY_APPLIED, status);
    } else if (status->table == TABLE_BUFFER_POOL) {
        write_row(tables, COPY_APPLIED, status, xoff, 1);
    } else {
        write_row(tables, COPY_APPLIED, status, status->accepted,
                  status->n_accepted);
    }
}

void
buffer_tables_row(struct buffer_tables *tables, const struct row_status *status)
{
    int n_copies = n_copies_of(status->table);

    if (n_copies == 0 || key_is_internal(status->key)) {
        return;
    }
    if (!status->accepted ||
        (n_copies == COPY_IN_FORCE + 1 && status->n_accepted == 0)) {
        remove_row(tables, COPY_IN_FORCE, status);
    } else if (!redis_buffers_pushed(tables->redis)) {
        write_row(tables, COPY_IN_FORCE, status, status->accepted,
                  status->n_accepted);
    }
    if (n_copies == N_COPIES && status->accepted) {
        write_applied(tables, status);
        write_row(tables, COPY_STATE, status, status->accepted,
                  status->n_accepted);
    }
}

void
buffer_tables_gone(struct buffer_tables *tables,
                   const struct row_status *status)
{
    for (int i = 0; i < n_copies_of(status->table); i++) {
        remove_row(tables, (enum copy)i, status);
    }
}

static bool
keep(void *sweep_, const char *key)
{
    const struct sweep *sweep = sweep_;

    return find(sweep->tables, sweep->copy, key);
}

static void
on_swept(void *sweep_)
{
    const struct sweep *sweep = sweep_;

    sweep->tables->n_sweeps--;
}

/* A sweep that a lost connection interrupts never ends and stays counted: new
 * keys are then replaced, which costs more but is always correct. */
void
buffer_tables_restart(struct buffer_tables *tables)
{
    forget(tables);
    for (int i = 0; i < N_WRITTEN; i++) {
        /* Other programs own the rows that they write to APPL_DB. */
        for (int j = redis_buffers_pushed(tables->redis) ? COPY_IN_FORCE + 1
                                                         : 0;
             j < written[i].n_copies; j++) {
            text_clear(&tables->key);
            text_addf(&tables->key, "%s_TABLE%c*", table_name(written[i].table),
                      copies[j].separator);
            tables->n_sweeps++;
            redis_sweep(tables->redis, copies[j].database,
                        text_string(&tables->key), keep, on_swept,
                        &tables->sweeps[j]);
        }
    }
}
