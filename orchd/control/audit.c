/* SPDX-License-Identifier: Apache-2.0 */

/* A tally per connection. */

#include <config.h>

#include "orchd/control/audit.h"

#include <stdlib.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/control/request.h"
#include "process/audit_tally.h"
#include "process/log.h"
#include "process/peer.h"

struct audited {
    const struct request *request; /* Key. */
    struct audit_tally tally;
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
    audit_tally_end(&connection->tally, audit->log,
                    request_peer(connection->request));
    HASH_DEL(audit->connections, connection);
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
            audit_tally_fini(&connection->tally);
            free(connection);
        }
        free(audit);
    }
}

void
audit_note(struct audit *audit, const struct request *request, const char *noun,
           const char *verb, const char *outcome)
{
    struct audited *connection;
    char object[64];

    HASH_FIND_PTR(audit->connections, &request, connection);
    if (!connection) {
        connection = check_calloc(1, sizeof *connection);
        connection->request = request;
        HASH_ADD_PTR(audit->connections, request, connection);
    }
    text_format(object, sizeof object, "%s %s", noun, verb);
    audit_tally_note(&connection->tally, audit->log, request_peer(request),
                     object, outcome);
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
