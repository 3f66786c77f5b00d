/* SPDX-License-Identifier: Apache-2.0 */

/* Makes folders. */

#include <config.h>

#include "command/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static enum st
fail(const char *what, const char *path, const char *why, const char *option,
     struct err *err)
{
    struct text remedy = {0};

    err_set(err, ST_IO, "unwritable", "cannot %s folder %s: %s", what, path,
            why);
    text_addf(&remedy, "name a folder that can be written: %s FOLDER", option);
    err_set_remedy(err, "%s", text_string(&remedy));
    text_fini(&remedy);
    return ST_IO;
}

enum st
folder_make(const char *path, const char *option, struct err *err)
{
    struct stat found;

    if (mkdir(path, 0777) == 0) {
        return ST_OK;
    }
    if (errno != EEXIST) {
        return fail("create", path, strerror(errno), option, err);
    }
    if (stat(path, &found) == 0 && !S_ISDIR(found.st_mode)) {
        return fail("create", path, "there is a file of that name", option,
                    err);
    }
    return access(path, W_OK | X_OK) == 0
               ? ST_OK
               : fail("write to", path, strerror(errno), option, err);
}
