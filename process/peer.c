/* SPDX-License-Identifier: Apache-2.0 */

/* Socket options, and names of users and processes. */

#include <config.h>

#include "process/peer.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59 /* Linux 4.13. */
#endif

/* The kernel allows a process no more groups (NGROUPS_MAX). */
#define GROUPS_MAX 65536

/* Reads the credentials of the peer of 'fd'. */
static bool
read_credentials(int fd, struct ucred *found)
{
    socklen_t size = sizeof *found;

    return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, found, &size) &&
           found->uid != (uid_t)-1;
}

/* Appends the supplementary groups, as many as there are. */
static void
read_groups(int fd, struct peer *peer)
{
    socklen_t size = 0;
    gid_t *groups;

    if (!getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &size) ||
        errno != ERANGE || size > GROUPS_MAX * sizeof(gid_t)) {
        return;
    }
    groups = check_malloc(sizeof(gid_t) + size);
    groups[0] = peer->groups[0];
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups + 1, &size)) {
        free(groups);
        return;
    }
    free(peer->groups);
    peer->groups = groups;
    peer->n_groups = 1 + size / sizeof(gid_t);
}

void
peer_read(int fd, struct peer *peer)
{
    struct ucred found;

    memset(peer, 0, sizeof *peer);
    if (!read_credentials(fd, &found)) {
        return;
    }
    peer->known = true;
    peer->uid = found.uid;
    peer->pid = found.pid;
    peer->groups = check_malloc(sizeof(gid_t));
    peer->groups[0] = found.gid;
    peer->n_groups = 1;
    read_groups(fd, peer);
}

void
peer_fini(struct peer *peer)
{
    free(peer->groups);
    memset(peer, 0, sizeof *peer);
}

bool
peer_is_owner(int fd)
{
    struct ucred found;

    return read_credentials(fd, &found) &&
           (found.uid == 0 || found.uid == geteuid());
}

bool
peer_owns(const struct peer *peer)
{
    return peer->known && (peer->uid == 0 || peer->uid == geteuid());
}

bool
peer_has_group(const struct peer *peer, gid_t group)
{
    for (size_t i = 0; i < peer->n_groups; i++) {
        if (peer->groups[i] == group) {
            return true;
        }
    }
    return false;
}

/* Stores the name of a process in 'name', "?" if it has ended. */
static void
name_process(pid_t pid, char *name, size_t size)
{
    char path[64];
    FILE *file;

    text_copy(name, size, "?");
    text_format(path, sizeof path, "/proc/%ld/comm", (long)pid);
    file = fopen(path, "re");
    if (file) {
        if (fgets(name, (int)size, file)) {
            name[strcspn(name, "\n")] = '\0';
        }
        fclose(file);
    }
}

void
peer_describe(const struct peer *peer, char text[PEER_TEXT_SIZE])
{
    const struct passwd *user = peer->known ? getpwuid(peer->uid) : NULL;
    char process[32];

    if (!peer->known) {
        text_copy(text, PEER_TEXT_SIZE, "an unknown user");
        return;
    }
    name_process(peer->pid, process, sizeof process);
    text_format(text, PEER_TEXT_SIZE, "uid %lu (%.40s), pid %ld (%s)",
                (unsigned long)peer->uid, user ? user->pw_name : "?",
                (long)peer->pid, process);
}
