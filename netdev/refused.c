/* SPDX-License-Identifier: Apache-2.0 */

/* Names and errors of the system. */

#include <config.h>

#include "netdev/refused.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "netdev/netdev.h"

enum st
netdev_refused(struct err *err, int error, const char *what, const char *name)
{
    enum st status = ST_IO;

    if (error == ENODEV || error == ENXIO) {
        status = ST_NOT_FOUND;
    } else if (error == EBUSY || error == EEXIST) {
        status = ST_EXISTS;
    } else if (error == EINVAL) {
        status = ST_INVALID;
    }
    err_set(err, status, "interface", "cannot %s %s: %s", what, name,
            strerror(error));
    if (error == EPERM || error == EACCES) {
        err_set_remedy(err, "run it with CAP_NET_ADMIN and CAP_NET_RAW, or as "
                            "root");
    } else if (error == ENOENT) {
        err_set_remedy(err, "this system has no TUN/TAP: modprobe tun");
    } else if (error == ENODEV) {
        err_set_remedy(err, "make it first (ip link add), or take one that "
                            "\"ip link\" shows in the same namespace");
    } else if (error == EBUSY || error == EEXIST) {
        err_set_remedy(err, "there is an interface of that name: choose "
                            "another prefix, or a namespace of their own");
    }
    return status;
}

/* Returns whether the kernel takes 'name', and a shell, too. */
static bool
can_be_name(const char *name)
{
    const size_t length = strlen(name);

    for (size_t i = 0; i < length; i++) {
        if (iscntrl((unsigned char)name[i])) {
            return false;
        }
    }
    return length > 0 && length <= NETDEV_NAME_MAX && !strpbrk(name, "/: %") &&
           strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

enum st
netdev_check_name(const char *name, struct err *err)
{
    if (can_be_name(name)) {
        return ST_OK;
    }
    return err_set(
        err, ST_INVALID, "interface",
        "\"%.40s\" is not an interface name: 1 to %d characters without "
        "blank, slash, colon and percent",
        name, NETDEV_NAME_MAX);
}
