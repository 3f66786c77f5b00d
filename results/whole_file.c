/* SPDX-License-Identifier: Apache-2.0 */

/* Writes whole files. */

#include <config.h>

#include "results/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum st
whole_file_write(const char *path, const char *bytes, size_t length,
                 struct err *err)
{
    FILE *file = fopen(path, "we");
    int error = 0;

    if (!file) {
        return err_set(err, ST_IO, "unwritable", "cannot write '%s': %s", path,
                       strerror(errno));
    }
    if (fwrite(bytes, 1, length, file) != length) {
        error = errno;
    }
    if (fclose(file) && !error) {
        error = errno;
    }
    if (error) {
        (void)unlink(path);
        err_set(err, ST_IO, "unwritable", "cannot write '%s': %s", path,
                strerror(error));
        err_set_remedy(err, "the incomplete file was removed; make room, or "
                            "write to another place");
    }
    return error ? ST_IO : ST_OK;
}
