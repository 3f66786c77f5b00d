/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_NAMESPACE_H
#define ORCHD_NETDEV_NAMESPACE_H

/* Network namespaces: the process enters one to open something there, and
 * leaves it again.  One thread. */

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

/* A namespace, and to know it by. */
struct namespace
{
    int fd;
    dev_t device;
    ino_t inode;
};

/* Opens the namespace 'name', as of "ip netns" or a path; NULL: that of the
 * process.  ST_NOT_FOUND, ST_IO. */
enum st namespace_open(const char *name, struct namespace *namespace,
                       struct err *err) ST_WARN_UNUSED;

/* Makes one of descriptor 'fd', which is taken over.  ST_IO. */
enum st namespace_of(int fd, struct namespace *namespace,
                     struct err *err) ST_WARN_UNUSED;

void namespace_close(struct namespace *namespace);

bool namespace_equals(const struct namespace *a, const struct namespace *b);

/* Enters 'namespace'; '*back' is for namespace_leave(), which cannot fail.
 * ST_IO: it may not. */
enum st namespace_enter(const struct namespace *namespace, int *back,
                        struct err *err) ST_WARN_UNUSED;
void namespace_leave(int back);

#endif /* netdev/namespace.h */
