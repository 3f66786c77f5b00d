/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_EXPECT_SPEC_H
#define ORCHD_LAB_SCENARIO_EXPECT_SPEC_H

/* What a scenario records, and what it expects of the result.
 *
 *     record:
 *       series: {every: 1ms, of: [queue.depth], at: [t0-0]}
 *       pcap: [t0-0.h-0-0]
 *       histograms: [fct]
 *     expect:
 *       - {metric: "p99(message.latency{group=probe})", is: 400us, tol: 30%}
 *       - {metric: "sum(drop.packets{priority=3})", is: 0}
 *       - {metric: "mean(flow.goodput{group=far})",
 *          below: "mean(flow.goodput{group=near})"}
 *       - {metric: "mean(host.cpu{node=h-0-0})",
 *          per: "mean(host.cpu{node=h-0-1})", max: 80%}
 *
 * Metrics are expressions of lab/measure/metric.h.  The parser stores their
 * text; who evaluates them parses it, and reports errors at 'place'. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/scenario/host_spec.h"
#include "lab/scenario/quantity.h"

/* A number and what it counts, in SI units: seconds, bytes, bits per second,
 * metres, or none. */
struct expect_number {
    bool present;
    enum quantity_kind kind; /* COUNT for a plain number, RATIO for "%". */
    double value;
};

/* X(member, name): values computed without the simulator (lab/oracle). */
#define EXPECT_ORACLES(X)                                                      \
    X(MAX_MIN, "max_min")                                                      \
    X(RTT, "rtt")                                                              \
    X(PFC_POINT, "pfc_point")                                                  \
    X(FIRST_MARK, "first_mark")                                                \
    X(HEADROOM, "headroom")                                                    \
    X(INCAST, "incast")                                                        \
    X(GO_BACK_N, "go_back_n")                                                  \
    X(GO_BACK_0, "go_back_0")                                                  \
    X(BALLS_IN_BINS, "balls_in_bins")                                          \
    X(DCQCN, "dcqcn")                                                          \
    X(LLR, "llr")                                                              \
    X(FENCE, "fence")

/* How the metric is compared; exactly one of these for each expectation. */
enum expect_condition {
    EXPECT_VALUE,  /* 'is' with its tolerance. */
    EXPECT_LIMITS, /* 'min' <= metric <= 'max'. */
    EXPECT_BELOW,  /* metric * 'factor' < 'below'. */
    EXPECT_FROM,   /* Each value against that of 'oracle', with tolerance. */
    EXPECT_ACROSS, /* Runs of the sweep: metric grows along 'order', from each
                    * to the next or as a whole ('rank'). */
};

/* Expectations with a 'when' that does not hold in a run are left out of it. */
struct expect_spec {
    uint32_t number;  /* In the file, from 0. */
    const char *text; /* 'name', or made of the parts; for the report. */
    const char *metric;
    const char *per; /* A metric of the same unit that divides it, or NULL. */
    enum expect_condition condition;

    struct expect_number is;
    struct expect_number min, max;
    /* 'tol': relative (kind RATIO, "30%"), or absolute in the unit of the
     * metric.  Absent: the value has to be exact. */
    struct expect_number tolerance;

    const char *below; /* A metric. */
    double factor;     /* Above 0; 1 if not given. */
    bool or_equal;

    const char *oracle; /* One of EXPECT_ORACLES. */

    const char *across;       /* A path of the sweep, or "variant". */
    const char *const *order; /* Its values, as written there. */
    size_t n_order;
    double rank; /* Least rank correlation of the metric with 'order'; 0: each
                  * value is below the next. */

    bool report; /* Reported, but the run does not fail by it. */
    struct scenario_place place;
    struct scenario_place metric_place;
};

/* X(member, name, object that has a value of it). */
#define RECORD_SERIES(X)                                                       \
    X(PORT_TX, "port.tx", "port")                                              \
    X(PORT_RX, "port.rx", "port")                                              \
    X(PORT_PAUSE, "port.pause", "port and priority")                           \
    X(QUEUE_DEPTH, "queue.depth", "port and queue")                            \
    X(QUEUE_BYTES, "queue.bytes", "port and queue")                            \
    X(PG_DEPTH, "pg.depth", "port and priority group")                         \
    X(PG_HEADROOM, "pg.headroom", "port and priority group")                   \
    X(HOST_CPU, "host.cpu", "host with a processor")                           \
    X(FLOW_RATE, "flow.rate", "flow")                                          \
    X(FLOW_BYTES, "flow.bytes", "flow")                                        \
    X(FLOW_CWND, "flow.cwnd", "flow")                                          \
    X(HOSTS_AFFECTED, "hosts.affected", "the run")

enum record_series {
#define X(member, name, object) RECORD_##member,
    RECORD_SERIES(X)
#undef X
};

struct series_spec {
    int64_t every_ps;
    int64_t start_ps;    /* Of the first sample; 0: 'every_ps'. */
    uint32_t metrics;    /* A bit per enum record_series. */
    struct selector at;  /* Switches, hosts and ports; empty: all. */
    struct selector of;  /* Names of items of 'traffic'; empty: all. */
    uint32_t priorities; /* A bit each; 0: all. */
    struct scenario_place place;
};

#define RECORD_HISTOGRAMS(X)                                                   \
    X(FCT, "fct")                                                              \
    X(MESSAGE, "message")                                                      \
    X(PAUSE, "pause")                                                          \
    X(QUEUE_DEPTH, "queue.depth")

enum record_histogram {
#define X(member, name) RECORD_HISTOGRAM_##member,
    RECORD_HISTOGRAMS(X)
#undef X
};

/* What captures have. */
struct pcap_spec {
    /* Ports, "NODE.NODE" or "NODE.NODE.n": the one of the first node, both
     * directions.  None: no captures. */
    struct selector at;
    struct selector traffic; /* Names of items of 'traffic'; empty: all. */
    int64_t flow;            /* Only this one; -1: all. */
    int64_t limit;           /* Packets of each capture. */
    bool pauses;             /* Pause frames, too. */
    struct scenario_place place;
};

/* RDMA Estats (lab/estats). */
struct estats_spec {
    int64_t every_ps; /* An interval; 0: not recorded. */
    int64_t sync_ps;  /* Between reads of the clock of an adapter. */
    int64_t read_ps;  /* How long one takes. */
    int64_t tick_ps;  /* Of that clock. */
    int64_t drift_ppm; /* Of that clock, at most. */
};

struct record_spec {
    const struct series_spec *series;
    size_t n_series;
    struct pcap_spec pcap;
    uint32_t histograms;  /* A bit per enum record_histogram. */
    bool paths;           /* The links of each flow. */
    bool messages;        /* A row per message, not only per flow. */
    bool spans;           /* A row per step of an I/O, not only per I/O. */
    int64_t deadlocks_ps; /* Between looks for deadlocks; 0: none. */
    int64_t gaps_ps;      /* The same for flows that get nothing. */
    struct estats_spec estats;
    struct scenario_place place;
};

#endif /* lab/scenario/expect_spec.h */
