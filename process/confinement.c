/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "process/confinement.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "base/status.h"
#include "base/text.h"
#include "process/call_filter.h"

void
confinement_start(bool secret)
{
    const mode_t before = umask(S_IRWXO);

    umask(before | S_IRWXO);
    /* Neither fails on a kernel that this runs on. */
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (secret) {
        (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    }
}

/* Returns whether the libsai at 'path' is of this project. */
static bool
is_ours(const char *path)
{
    char *file = realpath(path, NULL);
    const char *slash = file ? strrchr(file, '/') : NULL;
    const bool ours = slash && (!strcmp(slash, "/libsai-softasic.so") ||
                                !strcmp(slash, "/libsai-remote.so"));

    free(file);
    return ours;
}

void
confinement_enter(bool wanted, unsigned int needs, const char *library,
                  struct confinement *confinement)
{
    enum st status;
    struct err err;

    memset(confinement, 0, sizeof *confinement);
    if (!wanted) {
        text_copy(confinement->text, sizeof confinement->text,
                  "off: by the setting seccomp");
        return;
    }
    if (library && !is_ours(library)) {
        text_format(confinement->text, sizeof confinement->text,
                    "off: %.128s is in this process and may need any system "
                    "call",
                    library);
        return;
    }
    status = call_filter_load(needs, &err);
    if (status) {
        confinement->failed = status == ST_IO;
        text_format(confinement->text, sizeof confinement->text, "off: %.200s",
                    err.reason);
    } else {
        confinement->on = true;
        text_copy(confinement->text, sizeof confinement->text,
                  needs & CALLS_OF_PROGRAMS
                      ? "on; may start programs, for the private Redis"
                      : "on");
    }
}
