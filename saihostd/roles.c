/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "saihostd/roles.h"

#include "base/text.h"
#include "process/peer.h"

void
roles_init(struct roles *roles, const char *socket)
{
    operators_init(&roles->operators, socket);
    roles->socket = socket;
}

bool
roles_refuse(const struct roles *roles, const struct peer *peer, bool views,
             char text[ROLES_TEXT_SIZE])
{
    char who[PEER_TEXT_SIZE];

    if (!operators_have(&roles->operators, peer)) {
        peer_describe(peer, who);
        text_format(text, ROLES_TEXT_SIZE,
                    "writing needs group %s, of which %s is not a member",
                    roles->operators.group, who);
        return true;
    }
    if (views) {
        text_format(text, ROLES_TEXT_SIZE,
                    "this is the socket for viewers; writing needs group %s "
                    "and %s",
                    roles->operators.group, roles->socket);
    }
    return views;
}
