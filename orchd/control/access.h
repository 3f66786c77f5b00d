/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_ACCESS_H
#define ORCHD_CONTROL_ACCESS_H

/* Roles: who may change something through a control socket.
 *
 * The kernel decides who connects, by the group and mode of the socket.  Then
 * orchd decides by the credentials of the peer (process/peer.h).  On the
 * control socket root, the user of orchd and the members of the operators'
 * group are operators, who may call every verb.  Everybody else is a viewer,
 * also on that socket, and everybody is one on the socket for viewers. */

#include <stdbool.h>

#include "base/status.h"
#include "process/operators.h"

struct peer;

struct access {
    bool views_only; /* This is the socket for viewers. */
    struct operators operators;
    const char *control; /* Path of the control socket; borrowed. */
};

/* Fills '*access' for the control socket at 'control', which exists and whose
 * group are the operators, or for the socket of viewers beside it. */
void access_init(struct access *access, const char *control, bool views_only);

/* Returns ST_OK if 'peer' may call 'noun' 'verb', which changes something. Else
 * ST_UNSUPPORTED with the code "denied", which group is needed, and how to get
 * into it. */
enum st access_check(const struct access *access, const struct peer *peer,
                     const char *noun, const char *verb,
                     struct err *err) ST_WARN_UNUSED;

#endif /* orchd/control/access.h */
