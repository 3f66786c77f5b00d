/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_PEER_H
#define ORCHD_PROCESS_PEER_H

/* The process at the other end of a Unix socket, as the kernel reports it
 * (SO_PEERCRED, SO_PEERGROUPS): its user and groups when it connected. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Room for the text of peer_describe(). */
#define PEER_TEXT_SIZE 128

struct peer {
    bool known; /* False: not a Unix socket. */
    uid_t uid;
    pid_t pid;     /* In our pid namespace; 0: it is in another one. */
    gid_t *groups; /* Owned: the primary group, then the supplementary ones. */
    size_t n_groups;
};

/* Reads the peer of 'fd'.  End '*peer' with peer_fini(). */
void peer_read(int fd, struct peer *peer);
void peer_fini(struct peer *peer);

/* Returns whether the peer of 'fd' runs as root or as the user of this
 * process. */
bool peer_is_owner(int fd);

/* Returns the same for a peer that was read. */
bool peer_owns(const struct peer *peer);

/* Returns whether 'peer' is a member of 'group'. */
bool peer_has_group(const struct peer *peer, gid_t group);

/* Describes 'peer' for a log: "uid 1000 (alice), pid 4711 (orchctl)". */
void peer_describe(const struct peer *peer, char text[PEER_TEXT_SIZE]);

#endif /* process/peer.h */
