/* SPDX-License-Identifier: Apache-2.0 */

/* orchd: reads the command line and runs the daemon. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/status.h"
#include "orchd/daemon/daemon.h"
#include "orchd/daemon/options.h"
#include "orchd/daemon/settings.h"
#include "process/output.h"

/* Prints why orchd does not start.  Returns its exit status: 2 if an option is
 * wrong or names a file that does not exist, else 1. */
static int
print_error(const struct err *err)
{
    fprintf(stderr, "orchd: %s\n", err->reason);
    if (*err->remedy) {
        fprintf(stderr, "orchd: %s\n", err->remedy);
    }
    return err->status == ST_INVALID || err->status == ST_NOT_FOUND ? 2 : 1;
}

int
main(int argc, char **argv)
{
    const struct options_surroundings surroundings = {
        geteuid(), getenv("XDG_RUNTIME_DIR")};
    struct options options;
    struct settings settings = {0};
    struct err err;
    int result = 0;

    if (options_parse(argc, argv, &surroundings, &options, &err)) {
        result = print_error(&err);
    } else if (options.help) {
        options_help(stdout);
    } else if (options.version) {
        puts("orchd " PACKAGE_VERSION);
    } else if (options_settings(&options, &settings, &err)) {
        result = print_error(&err);
    } else if (daemon_run(&options, &settings, &err)) {
        result = print_error(&err);
    }
    settings_fini(&settings);
    options_fini(&options);
    return output_end("orchd", result);
}
