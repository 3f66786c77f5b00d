/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_NETLINK_H
#define ORCHD_NETDEV_NETLINK_H

/* Internal to netdev/: sockets and errors of libnl, and the numbers by which
 * one network namespace knows others. */

#include "base/status.h"

struct nl_sock;

/* Returns libnl's view of netlink socket 'fd', and takes that over. */
struct nl_sock *netlink_socket(int fd);

/* Explains 'error', negative, of libnl in 'what'.  Returns ST_NOT_FOUND,
 * ST_INVALID (a value) or ST_IO. */
enum st netlink_refused(struct err *err, int error, const char *what);

#define NAMESPACE_NUMBER_NONE (-1)

/* Stores the number by which the namespace of 'requests' knows that of 'fd', or
 * NAMESPACE_NUMBER_NONE.  Returns 0 or a negative error of libnl. */
int namespace_number_get(struct nl_sock *requests, int fd, int *number);

/* The same; assigns a number if it has none, which needs CAP_NET_ADMIN. */
int namespace_number_assign(struct nl_sock *requests, int fd, int *number);

#endif /* netdev/netlink.h */
