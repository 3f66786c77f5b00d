/* SPDX-License-Identifier: Apache-2.0 */

/* Connections of storage servers that change between RDMA and TCP.
 *
 * Each flow of such an item has its connection of sU-RDMA (run_su_rdma.c), and
 * a TCP connection beside it, which is there from the start and idle.  Messages
 * go over one of them (lab/storage/failover.h).  A connection whose queue pair
 * has failed, or that has not moved a message within 'timeout' (which is looked
 * at in each period), goes to TCP at once; others as planned, a share of them
 * in each period, in an order that the seed of the run draws.  When one
 * transport has ended, the other one starts 'setup' later, and not before the
 * programs have polled all that has completed: what an adapter has received and
 * a program has not seen yet is executed first.  After a failure RDMA gets new
 * queue pairs.
 *
 * Over TCP a message has ended when the program at the other end has it; the
 * next one is given to TCP when fewer than 'depth' are not acknowledged. */

#include <config.h>

#include "base/check.h"
#include "base/random.h"
#include "lab/exec/run.h"
#include "lab/exec/run_failover_state.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_storage.h"

enum { PERMILLE = 1000, PS_PER_US = 1000000 };

static void feed(struct run_failover_flow *one);

/* Transports --------------------------------------------------------------- */

/* Notes that a connection has changed its transport. */
static void
note_change(struct run_failover *item, enum failover_transport from,
            enum failover_transport to)
{
    const int64_t now_ps = run_now(item->run);

    if (from == to) {
        return;
    }
    if (to == FAILOVER_TCP) {
        item->n_over_tcp++;
        item->begin_ps = item->begin_ps < 0 ? now_ps : item->begin_ps;
        item->half_ps = item->half_ps < 0 && 2 * item->n_over_tcp >= item->n
                            ? now_ps
                            : item->half_ps;
        item->all_ps = item->all_ps < 0 && item->n_over_tcp == item->n
                           ? now_ps
                           : item->all_ps;
    } else if (!--item->n_over_tcp) {
        item->back_ps = now_ps;
    }
}

/* Remembers the queue pairs of RDMA that a connection has now. */
static void
note_pair(struct run_failover_flow *one)
{
    struct failover_pair *pair =
        arena_alloc(one->flow->run->arena, 1, sizeof *pair);

    *pair = (struct failover_pair){
        one->pairs, {one->flow->qp, one->flow->peer_qp}};
    one->pairs = pair;
}

/* Gets new queue pairs, for those that have failed or were given back. */
static enum st
renew(struct run_failover_flow *one, struct err *err)
{
    const enum st st = run_su_renew(one->flow, err);

    if (!st) {
        note_pair(one);
        if (one->has_given_back) {
            one->has_given_back = false;
            run_repair_note_opened(one->flow);
        }
    }
    return st;
}

/* Gives queue pairs and memory back, if an adapter is being repaired and
 * nothing needs them. */
static void
try_give_back(struct run_failover_flow *one)
{
    if (one->client.n_holds && one->client.transport == FAILOVER_TCP &&
        !one->has_given_back) {
        one->has_given_back = true;
        run_su_give_back(one->flow);
        run_repair_note_closed(one->flow);
    }
}

/* Opens the transport that is wanted, if nothing that has completed waits for a
 * program. */
static void
on_open(struct event *event, int64_t now_ps)
{
    struct run_failover_flow *one =
        EVENT_OWNER(event, struct run_failover_flow, open);
    const enum failover_transport from = one->client.transport;
    struct err err = {0};

    if (!run_su_is_polled(one->flow)) {
        engine_schedule(one->flow->run->engine, event,
                        now_ps + one->flow->traffic->su.failover.setup_ps +
                            PS_PER_US);
        return;
    }
    one->is_opening = false;
    if (one->client.wanted == FAILOVER_RDMA && run_su_has_failed(one->flow) &&
        renew(one, &err)) {
        run_fail(one->flow->run, &err);
        return;
    }
    failover_opened(&one->client);
    one->next_delivered = one->next_arrived = one->client.n_done;
    note_change(one->item, from, one->client.transport);
    try_give_back(one);
    feed(one);
}

/* Opens the other transport, if this one has ended. */
static void
try_open(struct run_failover_flow *one)
{
    struct run *run = one->flow->run;

    if (one->client.state == FAILOVER_CLOSED && !one->is_opening) {
        one->is_opening = true;
        engine_schedule(run->engine, &one->open,
                        run_now(run) +
                            one->flow->traffic->su.failover.setup_ps);
    }
}

/* Gives a message to TCP. */
static void
give_to_stream(struct run_failover_flow *one)
{
    const struct run_flow *flow = one->flow;
    const struct rc_request request = {.length_bytes = flow->message_bytes,
                                       .operation = RC_SEND};

    one->n_given++;
    if (one->ends[0]) {
        run_software_post(one->ends[0], RC_SEND);
    } else {
        orch_assert(nic_post(run_flow_end(flow, true)->nic, one->qps[0],
                             &request) == ST_OK);
    }
}

/* Gives messages to the transport. */
static void
feed(struct run_failover_flow *one)
{
    const bool is_tcp = one->client.transport == FAILOVER_TCP;
    uint64_t number;

    while ((!is_tcp || one->n_given - one->n_acked < one->flow->depth) &&
           failover_next(&one->client, &number)) {
        if (is_tcp) {
            give_to_stream(one);
        } else {
            run_su_give(one->flow);
        }
    }
    try_open(one);
}

/* Messages ----------------------------------------------------------------- */

void
run_failover_post(struct run_flow *flow)
{
    failover_post(&flow->failover->client);
    feed(flow->failover);
}

/* The sender knows that the oldest message was executed. */
static void
end_message(struct run_failover_flow *one, enum failover_transport transport,
            int64_t now_ps)
{
    const struct rc_completion whole = {.bytes = one->flow->message_bytes,
                                        .status = RC_STATUS_OK};

    failover_done(&one->client);
    one->n_ended[transport]++;
    run_traffic_complete(one->flow, true, &whole, now_ps);
    try_open(one);
}

void
run_failover_note_delivered(struct run_flow *flow)
{
    struct run_failover_flow *one = flow->failover;

    (void)failover_server_execute(&one->server, one->next_delivered++);
}

void
run_failover_note_done(struct run_flow *flow, int64_t now_ps)
{
    end_message(flow->failover, FAILOVER_RDMA, now_ps);
}

void
run_failover_note_failed(struct run_flow *flow, int64_t now_ps)
{
    struct run_failover_flow *one = flow->failover;

    failover_pace_fail(&one->item->pace, now_ps);
    if (one->client.transport == FAILOVER_RDMA) {
        failover_fail(&one->client);
        try_open(one);
    }
}

void
run_failover_complete(struct run_flow *flow, bool is_source,
                      const struct rc_completion *completion, int64_t now_ps)
{
    struct run_failover_flow *one = flow->failover;

    orch_assert(completion->status == RC_STATUS_OK);
    if (is_source) {
        one->n_acked++;
        feed(one);
        return;
    }
    (void)failover_server_execute(&one->server, one->next_arrived++);
    end_message(one, FAILOVER_TCP, now_ps);
}

void
run_failover_note_stream(struct run_flow *flow, bool is_source, uint32_t number,
                         const struct rc_completion *completion, int64_t now_ps)
{
    struct run_failover_flow *one = flow->failover;

    if (number != one->qps[!is_source]) {
        return; /* A queue pair that has failed. */
    }
    if (one->ends[!is_source]) {
        run_software_complete(one->ends[!is_source], completion, now_ps);
    } else {
        run_failover_complete(flow, is_source, completion, now_ps);
    }
}

/* Repairs ------------------------------------------------------------------ */

void
run_failover_hold(struct run_flow *flow)
{
    failover_hold(&flow->failover->client);
    try_give_back(flow->failover);
    feed(flow->failover);
}

void
run_failover_release(struct run_flow *flow)
{
    failover_release(&flow->failover->client);
}

void
run_failover_leave(struct run_flow *flow)
{
    failover_convert(&flow->failover->client, FAILOVER_TCP);
    feed(flow->failover);
}

/* Pace --------------------------------------------------------------------- */

/* Returns how busy the busiest host of 'item' was since the last call, of whose
 * interval 'period_ps' is the length. */
static uint32_t
busiest(struct run_failover *item, int64_t period_ps)
{
    struct run *run = item->run;
    int64_t most = 0;

    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        const struct run_host *host = &run->hosts[i];
        int64_t busy_ps, share;

        if (!host->processor) {
            continue;
        }
        busy_ps = run_software_busy_ps(host);
        share = (busy_ps - item->busy_ps[i]) * PERMILLE /
                (period_ps * host->processor->config.n_cores);
        item->busy_ps[i] = busy_ps;
        most = share > most ? share : most;
    }
    return (uint32_t)most;
}

/* Returns the transport that the plan of 'item' wants at 'now_ps'. */
static enum failover_transport
planned(const struct run_failover *item, int64_t now_ps)
{
    const struct failover_spec *spec = &item->traffic->su.failover;

    return now_ps >= spec->at_ps && now_ps < spec->back_ps ? FAILOVER_TCP
                                                           : FAILOVER_RDMA;
}

/* Ends connections over RDMA whose oldest message is overdue. */
static void
end_overdue(struct run_failover *item, int64_t now_ps)
{
    const int64_t timeout_ps = item->traffic->su.failover.timeout_ps;

    for (uint32_t i = 0; timeout_ps != QUANTITY_INFINITE && i < item->n; i++) {
        struct run_failover_flow *one = item->order[i];
        struct run_flow *flow = one->flow;

        if (one->client.transport == FAILOVER_RDMA &&
            one->client.state != FAILOVER_CLOSED &&
            flow->posted > flow->judged &&
            now_ps - flow->posted_ps[flow->judged % flow->depth] > timeout_ps) {
            run_su_abandon(flow, now_ps);
        }
    }
}

static void
on_period(struct event *event, int64_t now_ps)
{
    struct run_failover *item = EVENT_OWNER(event, struct run_failover, period);
    const struct failover_spec *spec = &item->traffic->su.failover;
    const uint32_t busy = busiest(item, spec->every_ps);
    uint32_t n_over_tcp = 0, n;

    end_overdue(item, now_ps);
    for (uint32_t i = 0; i < item->n; i++) {
        n_over_tcp += item->order[i]->client.wanted == FAILOVER_TCP;
    }
    failover_pace_target(&item->pace, planned(item, now_ps));
    n = failover_pace_period(&item->pace, now_ps, n_over_tcp, busy);
    for (uint32_t i = 0; i < item->n && n; i++) {
        struct run_failover_flow *one = item->order[i];

        if (one->client.wanted != item->pace.target &&
            (!one->client.n_holds || item->pace.target == FAILOVER_TCP)) {
            failover_convert(&one->client, item->pace.target);
            feed(one);
            n--;
        }
    }
    engine_schedule(item->run->engine, event, now_ps + spec->every_ps);
}

/* Creation ----------------------------------------------------------------- */

static uint32_t
part_of(const struct ratio *ratio, uint32_t n)
{
    return (uint32_t)(ratio->numerator * n / ratio->denominator);
}

static enum st
create_flow(struct run_failover *item, struct run_flow *flow, struct err *err)
{
    struct run *run = item->run;
    struct run_failover_flow *one = arena_alloc(run->arena, 1, sizeof *one);
    struct run_stream stream = {
        .priority = (uint8_t)flow->traffic->su.failover.priority,
        .dscp = (uint8_t)flow->traffic->su.failover.priority};
    const struct run_host *source = run_flow_end(flow, true);
    const struct ratio *hold = &flow->traffic->su.failover.hold;
    const bool loops = flow->source == flow->destination;

    if (!source->processor != !run_flow_end(flow, false)->processor) {
        return scenario_fail(run->scenario, &flow->traffic->place, err,
                             "'failover' of '%s' needs 'cpu' at both ends, or "
                             "at none",
                             flow->traffic->name);
    }
    if (!source->processor && part_of(hold, PERMILLE) < PERMILLE) {
        return scenario_fail(run->scenario, &flow->traffic->place, err,
                             "'hold' of '%s' is about cores, and its hosts "
                             "have none: set 'cpu', or leave it out",
                             flow->traffic->name);
    }
    *one = (struct run_failover_flow){.flow = flow, .item = item};
    failover_init(&one->client, FAILOVER_RDMA);
    for (int i = 0; i < 2; i++) {
        one->headers[i] =
            run_flow_headers(flow, true, i == 0, flow->source_port);
        stream.headers[i] = one->headers[i];
    }
    flow->failover = one;
    note_pair(one);
    if (run_flow_add_stream(flow, false, source->n_qps + loops, &stream,
                            &one->qps[1]) ||
        run_flow_add_stream(flow, true, one->qps[1], &stream, &one->qps[0])) {
        return scenario_fail(run->scenario, &flow->traffic->place, err,
                             "an adapter refuses a connection of '%s'",
                             flow->traffic->name);
    }
    run_software_create_streams(flow, one->qps, one->ends);
    one->open = event_make(EVENT_TIMER_COMMAND, nic_entity(source->nic),
                           flow->number, on_open);
    item->order[item->n++] = one;
    return ST_OK;
}

/* Shuffles the order of conversions of 'item', number 'number'. */
static void
shuffle(struct run_failover *item, size_t number)
{
    struct random random;

    random_init(&random, item->run->seed << 16 ^ number);
    for (uint32_t i = item->n; i > 1; i--) {
        const uint64_t k = random_below(&random, i);
        struct run_failover_flow *one = item->order[k];

        item->order[k] = item->order[i - 1];
        item->order[i - 1] = one;
    }
}

static enum st
create_item(struct run *run, size_t number, struct err *err)
{
    struct run_failover *item = &run->failovers[number];
    const struct traffic_spec *traffic = &run->scenario->traffic[number];
    const struct failover_spec *spec = &traffic->su.failover;
    enum st st = ST_OK;

    *item = (struct run_failover){.run = run,
                                  .traffic = traffic,
                                  .begin_ps = -1,
                                  .half_ps = -1,
                                  .all_ps = -1,
                                  .back_ps = -1};
    item->period =
        event_make(EVENT_TIMER_COMMAND, 4, (uint32_t)number, on_period);
    if (traffic->kind != TRAFFIC_SU_RDMA || !spec->enabled) {
        return ST_OK;
    }
    item->order = arena_alloc(run->arena, run->n_flows, sizeof(void *));
    item->busy_ps =
        arena_alloc(run->arena, run->topology->n_hosts, sizeof *item->busy_ps);
    for (uint32_t i = 0; !st && i < run->n_flows; i++) {
        if (run->flows[i].traffic == traffic) {
            st = create_flow(item, &run->flows[i], err);
        }
    }
    shuffle(item, number);
    failover_pace_init(&item->pace,
                       &(struct failover_pace_config){
                           .per_period = part_of(&spec->share, item->n) > 0
                                             ? part_of(&spec->share, item->n)
                                             : 1,
                           .most = part_of(&spec->most, item->n),
                           .heal_ps = spec->heal_ps == QUANTITY_INFINITE
                                          ? INT64_MAX
                                          : spec->heal_ps,
                           .busy_permille = part_of(&spec->hold, PERMILLE)});
    engine_schedule(run->engine, &item->period,
                    spec->at_ps == QUANTITY_INFINITE
                        ? spec->every_ps
                        : spec->at_ps % spec->every_ps);
    return st;
}

enum st
run_failovers_create(struct run *run, struct err *err)
{
    const size_t n = run->scenario->n_traffic;
    enum st st = ST_OK;

    run->failovers = arena_alloc(run->arena, n + 1, sizeof *run->failovers);
    for (size_t i = 0; !st && i < n; i++) {
        st = create_item(run, i, err);
    }
    return st;
}

void
run_failovers_destroy(struct run *run)
{
    for (size_t i = 0; run->failovers && i < run->scenario->n_traffic; i++) {
        if (run->failovers[i].n) {
            engine_cancel(run->engine, &run->failovers[i].period);
        }
    }
}

void
run_failover_destroy_flow(struct run_flow *flow)
{
    struct run_failover_flow *one = flow->failover;

    if (!one) {
        return;
    }
    engine_cancel(flow->run->engine, &one->open);
    for (int i = 0; i < 2; i++) {
        run_software_destroy(one->ends[i]);
        sim_payload_unref(one->headers[i]);
    }
}
