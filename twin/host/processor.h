/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_PROCESSOR_H
#define ORCHD_TWIN_HOST_PROCESSOR_H

/* The processor of a host: cores that work off jobs, and delays of its system.
 *
 * Cores.  A core is a server with one queue, first come, first served.  A job
 * of cost c that arrives at t begins when the core is free, and ends c later.
 * So what a host can do is limited, jobs wait for each other, and both are
 * measured: how long cores have worked, and how long jobs have waited.
 *
 * Since the order is that of arrival, the end of a job is known when it
 * arrives: nothing is stored for each job, and no event is needed.  Jobs have
 * to arrive in the order of time.
 *
 * Background.  What else the host does is a Poisson stream of jobs at each
 * core, with exponentially distributed costs: a share 'background' of its time
 * (the core is an M/M/1 queue then: Kleinrock, "Queueing Systems", volume 1,
 * chapter 3; without other jobs a share 'background' of the arrivals has to
 * wait, and of these the share exp(-(1 - background) t / mean) for longer than
 * t).  Each core draws its jobs from a stream of its own, when it gets the next
 * job.
 *
 * Delays.  Between the end of a job of the network stack and the moment when
 * the process works with its result, time passes without work: interrupts, the
 * scheduler, sleeping cores.  host_delay_draw() draws it: lognormal around a
 * median, and with probability 'stall' an exponential stall more.  Its normal
 * variable is the sum of twelve uniform ones (central limit theorem), within
 * 1 % up to two and 3 % up to three standard deviations, and none beyond six.
 *
 * All arithmetic is of integers, so the same seed gives the same bits with
 * each compiler.
 *
 * Not simulated: preemption, priorities, moves between cores, caches, the
 * frequency of cores. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/event/random_stream.h"

enum {
    PROCESSOR_MAX_CORES = 256,
    PROCESSOR_MAX_BACKGROUND = 950, /* Permille. */
    HOST_DELAY_MAX_SPREAD = 1000,   /* Permille. */
    HOST_DELAY_MAX_STALL = 1000000, /* Per million. */
};

/* The largest cost, delay or mean: 10 s. */
#define PROCESSOR_MAX_TIME_PS INT64_C(10000000000000)

struct processor_config {
    uint32_t n_cores;          /* 1..PROCESSOR_MAX_CORES */
    uint32_t background;       /* Permille of each core: 0..950. */
    int64_t background_job_ps; /* Mean cost of such a job: 1 ns..10 s. */
    uint64_t seed;
    uint32_t entity; /* Of the host (twin/event/event.h). */
};

/* A core.  Belongs to its processor. */
struct processor_core {
    int64_t free_ps;       /* When its last job ends. */
    int64_t given_ps;      /* Cost of all its jobs. */
    int64_t background_ps; /* When the next job of the background arrives. */
    struct random_stream jobs;
};

/* A processor.  Initialise it with processor_init(). */
struct processor {
    struct processor_config config;
    struct processor_core *cores;
    uint64_t n_jobs; /* Without the background; likewise below. */
    int64_t work_ps;
    int64_t wait_ps;
    int64_t longest_wait_ps;
};

/* What a processor has done up to an instant. */
struct processor_stats {
    uint64_t n_jobs; /* That have arrived, without the background. */
    int64_t work_ps; /* Their cost. */
    int64_t wait_ps; /* How long they waited until they began, in sum. */
    int64_t longest_wait_ps;
    int64_t busy_ps; /* How long cores have worked, the background included:
                      * at most cores times the time. */
};

/* Initialises '*processor', with 'cores', as many as 'config' says, which are
 * the caller's and outlive it.  ST_INVALID: a member of 'config' is out of its
 * range. */
enum st processor_init(struct processor *processor,
                       const struct processor_config *config,
                       struct processor_core *cores) ST_WARN_UNUSED;

/* Gives a job of 'cost_ps' (0..PROCESSOR_MAX_TIME_PS) to core 'core' at
 * 'now_ps', which is not before that of earlier calls for this core.  Returns
 * when it ends. */
int64_t processor_run(struct processor *processor, uint32_t core,
                      int64_t now_ps, int64_t cost_ps);

/* Stores what 'processor' has done up to 'now_ps', which is not before that of
 * any earlier call. */
void processor_get_stats(struct processor *processor, int64_t now_ps,
                         struct processor_stats *stats);

/* How long the system of a host takes, apart from work. */
struct host_delay {
    int64_t median_ps; /* 0..PROCESSOR_MAX_TIME_PS */
    uint32_t spread;  /* Standard deviation of the logarithm, permille: 0..1000.
                       */
    uint32_t stall;   /* Probability of a stall, per million. */
    int64_t stall_ps; /* Mean of its time: 0..PROCESSOR_MAX_TIME_PS. */
};

/* Returns whether the members of 'delay' are in their ranges. */
bool host_delay_is_valid(const struct host_delay *delay);

/* Draws a delay. */
int64_t host_delay_draw(const struct host_delay *delay,
                        struct random_stream *stream);

#endif /* twin/host/processor.h */
