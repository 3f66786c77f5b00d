/* SPDX-License-Identifier: Apache-2.0 */

/* Binds a socket to a temporary name, listens, and then renames the file to its
 * path. */

#include <config.h>

#include "process/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"

/* The suffix of the file name until the socket listens.  The limit of the path
 * leaves room for it. */
#define NEW_SUFFIX ".new"
_Static_assert(sizeof((struct sockaddr_un *)NULL)->sun_path ==
                   SOCKET_PATH_SIZE + sizeof NEW_SUFFIX - 1,
               "room for the suffix");

/* Fills 'err' with the code NAME-suffix and returns 'status'. */
static enum st
fail(const struct socket_words *words, enum st status, const char *suffix,
     const char *reason, struct err *err)
{
    char code[64];

    (void)text_format(code, sizeof code, "%s-%s", words->name, suffix);
    return err_set(err, status, code, "%s", reason);
}

/* Returns 1 if a process listens on 'address', 0 if none does, or -1 and
 * 'errno' if that cannot be known. */
static int
is_served(const struct sockaddr_un *address)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool served;

    if (fd < 0) {
        return -1;
    }
    served = !connect(fd, (const struct sockaddr *)address, sizeof *address) ||
             errno == EAGAIN || errno == EINPROGRESS;
    close(fd);
    return served;
}

bool
socket_is_served(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    return text_copy(address.sun_path, sizeof address.sun_path, path) &&
           is_served(&address) == 1;
}

/* Returns ST_EXISTS if a process listens on 'address', ST_NOT_FOUND if there is
 * only its socket file, ST_OK if there is no file. */
static enum st
probe(const struct sockaddr_un *address, const struct socket_words *words,
      struct err *err)
{
    char reason[sizeof err->reason];
    struct stat file;
    int served;

    if (lstat(address->sun_path, &file)) {
        return ST_OK;
    }
    if (!S_ISSOCK(file.st_mode)) {
        (void)text_format(reason, sizeof reason,
                          "%s exists and is not a socket", address->sun_path);
        return fail(words, ST_INVALID, "path", reason, err);
    }
    served = is_served(address);
    if (served < 0) {
        (void)text_format(reason, sizeof reason, "cannot create a socket: %s",
                          strerror(errno));
        return fail(words, ST_IO, "socket", reason, err);
    }
    if (served) {
        (void)text_format(reason, sizeof reason, "another %s listens on %s",
                          words->owner, address->sun_path);
        (void)fail(words, ST_EXISTS, "in-use", reason, err);
        err_set_remedy(err, "stop it, or give this one another %s",
                       words->option);
        return ST_EXISTS;
    }
    return ST_NOT_FOUND;
}

/* Creates the directory of 'path' if it is missing.  A failure shows when the
 * socket is bound. */
static void
make_directory(const char *path)
{
    char *directory = check_strdup(path);
    char *slash = strrchr(directory, '/');

    if (slash && slash != directory) {
        *slash = '\0';
        (void)!mkdir(directory, 0755);
    }
    free(directory);
}

/* Gives the socket file to 'group', as far as that is possible: without the
 * group (a single user, a test) the owner can still connect. */
static void
give_to_group(const char *path, const char *group)
{
    const struct group *found = group ? getgrnam(group) : NULL;

    if (found) {
        (void)!lchown(path, (uid_t)-1, found->gr_gid);
    }
}

/* Binds 'fd' and listens on it.  The file appears at its address only when
 * clients can connect, so a client that waits for the file need not retry; the
 * umask gives it its final mode at once.  Returns 0, or -1 and 'errno'. */
static int
bind_and_listen(int fd, const struct sockaddr_un *address, const char *group,
                int backlog)
{
    struct sockaddr_un first = *address;
    mode_t mask;
    int bound;

    strcat(first.sun_path, NEW_SUFFIX);
    unlink(first.sun_path);
    mask = umask(0117);
    bound = bind(fd, (const struct sockaddr *)&first, sizeof first);
    umask(mask);
    if (bound || listen(fd, backlog)) {
        return -1;
    }
    give_to_group(first.sun_path, group);
    return rename(first.sun_path, address->sun_path);
}

/* Returns a socket that listens on 'address', or -1 and 'errno'. */
static int
listen_on(const struct sockaddr_un *address, const char *group, int backlog)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd >= 0 && bind_and_listen(fd, address, group, backlog)) {
        int cause = errno;

        close(fd);
        errno = cause;
        return -1;
    }
    return fd;
}

enum st
socket_listen(const char *path, int backlog, const char *group,
              const struct socket_words *words,
              struct listening_socket *listening, struct err *err)
{
    struct sockaddr_un *address = &listening->address;
    char reason[sizeof err->reason];
    struct stat file;
    enum st status;

    *listening =
        (struct listening_socket){.fd = -1, .address.sun_family = AF_UNIX};
    if (!*path || !text_copy(address->sun_path, SOCKET_PATH_SIZE, path)) {
        (void)text_format(reason, sizeof reason,
                          "the path of the %s socket must have 1..%d bytes",
                          words->name, SOCKET_PATH_SIZE - 1);
        return fail(words, ST_INVALID, "path", reason, err);
    }
    status = probe(address, words, err);
    if (status == ST_NOT_FOUND) {
        unlink(path);
    } else if (status) {
        return status;
    }
    make_directory(path);
    listening->fd = listen_on(address, group, backlog);
    if (listening->fd < 0) {
        (void)text_format(reason, sizeof reason, "cannot listen on %s: %s",
                          path, strerror(errno));
        (void)fail(words, ST_IO, "socket", reason, err);
        err_set_remedy(err, "give a path in a writable directory: %s PATH",
                       words->option);
        return ST_IO;
    }
    if (!stat(path, &file)) {
        listening->device = file.st_dev;
        listening->inode = file.st_ino;
    }
    return ST_OK;
}

void
socket_remove(const struct listening_socket *listening)
{
    struct stat file;

    if (!stat(listening->address.sun_path, &file) &&
        file.st_dev == listening->device && file.st_ino == listening->inode) {
        unlink(listening->address.sun_path);
    }
}
