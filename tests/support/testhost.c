/* SPDX-License-Identifier: Apache-2.0 */

/* A child process in a directory of its own. */

#include <config.h>

#include "tests/support/testhost.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/view_path.h"

enum { MAX_WORDS = 32, PATIENCE_MS = 180000, STEP_MS = 5 };

struct testhost {
    char directory[64];
    char path[96];
    pid_t pid;
    bool ended;
    int status;
};

bool
testhost_wanted(void)
{
    const char *wanted = getenv("ORCHD_TEST_REMOTE");

    return wanted && strcmp(wanted, "yes") == 0;
}

/* Replaces this process. */
static _Noreturn void
become(const struct testhost *host, const char *name,
       const char *const *options)
{
    static const char program[] = TOP_BUILDDIR "/saihostd/saihostd";
    char library[512];
    const char *words[MAX_WORDS] = {program, "--socket",    host->path, "--sai",
                                    library, "--log-level", "error"};
    size_t n = 7;

    (void)snprintf(library, sizeof library, TOP_BUILDDIR "/.libs/%s", name);
    for (; options && *options; options++) {
        words[n++] = *options;
    }
    execv(program, (char *const *)(uintptr_t)words);
    perror(program);
    _exit(127);
}

struct testhost *
testhost_start_library(const char *name, const char *const *options)
{
    struct testhost *host = calloc(1, sizeof *host);

    assert_non_null(host);
    strcpy(host->directory, "/tmp/testhost-XXXXXX");
    assert_non_null(mkdtemp(host->directory));
    (void)snprintf(host->path, sizeof host->path, "%s/s", host->directory);
    host->pid = fork();
    assert_return_code(host->pid, 0);
    if (host->pid == 0) {
        become(host, name, options);
    }
    /* The socket is there only when it can be connected to. */
    for (int ms = 0; access(host->path, F_OK); ms += STEP_MS) {
        assert_true(ms < PATIENCE_MS && testhost_is_running(host, false));
        (void)poll(NULL, 0, STEP_MS);
    }
    return host;
}

struct testhost *
testhost_start(const char *model)
{
    char name[128];
    const char *options[] = {"--profile",
                             "SOFTASIC_MODEL_DIR=" TOP_SRCDIR "/chips",
                             "--profile", name, NULL};

    (void)snprintf(name, sizeof name, "SOFTASIC_MODEL=%s", model);
    return testhost_start_library("libsai-softasic.so", options);
}

const char *
testhost_path(const struct testhost *host)
{
    return host->path;
}

bool
testhost_is_running(struct testhost *host, bool ending)
{
    for (int ms = 0; !host->ended; ms += STEP_MS) {
        host->ended = waitpid(host->pid, &host->status, WNOHANG) == host->pid;
        if (host->ended || !ending || ms >= PATIENCE_MS) {
            break;
        }
        (void)poll(NULL, 0, STEP_MS);
    }
    return !host->ended;
}

int
testhost_exit_code(const struct testhost *host)
{
    return WIFEXITED(host->status) ? WEXITSTATUS(host->status) : -1;
}

void
testhost_stop(struct testhost *host)
{
    char view[128];

    if (!host) {
        return;
    }
    if (testhost_is_running(host, false)) {
        assert_return_code(kill(host->pid, SIGTERM), 0);
        assert_false(testhost_is_running(host, true));
        assert_true(WIFEXITED(host->status));
        assert_int_equal(WEXITSTATUS(host->status), 0);
    }
    /* A host that crashed leaves its sockets. */
    assert_int_equal(view_path(host->path, view, sizeof view), ST_OK);
    (void)unlink(host->path);
    (void)unlink(view);
    assert_return_code(rmdir(host->directory), 0);
    free(host);
}
