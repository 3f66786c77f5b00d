/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_ROLES_H
#define ORCHD_SAIHOSTD_ROLES_H

/* Roles: who may change the switch of a host.
 *
 * The kernel decides who connects, by the group and mode of each socket.  On
 * the socket for operators root, the user of the host and the members of the
 * group of the socket may ask to write; everybody else may only read, and so
 * may everybody on the socket for viewers, which can be passed on. */

#include <stdbool.h>

#include "process/operators.h"

/* Room for roles_refuse(): what fits into a WELCOME. */
enum { ROLES_TEXT_SIZE = 256 };

struct peer;

struct roles {
    struct operators operators;
    const char *socket; /* Path of the socket for operators; borrowed. */
};

/* Fills '*roles' for the socket for operators at 'socket', which exists. */
void roles_init(struct roles *roles, const char *socket);

/* Returns whether 'peer', on the socket for viewers if 'views', may not write.
 * Then 'text' says which group or socket it would need. */
bool roles_refuse(const struct roles *roles, const struct peer *peer,
                  bool views, char text[ROLES_TEXT_SIZE]);

#endif /* saihostd/roles.h */
