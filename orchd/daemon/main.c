/* SPDX-License-Identifier: Apache-2.0 */

/* orchd: reads the command line and runs the daemon. */

#include <config.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "orchd/control/command_table.h"
#include "orchd/daemon/daemon.h"
#include "orchd/daemon/options.h"
#include "orchd/daemon/settings.h"
#include "orchd/daemon/settings_text.h"
#include "process/output.h"
#include "process/version.h"

/* Prints an error, or a warning with 'prefix'. */
static void
print_error(const char *prefix, const struct err *err)
{
    fprintf(stderr, "orchd: %s%s\n", prefix, err->reason);
    if (*err->allowed && !strstr(err->reason, err->allowed)) {
        fprintf(stderr, "  allowed: %s\n", err->allowed);
    }
    if (*err->remedy) {
        fprintf(stderr, "  remedy: %s\n", err->remedy);
    }
}

/* Returns the exit status for an error: 2 if an option or a setting is wrong or
 * names a file that does not exist, else 1. */
static int
exit_status(enum st status)
{
    return status == ST_INVALID || status == ST_NOT_FOUND ? 2 : !!status;
}

/* Reads the settings, prints all problems, and does what the options say. */
static int
run(const struct options *options)
{
    struct settings settings;
    struct err err;
    enum st status = options_settings(options, &settings, &err);

    for (size_t i = 0; i < settings.n_problems; i++) {
        const struct err *problem = &settings.problems[i];

        print_error(problem->status == ST_UNSUPPORTED ? "warning: " : "",
                    problem);
    }
    if (status) {
        settings_fini(&settings);
        return 2; /* Also for a file that cannot be read. */
    }
    if (options->check_config) {
        printf("%s: no errors\n",
               settings.file ? settings.file : "no configuration file");
    } else if (options->print_config) {
        settings_text_file(&settings, stdout);
    } else {
        status = daemon_run(options, &settings, &err);
        if (status) {
            print_error("", &err);
        }
    }
    settings_fini(&settings);
    return exit_status(status);
}

int
main(int argc, char **argv)
{
    const struct options_surroundings surroundings = {
        .uid = geteuid(),
        .runtime_dir = getenv("XDG_RUNTIME_DIR"),
        .config = OPTIONS_CONFIG,
        .environment = (const char *const *)environ,
    };
    struct options options;
    struct err err;
    int result = 0;

    /* Small blocks are merged with their neighbours when they are freed.  By
     * default glibc leaves that to the next large allocation, which took 80 ms
     * after an answer of 14 MB was freed in slices. */
    (void)mallopt(M_MXFAST, 0);
    /* Large blocks go back to the system when they are freed.  By default glibc
     * raises both limits to the largest block that was ever freed, here a
     * buffer for a Redis that was busy: then up to twice that stays. */
    (void)mallopt(M_MMAP_THRESHOLD, 256 * 1024);
    (void)mallopt(M_TRIM_THRESHOLD, 512 * 1024);
    if (argc > 1 && !strcmp(argv[1], "--help-json")) {
        options_manual(command_table_json(), stdout);
        return output_end("orchd", 0);
    }
    if (options_parse(argc, argv, &surroundings, &options, &err)) {
        print_error("", &err);
        result = exit_status(err.status);
    } else if (options.help) {
        options_help(stdout);
    } else if (options.version) {
        version_print("orchd", options.json);
    } else {
        result = run(&options);
    }
    options_fini(&options);
    return output_end("orchd", result);
}
