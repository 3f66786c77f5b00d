/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ESTATS_CLOCK_H
#define ORCHD_LAB_ESTATS_CLOCK_H

/* The clock of an adapter, and how its driver converts times of it into times
 * of the host.
 *
 * The adapter stamps completions with a clock of its own:
 *
 *     nic(t) = t * (1 + drift) + offset, rounded down to a tick
 *
 * where t is the clock of the host (in a simulation: virtual time).  The driver
 * knows neither drift nor offset.  It reads the register of the adapter once
 * in an interval: reading takes 'read_ps' of the host, and the register has its
 * value at an unknown instant of that time, so the pair (middle of the read,
 * value) is wrong by at most half of it.  Between two reads the driver
 * extrapolates with the rate that the last two of them give; before the second
 * one it assumes that both clocks are equally fast.
 *
 * The bound on the error, with r = 'read_ps' + a tick, after a read by e:
 *
 *     r / 2 + r * e / interval        two reads are known
 *     r / 2 + drift_max * e           only one
 *
 * plus a few picoseconds of rounding: an error of r/2 at both reads makes the
 * rate wrong by r / interval at most.  Reading less often saves reads and costs
 * nothing of the bound but its growth with the drift that changes meanwhile,
 * which is not simulated: the drift of an adapter is constant.
 *
 * Read number k is finished at host time k * interval; number 0 is before the
 * first time that is converted.  Nothing is scheduled: reads are computed when
 * a time is converted, from the seed, so the clock does not disturb what it
 * measures.  Pure.
 *
 * Source: "Empowering Azure Storage with RDMA" (NSDI 2023), section 5, has the
 * clocks and that they are synchronized; the procedure is the usual one for
 * reading a remote clock (Cristian, 1989). */

#include <stdint.h>

/* Ranges: times of the host and offsets up to 10^16 ps (2.7 hours). */
struct estats_clock_config {
    int64_t drift_ppb;     /* Parts per billion: -1000000..1000000. */
    int64_t drift_max_ppb; /* What the driver assumes at most. */
    int64_t offset_ps;
    int64_t tick_ps;  /* Of the register: not 0. */
    int64_t every_ps; /* Between reads: more than 'read_ps'. */
    int64_t read_ps;  /* How long a read takes. */
    uint64_t seed;    /* Decides at which instants registers are read. */
};

struct estats_read {
    int64_t host_ps, nic_ps;
};

/* What a driver knows.  Zero-initialise all but 'config'. */
struct estats_clock {
    struct estats_clock_config config;
    int64_t n_reads; /* 0: none yet. */
    struct estats_read last, before;
};

/* Returns what the clock of the adapter shows at 'host_ps'. */
int64_t estats_clock_nic(const struct estats_clock_config *config,
                         int64_t host_ps);

/* Returns 'nic_ps', a time of the adapter, as one of the host, and stores the
 * bound on its error in '*bound_ps'.  The driver converts it at 'now_ps' (of
 * the host, not before that of earlier calls), with the reads up to then. */
int64_t estats_clock_host(struct estats_clock *clock, int64_t nic_ps,
                          int64_t now_ps, int64_t *bound_ps);

#endif /* lab/estats/clock.h */
