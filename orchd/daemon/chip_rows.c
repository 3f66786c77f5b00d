/* SPDX-License-Identifier: Apache-2.0 */

/* A look at STATE_DB takes three steps: the keys, the rows, and last the row of
 * our own, whose answer comes when all others have come.  Then it is judged
 * what is in force.  Nothing is kept from one look to the next but that. */

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
    ROWS_MAX = 64,   /* More than anybody has. */
    FIELDS_MAX = 24, /* Of our own row. */
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
    struct err trouble;
    bool known;

    /* The look. */
    struct timer due;
    bool looking;
    bool told; /* Somebody has written or removed one of the rows. */
    struct arena *arena;
    struct asic_row rows[ROWS_MAX];
    size_t n;
};

static void look(struct chip_rows *rows);

static void
on_due(struct timer *timer, int64_t when)
{
    (void)when;
    look(timer->owner);
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
use(struct chip_rows *rows, const struct dynamic_state_chip *chip,
    enum origin source)
{
    const bool same = asic_rows_equal(chip, &rows->used);

    rows->used = *chip;
    rows->source = source;
    if (!same) {
        agent_set_chip(rows->agent, chip);
    }
}

/* Fields of our own row, and room for the texts of some. */
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

/* Adds the fields of one of the rows that say what is in force. */
static void
own_add_row(void *own, const struct asic_row *row)
{
    for (size_t i = 0; i < row->n_fields; i++) {
        own_add(own, row->fields[i].name, row->fields[i].value);
    }
}

/* Writes our own row. */
static void
say(struct chip_rows *rows)
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

/* Writes, or removes, a row that says what is in force. */

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

static void
remove_row(void *rows_, const struct asic_row *row)
{
    struct chip_rows *rows = rows_;
    struct text key = {0};

    text_addf(&key, "%s|%s", row->table, row->name);
    redis_del(rows->redis, STATE_DB, text_string(&key));
    text_fini(&key);
}

/* Has STATE_DB say what is in force. */
static void
publish(struct chip_rows *rows)
{
    redis_begin(rows->redis, STATE_DB);
    if (rows->used.known) {
        asic_rows_write(&rows->used, write_row, rows);
    }
    say(rows);
    redis_commit(rows->redis);
}

/* Follows a row of somebody else's. */
static void
follow(struct chip_rows *rows, const struct dynamic_state_chip *chip)
{
    const bool news =
        rows->source != SOURCE_ROW || !asic_rows_equal(chip, &rows->used);

    use(rows, chip, SOURCE_ROW);
    if (news) {
        log_write(rows->log, LOG_INFO, "asic-table", chip->name,
                  "the parameters of the chip are those of the row "
                  "ASIC_TABLE|%s of STATE_DB",
                  chip->name);
    }
    say(rows);
}

static void
refuse(struct chip_rows *rows, const struct err *err)
{
    if (strcmp(err->reason, rows->trouble.reason) != 0) {
        log_write(rows->log, LOG_WARN, "asic-table", err->field,
                  "STATE_DB: %s; what was in force stays", err->reason);
    }
    rows->trouble = *err;
    err_set_remedy(&rows->trouble, "correct the row in STATE_DB, or remove it "
                                   "and orchd writes its own");
    say(rows);
}

/* --- The judgement ------------------------------------------------------ */

/* What our own row said. */
struct past {
    struct dynamic_state_chip chip; /* That was in force, if known. */
    bool ours; /* Orchd has written the rows that say so. */
};

static void
read_past(struct past *past, const struct field *fields, size_t n)
{
    const char *row = "", *gearbox = "";
    struct asic_row all[3];
    struct err ignored;

    *past = (struct past){.ours = true};
    for (size_t i = 0; i < n; i++) {
        const char *name = fields[i].name, *value = fields[i].value;

        row = !strcmp(name, "row") ? value : row;
        gearbox = !strcmp(name, "gearbox_model") ? value : gearbox;
        past->ours &= strcmp(name, "source") != 0 ||
                      strcmp(value, source_names[SOURCE_ROW]) != 0;
    }
    all[0] = (struct asic_row){"ASIC_TABLE", row, fields, n};
    all[1] = (struct asic_row){"PORT_PERIPHERAL_TABLE", "global", fields, n};
    all[2] = (struct asic_row){"PERIPHERAL_TABLE", gearbox, fields, n};
    past->ours &= asic_rows_read(all, 3, &past->chip, &ignored) == ST_OK;
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

/* Gives way where somebody has put a row ASIC_TABLE beside ours. */
static void
drop_own(struct chip_rows *rows, const struct past *past)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct asic_row *row = &rows->rows[i];

        if (!strcmp(row->table, "ASIC_TABLE") &&
            !strcmp(row->name, past->chip.name)) {
            remove_row(rows, row);
            rows->rows[i] = rows->rows[--rows->n];
            return;
        }
    }
}

/* There is no row ASIC_TABLE. */
static void
fill(struct chip_rows *rows)
{
    if (rows->base.known && (rows->told || rows->source != SOURCE_ROW)) {
        use(rows, &rows->base, rows->base_source);
    }
    rows->trouble = (struct err){0};
    publish(rows);
}

/* There is one, and it can be read: it is ours, or is followed. */
static void
take(struct chip_rows *rows, const struct dynamic_state_chip *chip,
     const struct past *past)
{
    const bool was_trouble = rows->trouble.status != ST_OK;

    rows->trouble = (struct err){0};
    if (!past->ours || !asic_rows_equal(chip, &past->chip)) {
        follow(rows, chip);
        return;
    }
    use(rows, rows->base.known ? &rows->base : chip,
        rows->base.known ? rows->base_source : SOURCE_ROW);
    if (!asic_rows_equal(chip, &rows->used)) {
        asic_rows_write(chip, remove_row, rows);
        publish(rows);
    } else if (was_trouble) {
        say(rows);
    }
}

/* All answers are there. */
static void
judge(void *rows_, const char *key, const struct field *fields, size_t n)
{
    struct chip_rows *rows = rows_;
    struct dynamic_state_chip chip;
    struct past past;
    struct err err = {0};

    (void)key;
    read_past(&past, fields, n);
    if (past.ours && count_asics(rows) > 1) {
        drop_own(rows, &past);
    }
    if (count_asics(rows) == 0) {
        fill(rows);
    } else if (asic_rows_read(rows->rows, rows->n, &chip, &err)) {
        refuse(rows, &err);
    } else {
        take(rows, &chip, &past);
    }
    rows->looking = false;
    rows->known = true;
    rows->told = false;
}

/* --- The look ----------------------------------------------------------- */

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
            return; /* A key may be told twice. */
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
        redis_fetch(rows->redis, STATE_DB, OWN_KEY, judge, rows);
    } else {
        rows->looking = false; /* STATE_DB is not for us to read. */
        rows->known = true;
    }
}

static void
look(struct chip_rows *rows)
{
    if (rows->looking) {
        timeline_set(loop_timeline(rows->loop), &rows->due,
                     loop_now(rows->loop) + CHIP_ROWS_QUIET_NS);
        return;
    }
    rows->looking = true;
    rows->n = 0;
    arena_destroy(rows->arena);
    rows->arena = arena_create(0);
    redis_find(rows->redis, STATE_DB, "*_TABLE|*", on_key, on_keys_end, rows);
}

void
chip_rows_resync(struct chip_rows *rows)
{
    rows->looking = false; /* What was asked before is not answered now. */
    rows->told = false;
    look(rows);
}

void
chip_rows_key(struct chip_rows *rows, const char *key)
{
    const char *table;

    if (asic_rows_split(key, '|', &table)) {
        rows->told = true;
        timeline_set(loop_timeline(rows->loop), &rows->due,
                     loop_now(rows->loop) + CHIP_ROWS_QUIET_NS);
    }
}

void
chip_rows_audit(struct chip_rows *rows)
{
    if (!rows->looking && !timer_pending(&rows->due)) {
        look(rows);
    }
}

void
chip_rows_set_base(struct chip_rows *rows,
                   const struct dynamic_state_chip *base, const char *file)
{
    rows->base = *base;
    rows->base_source = file ? SOURCE_FILE : SOURCE_CHIP;
    if (rows->source != SOURCE_ROW) {
        use(rows, base, rows->base_source);
    } else if (file && !asic_rows_equal(base, &rows->used)) {
        log_write(rows->log, LOG_WARN, "asic-table", file,
                  "the row ASIC_TABLE|%s of STATE_DB is in force, not this "
                  "file; remove the row to have what the file says",
                  rows->used.name);
    }
    if (rows->known) {
        chip_rows_audit(rows);
    }
}
