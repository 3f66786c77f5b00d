/* SPDX-License-Identifier: Apache-2.0 */

/* Two processes from one. */

#include <config.h>

#include "saihostd/interface_helper.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "netdev/privileged.h"
#include "netdev/privileged_channel.h"
#include "process/call_filter.h"
#include "process/capabilities.h"
#include "process/log.h"
#include "process/loop.h"
#include "saihostd/ports_options.h"

#define HELPER_NAME "softasicd-priv"

/* What requests may need. */
#define HELPER_CAPABILITIES                                                    \
    (CAPABILITY(CAP_NET_ADMIN) | CAPABILITY(CAP_NET_RAW) |                     \
     CAPABILITY(CAP_NET_BROADCAST) | CAPABILITY(CAP_SYS_ADMIN))

struct interface_helper {
    struct privileged *privileged;
    pid_t pid; /* 0: it was waited for. */
    int channel;
    uint64_t capabilities; /* Of the helper. */
    struct event *ended;   /* NULL: not watched. */
    struct loop *loop;
    struct log *log;
    bool failed;
};

/* The helper ----------------------------------------------------------- */

/* Ends the helper with a message. */
static void __attribute__((noreturn)) fail(const struct err *err)
{
    fprintf(stderr, HELPER_NAME ": %s\n", err->reason);
    _exit(1);
}

/* Closes the standard streams, except that for errors: who reads the output of
 * softasicd gets its end. */
static void
leave_streams(void)
{
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (null >= 0) {
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
        (void)close(null);
    }
}

/* The process: answers requests until nobody is left to send any. */
static void __attribute__((noreturn))
run_helper(struct privileged *privileged, int channel, bool confined)
{
    struct err err = {0};

    (void)prctl(PR_SET_NAME, HELPER_NAME, 0, 0, 0);
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    leave_streams();
    if (capabilities_keep(HELPER_CAPABILITIES, &err) ||
        (confined && call_filter_load_helper(&err) == ST_IO)) {
        fail(&err);
    }
    while (privileged_channel_serve(privileged, channel)) {
    }
    _exit(0);
}

/* Starting and ending -------------------------------------------------- */

/* Forks the helper. */
static enum st
start(struct interface_helper *helper, bool confined, struct err *err)
{
    int other;
    enum st status = privileged_channel_create(&helper->channel, &other, err);

    if (status) {
        return status;
    }
    (void)fflush(NULL);
    helper->pid = fork();
    if (helper->pid == 0) {
        (void)close(helper->channel);
        run_helper(helper->privileged, other, confined);
    }
    (void)close(other);
    if (helper->pid < 0) {
        helper->pid = 0;
        return err_set(err, ST_IO, "helper",
                       "no helper process for interfaces: %s", strerror(errno));
    }
    privileged_delegate(helper->privileged, privileged_channel_ask,
                        helper->channel);
    return ST_OK;
}

uint64_t
interface_helper_needs(const struct ports_options *options)
{
    return options->tap_prefix || options->n_bound ? HELPER_CAPABILITIES : 0;
}

enum st
interface_helper_start(const struct ports_options *options, bool confined,
                       struct interface_helper **helper, struct err *err)
{
    const char *const spaces[] = {options->namespace, options->host_namespace};
    struct interface_helper *made;
    const char **bound;
    enum st status;

    *helper = NULL;
    if (!interface_helper_needs(options)) {
        return ST_OK;
    }
    made = check_calloc(1, sizeof *made);
    made->channel = -1;
    made->capabilities = capabilities_permitted() & HELPER_CAPABILITIES;
    bound = check_calloc(options->n_bound + 1, sizeof *bound);
    for (size_t i = 0; i < options->n_bound; i++) {
        bound[i] = options->bound[i].interface;
    }
    status = privileged_create(spaces, sizeof spaces / sizeof *spaces, bound,
                               options->n_bound, &made->privileged, err);
    free(bound);
    if (status == ST_OK) {
        status = start(made, confined, err);
    }
    if (status) {
        interface_helper_destroy(made);
        return status;
    }
    *helper = made;
    return ST_OK;
}

/* Ends the process, which has no state, in case it is stopped or hangs, and
 * waits for it.  Returns its status, which is its own if it has ended before.
 */
static int
reap(struct interface_helper *helper)
{
    int status = 0;

    if (helper->pid) {
        (void)kill(helper->pid, SIGKILL);
        while (waitpid(helper->pid, &status, 0) < 0 && errno == EINTR) {
        }
        helper->pid = 0;
    }
    return status;
}

void
interface_helper_destroy(struct interface_helper *helper)
{
    if (!helper) {
        return;
    }
    if (helper->ended) {
        event_free(helper->ended);
    }
    if (helper->channel >= 0) {
        (void)close(helper->channel);
    }
    (void)reap(helper);
    privileged_destroy(helper->privileged);
    free(helper);
}

struct privileged *
interface_helper_privileged(struct interface_helper *helper)
{
    return helper ? helper->privileged : NULL;
}

bool
interface_helper_failed(const struct interface_helper *helper)
{
    return helper && helper->failed;
}

/* Its end -------------------------------------------------------------- */

/* Describes how the helper has ended. */
static void
describe_end(int status, char *text, size_t size)
{
    if (WIFSIGNALED(status)) {
        text_format(text, size, "signal %d (%s)", WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    } else {
        text_format(text, size, "exit status %d", WEXITSTATUS(status));
    }
}

/* The channel is readable outside of a call: it was closed. */
static void
on_ended(evutil_socket_t fd, short what, void *helper_)
{
    struct interface_helper *helper = helper_;
    char how[64];

    (void)fd;
    (void)what;
    describe_end(reap(helper), how, sizeof how);
    log_write(helper->log, LOG_ERROR, "helper-ended", HELPER_NAME,
              "the helper process for interfaces has ended (%s), so this "
              "process ends",
              how);
    helper->failed = true;
    event_del(helper->ended);
    loop_stop(helper->loop);
}

void
interface_helper_watch(struct interface_helper *helper, struct loop *loop,
                       struct log *log)
{
    if (helper) {
        helper->loop = loop;
        helper->log = log;
        helper->ended = event_new(loop_base(loop), helper->channel,
                                  EV_READ | EV_PERSIST, on_ended, helper);
        orch_assert(helper->ended);
        event_add(helper->ended, NULL);
    }
}

enum st
interface_helper_drop(const struct interface_helper *helper, struct log *log,
                      struct err *err)
{
    const uint64_t before = capabilities_permitted();
    char of_helper[CAPABILITIES_TEXT_SIZE], given_up[CAPABILITIES_TEXT_SIZE];
    enum st status = capabilities_keep(0, err);

    if (status) {
        return status;
    }
    capabilities_describe(before, given_up);
    if (helper) {
        capabilities_describe(helper->capabilities, of_helper);
        log_write(log, LOG_INFO, "privileges", HELPER_NAME,
                  "capabilities of this process: none (given up: %s); of its "
                  "helper for interfaces, process %ld: %s",
                  given_up, (long)helper->pid, of_helper);
    } else {
        log_write(log, LOG_INFO, "privileges", "softasicd",
                  "capabilities of this process: none (given up: %s); there "
                  "is no helper, as no interfaces are asked for",
                  given_up);
    }
    return ST_OK;
}
