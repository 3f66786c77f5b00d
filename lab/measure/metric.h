/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_MEASURE_METRIC_H
#define ORCHD_LAB_MEASURE_METRIC_H

/* Metric expressions: one number out of the results of a run, as text.
 *
 *     p99(flow.fct{group=read, destination=t0-1-*})
 *     sum(drop.packets{priority=3})
 *     jain(flow.goodput{group=long})
 *
 * An expression is an aggregate over a quantity, which has a value for each
 * flow, queue, pause and so on; labels in braces select some of them.  A label
 * compares with a name, in which '*' and '?' match as in the shell, or with a
 * number.  docs/reference/orchlab.md lists aggregates, quantities and labels.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* X(member, name).  What is computed of the selected values. */
#define METRIC_AGGREGATES(X)                                                   \
    X(COUNT, "count")                                                          \
    X(SUM, "sum")                                                              \
    X(MEAN, "mean")                                                            \
    X(MIN, "min")                                                              \
    X(MAX, "max")                                                              \
    X(STDDEV, "stddev") /* Of the population. */                               \
    X(CV, "cv")         /* stddev / mean. */                                   \
    X(JAIN, "jain")     /* (sum x)^2 / (n sum x^2), Jain's index. */           \
    X(SPREAD, "spread") /* max / min. */                                       \
    X(QUANTILE, "p")    /* "p50", "p99.9": the nearest rank. */

/* The unit of a metric's value. */
enum metric_unit {
    METRIC_NUMBER,
    METRIC_SECONDS,
    METRIC_BITS_PER_SECOND,
    METRIC_BYTES,
};

/* X(member, name, unit, meaning).  What has values.  The meaning is printed by
 * "orchlab metrics" and in the reference. */
#define METRIC_QUANTITIES(X)                                                   \
    X(FLOW_FCT, "flow.fct", SECONDS,                                           \
      "from the first post to the last completion, of finished flows")         \
    X(FLOW_GOODPUT, "flow.goodput", BITS_PER_SECOND,                           \
      "acknowledged payload by the time the flow was active")                  \
    X(FLOW_BYTES, "flow.bytes", BYTES, "acknowledged payload")                 \
    X(FLOW_PACKETS, "flow.packets", NUMBER,                                    \
      "data packets sent, including repeated ones")                            \
    X(FLOW_RETRANSMITTED, "flow.retransmitted", NUMBER,                        \
      "data packets sent again")                                               \
    X(FLOW_MARKED, "flow.marked", NUMBER, "packets that arrived with CE")      \
    X(FLOW_CNPS, "flow.cnps", NUMBER, "CNPs that reached the sender")          \
    X(FLOW_TIMEOUTS, "flow.timeouts", NUMBER, "retransmission timeouts")       \
    X(FLOW_CWND, "flow.cwnd", BYTES, "congestion window of TCP at the end")    \
    X(FLOW_SKIPPED, "flow.skipped", NUMBER,                                    \
      "messages of 'every' that were not posted, because too many were "       \
      "outstanding")                                                           \
    X(FLOW_LOST, "flow.lost", NUMBER,                                          \
      "pings without an echo in time, and messages that were unfinished when " \
      "the QP failed")                                                         \
    X(FLOW_FAILED, "flow.failed", NUMBER, "1 for a QP in error, else 0")       \
    X(MESSAGE_LATENCY, "message.latency", SECONDS,                             \
      "from post to completion of each message")                               \
    X(IO_LATENCY, "io.latency", SECONDS,                                       \
      "from the start to the end of each I/O of a disk")                       \
    X(IO_STORING, "io.storing", SECONDS,                                       \
      "from its start until the last copy was written or read")                \
    X(IO_ANSWERING, "io.answering", SECONDS, "from then to its end")           \
    X(IO_COPIES, "io.copies", NUMBER, "copies that it wrote or read")          \
    X(IO_FRONT, "io.front", BYTES,                                             \
      "its data in messages between client and server")                        \
    X(IO_BACK, "io.back", BYTES, "its data in messages behind the server")     \
    X(SPAN_TIME, "span.time", SECONDS,                                         \
      "from the start to the end of each step of I/Os; by name")               \
    X(ESTATS_TOTAL, "estats.total", SECONDS,                                   \
      "mean T6 - T1 of the operations of a flow, by interval, name of the "    \
      "operation and status; interval 'run' is the whole run")                 \
    X(ESTATS_NIC, "estats.nic", SECONDS, "mean T5 - T1, likewise")             \
    X(ESTATS_POLL, "estats.poll", SECONDS, "mean T6 - T5, likewise")           \
    X(SIDE_VERDICT, "side.verdict", NUMBER,                                    \
      "1 for each verdict on a flow: by side, and by interval, where 'run' "   \
      "is the whole run")                                                      \
    X(SIDE_LATENCY, "side.latency", SECONDS,                                   \
      "mean time of an operation of the flow there")                           \
    X(SIDE_IDEAL, "side.ideal", SECONDS,                                       \
      "what its path and what was before it need of that")                     \
    X(SIDE_SENDER, "side.sender", SECONDS, "what the sender adds")             \
    X(SIDE_NETWORK, "side.network", SECONDS, "what the network adds")          \
    X(SIDE_RECEIVER, "side.receiver", SECONDS, "what the receiver adds")       \
    X(DROP_PACKETS, "drop.packets", NUMBER, "1 for each dropped frame")        \
    X(DROP_BYTES, "drop.bytes", BYTES, "size of each dropped frame")           \
    X(DROP_TIME, "drop.time", SECONDS, "when each frame was dropped")          \
    X(PAUSE_COUNT, "pause.count", NUMBER, "1 for each pause")                  \
    X(PAUSE_TIME, "pause.time", SECONDS, "how long each pause lasted")         \
    X(PAUSE_START, "pause.start", SECONDS, "when each pause began")            \
    X(STORM_COUNT, "storm.count", NUMBER,                                      \
      "1 for each storm that a watchdog has found; by its name")               \
    X(STORM_DETECTION, "storm.detection", SECONDS,                             \
      "from the first pause frame until the watchdog acts")                    \
    X(STORM_RESTORATION, "storm.restoration", SECONDS,                         \
      "from the end of the last pause until the watchdog ends its action, of " \
      "storms that are over")                                                  \
    X(DEADLOCK_QUEUES, "deadlock.queues", NUMBER,                              \
      "1 for each queue of each deadlock")                                     \
    X(DEADLOCK_PACKETS, "deadlock.packets", NUMBER,                            \
      "packets that came from each queue of a deadlock and wait in the next "  \
      "one")                                                                   \
    X(DEADLOCK_START, "deadlock.start", SECONDS,                               \
      "when the last pause of each deadlock began")                            \
    X(DEADLOCK_TIME, "deadlock.time", SECONDS,                                 \
      "from then until it was over, or the end of the run")                    \
    X(QUEUE_PEAK, "queue.peak", BYTES, "watermark of each queue")              \
    X(QUEUE_MARKED, "queue.marked", NUMBER, "packets marked with CE")          \
    X(QUEUE_DROPPED, "queue.dropped", NUMBER, "packets dropped")               \
    X(QUEUE_BYTES, "queue.bytes", BYTES, "bytes sent")                         \
    X(QUEUE_FIRST_MARK, "queue.first_mark", SECONDS,                           \
      "first mark, of queues that marked")                                     \
    X(QUEUE_FIRST_PAUSE, "queue.first_pause", SECONDS,                         \
      "first XOFF of the PG of the same number, of those that paused")         \
    X(LINK_RATE, "link.rate", BITS_PER_SECOND,                                 \
      "bytes sent by a port, without preamble and gap, by the time of the "    \
      "run")                                                                   \
    X(LINK_UTILIZATION, "link.utilization", NUMBER,                            \
      "link.rate by the speed of the port")                                    \
    X(LINK_FLOWS, "link.flows", NUMBER,                                        \
      "flows whose path uses the port, of ports with any")                     \
    X(HOST_PAUSED, "host.paused", NUMBER,                                      \
      "1 for a host that its T0 has paused, else 0")                           \
    X(HOST_PCIE, "host.pcie", NUMBER,                                          \
      "share of the time in which PCIe wrote what a host had received")        \
    X(HOST_PCIE_SWITCH, "host.pcie_switch", NUMBER,                            \
      "share of the time in which the busiest PCIe switch above its adapter "  \
      "was sending")                                                           \
    X(HOST_LOOKUP, "host.lookup", NUMBER,                                      \
      "share of the time in which its adapter read what its caches lacked")    \
    X(HOST_MTT, "host.mtt", NUMBER,                                            \
      "share of the lookups of translations that hit, of hosts with a cache")  \
    X(HOST_CONTEXTS, "host.contexts", NUMBER,                                  \
      "likewise, of the contexts of queue pairs")                              \
    X(HOST_CPU, "host.cpu", NUMBER,                                            \
      "share of the time of its cores in which they worked, of hosts with a "  \
      "processor")                                                             \
    X(HOST_CPU_MESSAGES, "host.cpu_messages", NUMBER,                          \
      "cost of messages as a share of the time of its cores, without what "    \
      "they did besides")                                                      \
    X(HOST_CPU_CORES, "host.cpu_cores", NUMBER, "cores of such a host")        \
    X(PATH_HOP, "path.hop", NUMBER,                                            \
      "position of each link in the path of a flow, from 0")                   \
    X(COUNTER, "counter", NUMBER, "counters; select them by name")             \
    X(SERIES, "series", NUMBER, "samples of recorded series; by name")         \
    X(ORACLE, "oracle", NUMBER, "values of theory; select them by name")

/* X(member, name).  Labels that select values. */
#define METRIC_LABELS(X)                                                       \
    X(GROUP, "group")             /* Of flows. */                              \
    X(FLOW, "flow")               /* Number of a flow. */                      \
    X(SOURCE, "source")           /* Host. */                                  \
    X(DESTINATION, "destination") /* Host. */                                  \
    X(NODE, "node")               /* Switch or host of a port. */              \
    X(PEER, "peer")               /* Node at the other end of the link. */     \
    X(ROLE, "role")               /* Of that node. */                          \
    X(TIER, "tier")               /* Of that node: host -1, T0 0, .. */        \
    X(PORT, "port")               /* Name of the port. */                      \
    X(PRIORITY, "priority")       /* 0..7; of queues the queue. */             \
    X(STATE, "state")             /* Of flows: done, running, failed; of       \
                                   * deadlocks: lasting, over. */              \
    X(REASON, "reason")           /* Of drops. */                              \
    X(NAME, "name")               /* Of counters, series, oracles, storms. */  \
    X(SIDE, "side")               /* sender, network, receiver, none. */       \
    X(INTERVAL, "interval")       /* Of estats; "run": all. */                 \
    X(OBJECT, "object")           /* Of series and oracles. */

enum metric_aggregate {
#define X(member, name) METRIC_##member,
    METRIC_AGGREGATES(X)
#undef X
};

enum metric_quantity {
#define X(member, name, unit, meaning) METRIC_##member,
    METRIC_QUANTITIES(X)
#undef X
};

enum metric_label {
#define X(member, name) METRIC_LABEL_##member,
    METRIC_LABELS(X)
#undef X
        METRIC_N_LABELS
};

enum { METRIC_VALUE_SIZE = 64 };

/* A parsed expression. */
struct metric {
    enum metric_aggregate aggregate;
    double quantile; /* METRIC_QUANTILE: in 0..1. */
    enum metric_quantity quantity;
    /* The pattern of each label; "" selects all. */
    char labels[METRIC_N_LABELS][METRIC_VALUE_SIZE];
};

/* Parses all of 'text' into '*metric'.  ST_INVALID: 'err' says what is wrong,
 * lists what is allowed, and names the nearest. */
enum st metric_parse(const char *text, struct metric *metric,
                     struct err *err) ST_WARN_UNUSED;

/* Parses a list of labels, "group=read, state=done", into the labels of
 * 'metric', whose quantity is set.  Fails as above. */
enum st metric_parse_labels(const char *text, struct metric *metric,
                            struct err *err) ST_WARN_UNUSED;

/* Returns the unit of the value of 'metric': METRIC_NUMBER for a count, a cv,
 * an index or a ratio, otherwise that of its quantity. */
enum metric_unit metric_unit(const struct metric *metric);

/* The names and meaning of the entries of the tables above. */
const char *metric_quantity_name(enum metric_quantity quantity);
const char *metric_quantity_meaning(enum metric_quantity quantity);
enum metric_unit metric_quantity_unit(enum metric_quantity quantity);
const char *metric_label_name(enum metric_label label);

/* Returns whether values of 'quantity' have 'label'. */
bool metric_has_label(enum metric_quantity quantity, enum metric_label label);

/* Writes 'value' with a fitting unit into 'buffer' and returns it: "52.5 us",
 * "39.1 Gb/s", "1.25 GB", "0.982". */
#define METRIC_TEXT_SIZE 48
const char *metric_text(double value, enum metric_unit unit,
                        char buffer[METRIC_TEXT_SIZE]);

#endif /* lab/measure/metric.h */
