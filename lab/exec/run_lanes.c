/* SPDX-License-Identifier: Apache-2.0 */

/* A run whose fabric is divided into lanes.
 *
 * A flow is reported when its source is done, with what its destination has
 * counted.  If that is in another lane, it may be ahead or behind, within the
 * window.  So the report waits until all lanes are at one time (run_journal.h).
 */

#include <config.h>

#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_state.h"

#include <stdlib.h>

#include "base/check.h"
#include "lab/exec/communicator.h"
#include "lab/exec/run_journal.h"
#include "lab/exec/run_relay.h"

struct deferred {
    struct sink_flow report;
    struct moment when;
    bool takes_bytes;
};

struct run_lanes {
    struct communicator alone;
    struct run_relay *relay; /* NULL: that of its rank has all reports. */
    const struct sink *sink; /* Of the caller. */
    struct run_journal journal;
    struct deferred *deferred;
    size_t n_deferred, deferred_size;
};

static void
exchange_nothing(struct communicator *comm, const struct parcel *out,
                 struct parcel *in)
{
    (void)comm;
    (void)out;
    (void)in;
}

bool
run_lanes_cross(const struct run_flow *flow)
{
    const struct engine *engine = flow->run->engine;

    return engine_lane(engine, nic_entity(run_flow_end(flow, true)->nic)) !=
           engine_lane(engine, nic_entity(run_flow_end(flow, false)->nic));
}

void
run_lanes_note_counted(const struct run_flow *flow, uint32_t bytes,
                       bool is_marked)
{
    run_journal_note(&flow->run->lanes->journal, flow->run->engine,
                     flow->number, bytes, is_marked);
}

/* Returns whether the scenario can be divided. */
static bool
can_divide(const struct run *run)
{
    const struct scenario_place *place;

    if (run->options.lanes == 1 || run->scenario->record.paths ||
        run_find_shared(run, &place)) {
        return false;
    }
    for (size_t i = 0; i < run->scenario->n_traffic; i++) {
        const enum traffic_kind kind = run->scenario->traffic[i].kind;

        if (kind != TRAFFIC_RC && kind != TRAFFIC_RAW) {
            return false;
        }
    }
    return true;
}

void
run_lanes_create(struct run *run)
{
    struct run_lanes *lanes;

    if (!can_divide(run) ||
        fabric_divide(run->fabric, run->options.lanes) == 1) {
        return;
    }
    lanes = check_calloc(1, sizeof *lanes);
    lanes->sink = run->sink;
    run->lanes = lanes;
    if (run->ranks) {
        return;
    }
    lanes->alone =
        (struct communicator){.n_ranks = 1, .exchange = exchange_nothing};
    lanes->relay =
        run_relay_create(&lanes->alone, run->topology, run->sink, run->engine);
    run->sink = run_relay_sink(lanes->relay);
}

void
run_lanes_destroy(struct run *run)
{
    struct run_lanes *lanes = run->lanes;

    if (!lanes) {
        return;
    }
    if (lanes->relay) {
        run->sink = lanes->sink;
        run_relay_destroy(lanes->relay);
    }
    run_journal_fini(&lanes->journal);
    free(lanes->deferred);
    free(lanes);
    run->lanes = NULL;
}

bool
run_lanes_defer(struct run_flow *flow, const struct sink_flow *report,
                bool takes_bytes)
{
    struct run_lanes *lanes = flow->run->lanes;

    /* Between runs, all lanes are at one time. */
    if (!lanes || (flow->run->ranks && run_ranks_cross(flow)) ||
        !run_lanes_cross(flow) ||
        moment_of(flow->run->engine).order == UINT64_MAX) {
        return false;
    }
    if (lanes->n_deferred == lanes->deferred_size) {
        lanes->deferred_size =
            lanes->deferred_size ? 2 * lanes->deferred_size : 16;
        lanes->deferred = check_realloc(
            lanes->deferred, lanes->deferred_size * sizeof *lanes->deferred);
    }
    lanes->deferred[lanes->n_deferred++] =
        (struct deferred){*report, moment_of(flow->run->engine), takes_bytes};
    return true;
}

/* Reports 'deferred'. */
static void
report(struct run *run, struct deferred *deferred)
{
    const struct run_lanes *lanes = run->lanes;
    struct sink_flow *flow = &deferred->report;
    const struct run_flow *of = &run->flows[flow->flow];
    const struct nic_flow *received =
        nic_received(run_flow_end(of, false)->nic, of->peer_qp);
    uint64_t bytes = received->bytes;

    flow->marked = received->marked;
    run_journal_take_off(&lanes->journal, flow->flow, &deferred->when, &bytes,
                         &flow->marked);
    flow->bytes = deferred->takes_bytes ? bytes : flow->bytes;
    if (lanes->relay) {
        run_relay_date(lanes->relay, deferred->when.t_ps, deferred->when.order);
    }
    run_flow_emit(run, flow);
}

void
run_lanes_settle(struct run *run)
{
    struct run_lanes *lanes = run->lanes;

    if (!lanes) {
        return;
    }
    for (size_t i = 0; i < lanes->n_deferred; i++) {
        report(run, &lanes->deferred[i]);
    }
    lanes->n_deferred = 0;
    run_journal_clear(&lanes->journal);
    if (lanes->relay) {
        run_relay_flush(lanes->relay);
    }
}
