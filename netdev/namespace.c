/* SPDX-License-Identifier: Apache-2.0 */

/* Entering and leaving network namespaces. */

#include <config.h>

#include "netdev/namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"

#define OWN_NAMESPACE "/proc/self/ns/net"

enum st
namespace_of(int fd, struct namespace *namespace, struct err *err)
{
    struct stat status;

    if (fstat(fd, &status)) {
        (void)close(fd);
        return err_set(err, ST_IO, "namespace", "namespace: %s",
                       strerror(errno));
    }
    *namespace = (struct namespace){fd, status.st_dev, status.st_ino};
    return ST_OK;
}

enum st
namespace_open(const char *name, struct namespace *namespace, struct err *err)
{
    char path[256];
    int fd;

    if (!name) {
        name = OWN_NAMESPACE;
    }
    if (!text_format(path, sizeof path, "%s%s",
                     strchr(name, '/') ? "" : "/run/netns/", name)) {
        return err_set(err, ST_NOT_FOUND, "namespace",
                       "the name of the network namespace is too long");
    }
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        const enum st status = errno == ENOENT ? ST_NOT_FOUND : ST_IO;

        err_set(err, status, "namespace", "network namespace %s: %s", path,
                strerror(errno));
        err_set_remedy(err, "ip netns add %s", name);
        return status;
    }
    return namespace_of(fd, namespace, err);
}

void
namespace_close(struct namespace *namespace)
{
    (void)close(namespace->fd);
    namespace->fd = -1;
}

bool
namespace_equals(const struct namespace *a, const struct namespace *b)
{
    return a->device == b->device && a->inode == b->inode;
}

enum st
namespace_enter(const struct namespace *namespace, int *back, struct err *err)
{
    struct namespace own;
    enum st status = namespace_open(NULL, &own, err);

    if (status) {
        return status;
    }
    if (namespace_equals(&own, namespace)) {
        namespace_close(&own);
        *back = -1; /* Already there; no privilege is needed. */
        return ST_OK;
    }
    if (setns(namespace->fd, CLONE_NEWNET)) {
        const int error = errno;

        status =
            err_set(err, ST_IO, "namespace",
                    "cannot enter the network namespace: %s", strerror(error));
        err_set_remedy(err, error == EINVAL
                                ? "give the name of one, as \"ip netns\" "
                                  "shows, or the path of its file"
                                : "run it with CAP_SYS_ADMIN");
        namespace_close(&own);
        return status;
    }
    *back = own.fd;
    return ST_OK;
}

void
namespace_leave(int back)
{
    if (back >= 0) {
        const int left = setns(back, CLONE_NEWNET);

        orch_assert(left == 0); /* The process came from there. */
        (void)close(back);
    }
}
