/* SPDX-License-Identifier: Apache-2.0 */

/* Which rows are written where, and what is there by now. */

#include <config.h>

#include "orchd/publish/buffer_tables.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/intent/key.h"
#include "orchd/reconcile/listener.h"

/* Where something is written. */
enum place {
    PLACE_INTENT,  /* APPL_DB. */
    PLACE_APPLIED, /* APPL_STATE_DB. */
    PLACE_SHOWN,   /* STATE_DB. */
};

static const struct {
    enum database database;
    char separator;
} places[] = {
    [PLACE_INTENT] = {APPL_DB, ':'},
    [PLACE_APPLIED] = {APPL_STATE_DB, ':'},
    [PLACE_SHOWN] = {STATE_DB, '|'},
};

enum { N_PLACES = sizeof places / sizeof *places };

/* The tables that are written, and how many of the places have them. */
static const struct {
    enum table table;
    int n_places;
} written[] = {
    {TABLE_BUFFER_POOL, N_PLACES},
    {TABLE_BUFFER_PROFILE, N_PLACES},
    {TABLE_BUFFER_PG, PLACE_INTENT + 1},
    {TABLE_BUFFER_QUEUE, PLACE_INTENT + 1},
    {TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST, PLACE_INTENT + 1},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, PLACE_INTENT + 1},
};

enum { N_WRITTEN = sizeof written / sizeof *written };

/* A key that is there. */
struct shown {
    uint64_t names, values;
    UT_hash_handle hh;
    char key[]; /* Of the hash. */
};

/* Keys of one table in one place, while those of an earlier run are looked
 * for. */
struct sweep {
    struct buffer_tables *tables;
    enum place place;
};

struct buffer_tables {
    struct redis *redis;
    struct shown *shown[N_PLACES];
    struct sweep sweeps[N_PLACES];
    size_t n_sweeps; /* Not finished: unknown keys may be there. */
    struct text key; /* Scratch. */
};

struct buffer_tables *
buffer_tables_create(struct redis *redis)
{
    struct buffer_tables *tables = check_calloc(1, sizeof *tables);

    tables->redis = redis;
    for (int i = 0; i < N_PLACES; i++) {
        tables->sweeps[i] = (struct sweep){tables, (enum place)i};
    }
    return tables;
}

static void
forget(struct buffer_tables *tables)
{
    struct shown *shown, *next;

    for (int i = 0; i < N_PLACES; i++) {
        HASH_ITER(hh, tables->shown[i], shown, next)
        {
            HASH_DEL(tables->shown[i], shown);
            free(shown);
        }
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

/* Returns how many of the places have 'table'. */
static int
places_of(enum table table)
{
    for (int i = 0; i < N_WRITTEN; i++) {
        if (written[i].table == table) {
            return written[i].n_places;
        }
    }
    return 0;
}

static struct shown *
find(const struct buffer_tables *tables, enum place place, const char *key)
{
    struct shown *shown;

    HASH_FIND_STR(tables->shown[place], key, shown);
    return shown;
}

/* Returns the key of a row in 'place'; valid until the next call.  Between the
 * parts of a key, each database has its own separator. */
static const char *
key_of(struct buffer_tables *tables, enum place place,
       const struct row_status *status)
{
    const char separator = places[place].separator;

    text_clear(&tables->key);
    text_add(&tables->key, table_name(status->table));
    text_add(&tables->key, "_TABLE");
    text_add_char(&tables->key, separator);
    for (const char *c = status->key; *c; c++) {
        text_add_char(&tables->key, *c == '|' ? separator : *c);
    }
    return text_string(&tables->key);
}

static void
take_away(struct buffer_tables *tables, enum place place,
          const struct row_status *status)
{
    const char *key = key_of(tables, place, status);
    struct shown *shown = find(tables, place, key);

    if (shown) {
        redis_del(tables->redis, places[place].database, key);
        HASH_DEL(tables->shown[place], shown);
        free(shown);
    }
}

/* Writes the 'n' fields, unless they are there. */
static void
write_row(struct buffer_tables *tables, enum place place,
          const struct row_status *status, const struct field *fields, size_t n)
{
    static const struct field placeholder = {"NULL", "NULL"};
    const enum database database = places[place].database;
    const char *key = key_of(tables, place, status);
    struct shown *shown = find(tables, place, key);
    uint64_t names = DIGEST_START, values = DIGEST_START;
    bool replace = shown || tables->n_sweeps;

    for (size_t i = 0; i < n; i++) {
        names = digest_text(names, fields[i].name);
        values = digest_text(values, fields[i].value);
    }
    if (!shown) {
        shown = check_calloc(1, sizeof *shown + tables->key.length + 1);
        memcpy(shown->key, key, tables->key.length);
        HASH_ADD_KEYPTR(hh, tables->shown[place], shown->key,
                        tables->key.length, shown);
    } else if (shown->names == names) {
        if (shown->values == values) {
            return;
        }
        replace = false;
    }
    shown->names = names;
    shown->values = values;
    if (n == 0) { /* A hash without fields is none. */
        fields = &placeholder;
        n = 1;
    }
    if (replace) {
        redis_replace(tables->redis, database, key, fields, n);
    } else {
        redis_hset(tables->redis, database, key, fields, n);
    }
}

/* Writes what of an applied pool or profile is echoed: xoff, which is all that
 * others wait for of a pool. */
static void
write_applied(struct buffer_tables *tables, const struct row_status *status)
{
    const struct field *xoff = NULL;

    for (size_t i = 0; i < status->n_fields; i++) {
        if (!strcmp(status->fields[i].name, "xoff")) {
            xoff = &status->fields[i];
        }
    }
    if (!xoff) {
        take_away(tables, PLACE_APPLIED, status);
    } else if (status->table == TABLE_BUFFER_POOL) {
        write_row(tables, PLACE_APPLIED, status, xoff, 1);
    } else {
        write_row(tables, PLACE_APPLIED, status, status->fields,
                  status->n_fields);
    }
}

void
buffer_tables_row(struct buffer_tables *tables, const struct row_status *status)
{
    int n_places = places_of(status->table);

    if (n_places == 0 || !status->fields || key_is_internal(status->key)) {
        return;
    }
    if (n_places == PLACE_INTENT + 1 && status->n_fields == 0) {
        take_away(tables, PLACE_INTENT, status);
    } else if (!redis_buffers_pushed(tables->redis)) {
        write_row(tables, PLACE_INTENT, status, status->fields,
                  status->n_fields);
    }
    if (n_places == N_PLACES && status->state == ROW_STATE_APPLIED) {
        write_applied(tables, status);
        write_row(tables, PLACE_SHOWN, status, status->fields,
                  status->n_fields);
    }
}

void
buffer_tables_gone(struct buffer_tables *tables,
                   const struct row_status *status)
{
    for (int i = 0; i < places_of(status->table); i++) {
        take_away(tables, (enum place)i, status);
    }
}

static bool
keep(void *sweep_, const char *key)
{
    const struct sweep *sweep = sweep_;

    return find(sweep->tables, sweep->place, key);
}

static void
on_swept(void *sweep_)
{
    const struct sweep *sweep = sweep_;

    sweep->tables->n_sweeps--;
}

/* A sweep that a lost connection cut short never ends, so it is counted for
 * ever: what is new is then written with more care than it takes. */
void
buffer_tables_restart(struct buffer_tables *tables)
{
    forget(tables);
    for (int i = 0; i < N_WRITTEN; i++) {
        /* What others push is theirs. */
        for (int j = redis_buffers_pushed(tables->redis) ? PLACE_INTENT + 1 : 0;
             j < written[i].n_places; j++) {
            text_clear(&tables->key);
            text_addf(&tables->key, "%s_TABLE%c*", table_name(written[i].table),
                      places[j].separator);
            tables->n_sweeps++;
            redis_sweep(tables->redis, places[j].database,
                        text_string(&tables->key), keep, on_swept,
                        &tables->sweeps[j]);
        }
    }
}
