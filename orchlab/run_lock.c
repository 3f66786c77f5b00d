/* SPDX-License-Identifier: Apache-2.0 */

/* Locks the results of a run. */

#include <config.h>

#include "orchlab/run_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"

struct run_lock {
    int fd;
    struct text path; /* Of the lock file. */
};

/* Locks 'fd', and sets '*waited' if it had to wait. */
static bool
lock_file(int fd, bool *waited)
{
    int error;

    if (!flock(fd, LOCK_EX | LOCK_NB)) {
        return true;
    }
    if (errno != EWOULDBLOCK) {
        return false;
    }
    *waited = true;
    do {
        error = flock(fd, LOCK_EX) ? errno : 0;
    } while (error == EINTR);
    return !error;
}

/* Returns whether 'path' still names the file 'fd': who had the lock before has
 * removed it. */
static bool
is_named(int fd, const char *path)
{
    struct stat held, named;

    return !fstat(fd, &held) && !stat(path, &named) &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

enum st
run_lock_take(const char *path, struct run_lock **lock, bool *waited,
              struct err *err)
{
    struct run_lock *made = check_calloc(1, sizeof *made);

    *waited = false;
    made->fd = -1;
    text_addf(&made->path, "%s.lock", path);
    for (;;) {
        const char *name = text_string(&made->path);

        made->fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (made->fd < 0 || !lock_file(made->fd, waited)) {
            enum st st = err_set(err, ST_IO, "unwritable", "cannot lock %s: %s",
                                 name, strerror(errno));

            err_set_remedy(err, "name a folder that can be written: --results "
                                "FOLDER");
            if (made->fd >= 0) {
                (void)close(made->fd);
            }
            text_fini(&made->path);
            free(made);
            return st;
        }
        if (is_named(made->fd, name)) {
            *lock = made;
            return ST_OK;
        }
        (void)close(made->fd);
    }
}

void
run_lock_give(struct run_lock *lock)
{
    if (lock) {
        /* First the name, while nobody else can have the lock. */
        (void)unlink(text_string(&lock->path));
        (void)close(lock->fd);
        text_fini(&lock->path);
        free(lock);
    }
}
