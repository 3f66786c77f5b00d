/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_PRIVILEGED_LINK_H
#define ORCHD_NETDEV_PRIVILEGED_LINK_H

/* Internal to netdev/: changes links, and numbers namespaces. */

#include "base/status.h"
#include "netdev/namespace.h"

struct privileged_change;

/* Applies '*change' to link 'index' of 'namespace'; 0: to the one called
 * 'name'.  ST_NOT_FOUND, ST_INVALID (a value), ST_IO. */
enum st privileged_link_change(const struct namespace *namespace, int index,
                               const char *name,
                               const struct privileged_change *change,
                               struct err *err) ST_WARN_UNUSED;

/* Stores the number by which 'namespace' knows 'other' in '*number'; assigns
 * one if it has none.  ST_IO: among others, if this process may not receive
 * events of other namespaces, for which the number is. */
enum st privileged_link_number(const struct namespace *namespace,
                               const struct namespace *other, int *number,
                               struct err *err) ST_WARN_UNUSED;

#endif /* netdev/privileged_link.h */
