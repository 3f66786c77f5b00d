/* SPDX-License-Identifier: Apache-2.0 */

/* openat() with O_NOFOLLOW for each component. */

#include <config.h>

#include "process/own_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/* A walk along the path. */
struct walk {
    const char *what;
    char path[PATH_MAX]; /* Absolute. */
    uid_t root;          /* The owner of "/", which is another number in some
                          * containers. */
    int fd;              /* Of the component that was reached. */
    struct err *err;
};

/* Fills 'err' for the first 'length' bytes of the path. */
static enum st
refuse(const struct walk *walk, size_t length, const char *reason)
{
    err_set(walk->err, ST_INVALID, "directory", "%s: %.*s %s", walk->what,
            (int)length, walk->path, reason);
    err_set_remedy(walk->err,
                   "use a directory of your own, for example in $HOME or "
                   "$XDG_RUNTIME_DIR; or make it safe: chown, chmod 700");
    return ST_INVALID;
}

static enum st
fail(const struct walk *walk, size_t length, int error)
{
    return err_set(walk->err, ST_IO, "directory", "%s: cannot open %.*s: %s",
                   walk->what, (int)length, walk->path, strerror(error));
}

/* Checks the directory that was reached. */
static enum st
check_directory(const struct walk *walk, size_t length, bool last)
{
    struct stat file;
    bool shared;

    if (fstat(walk->fd, &file)) {
        return fail(walk, length, errno);
    }
    shared = file.st_mode & (S_IWGRP | S_IWOTH);
    if (last && file.st_uid != geteuid()) {
        return refuse(walk, length, "belongs to another user");
    }
    if (last && shared) {
        return refuse(walk, length, "can be written by other users");
    }
    if (file.st_uid != geteuid() && file.st_uid != 0 &&
        file.st_uid != walk->root) {
        return refuse(walk, length,
                      "belongs to another user, who can exchange what is in "
                      "it");
    }
    if (shared && !(file.st_mode & S_ISVTX)) {
        return refuse(walk, length,
                      "can be written by other users, who can exchange what is "
                      "in it");
    }
    return ST_OK;
}

/* Goes to the component at 'begin', which ends at 'end'. */
static enum st
step(struct walk *walk, size_t begin, size_t end)
{
    const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const bool last = !walk->path[end];
    const size_t length = end;
    const char *name = walk->path + begin;
    const char kept = walk->path[end];
    struct stat file;
    int fd, cause;

    walk->path[end] = '\0';
    fd = openat(walk->fd, name, flags);
    if (fd < 0 && errno == ENOENT && last &&
        !mkdirat(walk->fd, name, S_IRWXU)) {
        fd = openat(walk->fd, name, flags);
    }
    cause = errno;
    if (fd < 0 && !fstatat(walk->fd, name, &file, AT_SYMLINK_NOFOLLOW)) {
        return refuse(walk, length,
                      S_ISLNK(file.st_mode)
                          ? "is a symbolic link, which another user may have "
                            "made"
                          : "is not a directory");
    }
    if (fd < 0) {
        return fail(walk, length, cause);
    }
    close(walk->fd);
    walk->fd = fd;
    walk->path[end] = kept;
    return check_directory(walk, length, last);
}

/* Makes 'path' absolute, without double slashes and "." components.  Returns
 * false if it is too long. */
static bool
make_absolute(const char *path, char *absolute, size_t size)
{
    char all[PATH_MAX] = "", part[NAME_MAX + 1];
    struct text text = {0};
    bool fits = true;

    if (*path != '/' && !getcwd(all, sizeof all)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        for (const char *c = i ? path : all; *c;) {
            const size_t n = strcspn(c, "/");

            fits = fits && text_format(part, sizeof part, "%.*s", (int)n, c);
            if (n && strcmp(part, ".") != 0) {
                text_addf(&text, "/%s", part);
            }
            c += n + (c[n] == '/');
        }
    }
    fits = fits &&
           text_copy(absolute, size, text.length ? text_string(&text) : "/");
    text_fini(&text);
    return fits;
}

/* Goes from "/" to the end of the path. */
static enum st
go(struct walk *walk)
{
    struct stat file;
    enum st status;

    walk->fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (walk->fd < 0 || fstat(walk->fd, &file)) {
        return fail(walk, 1, errno);
    }
    walk->root = file.st_uid;
    status = check_directory(walk, 1, !walk->path[1]);
    for (size_t begin = 1; !status && walk->path[begin];) {
        const size_t end = begin + strcspn(walk->path + begin, "/");

        status = step(walk, begin, end);
        begin = end + (walk->path[end] == '/');
    }
    return status;
}

enum st
own_directory_open(const char *path, const char *what, int *fd, char *absolute,
                   size_t size, struct err *err)
{
    struct walk walk = {.what = what, .fd = -1, .err = err};
    enum st status;

    if (!make_absolute(path, walk.path, sizeof walk.path) ||
        strlen(walk.path) >= size) {
        return err_set(err, ST_IO, "directory", "%s: %s: %s", what, path,
                       strerror(ENAMETOOLONG));
    }
    status = go(&walk);
    if (status) {
        if (walk.fd >= 0) {
            close(walk.fd);
        }
        return status;
    }
    *fd = walk.fd;
    (void)text_copy(absolute, size, walk.path);
    return ST_OK;
}
