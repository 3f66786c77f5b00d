/* SPDX-License-Identifier: Apache-2.0 */

/* A listener that keeps the latest answer to each row. */

#include <config.h>

#include "offline/row_log.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"

struct row_log_row {
    char *key;
    enum row_state state;
    char code[sizeof((struct err *)0)->code];
    char reason[sizeof((struct err *)0)->reason];
    UT_hash_handle hh;
};

/* Returns the complete key; the caller frees it. */
static char *
full_key(enum table table, const char *key)
{
    struct text text = {0};

    text_addf(&text, "%s|%s", table_name(table), key);
    return text_take(&text);
}

static void
on_status(void *context, const struct row_status *status)
{
    struct row_log *log = context;
    char *key = full_key(status->table, status->key);
    struct row_log_row *row;

    HASH_FIND_STR(log->rows, key, row);
    if (!row) {
        row = check_calloc(1, sizeof *row);
        row->key = key;
        HASH_ADD_KEYPTR(hh, log->rows, row->key, strlen(row->key), row);
    } else {
        free(key);
    }
    row->state = status->state;
    text_copy(row->code, sizeof row->code, status->err.code);
    text_format(row->reason, sizeof row->reason, "%s%s%s", status->err.reason,
                *status->err.allowed ? "; allowed: " : "", status->err.allowed);
}

static void
on_row_gone(void *context, enum table table, const char *key)
{
    struct row_log *log = context;
    char *full = full_key(table, key);
    struct row_log_row *row;

    HASH_FIND_STR(log->rows, full, row);
    if (row) {
        HASH_DEL(log->rows, row);
        free(row->key);
        free(row);
    }
    free(full);
}

struct listener
row_log_listener(struct row_log *log)
{
    return (struct listener){
        .row_status = on_status, .row_gone = on_row_gone, .context = log};
}

void
row_log_get(const struct row_log *log, const char *key, struct arena *arena,
            struct target_answer *answer)
{
    struct row_log_row *row;

    *answer = (struct target_answer){"", "", ""};
    HASH_FIND_STR(log->rows, key, row);
    if (row) {
        answer->state = row_state_name(row->state);
        answer->code = arena_strdup(arena, row->code);
        answer->reason = arena_strdup(arena, row->reason);
    }
}

void
row_log_fini(struct row_log *log)
{
    struct row_log_row *row, *next;

    HASH_ITER(hh, log->rows, row, next)
    {
        HASH_DEL(log->rows, row);
        free(row->key);
        free(row);
    }
}
