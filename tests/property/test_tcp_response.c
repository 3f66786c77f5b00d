/* SPDX-License-Identifier: Apache-2.0 */

/* The response function of congestion controls: how large the window is on
 * average if a share p of the segments is lost.
 *
 * Formulas, if each 1/p-th segment is lost and windows are large:
 *
 *   reno   sqrt(3/2) / sqrt(p), about 1.22 / sqrt(p) (Mathis et al., CCR 1997);
 *   cubic  the larger of that and 1.054 (RTT / p)^(3/4), RTT in seconds (RFC
 *          9438, section 5.1, with C = 0.4 and beta = 0.7).
 *
 * They leave out that a loss is noticed a round trip later and repaired in
 * another one, and that random losses do not have equal distances.  So each
 * point is also compared with a model that computes with real numbers, round
 * trip by round trip, from the text of the RFCs alone.
 *
 * Prints all points; the environment variable TCP_RESPONSE adds those that take
 * long. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/tcp_pair.h"

#define MS INT64_C(1000000000)

enum { MESSAGE_BYTES = 1 << 30 };

struct point {
    enum tcp_algorithm algorithm;
    enum tcp_loss_detection detection;
    uint32_t every; /* 1/p */
    bool is_random;
    int64_t rtt_ps;
    uint32_t cycles; /* Losses per measurement. */
    bool has_formula;
    bool is_long;
};

/* Lets 'n' segments more leave end 0. */
static void
advance(struct tcp_pair *pair, uint64_t n)
{
    const uint64_t until = pair->n_data[0] + n;

    while (pair->n_data[0] < until) {
        if (tcp_post(pair->ends[0], 0, MESSAGE_BYTES) == ST_INVALID) {
            fail();
        }
        assert_true(tcp_pair_step(pair, INT64_MAX - 1));
    }
}

/* Returns the segments that arrive per round trip. */
static double
measure(const struct point *point)
{
    struct tcp_config config = tcp_config_default;
    const struct tcp_pair_config link = {
        .delay_ps = point->rtt_ps / 2,
        .keep_acks = true,
        .drop_every = point->is_random ? 0 : point->every,
        .loss_ppm = point->is_random ? 1000000 / point->every : 0,
        .seed = 1};
    struct tcp_pair pair;
    uint64_t bytes;
    int64_t start_ps;
    double window;

    config.algorithm = point->algorithm;
    config.detection = point->detection;
    config.window_bytes = TCP_MAX_WINDOW;
    config.ack_every = 1;
    tcp_pair_init(&pair, &link, &config);
    advance(&pair, 20ull * point->every);
    bytes = pair.delivered_bytes[1];
    start_ps = pair.now_ps;
    advance(&pair, (uint64_t)point->cycles * point->every);
    window = (double)(pair.delivered_bytes[1] - bytes) / config.mss_bytes /
             (double)(pair.now_ps - start_ps) * (double)point->rtt_ps;
    tcp_pair_fini(&pair);
    return window;
}

static double
formula(const struct point *point)
{
    const double p = 1.0 / point->every;
    const double reno = sqrt(1.5 / p);
    const double rtt = (double)point->rtt_ps / 1e12;

    return point->algorithm == TCP_CUBIC
               ? fmax(reno, 1.054 * pow(rtt / p, 0.75))
               : reno;
}

/* The model: the window between two losses. */
struct cycle {
    bool is_cubic;
    double window, low, maximum, prior, estimate, t;
};

/* A loss: RFC 5681, equation 4; RFC 9438, sections 4.6 and 4.7. */
static void
model_lose(struct cycle *cycle)
{
    const double w = cycle->window;

    cycle->maximum = w < cycle->maximum ? w * 0.85 : w;
    cycle->prior = w;
    cycle->low = cycle->is_cubic ? 0.7 * w : 0.5 * w;
    cycle->estimate = cycle->low;
    cycle->window = cycle->low;
    cycle->t = 0;
}

/* A round trip without a loss: RFC 5681, section 3.1; RFC 9438, sections 4.2 to
 * 4.5. */
static void
model_grow(struct cycle *cycle, double rtt)
{
    const double top = fmax(cycle->maximum, cycle->low);
    const double k = cbrt((top - cycle->low) / 0.4);
    double curve;

    if (!cycle->is_cubic) {
        cycle->window += 1;
        return;
    }
    cycle->t += rtt;
    curve = top + 0.4 * pow(cycle->t - k, 3);
    cycle->estimate += cycle->estimate < cycle->prior ? 9.0 / 17 : 1;
    cycle->window = fmax(cycle->window, curve < cycle->estimate
                                            ? cycle->estimate
                                            : fmin(curve, 1.5 * cycle->window));
}

/* Returns the segments from one loss to the next. */
static double
model_distance(struct random *random, const struct point *point)
{
    return point->is_random
               ? (double)random_exponential(random, point->every << 10) / 1024
               : point->every;
}

static double
model(const struct point *point)
{
    const double rtt = (double)point->rtt_ps / 1e12;
    struct cycle cycle = {.is_cubic = point->algorithm == TCP_CUBIC,
                          .window = formula(point)};
    struct random random;
    double sent = 0, rounds = 0;

    random_init(&random, 1);
    for (int i = 0; i < 5000; i++) {
        double left = model_distance(&random, point);
        const double full = cycle.window;

        /* It is noticed a round trip later; more losses before are the same. */
        while (left < full) {
            left += model_distance(&random, point);
        }
        model_lose(&cycle);
        left -= full + cycle.low;
        sent += full + cycle.low;
        rounds += 2;
        while (left > 0) {
            const double part = fmin(1, left / cycle.window);

            sent += part * cycle.window;
            rounds += part;
            left -= cycle.window;
            model_grow(&cycle, rtt);
        }
    }
    return sent / rounds;
}

static void
compare(const struct point *point)
{
    const double got = measure(point);
    const double modelled = model(point);
    const double wanted = formula(point);

    printf("%-5s %-7s p = 1/%-5u %-8s RTT %4lld ms: %6.1f segments; model "
           "%6.1f, ratio %.3f; formula %6.1f, ratio %.3f\n",
           tcp_algorithm_name(point->algorithm),
           point->detection == TCP_NEWRENO ? "newreno"
           : point->detection == TCP_SACK  ? "sack"
                                           : "rack",
           point->every, point->is_random ? "random" : "periodic",
           (long long)(point->rtt_ps / MS), got, modelled, got / modelled,
           wanted, got / wanted);
    assert_true(got > 0.9 * modelled && got < 1.1 * modelled);
    if (point->has_formula) {
        assert_true(got > 0.9 * wanted && got < 1.1 * wanted);
    }
}

static void
test_response(void **state)
{
    static const struct point points[] = {
        {TCP_RENO, TCP_SACK, 100, false, 100 * MS, 200, false, false},
        {TCP_RENO, TCP_NEWRENO, 1000, false, 100 * MS, 60, true, false},
        {TCP_RENO, TCP_RACK, 1000, true, 100 * MS, 200, true, false},
        {TCP_CUBIC, TCP_SACK, 1000, false, 100 * MS, 60, true, false},
        {TCP_CUBIC, TCP_RACK, 1000, true, 100 * MS, 200, false, false},
        {TCP_RENO, TCP_SACK, 300, false, 100 * MS, 200, true, true},
        {TCP_RENO, TCP_SACK, 1000, false, 100 * MS, 200, true, true},
        {TCP_RENO, TCP_SACK, 3000, false, 100 * MS, 100, true, true},
        {TCP_RENO, TCP_SACK, 10000, false, 100 * MS, 60, true, true},
        {TCP_RENO, TCP_NEWRENO, 100, false, 100 * MS, 200, false, true},
        {TCP_RENO, TCP_RACK, 100, true, 100 * MS, 5000, false, true},
        {TCP_RENO, TCP_RACK, 300, true, 100 * MS, 2000, false, true},
        {TCP_RENO, TCP_RACK, 3000, true, 100 * MS, 1000, true, true},
        {TCP_RENO, TCP_RACK, 10000, true, 100 * MS, 1000, true, true},
        {TCP_RENO, TCP_SACK, 10000, true, 100 * MS, 1000, true, true},
        {TCP_CUBIC, TCP_SACK, 100, false, 100 * MS, 200, false, true},
        {TCP_CUBIC, TCP_SACK, 300, false, 100 * MS, 200, false, true},
        {TCP_CUBIC, TCP_SACK, 3000, false, 100 * MS, 200, false, true},
        {TCP_CUBIC, TCP_SACK, 10000, false, 100 * MS, 200, false, true},
        {TCP_CUBIC, TCP_SACK, 10000, false, 1 * MS, 60, true, true},
        {TCP_CUBIC, TCP_SACK, 10000, false, 1000 * MS, 100, false, true},
        {TCP_CUBIC, TCP_RACK, 100, true, 100 * MS, 5000, false, true},
        {TCP_CUBIC, TCP_RACK, 300, true, 100 * MS, 2000, false, true},
        {TCP_CUBIC, TCP_RACK, 3000, true, 100 * MS, 1000, false, true},
        {TCP_CUBIC, TCP_RACK, 10000, true, 100 * MS, 1000, false, true},
    };
    const bool all = getenv("TCP_RESPONSE") != NULL;

    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        if (all || !points[i].is_long) {
            compare(&points[i]);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_response),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
