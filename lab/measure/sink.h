/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_MEASURE_SINK_H
#define ORCHD_LAB_MEASURE_SINK_H

/* What a run of a fabric reports while it goes on: the callbacks of a recorder.
 *
 * The runner (lab/exec) calls them in the order of virtual time.  The results
 * file (lab/measure/results.h), the result hash (lab/measure/result_hash.h) and
 * tests implement them; sink_pair joins two of them.  All these are rare next
 * to packet hops, except marks and samples, which a sink that does not want
 * them leaves NULL: the runner then does not prepare them.
 *
 * Times are virtual, in picoseconds from the start of the run.  Nodes are
 * numbered as in the topology (switches and hosts, canonical order), ports from
 * 0 within their node, flows, groups and series from 0 in the order of the
 * scenario.  All structs are borrowed for the call. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct histogram;

/* No node, port, flow or pause. */
#define SINK_NONE     UINT32_MAX
#define SINK_NO_PAUSE UINT64_MAX

/* X(member, name).  How a flow stands when it is reported. */
#define SINK_FLOW_STATES(X)                                                    \
    X(DONE, "done")       /* All of its bytes are acknowledged. */             \
    X(RUNNING, "running") /* The run ended before it did. */                   \
    X(FAILED, "failed")   /* Its QP is in the error state. */

/* X(member, name).  Why a frame was dropped. */
#define SINK_DROP_REASONS(X)                                                   \
    X(INGRESS, "ingress")     /* No room in the PG or its pool. */             \
    X(HEADROOM, "headroom")   /* Lossless: the headroom was full. */           \
    X(EGRESS, "egress")       /* No room in the queue or its pool. */          \
    X(WRED, "wred")           /* Chosen by WRED. */                            \
    X(NO_ROUTE, "no-route")   /* No route or neighbour. */                     \
    X(TTL, "ttl")             /* TTL 1. */                                     \
    X(MTU, "mtu")             /* Longer than the MTU of link or interface. */  \
    X(FILTERED, "filtered")   /* Forwarded nowhere, for another reason. */     \
    X(TRAPPED, "trapped")     /* To the processor of the switch only. */       \
    X(LINK_DOWN, "link-down") /* On a link, or at a port, that is down. */     \
    X(FAULT, "fault")         /* By a fault of the scenario. */                \
    X(RX_FIFO, "rx-fifo")     /* The receive FIFO of an adapter. */            \
    X(WATCHDOG, "watchdog")   /* By a PFC watchdog. */                         \
    X(MACSEC, "macsec")       /* A pause in a form that MACsec refuses. */     \
    X(OTHER, "other")                                                          \
    X(FCS, "fcs") /* By a fault or bit errors: it has a wrong FCS. */          \
    X(LLR, "llr") /* Link-level retry has dropped it, or given it up. */

/* X(member, name).  What watches for storms of PFC. */
#define SINK_WATCHDOGS(X)                                                      \
    X(ORCHD, "orchd")     /* orchd on a switch. */                             \
    X(ADAPTER, "adapter") /* An adapter, of its own pauses. */                 \
    X(CARD, "card")       /* A card between adapter and switch. */

enum sink_watchdog {
#define X(member, name) SINK_WATCHDOG_##member,
    SINK_WATCHDOGS(X)
#undef X
};

enum sink_flow_state {
#define X(member, name) SINK_FLOW_##member,
    SINK_FLOW_STATES(X)
#undef X
};

enum sink_drop_reason {
#define X(member, name) SINK_DROP_##member,
    SINK_DROP_REASONS(X)
#undef X
        SINK_N_DROP_REASONS,
};

/* A flow at its end, or as it is when the run ends: each flow of the scenario
 * is reported once. */
struct sink_flow {
    uint32_t flow;
    uint32_t group;
    uint32_t source, destination; /* Hosts, as node numbers. */
    uint8_t priority;             /* 0..7. */
    enum sink_flow_state state;
    /* FAILED: the completion status of the QP (twin/transport), else 0. */
    uint8_t error;
    int64_t start_ps; /* When the first work request was posted. */
    /* When the last completion arrived; RUNNING: the end of the run. */
    int64_t end_ps;
    uint64_t bytes;   /* Payload that the receiver has acknowledged. */
    uint64_t packets; /* Data packets sent, including repeated ones. */
    uint64_t retransmitted;
    uint64_t marked;     /* Arrived with CE. */
    uint64_t cnps;       /* CNPs that reached the sender. */
    uint64_t timeouts;   /* Retransmission timers that fired. */
    uint64_t cwnd_bytes; /* TCP: the congestion window at the end. */
    /* Messages of 'every' that were not posted, because too many were
     * outstanding; and those without an answer in time, or unfinished when the
     * QP failed. */
    uint64_t skipped, lost;
};

/* One completion of a message (one work request) of a flow. */
struct sink_message {
    uint32_t flow;
    uint32_t group;
    uint64_t number; /* Within the flow, from 0. */
    int64_t start_ps, end_ps;
    uint64_t bytes;
    /* Its answer did not come in time, or its QP failed: 'end_ps' is when that
     * was found. */
    bool lost;
};

/* An I/O of a disk that has ended (lab/storage/io.h). */
struct sink_io {
    uint64_t number;  /* In the order of starts, from 0. */
    const char *disk; /* Of the scenario. */
    const char *verb; /* "read", "write". */
    uint32_t client, server;
    uint32_t node; /* The first extent node. */
    uint32_t copies;
    uint64_t bytes;
    int64_t start_ps, end_ps;
    int64_t stored_ps; /* When the last copy was written or read. */
    /* Of its data that messages have carried: between client and server,
     * between the others. */
    uint64_t front_bytes, back_bytes;
};

/* A step of it, reported after it. */
struct sink_span {
    uint64_t io;
    uint32_t step;    /* From 0. */
    const char *name; /* enum io_kind: "request". */
    uint32_t from, to;
    int64_t start_ps, end_ps;
};

/* A pause of one priority at the port that has to stop sending. */
struct sink_pause {
    uint64_t id; /* Unique in the run; ended with the same. */
    uint32_t node, port;
    /* The port that asks for it. */
    uint32_t by_node, by_port;
    uint8_t priority;
    int64_t start_ps;
    int64_t end_ps; /* Only when ended. */
    /* The pause that blocks the queue which fills the buffer of 'by_node', if
     * there is one: it leads to the root of the pause tree.  Otherwise
     * SINK_NO_PAUSE. */
    uint64_t cause;
    /* The egress port of 'by_node' with the longest queue of this priority at
     * that time; SINK_NONE for a host. */
    uint32_t congested_port;
};

/* A storm of PFC that a watchdog has found, when it is over or when the run
 * ends. */
struct sink_storm {
    uint32_t node, port; /* The port that the watchdog belongs to. */
    uint8_t priority;
    enum sink_watchdog watchdog;
    int64_t paused_ps;   /* When the pause began. */
    int64_t detected_ps; /* When the watchdog began to act. */
    /* When the last pause ended, and when the watchdog ended its action; -1:
     * not yet, at the end of the run. */
    int64_t quiet_ps, restored_ps;
};

/* A queue of a deadlock, when that is over or when the run ends: paused by the
 * switch at the other end of the link, because of packets that wait there in
 * the queue of the next step. */
struct sink_deadlock {
    uint32_t number; /* Of the deadlock, from 0. */
    uint32_t step;   /* Of the cycle, from 0; the next of the last one is 0. */
    uint32_t node, port;
    uint8_t priority;
    /* That came from this queue, and wait in the next one. */
    uint64_t packets, bytes;
    int64_t start_ps; /* When the last of its pauses began. */
    int64_t found_ps; /* When it was found. */
    int64_t end_ps;   /* When it was found to be over; -1: not yet. */
};

struct sink_drop {
    int64_t t_ps;
    uint32_t node, port; /* The port it arrived at or was to leave by. */
    uint8_t priority;
    enum sink_drop_reason reason;
    uint32_t flow; /* SINK_NONE: not a packet of a flow. */
    uint32_t psn;
    uint32_t bytes; /* Of the frame, without FCS. */
};

struct sink_mark {
    int64_t t_ps;
    uint32_t node, port;
    uint8_t queue;
    uint32_t flow;
    uint64_t depth_bytes; /* Of the queue when it was marked. */
};

/* A value of a recorded series. */
struct sink_sample {
    int64_t t_ps;
    uint32_t series; /* As registered with results_add_series(). */
    int64_t value;
};

/* The operations of RDMA of one flow, end, kind and status, in an interval or
 * in the whole run (lab/estats/groups.h). */
struct sink_operations {
    uint32_t flow;
    uint32_t interval; /* From 0; SINK_NONE: the run. */
    int64_t start_ps, end_ps;
    bool by_source; /* Its source has posted them, not its destination. */
    const char *operation, *status; /* "write", "ok". */
    uint64_t bytes;
    const int64_t *parts_ps; /* SINK_N_PARTS sums, enum estats_part. */
    const struct histogram *total, *nic, *poll;
};

enum { SINK_N_PARTS = 5 };

/* Which side makes a flow slow in an interval, or in the whole run
 * (lab/estats/side.h).  Times are means per operation. */
struct sink_side {
    uint32_t flow;
    uint32_t interval; /* From 0; SINK_NONE: the run. */
    int64_t start_ps, end_ps;
    const char *side, *reason; /* "receiver", "its adapter asked for pauses". */
    uint64_t n;                /* Operations. */
    int64_t latency_ps;        /* T6 - T1. */
    int64_t ideal_ps, sender_ps, network_ps, receiver_ps; /* Its parts. */
    uint64_t bytes, retransmitted, naks, rnr_naks, timeouts, cnps;
    /* For how long the receiver has asked for pauses, and the sender was
     * paused. */
    int64_t asked_ps, obeyed_ps;
    int64_t clock_ps; /* The bound on the error of T5. */
};

/* The verdict on one line of 'expect:'. */
struct sink_verdict {
    uint32_t number;  /* Of the line, from 0. */
    const char *text; /* As in the scenario. */
    bool passed;
    bool known; /* Whether 'value' is valid: there was something to measure. */
    double value;       /* In the unit of the metric (lab/measure/metric.h). */
    const char *reason; /* One sentence: measured, wanted, by how much. */
};

/* A change of the fabric while it stood still. */
struct sink_change {
    uint32_t number; /* From 0. */
    int64_t t_ps;
    const char *text; /* As it was given: "link t0-1 t1-0 down". */
};

/* The callbacks; each may be NULL. */
struct sink {
    void (*flow_ended)(void *context, const struct sink_flow *flow);
    void (*message_ended)(void *context, const struct sink_message *message);
    void (*io_ended)(void *context, const struct sink_io *io);
    void (*span_ended)(void *context, const struct sink_span *span);
    void (*pause_started)(void *context, const struct sink_pause *pause);
    void (*pause_ended)(void *context, const struct sink_pause *pause);
    void (*storm_ended)(void *context, const struct sink_storm *storm);
    void (*deadlock_ended)(void *context, const struct sink_deadlock *queue);
    void (*dropped)(void *context, const struct sink_drop *drop);
    void (*marked)(void *context, const struct sink_mark *mark);
    void (*sampled)(void *context, const struct sink_sample *sample);
    void (*operations_ended)(void *context,
                             const struct sink_operations *operations);
    void (*side_found)(void *context, const struct sink_side *side);
    void (*judged)(void *context, const struct sink_verdict *verdict);
    void (*changed)(void *context, const struct sink_change *change);
    void *context;
};

/* A sink that calls two others.  Initialise with sink_pair_init(), then pass
 * '&pair.sink'; both and the pair have to outlive its use. */
struct sink_pair {
    struct sink sink;
    const struct sink *first, *second;
};

void sink_pair_init(struct sink_pair *pair, const struct sink *first,
                    const struct sink *second);

/* Return the stable lower-case name: "done", "headroom". */
const char *sink_flow_state_name(enum sink_flow_state state);
const char *sink_drop_reason_name(enum sink_drop_reason reason);
const char *sink_watchdog_name(enum sink_watchdog watchdog);

#endif /* lab/measure/sink.h */
