/* SPDX-License-Identifier: Apache-2.0 */

/* Reads STATE_DB and decides which parameters are in force.
 *
 * One read takes three steps: find the keys, fetch the rows, and fetch orchd's
 * own row last, so that its answer arrives after all others.  evaluate() then
 * decides from scratch; only the decision survives until the next read.
 *
 * A row that is missing may have been deleted by a user, who then wants the
 * base back, or lost because STATE_DB was emptied (FLUSHDB sends no keyspace
 * notifications), in which case orchd restores it.  A notification makes the
 * difference.  It arrives on another connection than the answers, so it may
 * arrive in the middle of a read or after it.  Therefore:
 *   - a notification counts until a read that began after it has ended;
 *   - if a row is missing without a notification, the rows are read a second
 *     time before the row is restored.  Redis sends the notification before it
 *     answers the second read, so that of a deletion is never missed. */

#include <config.h>

#include "orchd/daemon/chip_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/db/redis.h"
#include "orchd/derive/asic_rows.h"
#include "orchd/reconcile/agent.h"
#include "process/log.h"
#include "process/loop.h"

#define OWN_KEY "ORCHD_ASIC|global"

enum {
    ROWS_MAX = 64,   /* More than any switch has. */
    FIELDS_MAX = 24, /* Of ORCHD_ASIC. */
};

enum origin { SOURCE_NONE, SOURCE_CHIP, SOURCE_FILE, SOURCE_ROW };

static const char *const source_names[] = {"", "chip", "file", "row"};

const char *const chip_rows_keys[] = {"ASIC_TABLE|*", "*PERIPHERAL_TABLE|*",
                                      NULL};

struct chip_rows {
    struct loop *loop;
    struct log *log;
    struct redis *redis;
    struct agent *agent;

    struct dynamic_state_chip base;
    enum origin base_source;

    struct dynamic_state_chip used; /* In force. */
    enum origin source;
    struct err trouble; /* Why STATE_DB's rows are refused, if they are. */
    bool known;         /* STATE_DB was read at least once. */

    struct timer due;    /* When to read next. */
    bool reading;        /* A read is in progress. */
    bool notified;       /* One of the rows was written or deleted. */
    bool missing;        /* The last read missed the row in force. */
    struct arena *arena; /* Owns what the rows point to. */
    struct asic_row rows[ROWS_MAX];
    size_t n;
};

static void read_rows(struct chip_rows *rows);

/* Plans a read for when the rows have been quiet. */
static void
set_due(struct chip_rows *rows)
{
    timeline_set(loop_timeline(rows->loop), &rows->due,
                 loop_now(rows->loop) + CHIP_ROWS_QUIET_NS);
}

static void
on_due(struct timer *timer, int64_t when)
{
    (void)when;
    read_rows(timer->owner);
}

struct chip_rows *
chip_rows_create(struct loop *loop, struct log *log, struct redis *redis,
                 struct agent *agent)
{
    struct chip_rows *rows = check_calloc(1, sizeof *rows);

    rows->loop = loop;
    rows->log = log;
    rows->redis = redis;
    rows->agent = agent;
    rows->due.fire = on_due;
    rows->due.owner = rows;
    return rows;
}

void
chip_rows_destroy(struct chip_rows *rows)
{
    if (rows) {
        timeline_cancel(loop_timeline(rows->loop), &rows->due);
        arena_destroy(rows->arena);
        free(rows);
    }
}

bool
chip_rows_have_base(const struct chip_rows *rows)
{
    return rows->base.known;
}

bool
chip_rows_known(const struct chip_rows *rows)
{
    return rows->known;
}

const struct err *
chip_rows_trouble(const struct chip_rows *rows)
{
    return rows->trouble.status ? &rows->trouble : NULL;
}

/* --- What is in force --------------------------------------------------- */

/* Puts 'chip' in force. */
static void
put_in_force(struct chip_rows *rows, const struct dynamic_state_chip *chip,
             enum origin source)
{
    const bool same = asic_rows_equal(chip, &rows->used);

    rows->used = *chip;
    rows->source = source;
    if (!same) {
        agent_set_chip(rows->agent, chip);
    }
}

/* The fields of ORCHD_ASIC; 'arena' owns their texts. */
struct own {
    struct field fields[FIELDS_MAX];
    size_t n;
    struct arena *arena;
};

static void
own_add(struct own *own, const char *name, const char *value)
{
    if (*value) {
        own->fields[own->n++] = (struct field){arena_strdup(own->arena, name),
                                               arena_strdup(own->arena, value)};
    }
}

/* An asic_rows_write_fn: adds the fields of 'row' to ORCHD_ASIC. */
static void
own_add_row(void *own, const struct asic_row *row)
{
    for (size_t i = 0; i < row->n_fields; i++) {
        own_add(own, row->fields[i].name, row->fields[i].value);
    }
}

/* Writes ORCHD_ASIC: what is in force, and why STATE_DB's rows are refused. */
static void
write_own(struct chip_rows *rows)
{
    struct own own = {.arena = arena_create(0)};
    const struct err *err = &rows->trouble;

    own_add(&own, "source", source_names[rows->source]);
    if (rows->used.known) {
        own_add(&own, "row", rows->used.name);
        asic_rows_write(&rows->used, own_add_row, &own);
    }
    own_add(&own, "state", err->status ? "rejected" : "applied");
    if (err->status) {
        own_add(&own, "code", err->code);
        own_add(&own, "field", err->field);
        own_add(&own, "value", err->value);
        own_add(&own, "allowed", err->allowed);
        own_add(&own, "reason", err->reason);
        own_add(&own, "remedy", err->remedy);
    }
    redis_replace(rows->redis, STATE_DB, OWN_KEY, own.fields, own.n);
    arena_destroy(own.arena);
}

/* An asic_rows_write_fn: writes 'row' to STATE_DB. */
static void
write_row(void *rows_, const struct asic_row *row)
{
    struct chip_rows *rows = rows_;
    struct text key = {0};

    text_addf(&key, "%s|%s", row->table, row->name);
    redis_replace(rows->redis, STATE_DB, text_string(&key), row->fields,
                  row->n_fields);
    text_fini(&key);
}

/* An asic_rows_write_fn: removes 'row' from STATE_DB. */
static void
remove_row(void *rows_, const struct asic_row *row)
{
    struct chip_rows *rows = rows_;
    struct text key = {0};

    text_addf(&key, "%s|%s", row->table, row->name);
    redis_del(rows->redis, STATE_DB, text_string(&key));
    text_fini(&key);
}

/* Writes the parameters in force to STATE_DB. */
static void
publish(struct chip_rows *rows)
{
    redis_begin(rows->redis, STATE_DB);
    if (rows->used.known) {
        asic_rows_write(&rows->used, write_row, rows);
    }
    write_own(rows);
    redis_commit(rows->redis);
}

/* Puts a user's row in force. */
static void
follow_user_row(struct chip_rows *rows, const struct dynamic_state_chip *chip)
{
    const bool news =
        rows->source != SOURCE_ROW || !asic_rows_equal(chip, &rows->used);

    put_in_force(rows, chip, SOURCE_ROW);
    if (news) {
        log_write(rows->log, LOG_INFO, "asic-table", chip->name,
                  "the chip parameters now come from ASIC_TABLE|%s in "
                  "STATE_DB",
                  chip->name);
    }
    write_own(rows);
}

/* Keeps what is in force and reports what is wrong with STATE_DB's rows. */
static void
refuse_rows(struct chip_rows *rows, const struct err *err)
{
    if (strcmp(err->reason, rows->trouble.reason) != 0) {
        log_write(rows->log, LOG_WARN, "asic-table", err->field,
                  "STATE_DB: %s; the previous chip parameters stay in force",
                  err->reason);
    }
    rows->trouble = *err;
    err_set_remedy(&rows->trouble, "correct the row in STATE_DB, or delete it "
                                   "to let orchd write its own");
    write_own(rows);
}

/* --- The decision ------------------------------------------------------- */

/* What ORCHD_ASIC says about the rows in STATE_DB. */
struct previous {
    struct dynamic_state_chip chip; /* The parameters in force, if known. */
    bool ours;                      /* orchd wrote the rows, not a user. */
};

static void
read_previous(struct previous *previous, const struct field *fields, size_t n)
{
    const char *row = "", *gearbox = "";
    struct asic_row all[3];
    struct err ignored;

    *previous = (struct previous){.ours = true};
    for (size_t i = 0; i < n; i++) {
        const char *name = fields[i].name, *value = fields[i].value;

        row = !strcmp(name, "row") ? value : row;
        gearbox = !strcmp(name, "gearbox_model") ? value : gearbox;
        previous->ours &= strcmp(name, "source") != 0 ||
                          strcmp(value, source_names[SOURCE_ROW]) != 0;
    }
    all[0] = (struct asic_row){"ASIC_TABLE", row, fields, n};
    all[1] = (struct asic_row){"PORT_PERIPHERAL_TABLE", "global", fields, n};
    all[2] = (struct asic_row){"PERIPHERAL_TABLE", gearbox, fields, n};
    previous->ours &=
        asic_rows_read(all, 3, &previous->chip, &ignored) == ST_OK;
}

static size_t
count_asics(const struct chip_rows *rows)
{
    size_t n_asics = 0;

    for (size_t i = 0; i < rows->n; i++) {
        n_asics += !strcmp(rows->rows[i].table, "ASIC_TABLE");
    }
    return n_asics;
}

/* Removes orchd's own ASIC_TABLE row: a user has added another one. */
static void
drop_own(struct chip_rows *rows, const struct previous *previous)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct asic_row *row = &rows->rows[i];

        if (!strcmp(row->table, "ASIC_TABLE") &&
            !strcmp(row->name, previous->chip.name)) {
            remove_row(rows, row);
            rows->rows[i] = rows->rows[--rows->n];
            return;
        }
    }
}

/* STATE_DB has no ASIC_TABLE row: writes the one that is in force. */
static void
restore_row(struct chip_rows *rows)
{
    const bool was_missing = rows->missing;
    const bool from_user = rows->source == SOURCE_ROW;

    rows->trouble = (struct err){0};
    rows->missing = from_user && !rows->notified;
    if (rows->missing && !was_missing) {
        set_due(rows);
        return;
    }
    rows->missing = false;
    if (rows->base.known && (rows->notified || !from_user)) {
        put_in_force(rows, &rows->base, rows->base_source);
    }
    publish(rows);
}

/* STATE_DB has one valid set of rows, 'chip': orchd's own or a user's. */
static void
evaluate_row(struct chip_rows *rows, const struct dynamic_state_chip *chip,
             const struct previous *previous)
{
    const bool was_trouble = rows->trouble.status != ST_OK;

    rows->trouble = (struct err){0};
    if (!previous->ours || !asic_rows_equal(chip, &previous->chip)) {
        follow_user_row(rows, chip);
        return;
    }
    put_in_force(rows, rows->base.known ? &rows->base : chip,
                 rows->base.known ? rows->base_source : SOURCE_ROW);
    if (!asic_rows_equal(chip, &rows->used)) {
        asic_rows_write(chip, remove_row, rows);
        publish(rows);
    } else if (was_trouble) {
        write_own(rows);
    }
}

/* A redis_fetch_fn: ORCHD_ASIC has arrived, and thus all rows have. */
static void
evaluate(void *rows_, const char *key, const struct field *fields, size_t n)
{
    struct chip_rows *rows = rows_;
    struct dynamic_state_chip chip;
    struct previous previous;
    struct err err = {0};

    (void)key;
    rows->reading = false;
    rows->known = true;
    read_previous(&previous, fields, n);
    if (previous.ours && count_asics(rows) > 1) {
        drop_own(rows, &previous);
    }
    if (count_asics(rows) == 0) {
        restore_row(rows);
    } else {
        rows->missing = false;
        if (asic_rows_read(rows->rows, rows->n, &chip, &err)) {
            refuse_rows(rows, &err);
        } else {
            evaluate_row(rows, &chip, &previous);
        }
    }
    if (!timer_pending(&rows->due)) {
        rows->notified = false;
    }
}

/* --- Reading ------------------------------------------------------------ */

static void
on_row(void *rows_, const char *key, const struct field *fields, size_t n)
{
    struct chip_rows *rows = rows_;
    struct asic_row row = {.n_fields = n};
    struct field *copies = arena_alloc(rows->arena, n + 1, sizeof *copies);

    row.name = asic_rows_split(arena_strdup(rows->arena, key), '|', &row.table);
    row.fields = copies;
    for (size_t i = 0; i < n; i++) {
        copies[i] = (struct field){arena_strdup(rows->arena, fields[i].name),
                                   arena_strdup(rows->arena, fields[i].value)};
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (!strcmp(rows->rows[i].name, row.name) &&
            !strcmp(rows->rows[i].table, row.table)) {
            return; /* redis_find() may report a key twice. */
        }
    }
    if (n && rows->n < ROWS_MAX) {
        rows->rows[rows->n++] = row;
    }
}

static void
on_key(void *rows_, const char *key)
{
    struct chip_rows *rows = rows_;
    const char *table;

    if (asic_rows_split(key, '|', &table)) {
        redis_fetch(rows->redis, STATE_DB, key, on_row, rows);
    }
}

static void
on_keys_end(void *rows_, enum st status)
{
    struct chip_rows *rows = rows_;

    if (status == ST_OK) {
        redis_fetch(rows->redis, STATE_DB, OWN_KEY, evaluate, rows);
    } else {
        rows->reading = false; /* Redis refuses access to STATE_DB. */
        rows->known = true;
    }
}

static void
read_rows(struct chip_rows *rows)
{
    if (rows->reading) {
        set_due(rows);
        return;
    }
    rows->reading = true;
    rows->n = 0;
    arena_destroy(rows->arena);
    rows->arena = arena_create(0);
    redis_find(rows->redis, STATE_DB, "*_TABLE|*", on_key, on_keys_end, rows);
}

void
chip_rows_link_down(struct chip_rows *rows)
{
    rows->reading = false; /* Pending requests get no answer. */
    chip_rows_flushed(rows);
}

void
chip_rows_flushed(struct chip_rows *rows)
{
    rows->notified = false;
    rows->missing = false;
}

void
chip_rows_resync(struct chip_rows *rows)
{
    read_rows(rows);
}

void
chip_rows_key(struct chip_rows *rows, const char *key)
{
    const char *table;

    if (asic_rows_split(key, '|', &table)) {
        rows->notified = true;
        set_due(rows);
    }
}

void
chip_rows_audit(struct chip_rows *rows)
{
    if (!rows->reading && !timer_pending(&rows->due)) {
        read_rows(rows);
    }
}

void
chip_rows_set_base(struct chip_rows *rows,
                   const struct dynamic_state_chip *base, const char *file)
{
    rows->base = *base;
    rows->base_source = file ? SOURCE_FILE : SOURCE_CHIP;
    if (rows->source != SOURCE_ROW) {
        put_in_force(rows, base, rows->base_source);
    } else if (file && !asic_rows_equal(base, &rows->used)) {
        log_write(rows->log, LOG_WARN, "asic-table", file,
                  "ASIC_TABLE|%s in STATE_DB overrides this file; delete the "
                  "row to use the file",
                  rows->used.name);
    }
    if (rows->known) {
        chip_rows_audit(rows);
    }
}
