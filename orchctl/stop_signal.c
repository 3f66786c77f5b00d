/* SPDX-License-Identifier: Apache-2.0 */

/* Takes signals as requests. */

#include <config.h>

#include "orchctl/stop_signal.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

enum { N_SIGNALS = 2 };

static const int signals[N_SIGNALS] = {SIGINT, SIGTERM};
static struct sigaction before[N_SIGNALS];

/* Whether a request has come: in memory that is shared with the children; NULL:
 * there is none, and the signals end the process. */
static volatile sig_atomic_t *came;

static void
note(int number)
{
    (void)number;
    *came = 1;
}

void
stop_signal_begin(void)
{
    struct sigaction action = {.sa_flags = SA_RESTART | (int)SA_RESETHAND};

    if (!came) {
        void *memory = mmap(NULL, sizeof *came, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        if (memory == MAP_FAILED) {
            return;
        }
        came = memory;
    }
    *came = 0;
    action.sa_handler = note;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < N_SIGNALS; i++) {
        (void)sigaction(signals[i], NULL, &before[i]);
        /* Who ignores a signal, as a shell does for its background, goes on
         * doing so. */
        if (before[i].sa_handler != SIG_IGN) {
            (void)sigaction(signals[i], &action, NULL);
        }
    }
}

bool
stop_signal_came(void)
{
    return came && *came;
}

void
stop_signal_end(void)
{
    for (size_t i = 0; came && i < N_SIGNALS; i++) {
        (void)sigaction(signals[i], &before[i], NULL);
    }
}
