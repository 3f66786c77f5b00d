/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "saihostd/roles.h"

#include <grp.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "process/peer.h"

void
roles_init(struct roles *roles, const char *socket)
{
    const struct group *group;
    struct stat file;

    memset(roles, 0, sizeof *roles);
    roles->socket = socket;
    roles->operators = stat(socket, &file) ? getegid() : file.st_gid;
    group = getgrgid(roles->operators);
    if (!group ||
        !text_copy(roles->group, sizeof roles->group, group->gr_name)) {
        text_format(roles->group, sizeof roles->group, "%lu",
                    (unsigned long)roles->operators);
    }
}

bool
roles_refuse(const struct roles *roles, const struct peer *peer, bool views,
             char text[ROLES_TEXT_SIZE])
{
    char who[PEER_TEXT_SIZE];

    if (!peer_owns(peer) && !peer_has_group(peer, roles->operators)) {
        peer_describe(peer, who);
        text_format(text, ROLES_TEXT_SIZE,
                    "writing needs group %s, of which %s is not a member",
                    roles->group, who);
        return true;
    }
    if (views) {
        text_format(text, ROLES_TEXT_SIZE,
                    "this is the socket for viewers; writing needs group %s "
                    "and %s",
                    roles->group, roles->socket);
    }
    return views;
}
