/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "saihostd/audit.h"

#include "process/audit_tally.h"
#include "process/log.h"
#include "process/peer.h"
#include "sai/remote/sai_host.h"

void
audit_note(struct audit_tally *tally, struct log *log, const struct peer *peer,
           const struct session_last *last)
{
    const char *outcome =
        last->status == SAI_STATUS_SUCCESS ? "done" : "failed";
    char who[PEER_TEXT_SIZE];

    if (last->effect == SESSION_CHANGED) {
        audit_tally_note(tally, log, peer, last->verb, outcome);
    } else if (last->effect == SESSION_DENIED) {
        peer_describe(peer, who);
        log_write(log, LOG_WARN, "denied", last->verb,
                  "%s: refused, %s", who, last->why);
    }
}
