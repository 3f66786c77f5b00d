/* SPDX-License-Identifier: Apache-2.0 */

/* Converts between real time and the time of a switch. */

#include <config.h>

#include "saihostd/clock.h"

#include "base/picoseconds.h"

/* Returns 'a' times 'b', INT64_MAX if that is more. */
static int64_t
times(int64_t a, int64_t b)
{
    int64_t product;

    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static int64_t
plus(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

int64_t
clock_switch_ps(const struct clock *clock, int64_t real_ns)
{
    const int64_t passed_ns = real_ns - clock->real_ns;
    /* In two parts, as years times 1,000 do not fit. */
    const int64_t whole = times(passed_ns / clock->dilation, PS_PER_NS);
    const int64_t rest =
        passed_ns % clock->dilation * PS_PER_NS / clock->dilation;

    return passed_ns <= 0 ? clock->switch_ps
                          : plus(clock->switch_ps, plus(whole, rest));
}

int64_t
clock_real_ns(const struct clock *clock, int64_t switch_ps)
{
    const int64_t left_ps = switch_ps - clock->switch_ps;
    const int64_t whole = times(left_ps / PS_PER_NS, clock->dilation);
    const int64_t rest =
        (left_ps % PS_PER_NS * clock->dilation + PS_PER_NS - 1) / PS_PER_NS;

    if (switch_ps == INT64_MAX) {
        return INT64_MAX;
    }
    return left_ps <= 0 ? clock->real_ns
                        : plus(clock->real_ns, plus(whole, rest));
}

void
clock_set(struct clock *clock, int64_t real_ns, int64_t switch_ps)
{
    clock->real_ns = real_ns;
    clock->switch_ps = switch_ps;
}
