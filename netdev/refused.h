/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_REFUSED_H
#define ORCHD_NETDEV_REFUSED_H

/* Internal to netdev/: what the system refuses. */

#include "base/status.h"

/* Explains errno 'error' of an action such as "bind to veth0". */
enum st netdev_refused(struct err *err, int error, const char *what,
                       const char *name);

#endif /* netdev/refused.h */
