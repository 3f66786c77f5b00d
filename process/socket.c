/* SPDX-License-Identifier: Apache-2.0 */

/* Binding beside the place, listening, and only then moving there. */

#include <config.h>

#include "process/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"

/* What the name of the socket ends in until it listens; there is room for it
 * behind every path that is accepted. */
#define NEW_SUFFIX ".new"
#define PATH_SIZE                                                              \
    (sizeof((struct sockaddr_un *)NULL)->sun_path - (sizeof NEW_SUFFIX - 1))

/* Fails with the code of 'words' that ends in 'suffix'. */
static enum st
fail(const struct socket_words *words, enum st status, const char *suffix,
     const char *reason, struct err *err)
{
    char code[64];

    (void)text_format(code, sizeof code, "%s-%s", words->name, suffix);
    return err_set(err, status, code, "%s", reason);
}

/* Finds out who listens on 'address': ST_EXISTS if somebody does, ST_NOT_FOUND
 * if nobody does although there is a socket file, ST_OK if there is no file. */
static enum st
probe(const struct sockaddr_un *address, const struct socket_words *words,
      struct err *err)
{
    char reason[sizeof err->reason];
    struct stat file;
    int fd, result;

    if (lstat(address->sun_path, &file)) {
        return ST_OK;
    }
    if (!S_ISSOCK(file.st_mode)) {
        (void)text_format(reason, sizeof reason,
                          "%s is there and is not a socket", address->sun_path);
        return fail(words, ST_INVALID, "path", reason, err);
    }
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        (void)text_format(reason, sizeof reason, "no socket: %s",
                          strerror(errno));
        return fail(words, ST_IO, "socket", reason, err);
    }
    result = connect(fd, (const struct sockaddr *)address, sizeof *address);
    if (!result || errno == EAGAIN || errno == EINPROGRESS) {
        (void)text_format(reason, sizeof reason, "another %s listens on %s",
                          words->owner, address->sun_path);
        (void)fail(words, ST_EXISTS, "in-use", reason, err);
        err_set_remedy(err, "stop it, or give this one another %s",
                       words->option);
        close(fd);
        return ST_EXISTS;
    }
    close(fd);
    return ST_NOT_FOUND;
}

/* Makes the directory that 'path' is in, if it is missing; whatever goes wrong
 * shows when the socket is bound. */
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

/* Binds 'fd' and lets it listen, so that the socket is at its address only
 * when it can be connected to: who waits for the file need not try again.  It
 * never has another mode than its own, not even for a moment.  Returns 0, or
 * -1 and 'errno'. */
static int
bind_and_listen(int fd, const struct sockaddr_un *address, int backlog)
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
    return rename(first.sun_path, address->sun_path);
}

/* Returns a listening socket on 'address', -1 and 'errno' if that
 * cannot be. */
static int
listen_on(const struct sockaddr_un *address, int backlog)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd >= 0 && bind_and_listen(fd, address, backlog)) {
        int cause = errno;

        close(fd);
        errno = cause;
        return -1;
    }
    return fd;
}

enum st
socket_listen(const char *path, int backlog, const struct socket_words *words,
              struct socket_place *place, struct err *err)
{
    struct sockaddr_un *address = &place->address;
    char reason[sizeof err->reason];
    struct stat file;
    enum st status;

    *place = (struct socket_place){.fd = -1, .address.sun_family = AF_UNIX};
    if (!*path || !text_copy(address->sun_path, PATH_SIZE, path)) {
        (void)text_format(reason, sizeof reason,
                          "the path of the %s socket has to have 1..%zu bytes",
                          words->name, PATH_SIZE - 1);
        return fail(words, ST_INVALID, "path", reason, err);
    }
    status = probe(address, words, err);
    if (status == ST_NOT_FOUND) {
        unlink(path);
    } else if (status) {
        return status;
    }
    make_directory(path);
    place->fd = listen_on(address, backlog);
    if (place->fd < 0) {
        (void)text_format(reason, sizeof reason, "cannot listen on %s: %s",
                          path, strerror(errno));
        (void)fail(words, ST_IO, "socket", reason, err);
        err_set_remedy(err,
                       "give a path in a directory that is writable: %s PATH",
                       words->option);
        return ST_IO;
    }
    if (!stat(path, &file)) {
        place->device = file.st_dev;
        place->inode = file.st_ino;
    }
    return ST_OK;
}

void
socket_remove(const struct socket_place *place)
{
    struct stat file;

    if (!stat(place->address.sun_path, &file) && file.st_dev == place->device &&
        file.st_ino == place->inode) {
        unlink(place->address.sun_path);
    }
}
