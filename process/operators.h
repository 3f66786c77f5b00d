/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_OPERATORS_H
#define ORCHD_PROCESS_OPERATORS_H

/* The operators of a daemon: root, its user, and the members of the group of
 * its socket, which is how an administrator chooses them. */

#include <stdbool.h>
#include <sys/types.h>

struct peer;

struct operators {
    gid_t gid;      /* The group of the socket, */
    char group[64]; /* and its name, or its number without one. */
};

/* Fills '*operators' for the socket at 'path', which exists; if it does not,
 * with the group of this process. */
void operators_init(struct operators *operators, const char *path);

/* Returns whether 'peer' is one of them. */
bool operators_have(const struct operators *operators, const struct peer *peer);

#endif /* process/operators.h */
