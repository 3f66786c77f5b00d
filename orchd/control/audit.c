/* SPDX-License-Identifier: Apache-2.0 */

/* Counts of calls per connection, verb and outcome. */

#include <config.h>

#include "orchd/control/audit.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/control/request.h"
#include "process/log.h"
#include "process/peer.h"

/* Calls of one verb with one outcome. */
struct entry {
    const char *noun, *verb;
    char outcome[32];
    uint64_t n;
};

struct audited {
    const struct request *request; /* Key. */
    struct entry *entries;
    size_t n;
    UT_hash_handle hh;
};

struct audit {
    struct log *log;
    struct audited *connections;
};

struct audit *
audit_create(struct log *log)
{
    struct audit *audit = check_calloc(1, sizeof *audit);

    audit->log = log;
    return audit;
}

/* Writes the counts of a connection and forgets it. */
static void
end_connection(struct audit *audit, struct audited *connection)
{
    char who[PEER_TEXT_SIZE];

    peer_describe(request_peer(connection->request), who);
    for (size_t i = 0; i < connection->n; i++) {
        const struct entry *entry = &connection->entries[i];
        char object[64];

        if (entry->n > 1) {
            text_format(object, sizeof object, "%s %s", entry->noun,
                        entry->verb);
            log_write_always(audit->log, LOG_INFO, "audit", object,
                             "%s: %s, %llu more on this connection", who,
                             entry->outcome, (unsigned long long)entry->n - 1);
        }
    }
    HASH_DEL(audit->connections, connection);
    free(connection->entries);
    free(connection);
}

void
audit_destroy(struct audit *audit)
{
    struct audited *connection, *next;

    if (audit) {
        HASH_ITER(hh, audit->connections, connection, next)
        {
            HASH_DEL(audit->connections, connection);
            free(connection->entries);
            free(connection);
        }
        free(audit);
    }
}

/* Returns the entry of these calls, a new one with 'n' 0 if there is none. */
static struct entry *
entry_get(struct audited *connection, const char *noun, const char *verb,
          const char *outcome)
{
    struct entry *entry;

    for (size_t i = 0; i < connection->n; i++) {
        entry = &connection->entries[i];
        if (!strcmp(entry->verb, verb) && !strcmp(entry->noun, noun) &&
            !strncmp(entry->outcome, outcome, sizeof entry->outcome - 1)) {
            return entry;
        }
    }
    connection->entries = check_realloc(
        connection->entries, (connection->n + 1) * sizeof *connection->entries);
    entry = &connection->entries[connection->n++];
    *entry = (struct entry){.noun = noun, .verb = verb};
    (void)text_copy(entry->outcome, sizeof entry->outcome, outcome);
    return entry;
}

void
audit_note(struct audit *audit, const struct request *request, const char *noun,
           const char *verb, const char *outcome)
{
    struct audited *connection;
    char who[PEER_TEXT_SIZE], object[64];

    HASH_FIND_PTR(audit->connections, &request, connection);
    if (!connection) {
        connection = check_calloc(1, sizeof *connection);
        connection->request = request;
        HASH_ADD_PTR(audit->connections, request, connection);
    }
    if (entry_get(connection, noun, verb, outcome)->n++ == 0) {
        peer_describe(request_peer(request), who);
        text_format(object, sizeof object, "%s %s", noun, verb);
        log_write_always(audit->log, LOG_INFO, "audit", object, "%s: %s", who,
                         outcome);
    }
}

void
audit_deny(struct audit *audit, const struct request *request, const char *noun,
           const char *verb)
{
    char who[PEER_TEXT_SIZE], object[64];

    peer_describe(request_peer(request), who);
    text_format(object, sizeof object, "%s %s", noun, verb);
    log_write(audit->log, LOG_WARN, "denied", object,
              "%s: refused, viewers change nothing", who);
}

void
audit_leave(struct audit *audit, const struct request *request)
{
    struct audited *connection;

    HASH_FIND_PTR(audit->connections, &request, connection);
    if (connection) {
        end_connection(audit, connection);
    }
}
