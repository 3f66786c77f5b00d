/* SPDX-License-Identifier: Apache-2.0 */

/* Remembers what is wanted and what is published, and writes the difference. */

#include <config.h>

#include "orchd/orchagent/appl_tables.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"
#include "orchd/orchagent/key_reading.h"

#define MAX_FIELDS 12

/* The order of the steps of a turn. */
enum phase {
    PHASE_UNBIND,
    PHASE_PROFILE_SHRINK,
    PHASE_POOL_GROW,
    PHASE_PROFILE_NEW,
    PHASE_BIND,
    PHASE_PROFILE_GROW,
    PHASE_POOL_SHRINK,
    PHASE_PROFILE_REMOVE,
    PHASE_POOL_REMOVE,
};

static const char *const pool_fields[] = {"type", "mode", "size", "xoff", NULL};
static const char *const profile_fields[] = {
    "pool", "size",       "dynamic_th", "static_th",
    "xon",  "xon_offset", "xoff",       "packet_discard_action",
    NULL};
static const char *const binding_fields[] = {"profile", NULL};
static const char *const list_fields[] = {"profile_list", NULL};

/* The tables, and the fields that orchagent reads. */
static const struct {
    enum table table;
    const char *name;
    const char *const *fields;
} tables_here[] = {
    {TABLE_BUFFER_POOL, "BUFFER_POOL_TABLE", pool_fields},
    {TABLE_BUFFER_PROFILE, "BUFFER_PROFILE_TABLE", profile_fields},
    {TABLE_BUFFER_PG, "BUFFER_PG_TABLE", binding_fields},
    {TABLE_BUFFER_QUEUE, "BUFFER_QUEUE_TABLE", binding_fields},
    {TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST,
     "BUFFER_PORT_INGRESS_PROFILE_LIST_TABLE", list_fields},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST,
     "BUFFER_PORT_EGRESS_PROFILE_LIST_TABLE", list_fields},
};

enum { N_HERE = sizeof tables_here / sizeof *tables_here };

/* The rows that orchagent has taken; and those that are pending. */
static const struct redis_keys keys_taken[] = {
    {APPL_DB, "BUFFER_POOL_TABLE:*"},
    {APPL_DB, "BUFFER_PROFILE_TABLE:*"},
    {APPL_DB, "BUFFER_PG_TABLE:*"},
    {APPL_DB, "BUFFER_QUEUE_TABLE:*"},
    {APPL_DB, "BUFFER_PORT_INGRESS_PROFILE_LIST_TABLE:*"},
    {APPL_DB, "BUFFER_PORT_EGRESS_PROFILE_LIST_TABLE:*"},
    {APPL_DB, NULL},
};
static const struct redis_keys keys_pending[] = {
    {APPL_DB, "_BUFFER_POOL_TABLE:*"},
    {APPL_DB, "_BUFFER_PROFILE_TABLE:*"},
    {APPL_DB, "_BUFFER_PG_TABLE:*"},
    {APPL_DB, "_BUFFER_QUEUE_TABLE:*"},
    {APPL_DB, "_BUFFER_PORT_INGRESS_PROFILE_LIST_TABLE:*"},
    {APPL_DB, "_BUFFER_PORT_EGRESS_PROFILE_LIST_TABLE:*"},
    {APPL_DB, NULL},
};

/* Fields that have to be reset explicitly: orchagent leaves the attribute of
 * one that disappears alone. */
static const struct {
    enum table table;
    const char *field;
} reset[] = {
    {TABLE_BUFFER_POOL, "xoff"},
    {TABLE_BUFFER_PROFILE, "xoff"},
    {TABLE_BUFFER_PROFILE, "xon"},
    {TABLE_BUFFER_PROFILE, "xon_offset"},
};

enum { N_RESET = sizeof reset / sizeof *reset };

/* One row of a table. */
struct appl_row {
    int table;                 /* Its index in 'tables_here'. */
    char *key;                 /* As in APPL_DB: "Ethernet0:3-4". */
    struct content *wanted;    /* NULL: it is to be removed. */
    struct content *published; /* NULL: it is not there, as far as known. */
    struct content *pending;   /* Valid only while reading. */
    bool clearing;             /* It is in the DEL_SET; likewise. */
    bool dirty;                /* In the list of rows to compare. */
    bool repeat;
    bool had[N_RESET]; /* It has said these, or orchagent has kept them. */
    enum phase phase;  /* Of the step that is about to be written. */
};

struct appl_tables {
    struct redis *redis;
    struct hash_index rows; /* By table and key. */
    struct appl_row **dirty;
    size_t n_dirty, size;
    struct key_reading *pending, *taken;
    bool known;         /* What is published. */
    bool pending_known; /* What is pending, while reading. */
    size_t n_pending;   /* Rows that were pending when it was read. */
    struct text scratch;
};

static const struct key_reading_ops pending_ops, taken_ops;

struct appl_tables *
appl_tables_create(struct redis *redis)
{
    struct appl_tables *tables = check_calloc(1, sizeof *tables);

    tables->redis = redis;
    tables->pending =
        key_reading_create(redis, keys_pending, &pending_ops, tables);
    tables->taken = key_reading_create(redis, keys_taken, &taken_ops, tables);
    return tables;
}

void
appl_tables_destroy(struct appl_tables *tables)
{
    struct appl_row *row;
    size_t place = 0;

    if (!tables) {
        return;
    }
    while ((row = hash_index_next(&tables->rows, &place))) {
        content_unref(row->wanted);
        content_unref(row->published);
        content_unref(row->pending);
        free(row->key);
        free(row);
    }
    hash_index_fini(&tables->rows);
    key_reading_destroy(tables->pending);
    key_reading_destroy(tables->taken);
    free(tables->dirty);
    text_fini(&tables->scratch);
    free(tables);
}

static int
find_table(enum table table)
{
    for (int i = 0; i < N_HERE; i++) {
        if (tables_here[i].table == table) {
            return i;
        }
    }
    return -1;
}

bool
appl_tables_has(enum table table)
{
    return find_table(table) >= 0;
}

/* The key of a row. */
struct row_name {
    int table;
    const char *key;
};

/* A hash_index_equal_fn. */
static bool
row_has_name(const void *row_, const void *name_)
{
    const struct appl_row *row = row_;
    const struct row_name *name = name_;

    return row->table == name->table && !strcmp(row->key, name->key);
}

static uint32_t
hash_of(const struct row_name *name)
{
    return hash_index_number((uint64_t)hash_index_text(name->key) << 8 |
                             (uint64_t)name->table);
}

/* Finds a row by its key in APPL_DB, creating it if needed. */
static struct appl_row *
make_row(struct appl_tables *tables, int table, const char *key)
{
    const struct row_name name = {table, key};
    struct appl_row *row =
        hash_index_find(&tables->rows, hash_of(&name), row_has_name, &name);

    if (!row) {
        row = check_calloc(1, sizeof *row);
        row->table = table;
        row->key = check_strdup(key);
        hash_index_add(&tables->rows, hash_of(&name), row);
    }
    return row;
}

/* Returns the key in APPL_DB of a row of CONFIG_DB; valid until the next
 * call. */
static const char *
appl_key(struct appl_tables *tables, const char *key)
{
    text_clear(&tables->scratch);
    text_add(&tables->scratch, key);
    if (tables->scratch.length) {
        key_separate(tables->scratch.bytes, ':');
    }
    return text_string(&tables->scratch);
}

static void
mark(struct appl_tables *tables, struct appl_row *row)
{
    if (row->dirty) {
        return;
    }
    if (tables->n_dirty == tables->size) {
        tables->size = tables->size * 2 + 64;
        tables->dirty =
            check_realloc(tables->dirty, tables->size * sizeof *tables->dirty);
    }
    tables->dirty[tables->n_dirty++] = row;
    row->dirty = true;
}

/* Returns whether the list 'names' has 'name'. */
static bool
lists(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0) {
        names++;
    }
    return *names != NULL;
}

/* Returns those of 'fields' that orchagent reads; NULL if there are none. */
static struct content *
select_fields(int table, const struct field *fields, size_t n)
{
    struct field selected[MAX_FIELDS];
    size_t n_selected = 0;

    for (size_t i = 0; i < n && n_selected < MAX_FIELDS; i++) {
        if (lists(tables_here[table].fields, fields[i].name)) {
            selected[n_selected++] = fields[i];
        }
    }
    return n_selected ? content_create(selected, n_selected) : NULL;
}

void
appl_tables_put(struct appl_tables *tables, enum table table, const char *key,
                const struct field *fields, size_t n)
{
    const int here = find_table(table);
    struct appl_row *row;

    if (here < 0 || key_is_internal(key)) {
        return;
    }
    row = make_row(tables, here, appl_key(tables, key));
    content_unref(row->wanted);
    row->wanted = select_fields(here, fields, n);
    mark(tables, row);
}

void
appl_tables_repeat(struct appl_tables *tables, enum table table,
                   const char *key)
{
    const int here = find_table(table);

    if (here >= 0 && !key_is_internal(key)) {
        struct appl_row *row = make_row(tables, here, appl_key(tables, key));

        row->repeat = true;
        mark(tables, row);
    }
}

void
appl_tables_reset(struct appl_tables *tables, enum table table, const char *key,
                  appl_tables_kept_fn *kept, void *context)
{
    const int here = find_table(table);
    struct appl_row *row;

    if (here < 0 || key_is_internal(key)) {
        return;
    }
    row = make_row(tables, here, appl_key(tables, key));
    for (size_t i = 0; i < N_RESET; i++) {
        row->had[i] |= reset[i].table == table &&
                       kept(context, table, key, reset[i].field);
    }
    mark(tables, row);
}

/* --- Reading ------------------------------------------------------------ */

/* Returns the row with this key, which may begin with "_", creating it if
 * needed; NULL: it is of no table here. */
static struct appl_row *
row_of_key(struct appl_tables *tables, const char *key)
{
    const char *separator = strchr(key, ':');

    key += *key == '_';
    for (int i = 0; separator && i < N_HERE; i++) {
        const size_t length = strlen(tables_here[i].name);

        if ((size_t)(separator - key) == length &&
            !strncmp(key, tables_here[i].name, length)) {
            return make_row(tables, i, separator + 1);
        }
    }
    return NULL;
}

/* Implements redis_members_fn for a DEL_SET. */
static void
on_clearing(void *tables_, const char *key, const char *const *members,
            size_t n)
{
    struct appl_tables *tables = tables_;
    const size_t length = strlen(key) - strlen("_DEL_SET");

    for (int i = 0; i < N_HERE; i++) {
        if (strlen(tables_here[i].name) == length &&
            !strncmp(key, tables_here[i].name, length)) {
            for (size_t k = 0; k < n; k++) {
                make_row(tables, i, members[k])->clearing = true;
            }
        }
    }
}

/* Implements redis_fetch_fn for what is pending for a row. */
static void
on_pending(void *tables_, const char *key, const struct field *fields, size_t n)
{
    struct appl_row *row = row_of_key(tables_, key);

    if (row) {
        content_unref(row->pending);
        row->pending = n ? content_create(fields, n) : NULL;
    }
}

/* A reading begins: forgets what earlier ones have found. */
static void
on_pending_began(void *tables_)
{
    struct appl_tables *tables = tables_;
    struct appl_row *row;
    size_t place = 0;

    while ((row = hash_index_next(&tables->rows, &place))) {
        content_unref(row->pending);
        row->pending = NULL;
        row->clearing = false;
    }
    for (int i = 0; i < N_HERE; i++) {
        char key[64];

        text_format(key, sizeof key, "%s_DEL_SET", tables_here[i].name);
        redis_members(tables->redis, APPL_DB, key, on_clearing, tables);
    }
}

/* What is pending was read before the rows themselves are, so nothing is missed
 * that orchagent takes in between. */
static void
on_pending_ended(void *tables_)
{
    struct appl_tables *tables = tables_;

    tables->pending_known = true;
    key_reading_start(tables->taken);
}

static void
on_taken_began(void *tables_)
{
    struct appl_tables *tables = tables_;
    struct appl_row *row;
    size_t place = 0;

    while ((row = hash_index_next(&tables->rows, &place))) {
        content_unref(row->published);
        row->published = NULL;
    }
}

/* Implements redis_fetch_fn for a row that orchagent has taken. */
static void
on_taken(void *tables_, const char *key, const struct field *fields, size_t n)
{
    struct appl_row *row = row_of_key(tables_, key);

    if (row) {
        content_unref(row->published);
        row->published = n ? content_create(fields, n) : NULL;
    }
}

/* Returns what a row says once orchagent has taken what is pending for it. */
static struct content *
merge(const struct appl_row *row)
{
    const struct content *old = row->clearing ? NULL : row->published;
    const struct content *new = row->pending;
    const size_t n_old = old ? old->n : 0, n_new = new ? new->n : 0;
    struct field *fields = check_calloc(n_old + n_new + 1, sizeof *fields);
    struct content *merged;
    size_t n = 0;

    for (size_t i = 0; i < n_old; i++) {
        if (!new || !content_find(new->fields, n_new, old->fields[i].name)) {
            fields[n++] = old->fields[i];
        }
    }
    for (size_t i = 0; i < n_new; i++) {
        fields[n++] = new->fields[i];
    }
    merged = n ? content_create(fields, n) : NULL;
    free(fields);
    return merged;
}

static void
on_taken_ended(void *tables_)
{
    struct appl_tables *tables = tables_;
    struct appl_row *row;
    size_t place = 0;

    if (!tables->pending_known) {
        return; /* An older reading; the next one has begun. */
    }
    tables->n_pending = 0;
    while ((row = hash_index_next(&tables->rows, &place))) {
        if (row->pending || row->clearing) {
            struct content *merged = merge(row);

            tables->n_pending++;
            content_unref(row->published);
            content_unref(row->pending);
            row->published = merged;
            row->pending = NULL;
            row->clearing = false;
        }
        mark(tables, row);
    }
    tables->known = true;
}

static const struct key_reading_ops pending_ops = {
    .began = on_pending_began,
    .fetched = on_pending,
    .ended = on_pending_ended,
};
static const struct key_reading_ops taken_ops = {
    .began = on_taken_began,
    .fetched = on_taken,
    .ended = on_taken_ended,
};

void
appl_tables_restart(struct appl_tables *tables)
{
    tables->known = tables->pending_known = false;
    key_reading_start(tables->pending);
}

bool
appl_tables_known(const struct appl_tables *tables, size_t *n_pending)
{
    *n_pending = tables->n_pending;
    return tables->known;
}

/* --- Writing ------------------------------------------------------------ */

/* Returns the bytes that a pool or profile takes, as its fields say. */
static uint64_t
bytes_of(const struct content *content)
{
    static const char *const names[] = {"size", "xoff"};
    uint64_t total = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = content_find(content->fields, content->n, names[i]);
        uint64_t bytes;

        if (text && !parse_u64(text, 0, UINT32_MAX, &bytes)) {
            total += bytes;
        }
    }
    return total;
}

/* Returns when the step of 'row' is to be made. */
static enum phase
phase_of(const struct appl_row *row)
{
    const enum table table = tables_here[row->table].table;
    const bool shrinks = row->wanted && row->published &&
                         bytes_of(row->wanted) < bytes_of(row->published);

    switch (table) {
    case TABLE_BUFFER_POOL:
        return !row->wanted ? PHASE_POOL_REMOVE
               : shrinks    ? PHASE_POOL_SHRINK
                            : PHASE_POOL_GROW;
    case TABLE_BUFFER_PROFILE:
        return !row->wanted      ? PHASE_PROFILE_REMOVE
               : shrinks         ? PHASE_PROFILE_SHRINK
               : !row->published ? PHASE_PROFILE_NEW
                                 : PHASE_PROFILE_GROW;
    default:
        return row->wanted ? PHASE_BIND : PHASE_UNBIND;
    }
}

static int
compare_rows(const void *a_, const void *b_)
{
    const struct appl_row *a = *(const struct appl_row *const *)a_;
    const struct appl_row *b = *(const struct appl_row *const *)b_;

    if (a->phase != b->phase) {
        return a->phase < b->phase ? -1 : 1;
    }
    if (a->table != b->table) {
        return a->table < b->table ? -1 : 1;
    }
    return strcmp(a->key, b->key);
}

/* Notes which of the fields that have to be reset a row says. */
static void
note_fields(struct appl_row *row, const struct content *content)
{
    for (size_t i = 0; content && i < N_RESET; i++) {
        row->had[i] |=
            content_find(content->fields, content->n, reset[i].field) != NULL;
    }
}

/* Returns what the row is to say: what it wants, and the defaults of fields
 * that it had. */
static struct content *
complete_content(const struct appl_row *row)
{
    struct field fields[MAX_FIELDS + N_RESET];
    size_t n = row->wanted->n;

    memcpy(fields, row->wanted->fields, n * sizeof *fields);
    for (size_t i = 0; i < N_RESET; i++) {
        if (row->had[i] && reset[i].table == tables_here[row->table].table &&
            !content_find(row->wanted->fields, row->wanted->n,
                          reset[i].field)) {
            fields[n++] = (struct field){reset[i].field, "0"};
        }
    }
    return content_create(fields, n);
}

/* Writes one row: 'content', or (NULL) its removal. */
static void
write_row(struct appl_tables *tables, struct appl_row *row,
          struct content *content)
{
    const char *name = tables_here[row->table].name;
    const bool clear = !content || (row->published &&
                                    !content_covers(content, row->published));
    char set[64];

    redis_begin(tables->redis, APPL_DB);
    text_format(set, sizeof set, "%s_KEY_SET", name);
    redis_sadd(tables->redis, APPL_DB, set, row->key);
    text_clear(&tables->scratch);
    text_addf(&tables->scratch, "_%s:%s", name, row->key);
    if (clear) {
        text_format(set, sizeof set, "%s_DEL_SET", name);
        redis_sadd(tables->redis, APPL_DB, set, row->key);
        redis_del(tables->redis, APPL_DB, text_string(&tables->scratch));
    }
    if (content) {
        redis_hset(tables->redis, APPL_DB, text_string(&tables->scratch),
                   content->fields, content->n);
    }
    redis_wake(tables->redis, APPL_DB, name);
    redis_commit(tables->redis);
}

/* Publishes 'row'; its removal is repeated only if all rows are 'complete'.
 * Returns whether anything was to be written. */
static bool
publish(struct appl_tables *tables, struct appl_row *row, bool complete)
{
    struct content *content;
    bool same, write;

    note_fields(row, row->published);
    content = row->wanted ? complete_content(row) : NULL;
    same = content ? row->published && content_equal(content, row->published)
                   : !row->published;
    write = !same || (row->repeat && (content || complete));

    if (write) {
        write_row(tables, row, content);
    }
    row->repeat = false;
    note_fields(row, content);
    content_unref(row->published);
    row->published = content;
    return write;
}

/* Frees a row that neither exists nor is wanted.  If it is written again while
 * orchagent still has its object, appl_tables_reset() finds what that kept. */
static void
drop_row(struct appl_tables *tables, struct appl_row *row)
{
    const struct row_name name = {row->table, row->key};

    hash_index_remove(&tables->rows, hash_of(&name), row);
    free(row->key);
    free(row);
}

size_t
appl_tables_turn(struct appl_tables *tables, bool complete)
{
    size_t n = 0, n_kept = 0, n_rows = tables->n_dirty;

    if (!tables->known) {
        return 0;
    }
    for (size_t i = 0; i < n_rows; i++) {
        tables->dirty[i]->phase = phase_of(tables->dirty[i]);
    }
    if (n_rows > 1) {
        qsort(tables->dirty, n_rows, sizeof(struct appl_row *), compare_rows);
    }
    for (size_t i = 0; i < n_rows; i++) {
        struct appl_row *row = tables->dirty[i];

        if (!row->wanted && row->published && !complete) {
            tables->dirty[n_kept++] = row;
            continue;
        }
        row->dirty = false;
        n += publish(tables, row, complete);
        if (!row->wanted && !row->published) {
            drop_row(tables, row);
        }
    }
    tables->n_dirty = n_kept;
    return n;
}
