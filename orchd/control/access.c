/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/control/access.h"

#include "base/text.h"
#include "process/peer.h"

void
access_init(struct access *access, const char *control, bool views_only)
{
    operators_init(&access->operators, control);
    access->views_only = views_only;
    access->control = control;
}

enum st
access_check(const struct access *access, const struct peer *peer,
             const char *noun, const char *verb, struct err *err)
{
    const bool is_operator = operators_have(&access->operators, peer);
    char who[PEER_TEXT_SIZE];

    if (is_operator && !access->views_only) {
        return ST_OK;
    }
    if (is_operator) {
        err_set(err, ST_UNSUPPORTED, "denied",
                "%s %s needs group %s and the control socket; this is the "
                "socket for viewers",
                noun, verb, access->operators.group);
        err_set_remedy(err, "use orchctl --control %s", access->control);
        return ST_UNSUPPORTED;
    }
    peer_describe(peer, who);
    err_set(err, ST_UNSUPPORTED, "denied",
            "%s %s needs group %s, of which %s is not a member", noun, verb,
            access->operators.group, who);
    if (!access->operators.gid) {
        /* Nobody should join this group for orchctl. */
        err_set_remedy(err, "run orchctl with sudo, or let orchd use another "
                            "group: control_group = GROUP");
        return ST_UNSUPPORTED;
    }
    err_set_remedy(err,
                   "ask an administrator for: sudo usermod -aG %s USER; then "
                   "log in again",
                   access->operators.group);
    return ST_UNSUPPORTED;
}
