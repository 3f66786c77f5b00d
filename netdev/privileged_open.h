/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_PRIVILEGED_OPEN_H
#define ORCHD_NETDEV_PRIVILEGED_OPEN_H

/* Internal to netdev/: opens what only a privileged process may open.  The
 * caller checks names and owns the descriptors, which do not block (except that
 * for netlink requests) and are closed on exec. */

#include "base/status.h"
#include "netdev/namespace.h"

/* Room for waiting frames of a packet socket, in bytes. */
enum { PRIVILEGED_PACKET_BUFFER = 4 * 1024 * 1024 };

/* Creates TAP 'name' in 'namespace'.  Outcomes of netdev_refused(). */
enum st privileged_open_tap(const struct namespace *namespace, const char *name,
                            int *fd, struct err *err) ST_WARN_UNUSED;

/* Opens a packet socket of interface 'name' in 'namespace', for all frames,
 * each with a header of its offloads, and stores the index of the interface. */
enum st privileged_open_packet(const struct namespace *namespace,
                               const char *name, int *fd, int *index,
                               struct err *err) ST_WARN_UNUSED;

/* Opens a netlink socket in 'namespace': for link events, also of other
 * namespaces as far as that is permitted, or for requests.  ST_IO. */
enum st privileged_open_events(const struct namespace *namespace, int *fd,
                               struct err *err) ST_WARN_UNUSED;
enum st privileged_open_requests(const struct namespace *namespace, int *fd,
                                 struct err *err) ST_WARN_UNUSED;

#endif /* netdev/privileged_open.h */
