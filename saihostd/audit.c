/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "saihostd/audit.h"

#include <string.h>

#include "base/check.h"
#include "process/log.h"
#include "process/peer.h"
#include "sai/remote/sai_host.h"

/* Returns the entry of these calls, a new one with 'n' 0 if there is none. */
static struct audit_entry *
entry_get(struct audit *audit, const char *verb, const char *outcome)
{
    struct audit_entry *entry;

    for (uint32_t i = 0; i < audit->n; i++) {
        entry = &audit->entries[i];
        if (!strcmp(entry->verb, verb) && !strcmp(entry->outcome, outcome)) {
            return entry;
        }
    }
    orch_assert(audit->n < AUDIT_ENTRIES);
    entry = &audit->entries[audit->n++];
    *entry = (struct audit_entry){verb, outcome, 0};
    return entry;
}

void
audit_note(struct audit *audit, struct log *log, const struct peer *peer,
           const struct session_last *last)
{
    const char *outcome =
        last->status == SAI_STATUS_SUCCESS ? "done" : "failed";
    char who[PEER_TEXT_SIZE];

    if (last->effect == SESSION_CHANGED &&
        entry_get(audit, last->verb, outcome)->n++ == 0) {
        peer_describe(peer, who);
        log_write_always(log, LOG_INFO, "audit", last->verb, "%s: %s", who,
                         outcome);
    } else if (last->effect == SESSION_DENIED) {
        peer_describe(peer, who);
        log_write(log, LOG_WARN, "denied", last->verb,
                  "%s: refused, a reader changes nothing", who);
    }
}

void
audit_end(struct audit *audit, struct log *log, const struct peer *peer)
{
    char who[PEER_TEXT_SIZE];

    for (uint32_t i = 0; i < audit->n; i++) {
        const struct audit_entry *entry = &audit->entries[i];

        if (entry->n > 1) {
            peer_describe(peer, who);
            log_write_always(log, LOG_INFO, "audit", entry->verb,
                             "%s: %s, %llu more on this connection", who,
                             entry->outcome, (unsigned long long)entry->n - 1);
        }
    }
    audit->n = 0;
}
