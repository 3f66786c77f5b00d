/* SPDX-License-Identifier: Apache-2.0 */

/* softasic-thriftd: the calls of suites for QoS on hardware, for a switch of
 * softasicd. */

#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/capabilities.h"
#include "process/confinement.h"
#include "process/descriptors.h"
#include "process/event_log.h"
#include "process/log.h"
#include "process/loop.h"
#include "process/notify.h"
#include "process/output.h"
#include "process/user.h"
#include "process/version.h"
#include "saihostd/names.h"
#include "thriftd/listen.h"
#include "thriftd/options.h"
#include "thriftd/server.h"

/* Gives up rights that this process does not need, and says which are left. */
static enum st
confine(const struct options *options, struct log *log, struct err *err)
{
    struct confinement confinement;
    const enum st st = capabilities_keep(0, err);

    if (st) {
        return st;
    }
    confinement_enter(!options->unconfined, 0, NULL, &confinement);
    log_write(log, confinement.failed ? LOG_WARN : LOG_INFO, "seccomp", PROGRAM,
              "filter of system calls: %s", confinement.text);
    return ST_OK;
}

/* Says now that there is no switch, and not at the first call only.  The host
 * would take a connection for that of a tester. */
static void
look_for_switch(const char *path, struct log *log)
{
    struct stat found;

    if (stat(path, &found)) {
        log_write(log, LOG_WARN, "rpc-failed", path,
                  "%s; each call tries again", strerror(errno));
    } else if (!S_ISSOCK(found.st_mode)) {
        log_write(log, LOG_WARN, "rpc-failed", path,
                  "this is no socket; each call tries again");
    }
}

/* Serves clients until a signal. */
static void
serve(const struct options *options, struct loop *loop, struct log *log,
      const struct listen_place *place, const struct object_names *names)
{
    struct server *server =
        server_create(loop, log, place->fd, options->socket, names);
    struct notify *notify =
        notify_create(loop_timeline(loop), log, loop_now(loop));

    if (!place->is_loopback) {
        log_write(log, LOG_WARN, "rpc-exposed", place->text,
                  "other machines may be able to connect and change the "
                  "switch; use this in a network namespace of a test bed only");
    }
    log_write(log, LOG_INFO, "rpc-ready", place->text,
              "serving calls about the switch at %s", options->socket);
    look_for_switch(options->socket, log);
    notify_ready(notify, loop_now(loop));
    loop_run(loop);
    notify_stopping(notify, loop_now(loop));
    notify_destroy(notify);
    server_destroy(server);
}

/* Prepares everything that needs rights, and serves. */
static int
run_with(const struct options *options, struct loop *loop, struct log *log)
{
    struct object_names *names = NULL;
    struct listen_place place = {.fd = -1};
    struct err err = {0};
    enum st st = names_read(options->names, &names, &err);

    st = st ? st : listen_at(options->listen, &place, &err);
    st = st ? st : confine(options, log, &err);
    if (st == ST_OK) {
        serve(options, loop, log, &place, names);
    }
    if (place.fd >= 0) {
        close(place.fd);
    }
    object_names_destroy(names);
    return st ? options_complain(&err) : 0;
}

static int
run(const struct options *options)
{
    struct err err = {0};
    struct loop *loop;
    struct log *log;
    int result;

    confinement_start(false);
    if (options->user && user_become(options->user, 0, &err)) {
        return options_complain(&err);
    }
    loop = loop_create();
    if (!loop) {
        fputs(PROGRAM ": the system has no mechanism to wait for events\n",
              stderr);
        return 1;
    }
    log = log_create(stderr, options->log_level,
                     log_is_journal(STDERR_FILENO, getenv("JOURNAL_STREAM")));
    log_follow(log, loop);
    event_log_follow(log);
    (void)descriptors_raise(DESCRIPTORS_WANTED);
    result = run_with(options, loop, log);
    event_log_follow(NULL);
    log_destroy(log);
    loop_destroy(loop);
    return result;
}

int
main(int argc, char **argv)
{
    struct options options;
    int result = 0;

    if (argc > 1 && !strcmp(argv[1], "--help-json")) {
        options_print_manual();
        return output_end(PROGRAM, 0);
    }
    if (!options_parse(&options, argc, argv)) {
        result = 2;
    } else if (options.help) {
        options_print_help();
    } else if (options.version) {
        version_print(PROGRAM, options.json);
    } else {
        result = run(&options);
    }
    options_fini(&options);
    return output_end(PROGRAM, result);
}
