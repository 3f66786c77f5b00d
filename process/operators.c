/* SPDX-License-Identifier: Apache-2.0 */

/* Asks the file system and the group database. */

#include <config.h>

#include "process/operators.h"

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "process/peer.h"

void
operators_init(struct operators *operators, const char *path)
{
    const struct group *group;
    struct stat file;

    *operators =
        (struct operators){.gid = stat(path, &file) ? getegid() : file.st_gid};
    group = getgrgid(operators->gid);
    if (!group ||
        !text_copy(operators->group, sizeof operators->group, group->gr_name)) {
        (void)text_format(operators->group, sizeof operators->group, "%lu",
                          (unsigned long)operators->gid);
    }
}

bool
operators_have(const struct operators *operators, const struct peer *peer)
{
    return peer_owns(peer) || peer_has_group(peer, operators->gid);
}
