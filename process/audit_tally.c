/* SPDX-License-Identifier: Apache-2.0 */

/* Counts of calls by verb and outcome. */

#include <config.h>

#include "process/audit_tally.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "process/log.h"
#include "process/peer.h"

/* Calls of one verb with one outcome. */
struct audit_tally_entry {
    char verb[64], outcome[32];
    uint64_t n;
};

/* Returns the entry of these calls, a new one with 'n' 0 if there is none. */
static struct audit_tally_entry *
entry_get(struct audit_tally *tally, const char *verb, const char *outcome)
{
    struct audit_tally_entry *entry;

    for (size_t i = 0; i < tally->n; i++) {
        entry = &tally->entries[i];
        if (!strncmp(entry->verb, verb, sizeof entry->verb - 1) &&
            !strncmp(entry->outcome, outcome, sizeof entry->outcome - 1)) {
            return entry;
        }
    }
    tally->entries =
        check_realloc(tally->entries, (tally->n + 1) * sizeof *tally->entries);
    entry = &tally->entries[tally->n++];
    entry->n = 0;
    (void)text_copy(entry->verb, sizeof entry->verb, verb);
    (void)text_copy(entry->outcome, sizeof entry->outcome, outcome);
    return entry;
}

void
audit_tally_note(struct audit_tally *tally, struct log *log,
                 const struct peer *peer, const char *verb, const char *outcome)
{
    char who[PEER_TEXT_SIZE];

    if (entry_get(tally, verb, outcome)->n++ == 0) {
        peer_describe(peer, who);
        log_write_always(log, LOG_INFO, "audit", verb, "%s: %s", who, outcome);
    }
}

void
audit_tally_end(struct audit_tally *tally, struct log *log,
                const struct peer *peer)
{
    char who[PEER_TEXT_SIZE];

    for (size_t i = 0; i < tally->n; i++) {
        const struct audit_tally_entry *entry = &tally->entries[i];

        if (entry->n > 1) {
            peer_describe(peer, who);
            log_write_always(log, LOG_INFO, "audit", entry->verb,
                             "%s: %s, %llu more on this connection", who,
                             entry->outcome, (unsigned long long)entry->n - 1);
        }
    }
    audit_tally_fini(tally);
}

void
audit_tally_fini(struct audit_tally *tally)
{
    free(tally->entries);
    *tally = (struct audit_tally){NULL, 0};
}
