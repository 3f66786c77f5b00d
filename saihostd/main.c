/* SPDX-License-Identifier: Apache-2.0 */

/* saihostd: a libsai in a process of its own, for clients on a Unix socket.
 * softasicd: the same with softasic, the chip as a process. */

#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "process/call_filter.h"
#include "process/confinement.h"
#include "process/descriptors.h"
#include "process/event_log.h"
#include "process/log.h"
#include "process/loop.h"
#include "process/notify.h"
#include "process/output.h"
#include "process/user.h"
#include "process/version.h"
#include "sai/remote/sai_host.h"
#include "saihostd/interface_helper.h"
#include "saihostd/library.h"
#include "saihostd/options.h"
#include "saihostd/ports.h"

/* Of time, by default; lines that are slower need none. */
#define DILATION 1000

struct service {
    struct options options;
    struct log *log;     /* NULL until it is created. */
    struct ports *ports; /* NULL: there are none. */
    struct interface_helper *helper;
    struct loop *loop;
    struct notify *notify; /* NULL: it does not run. */
    const struct sai_host *host;
};

/* Calls of the library ---------------------------------------------------- */

/* Ends the process: clients notice, and a supervisor can restart it.  Calls
 * only functions that are safe in a signal handler. */
static void
on_alarm(int signal)
{
    static const char text[] =
        PROGRAM ": a call of the library did not return in time\n";

    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    (void)signal;
    _exit(3);
}

static void
on_enter(void *service_, bool limited)
{
    const struct service *service = service_;

    if (service->ports) {
        ports_enter(service->ports);
    }
    if (limited && service->options.call_timeout_s) {
        alarm(service->options.call_timeout_s);
    }
}

static void
on_leave(void *service_)
{
    (void)service_;
    alarm(0);
}

static void
on_rescue(void *service_, const char *name, const char *owner)
{
    const struct service *service = service_;

    log_write(service->log, LOG_WARN, "host-rescue", name,
              "a client may change the switch without the knowledge of %s",
              *owner ? owner : "a later owner");
}

/* Reports what a tester does beside the owner. */
static void
on_tester(void *service_, bool warn, const char *name, const char *text)
{
    const struct service *service = service_;

    if (text) {
        log_write(service->log, warn ? LOG_WARN : LOG_INFO, "host-tester", name,
                  "%s", text);
    }
    if (service->notify) {
        notify_changed(service->notify, loop_now(service->loop));
    }
}

/* Running ---------------------------------------------------------------- */

/* A loop_turn_fn. */
static bool
on_turn(void *service_, int64_t now)
{
    const struct service *service = service_;

    (void)now;
    ports_turn(service->ports);
    return false;
}

/* Returns whether options ask for real ports or a real clock. */
static bool
has_ports(const struct ports_options *ports)
{
    return ports->tap_prefix || ports->n_bound || ports->dilation ||
           ports->namespace || ports->tap_queue || ports->host_namespace ||
           ports->names || ports->line_dilation;
}

/* Connects the switch to real ports and a real clock, if options ask for
 * that. */
static enum st
start_ports(struct service *service, struct loop *loop, struct log *log,
            const struct library *library, struct err *err)
{
    enum st status;

    if (!has_ports(&service->options.ports)) {
        return ST_OK;
    }
    if (!service->options.ports.dilation) {
        service->options.ports.dilation =
            service->options.ports.line_dilation ? 1 : DILATION;
    }
    status = ports_create(
        loop_base(loop), log, library->front, &service->options.ports,
        interface_helper_privileged(service->helper), &service->ports, err);
    if (status == ST_OK) {
        loop_on_turn(loop, on_turn, service);
    }
    return status;
}

/* A vendor_note_fn. */
static void
on_library_note(void *log, const char *code, const char *text)
{
    log_write(log, LOG_INFO, code, PROGRAM, "%s", text);
}

/* Implements notify_describe_fn. */
static void
describe_service(void *service_, char *buffer, size_t size)
{
    const struct service *service = service_;
    const unsigned int n = sai_host_n_testers(service->host);

    char testers[32] = "";

    if (n) {
        text_format(testers, sizeof testers, "; %u tester%s", n,
                    text_plural(n));
    }
    text_format(buffer, size, "Serving %s at %s%s",
                service->options.library.path, service->options.sockets.path,
                testers);
}

/* Runs the loop, and reports that to the service manager. */
static void
run_loop(struct service *service, struct loop *loop, struct log *log)
{
    struct notify *notify =
        notify_create(loop_timeline(loop), log, loop_now(loop));

    notify_describe(notify, describe_service, service);
    notify_changed(notify, loop_now(loop));
    notify_ready(notify, loop_now(loop));
    service->notify = notify;
    loop_run(loop);
    service->notify = NULL;
    notify_stopping(notify, loop_now(loop));
    notify_destroy(notify);
}

/* Prepares for clients: ports, the socket, and, last, no privileges. */
static enum st
start_service(struct service *service, struct loop *loop, struct log *log,
              const struct library *library, struct sai_host *host,
              struct clients **clients, struct err *err)
{
    enum st status = start_ports(service, loop, log, library, err);

    if (status == ST_OK) {
        status = clients_create(loop, log, host, &service->options.sockets,
                                clients, err);
    }
    /* The code of another library may need any privilege. */
    if (status == ST_OK && library->front) {
        status = interface_helper_drop(service->helper, log, err);
    }
    return status;
}

/* Serves clients until a signal; returns the exit status. */
static int
serve(struct service *service, struct loop *loop, struct log *log)
{
    const struct sai_host_watcher watcher = {service, on_enter, on_leave,
                                             on_rescue, on_tester};
    struct library library = {0};
    struct clients *clients = NULL;
    struct sai_host *host = NULL;
    struct err err = {0};
    int result = 0;

    service->options.library.note = on_library_note;
    service->options.library.note_context = log;
    if (library_open(&service->options.library, &library, &err)) {
        return options_complain(&err);
    }
    host = sai_host_create(&library.host, &watcher);
    orch_assert(host);
    service->log = log;
    service->loop = loop;
    service->host = host;
    if (service->options.rescue) {
        sai_host_allow_rescue(host);
    }
    if (start_service(service, loop, log, &library, host, &clients, &err)) {
        result = options_complain(&err);
    } else {
        if (*library.warning) {
            log_write(log, LOG_WARN, "chip-fallback",
                      service->options.library.path,
                      "%s; name the chip with --profile SOFTASIC_MODEL=NAME",
                      library.warning);
        }
        log_write(log, LOG_INFO, "host-ready", service->options.sockets.path,
                  "serving %s", service->options.library.path);
        interface_helper_watch(service->helper, loop, log);
        run_loop(service, loop, log);
        result = interface_helper_failed(service->helper);
    }
    clients_destroy(clients);
    sai_host_destroy(host);
    ports_destroy(service->ports);
    library_close(&library);
    return result;
}

/* Gives up rights that this process does not need, and says which are left. */
static void
confine(const struct service *service, struct log *log)
{
    const unsigned int needs = service->helper ? CALLS_OF_INTERFACES : 0;
    struct confinement confinement;

    confinement_enter(!service->options.unconfined, needs,
                      service->options.library.path, &confinement);
    log_write(log, confinement.failed ? LOG_WARN : LOG_INFO, "seccomp", PROGRAM,
              "filter of system calls: %s", confinement.text);
}

static int
run(struct service *service)
{
    struct err err = {0};
    struct loop *loop;
    struct log *log;
    int result;

    confinement_start(false);
    if (service->options.user &&
        user_become(service->options.user,
                    interface_helper_needs(&service->options.ports), &err)) {
        return options_complain(&err);
    }
    if (interface_helper_start(&service->options.ports,
                               !service->options.unconfined, &service->helper,
                               &err)) {
        return options_complain(&err);
    }
    loop = loop_create();
    if (!loop) {
        fputs(PROGRAM ": the system has no mechanism to wait for events\n",
              stderr);
        interface_helper_destroy(service->helper);
        return 1;
    }
    log = log_create(stderr, service->options.log_level,
                     log_is_journal(STDERR_FILENO, getenv("JOURNAL_STREAM")));
    log_follow(log, loop);
    event_log_follow(log);
    (void)descriptors_raise(DESCRIPTORS_WANTED);
    (void)signal(SIGALRM, on_alarm);
    confine(service, log);
    result = serve(service, loop, log);
    event_log_follow(NULL);
    interface_helper_destroy(service->helper);
    log_destroy(log);
    loop_destroy(loop);
    return result;
}

int
main(int argc, char **argv)
{
    struct service service = {0};
    int result = 0;

    if (argc > 1 && !strcmp(argv[1], "--help-json")) {
        options_print_manual();
    } else if (!options_parse(&service.options, argc, argv)) {
        result = 2;
    } else if (service.options.help) {
        options_print_help();
    } else if (service.options.version) {
        version_print(PROGRAM, service.options.json);
    } else {
        result = run(&service);
    }
    options_fini(&service.options);
    return output_end(PROGRAM, result);
}
