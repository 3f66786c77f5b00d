/* SPDX-License-Identifier: Apache-2.0 */

/* Remembers which client has the session, and what to restore.
 *
 * Before a row is written, its content is fetched from Redis itself, because
 * orchd's own copy lacks fields that orchd does not know.  A barrier after the
 * requests shows that the answers have arrived. */

#include <config.h>

#include "orchd/control/session.h"

#include <string.h>

#include <uthash.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/control/request.h"
#include "orchd/db/redis.h"
#include "orchd/reconcile/agent.h"
#include "orchd/testbench/testbench.h"

/* The table whose other fields stay, because they identify the switch. */
#define KEPT_TABLE "DEVICE_METADATA|"

/* A row as it was before the session changed it. */
struct original {
    struct field_row row; /* 'fields' NULL: it did not exist. */
    UT_hash_handle hh;
};

/* Rows that are being written. */
struct writing {
    struct arena *arena; /* Owned; NULL while nothing is written. */
    struct field_row *rows;
    bool *fetched; /* Of each row: its content before has arrived. */
    size_t n;
    bool adds;          /* Fields are added to the existing ones. */
    bool restores;      /* The rows restore all originals. */
    struct err trouble; /* What could not be undone on the switch. */
    void (*done)(struct call *call);
};

struct session {
    struct command_context *context;
    const struct request *owner; /* NULL: no client has the session. */
    struct testbench bench;
    struct arena *arena; /* Of the originals. */
    struct original *originals;
    struct writing writing;
    struct text left; /* What could not be restored. */
};

struct session *
session_create(struct command_context *context)
{
    struct session *session = check_calloc(1, sizeof *session);

    session->context = context;
    session->bench.target.ops = &testbench_target_ops;
    session->arena = arena_create(0);
    return session;
}

/* Forgets the original rows. */
static void
forget_originals(struct session *session)
{
    HASH_CLEAR(hh, session->originals);
    arena_destroy(session->arena);
    session->arena = arena_create(0);
}

/* Frees the rows that were being written. */
static void
end_writing(struct session *session)
{
    arena_destroy(session->writing.arena);
    memset(&session->writing, 0, sizeof session->writing);
}

void
session_destroy(struct session *session)
{
    if (session) {
        end_writing(session);
        HASH_CLEAR(hh, session->originals);
        arena_destroy(session->arena);
        testbench_fini(&session->bench);
        text_fini(&session->left);
        free(session);
    }
}

/* Connects the test bench to the current switch. */
static void
refresh(struct session *session)
{
    session->bench.agent = session->context->services.agent;
    session->bench.query = session->context->query;
    session->bench.backend = session->context->backend;
    session->bench.softasic = session->context->softasic;
}

struct testbench *
session_take(struct session *session, struct call *call)
{
    struct err err = {0};

    if (session->owner && session->owner != call->request) {
        err_set(&err, ST_BUSY, "busy",
                "another client runs a breakpoint scenario on this switch");
        err_set_remedy(&err, "try again when it has ended");
        call_end(call, &err, NULL);
        return NULL;
    }
    session->owner = call->request;
    request_keep(call->request, true);
    refresh(session);
    return &session->bench;
}

/* Undoes what the test bench has done, if there is a switch. */
static enum st
undo_bench(struct session *session, struct err *err)
{
    struct testbench *bench = &session->bench;
    enum st st = ST_OK;

    refresh(session);
    if (bench->backend) {
        st = bench->target.ops->restore(&bench->target, err);
    } else {
        testbench_fini(bench);
        bench->target.ops = &testbench_target_ops;
    }
    return st;
}

/* --- Rows ---------------------------------------------------------------- */

/* Copies a row into 'arena'. */
static struct field_row
copy_row(struct arena *arena, const struct field_row *row)
{
    struct field_row copy = {arena_strdup(arena, row->key), NULL, 0};

    if (row->fields) {
        struct field *fields =
            arena_alloc(arena, row->n_fields + 1, sizeof *fields);

        for (size_t i = 0; i < row->n_fields; i++) {
            fields[i].name = arena_strdup(arena, row->fields[i].name);
            fields[i].value = row->fields[i].value
                                  ? arena_strdup(arena, row->fields[i].value)
                                  : NULL;
        }
        copy.fields = fields;
        copy.n_fields = row->n_fields;
    }
    return copy;
}

static struct original *
find_original(const struct session *session, const char *key)
{
    struct original *original;

    HASH_FIND_STR(session->originals, key, original);
    return original;
}

/* Returns whether 'row' has a field of that name. */
static bool
has_field(const struct field_row *row, const char *name)
{
    for (size_t i = 0; i < row->n_fields; i++) {
        if (!strcmp(row->fields[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* Adds to 'row' the fields of 'now' that it does not mention, and removes those
 * whose value is NULL. */
static void
keep_fields(struct arena *arena, const struct field_row *now,
            struct field_row *row)
{
    const struct field_row kept = copy_row(arena, now);
    struct field *fields =
        arena_alloc(arena, row->n_fields + kept.n_fields + 1, sizeof *fields);
    size_t n = 0;

    for (size_t i = 0; i < row->n_fields; i++) {
        if (row->fields[i].value) {
            fields[n++] = row->fields[i];
        }
    }
    for (size_t i = 0; i < kept.n_fields; i++) {
        if (!has_field(row, kept.fields[i].name)) {
            fields[n++] = kept.fields[i];
        }
    }
    row->fields = fields;
    row->n_fields = n;
}

/* Ends a call whose rows could not be written. */
static void
fail_writing(struct session *session, struct call *call, const struct err *err)
{
    end_writing(session);
    call_end(call, err, NULL);
}

/* The agent has applied or refused all rows that were written. */
static void
write_settled(struct call *call)
{
    struct session *session = call->context->session;
    const struct writing writing = session->writing;

    if (writing.restores) {
        forget_originals(session);
    }
    end_writing(session);
    if (writing.trouble.status) {
        call_end(call, &writing.trouble, NULL);
    } else {
        writing.done(call);
    }
}

/* Implements redis_done_fn for the barrier after the write. */
static void
write_seen(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    if (status) {
        fail_writing(call->context->session, call, err);
    } else {
        call_when_settled(call, write_settled);
    }
}

/* Implements redis_done_fn for the write. */
static void
write_done(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    if (status) {
        fail_writing(call->context->session, call, err);
    } else {
        redis_barrier(call->context->services.redis, write_seen, call);
    }
}

/* Writes the rows, which are complete. */
static void
write_rows(struct session *session, struct call *call)
{
    redis_write_rows(session->context->services.redis, session->writing.rows,
                     session->writing.n, REDIS_WRITE_ROWS, write_done, call);
}

/* Implements redis_fetch_fn: the content of a row before it is written. */
static void
on_row(void *context, const char *key, const struct field *fields, size_t n)
{
    struct session *session = context;
    struct writing *writing = &session->writing;
    const struct field_row now = {key, n ? fields : NULL, n};

    for (size_t i = 0; i < writing->n; i++) {
        struct field_row *row = &writing->rows[i];

        if (strcmp(row->key, key)) {
            continue;
        }
        if (row->fields &&
            (writing->adds || !strncmp(key, KEPT_TABLE, strlen(KEPT_TABLE)))) {
            keep_fields(writing->arena, &now, row);
        }
        if (!find_original(session, key)) {
            struct original *original =
                arena_alloc(session->arena, 1, sizeof *original);

            original->row = copy_row(session->arena, &now);
            HASH_ADD_KEYPTR(hh, session->originals, original->row.key,
                            strlen(key), original);
        }
        writing->fetched[i] = true;
    }
}

/* Implements redis_done_fn for the barrier after the requests.  Answers use
 * another connection than the barrier, so they may arrive after it. */
static void
rows_fetched(void *context, enum st status, const struct err *err)
{
    struct call *call = context;
    struct session *session = call->context->session;
    bool all = true;

    for (size_t i = 0; i < session->writing.n; i++) {
        all = all && session->writing.fetched[i];
    }
    if (status) {
        fail_writing(session, call, err);
    } else if (all) {
        write_rows(session, call);
    } else {
        redis_barrier(session->context->services.redis, rows_fetched, call);
    }
}

/* Fetches the rows, to restore them later or to add to them. */
static void
ask_rows(struct call *call)
{
    struct session *session = call->context->session;

    for (size_t i = 0; i < session->writing.n; i++) {
        redis_fetch(session->context->services.redis, CONFIG_DB,
                    session->writing.rows[i].key, on_row, session);
    }
    redis_barrier(session->context->services.redis, rows_fetched, call);
}

/* For the removal of rows that are not given. */
struct others {
    struct session *session;
    size_t n_given; /* The given rows are the first ones in 'writing'. */
};

/* Adds the removal of 'row' unless it is given. */
static void
add_removal(const struct row *row, void *context)
{
    const struct others *others = context;
    struct writing *writing = &others->session->writing;
    struct text key = {0};
    bool given = !row->present || row->generated;

    text_addf(&key, "%s|%s", table_name(row->table), row->key);
    given = given || !strncmp(key.bytes, KEPT_TABLE, strlen(KEPT_TABLE));
    for (size_t i = 0; !given && i < others->n_given; i++) {
        given = !strcmp(writing->rows[i].key, key.bytes);
    }
    if (!given) {
        writing->rows[writing->n++] = (struct field_row){
            arena_strdup(writing->arena, key.bytes), NULL, 0};
    }
    text_fini(&key);
}

/* Counts rows. */
static void
count_row(const struct row *row, void *context)
{
    size_t *n = context;

    (void)row;
    (*n)++;
}

void
session_configure(struct session *session, struct call *call,
                  const struct field_row *rows, size_t n,
                  enum session_mode mode, void (*done)(struct call *call))
{
    const struct intent *intent =
        agent_intent(session->context->services.agent);
    struct writing *writing = &session->writing;
    struct others others = {session, n};
    size_t n_there = 0;

    intent_each(intent, count_row, &n_there);
    writing->arena = arena_create(0);
    writing->rows =
        arena_alloc(writing->arena, n + n_there + 1, sizeof *writing->rows);
    writing->fetched =
        arena_alloc(writing->arena, n + n_there + 1, sizeof(bool));
    writing->n = n;
    writing->adds = mode == SESSION_ADD;
    writing->done = done;
    for (size_t i = 0; i < n; i++) {
        writing->rows[i] = copy_row(writing->arena, &rows[i]);
    }
    if (mode == SESSION_ALL) {
        intent_each(intent, add_removal, &others);
    }
    call_when_connected(call, ask_rows);
}

/* --- Restoring ------------------------------------------------------------ */

/* Prepares to write the original rows. */
static void
prepare_restore(struct session *session)
{
    struct writing *writing = &session->writing;
    struct original *original, *next;

    end_writing(session);
    writing->restores = true;
    writing->arena = arena_create(0);
    writing->rows =
        arena_alloc(writing->arena, HASH_COUNT(session->originals) + 1,
                    sizeof *writing->rows);
    HASH_ITER(hh, session->originals, original, next)
    {
        writing->rows[writing->n++] = copy_row(writing->arena, &original->row);
    }
}

void
session_restore(struct session *session, struct call *call,
                void (*done)(struct call *call))
{
    prepare_restore(session);
    session->writing.done = done;
    (void)!undo_bench(session, &session->writing.trouble);
    if (session->writing.n) {
        write_rows(session, call);
    } else {
        write_settled(call);
    }
}

/* Implements redis_done_fn for session_stop(), when no call waits. */
static void
stop_written(void *context, enum st status, const struct err *err)
{
    struct session *session = context;

    if (status) {
        text_clear(&session->left);
        text_addf(&session->left, "rows could not be written back: %s",
                  err->reason);
    }
}

void
session_stop(struct session *session)
{
    struct err err = {0};

    if (!session->owner) {
        return;
    }
    if (undo_bench(session, &err)) {
        text_clear(&session->left);
        text_add(&session->left, err.reason);
    }
    prepare_restore(session);
    if (session->writing.n) {
        redis_write_rows(session->context->services.redis,
                         session->writing.rows, session->writing.n,
                         REDIS_WRITE_ROWS, stop_written, session);
    }
    end_writing(session);
    forget_originals(session);
    session->owner = NULL;
}

void
session_leave(struct session *session, const struct request *request)
{
    if (session->owner == request) {
        session_stop(session);
    }
}

char *
session_take_left(struct session *session)
{
    return text_take(&session->left);
}
