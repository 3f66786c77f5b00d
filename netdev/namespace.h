/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_NAMESPACE_H
#define ORCHD_NETDEV_NAMESPACE_H

/* Network namespaces: the process enters one to open something there, and
 * leaves it again.  For processes with one thread. */

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

/* A namespace and its identity. */
struct namespace
{
    int fd;
    dev_t device;
    ino_t inode;
};

/* Opens namespace 'name': a name of "ip netns" or a path; NULL: that of the
 * process.  ST_NOT_FOUND, ST_IO. */
enum st namespace_open(const char *name, struct namespace *namespace,
                       struct err *err) ST_WARN_UNUSED;

/* Initialises a namespace from descriptor 'fd', and takes that over.  ST_IO. */
enum st namespace_of(int fd, struct namespace *namespace,
                     struct err *err) ST_WARN_UNUSED;

void namespace_close(struct namespace *namespace);

bool namespace_equals(const struct namespace *a, const struct namespace *b);

/* Enters 'namespace'.  Stores in '*back' what namespace_leave(), which cannot
 * fail, needs.  ST_IO if it is not permitted. */
enum st namespace_enter(const struct namespace *namespace, int *back,
                        struct err *err) ST_WARN_UNUSED;
void namespace_leave(int back);

#endif /* netdev/namespace.h */
