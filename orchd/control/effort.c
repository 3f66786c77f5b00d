/* SPDX-License-Identifier: Apache-2.0 */

/* Doubles and halves. */

#include <config.h>

#include "orchd/control/effort.h"

#include <time.h>

#define NS_PER_S INT64_C(1000000000)

/* A row takes some turns to be applied, and shall not wait for 10 ms.
 *
 * A turn shorter than the first is given more to do, one longer than the second
 * less. */
#define SHORT_NS (INT64_C(500) * 1000)
#define LONG_NS  (INT64_C(1500) * 1000)

/* The time of the loop stands still during a turn. */
static int64_t
now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

void
effort_init(struct effort *effort, uint64_t n, uint64_t most)
{
    *effort = (struct effort){.n = n, .most = most};
}

void
effort_begin(struct effort *effort)
{
    effort->begin_ns = now_ns();
}

void
effort_end(struct effort *effort, uint64_t n)
{
    effort_adapt(effort, n, now_ns() - effort->begin_ns);
}

void
effort_adapt(struct effort *effort, uint64_t n, int64_t took_ns)
{
    if (took_ns > LONG_NS) {
        effort->n = effort->n > 1 ? effort->n / 2 : 1;
    } else if (took_ns < SHORT_NS && n >= effort->n) {
        effort->n = effort->n < effort->most / 2 ? 2 * effort->n : effort->most;
    }
}
