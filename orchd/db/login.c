/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/db/login.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/* Reads up to 'size' bytes; returns how many, or -1 and 'errno'. */
static ssize_t
read_some(int fd, char *bytes, size_t size)
{
    size_t n = 0;

    while (n < size) {
        const ssize_t got = read(fd, bytes + n, size - n);

        if (got < 0 && errno != EINTR) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        n += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)n;
}

/* Reads and checks an open file. */
static enum st
read_password(int fd, const char *path, char *password, struct err *err)
{
    struct stat file;
    ssize_t n;

    if (fstat(fd, &file)) {
        return err_set(err, ST_IO, "redis-login", "%s cannot be read: %s", path,
                       strerror(errno));
    }
    if (file.st_mode & S_IRWXO) {
        err_set(err, ST_INVALID, "redis-login",
                "%s: every user can read this file (mode %04o)", path,
                (unsigned int)file.st_mode & 07777);
        err_set_remedy(err, "chmod o= %s, and change the password", path);
        return ST_INVALID;
    }
    n = read_some(fd, password, LOGIN_PASSWORD_SIZE - 1);
    if (n < 0) {
        return err_set(err, ST_IO, "redis-login", "%s cannot be read: %s", path,
                       strerror(errno));
    }
    password[n] = '\0';
    password[strcspn(password, "\r\n")] = '\0';
    n = (ssize_t)strlen(password);
    if (n == 0 || n == LOGIN_PASSWORD_SIZE - 1) {
        err_set(err, ST_INVALID, "redis-login",
                "%s: the first line has to be a password of 1 to %d bytes",
                path, LOGIN_PASSWORD_SIZE - 2);
        return ST_INVALID;
    }
    return ST_OK;
}

enum st
login_read(const char *path, char password[LOGIN_PASSWORD_SIZE],
           struct err *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    enum st status;

    if (fd < 0) {
        return err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO,
                       "redis-login", "%s cannot be read: %s", path,
                       strerror(errno));
    }
    status = read_password(fd, path, password, err);
    if (status) {
        explicit_bzero(password, LOGIN_PASSWORD_SIZE);
    }
    close(fd);
    return status;
}
