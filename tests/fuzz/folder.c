/* SPDX-License-Identifier: Apache-2.0 */

/* A folder for a file that a target writes. */

#include <config.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/fuzz/fuzz.h"

static char folder[64];
static const char *file_in_it;

static void
remove_folder(void)
{
    char path[128];

    text_format(path, sizeof path, "%s/%s", folder, file_in_it);
    unlink(path);
    rmdir(folder);
}

const char *
fuzz_folder(const char *file)
{
    if (!*folder) {
        text_copy(folder, sizeof folder, "/tmp/orchd-fuzz-XXXXXX");
        orch_assert(mkdtemp(folder));
        file_in_it = file;
        atexit(remove_folder);
    }
    return folder;
}
