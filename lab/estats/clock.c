/* SPDX-License-Identifier: Apache-2.0 */

/* The clock of an adapter: drift, offset, reads. */

#include <config.h>

#include "lab/estats/clock.h"

#include "base/random.h"

#define PER_BILLION INT64_C(1000000000)

/* The error of the divisions below. */
enum { ROUNDING_PS = 4 };

__extension__ typedef __int128 i128;

/* Returns ps * numerator / denominator, rounded towards zero. */
static int64_t
scale(int64_t ps, int64_t numerator, int64_t denominator)
{
    return (int64_t)((i128)ps * numerator / denominator);
}

int64_t
estats_clock_nic(const struct estats_clock_config *config, int64_t host_ps)
{
    const int64_t drift_ps =
        host_ps / PER_BILLION * config->drift_ppb +
        host_ps % PER_BILLION * config->drift_ppb / PER_BILLION;
    const int64_t nic_ps = host_ps + drift_ps + config->offset_ps;
    const int64_t rest = nic_ps % config->tick_ps;

    return nic_ps - (rest < 0 ? rest + config->tick_ps : rest);
}

/* Returns read 'number'. */
static struct estats_read
read_register(const struct estats_clock_config *config, int64_t number)
{
    const int64_t begin_ps = number * config->every_ps - config->read_ps;
    struct random random;

    random_init(&random, config->seed ^ (uint64_t)number * 0x9e3779b97f4a7c15u);
    return (struct estats_read){
        .host_ps = begin_ps + config->read_ps / 2,
        .nic_ps = estats_clock_nic(
            config, begin_ps + (int64_t)random_below(
                                   &random, (uint64_t)config->read_ps + 1))};
}

/* Takes over the reads that are finished at 'now_ps'. */
static void
catch_up(struct estats_clock *clock, int64_t now_ps)
{
    const int64_t newest = now_ps / clock->config.every_ps;

    if (clock->n_reads > newest) {
        return;
    }
    clock->before = newest > 0 ? read_register(&clock->config, newest - 1)
                               : (struct estats_read){0, 0};
    clock->last = read_register(&clock->config, newest);
    clock->n_reads = newest + 1;
}

int64_t
estats_clock_host(struct estats_clock *clock, int64_t nic_ps, int64_t now_ps,
                  int64_t *bound_ps)
{
    const struct estats_clock_config *config = &clock->config;
    const int64_t read_ps = config->read_ps + config->tick_ps;
    int64_t passed_ps, host_passed_ps;

    catch_up(clock, now_ps);
    passed_ps = nic_ps - clock->last.nic_ps;
    host_passed_ps = passed_ps;
    *bound_ps = read_ps / 2 + config->tick_ps + ROUNDING_PS;
    if (clock->n_reads >= 2) {
        host_passed_ps =
            scale(passed_ps, clock->last.host_ps - clock->before.host_ps,
                  clock->last.nic_ps - clock->before.nic_ps);
        *bound_ps += scale(read_ps, passed_ps < 0 ? -passed_ps : passed_ps,
                           config->every_ps);
    } else {
        *bound_ps += scale(passed_ps < 0 ? -passed_ps : passed_ps,
                           config->drift_max_ppb, PER_BILLION);
    }
    return clock->last.host_ps + host_passed_ps;
}
