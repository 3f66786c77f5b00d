/* SPDX-License-Identifier: Apache-2.0 */

/* Writes JSON files with jansson, which leaves the reason of a failure in
 * errno, also of a full disk that only fclose() notices. */

#include <config.h>

#include "orchctl/json_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum st
json_file_write(const char *path, const json_t *value, unsigned int indent,
                struct err *err)
{
    int error;

    errno = 0;
    if (!json_dump_file(value, path, JSON_INDENT(indent))) {
        return ST_OK;
    }
    error = errno ? errno : EIO;
    err_set(err, ST_IO, "unwritable", "cannot write '%s': %s", path,
            strerror(error));
    err_set_remedy(err, error == ENOENT ? "create the directory first"
                                        : "name a file that can be written");
    return ST_IO;
}

enum st
json_file_check(const char *directory, struct err *err)
{
    struct stat found;
    int error = 0;

    if (stat(directory, &found)) {
        error = errno;
    } else if (!S_ISDIR(found.st_mode)) {
        error = ENOTDIR;
    } else if (access(directory, W_OK | X_OK)) {
        error = errno;
    }
    if (!error) {
        return ST_OK;
    }
    err_set(err, ST_IO, "unwritable", "cannot write files in %s: %s", directory,
            strerror(error));
    err_set_remedy(err,
                   error == ENOENT
                       ? "create the directory first: mkdir -p %s"
                       : "name a directory that can be written, not %s",
                   directory);
    return ST_IO;
}
