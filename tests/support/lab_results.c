/* SPDX-License-Identifier: Apache-2.0 */

/* Writes a small synthetic run. */

#include "tests/support/lab_results.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/histogram.h"
#include "lab/measure/sink.h"

#define US INT64_C(1000000)
#define G  UINT64_C(1000000000)

struct node {
    const char *name, *role;
    int tier;
};

static const struct node nodes[] = {
    {"t1-0", "t1", 1},     {"t0-0", "t0", 0},     {"t0-1", "t0", 0},
    {"h-0-0", "host", -1}, {"h-0-1", "host", -1}, {"h-1-0", "host", -1},
    {"h-1-1", "host", -1},
};

/* Node, port, peer and its port of each end. */
static const uint32_t ports[][4] = {
    {0, 0, 1, 2}, {0, 1, 2, 2}, {1, 0, 3, 0}, {1, 1, 4, 0},
    {1, 2, 0, 0}, {2, 0, 5, 0}, {2, 1, 6, 0}, {2, 2, 0, 1},
    {3, 0, 1, 0}, {4, 0, 1, 1}, {5, 0, 2, 0}, {6, 0, 2, 1},
};

struct results *
lab_results_start(const char *path)
{
    static const struct results_about about = {
        .key = "00000000deadbeef",
        .name = "two-racks",
        .scenario = "name: two-racks\n",
        .path = "two-racks.yaml",
        .version = "test",
        .started = "2026-01-31T12:00:00Z",
        .seed = 7,
        .stop_ps = LAB_END_US * US,
    };
    struct results *results;

    orch_assert(!results_create(path, &about, &results, NULL));
    results_add_param(results, "ecmp.seed", "1");
    for (uint32_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        results_add_node(results, i, nodes[i].name, nodes[i].role,
                         nodes[i].tier);
    }
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++) {
        const uint32_t *p = ports[i];

        results_add_port(results, p[0], p[1], nodes[p[2]].name, p[2], p[3],
                         100 * G, 3000);
    }
    results_add_group(results, 0, "read");
    results_add_group(results, 1, "probe");
    results_add_series(results, 0, "queue.depth", "t1-0 t0-1|3", "bytes");
    for (uint32_t i = 0; i < LAB_FLOWS; i++) {
        const uint32_t source = 3 + i % 2;

        results_add_hop(results, i, 0, source, 0);
        results_add_hop(results, i, 1, 1, 2);
        results_add_hop(results, i, 2, 0, 1);
        results_add_hop(results, i, 3, 2, 0);
    }
    results_add_oracle(results, "incast", "flow 0", 10.1e-6);
    results_add_oracle(results, "incast", "flow 1", 19e-6);
    results_add_oracle(results, "incast", "flow 99", 1);
    results_add_oracle(results, "hops", "flow 3", 4);
    results_add_oracle(results, "hops", "flow 4", 4);
    results_add_oracle(results, "fullest", "", 10);
    return results;
}

static void
record_flows(const struct sink *sink)
{
    for (uint32_t i = 0; i < LAB_FLOWS; i++) {
        const struct sink_flow flow = {
            .flow = i,
            .group = i == 10,
            .source = 3 + i % 2,
            .destination = 5,
            .priority = 3,
            .state = i < 9    ? SINK_FLOW_DONE
                     : i == 9 ? SINK_FLOW_FAILED
                              : SINK_FLOW_RUNNING,
            .error = i == 9 ? 12 : 0,
            .start_ps = 5 * US,
            .end_ps = i < 10 ? (15 + 10 * (int64_t)i) * US : LAB_END_US * US,
            .bytes = 1000000,
            .packets = 1000 + i,
            .retransmitted = i,
            .marked = i * 2,
            .cnps = i / 2,
            .timeouts = i == 9 ? 7 : 0,
        };

        sink->flow_ended(sink->context, &flow);
    }
}

static void
record_pauses(const struct sink *sink)
{
    struct sink_pause upper = {.id = 1,
                               .node = 1,
                               .port = 2,
                               .by_node = 0,
                               .by_port = 0,
                               .priority = 3,
                               .start_ps = 40 * US,
                               .cause = SINK_NO_PAUSE,
                               .congested_port = 1};
    struct sink_pause lower = {.id = 2,
                               .node = 3,
                               .port = 0,
                               .by_node = 1,
                               .by_port = 0,
                               .priority = 3,
                               .start_ps = 45 * US,
                               .cause = 1,
                               .congested_port = 2};

    sink->pause_started(sink->context, &upper);
    sink->pause_started(sink->context, &lower);
    lower.end_ps = 50 * US;
    sink->pause_ended(sink->context, &lower);
    upper.end_ps = 60 * US;
    sink->pause_ended(sink->context, &upper);
    lower.id = 3;
    lower.start_ps = 150 * US;
    lower.cause = SINK_NO_PAUSE;
    sink->pause_started(sink->context, &lower);
}

static void
record_losses(const struct sink *sink)
{
    for (uint32_t i = 0; i < 4; i++) {
        const struct sink_drop drop = {.t_ps = (70 + i) * US,
                                       .node = 0,
                                       .port = 1,
                                       .priority = i < 3 ? 3 : 0,
                                       .reason = i < 3 ? SINK_DROP_HEADROOM
                                                       : SINK_DROP_EGRESS,
                                       .flow = i < 3 ? 3 : SINK_NONE,
                                       .psn = 100 + i,
                                       .bytes = 1082};
        const struct sink_mark mark = {.t_ps = (30 + i) * US,
                                       .node = 0,
                                       .port = 1,
                                       .queue = 3,
                                       .flow = i,
                                       .depth_bytes = 5000 + i};
        const struct sink_sample sample = {(10 + i) * US, 0, i * 100};

        sink->dropped(sink->context, &drop);
        sink->marked(sink->context, &mark);
        sink->sampled(sink->context, &sample);
    }
}

void
lab_results_record(struct results *results)
{
    const struct sink *sink = results_sink(results);

    record_flows(sink);
    record_pauses(sink);
    record_losses(sink);
}

void
lab_results_messages(struct results *results, uint64_t n)
{
    const struct sink *sink = results_sink(results);

    for (uint64_t i = 0; i < n; i++) {
        const struct sink_message message = {
            .flow = 10,
            .group = 1,
            .number = i,
            .start_ps = (int64_t)i * US / 100,
            .end_ps = (int64_t)i * US / 100 + (int64_t)(i % 100 + 1) * US,
            .bytes = 512,
            .lost = i % 1000 == 999};

        sink->message_ended(sink->context, &message);
    }
}

void
lab_results_finish(struct results *results)
{
    const struct results_end end = {.state = RESULTS_COMPLETE,
                                    .virtual_ps = LAB_END_US * US,
                                    .hops = 123456,
                                    .wall_ns = 1000000000};
    const struct results_queue queue = {.node = 0,
                                        .port = 1,
                                        .queue = 3,
                                        .packets = 10000,
                                        .bytes = 1250000,
                                        .dropped_packets = 3,
                                        .marked_packets = 4,
                                        .peak_bytes = 54321};
    static struct histogram histogram;

    histogram_init(&histogram);
    for (uint64_t i = 1; i <= 1000; i++) {
        histogram_add(&histogram, i * (uint64_t)US);
    }
    results_add_histogram(results, "message", "read", &histogram);
    results_add_queue(results, &queue);
    results_add_counter(results, 0, 1, SINK_NONE, "tx_bytes", 1250000);
    results_add_counter(results, 1, 0, 3, "rx_pause", 2);
    orch_assert(!results_finish(results, &end, NULL));
}
