/* SPDX-License-Identifier: Apache-2.0 */

/* The rows that were written, by key. */

#include <config.h>

#include "orchd/daemon/writeback.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/listener.h"

/* A row that orchd has written, or (not 'ours') that a previous run may have
 * written. */
struct written {
    char *id; /* "TABLE|key"; owned. */
    enum table table;
    bool ours;
    uint64_t digest;
    UT_hash_handle hh;
};

struct writeback {
    struct redis *redis;
    struct written *all;
    size_t n_unclear; /* Rows that are not 'ours'. */
    bool dynamic;     /* The dynamic buffer model is in force. */
};

struct writeback *
writeback_create(struct redis *redis)
{
    struct writeback *writeback = check_calloc(1, sizeof *writeback);

    writeback->redis = redis;
    return writeback;
}

static void
forget(struct writeback *writeback, struct written *written)
{
    writeback->n_unclear -= !written->ours;
    HASH_DEL(writeback->all, written);
    free(written->id);
    free(written);
}

void
writeback_destroy(struct writeback *writeback)
{
    struct written *written, *next;

    if (writeback) {
        HASH_ITER(hh, writeback->all, written, next)
        {
            forget(writeback, written);
        }
        free(writeback);
    }
}

/* Returns a digest of fields that does not depend on their order. */
static uint64_t
digest_of(const struct field *fields, size_t n)
{
    uint64_t digest = 0;

    for (size_t i = 0; i < n; i++) {
        digest += digest_text(digest_text(DIGEST_START, fields[i].name),
                              fields[i].value);
    }
    return digest;
}

static struct written *
find(const struct writeback *writeback, enum table table, const char *key)
{
    struct text id = {0};
    struct written *written;

    text_addf(&id, "%s|%s", table_name(table), key);
    HASH_FIND(hh, writeback->all, text_string(&id), id.length, written);
    text_fini(&id);
    return written;
}

static struct written *
add(struct writeback *writeback, enum table table, const char *key, bool ours)
{
    struct written *written = check_calloc(1, sizeof *written);
    struct text id = {0};

    text_addf(&id, "%s|%s", table_name(table), key);
    written->id = text_take(&id);
    written->table = table;
    written->ours = ours;
    writeback->n_unclear += !ours;
    HASH_ADD_KEYPTR(hh, writeback->all, written->id, strlen(written->id),
                    written);
    return written;
}

static bool
is_written_back(enum table table)
{
    return table == TABLE_BUFFER_PG || table == TABLE_BUFFER_PROFILE;
}

bool
writeback_row(struct writeback *writeback, enum table table, const char *key,
              const struct field *fields, size_t n)
{
    struct written *written;

    if (!is_written_back(table)) {
        return false;
    }
    written = find(writeback, table, key);
    if (written && written->ours && n &&
        written->digest == digest_of(fields, n)) {
        return true;
    }
    if (written) {
        forget(writeback, written);
    }
    if (n) {
        written = add(writeback, table, key, false);
        written->digest = digest_of(fields, n);
    }
    return false;
}

void
writeback_status(void *writeback_, const struct row_status *status, bool gone)
{
    struct writeback *writeback = writeback_;
    struct written *written;
    uint64_t digest;

    if (status->table == TABLE_DEVICE_METADATA) {
        const char *model = row_status_field(status, "buffer_model");

        writeback->dynamic = model && !strcmp(model, "dynamic");
    }
    if (!is_written_back(status->table)) {
        return;
    }
    written = find(writeback, status->table, status->key);
    if (gone) {
        if (written && written->ours) {
            redis_del(writeback->redis, CONFIG_DB, written->id);
            forget(writeback, written);
        }
        return;
    }
    if (strcmp(status->origin, "auto") != 0 || !status->n_fields ||
        writeback->dynamic) {
        return;
    }
    digest = digest_of(status->fields, status->n_fields);
    if (written && written->ours && written->digest == digest) {
        return;
    }
    if (written) {
        forget(writeback, written);
    }
    written = add(writeback, status->table, status->key, true);
    written->digest = digest;
    redis_replace(writeback->redis, CONFIG_DB, written->id, status->fields,
                  status->n_fields);
}

void
writeback_adopt(struct writeback *writeback, const struct agent *agent,
                void (*adopted)(void *context, enum table table,
                                const char *key),
                void *context)
{
    struct written *written, *next;

    if (!writeback->n_unclear) {
        return;
    }
    HASH_ITER(hh, writeback->all, written, next)
    {
        const char *key = written->id + strlen(table_name(written->table)) + 1;
        const struct row *derived =
            written->ours ? NULL : agent_derived(agent, written->table, key);

        if (derived && !writeback->dynamic &&
            digest_of(derived->fields, derived->n_fields) == written->digest) {
            written->ours = true;
            writeback->n_unclear--;
            adopted(context, written->table, key);
        } else if (!written->ours) {
            forget(writeback, written);
        }
    }
}
