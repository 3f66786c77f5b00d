/* SPDX-License-Identifier: Apache-2.0 */

/* sK-RDMA in a run: disk I/O of clients on storage servers.
 *
 * A flow has a client at its source and a server at its destination
 * (lab/storage/sk_rdma.h).  What an end wants is posted when its core has
 * worked on it, and what completes or arrives reaches it when the core has
 * polled it; without a processor ('cpu') neither takes time.  The disk ends an
 * I/O a fixed time after it has begun, however many it has.
 *
 * Keys are real: the adapter of the client makes them valid at the end of each
 * registration, and invalidates them when the answer arrives.  What messages
 * say is not in their packets: ends keep it in the order in which they post,
 * which is the order in which it arrives.
 *
 * With 'crc' each I/O has data, made from the seed and its number whenever they
 * are needed.  They pass the places of lab/storage/integrity.h, in one of which
 * a bit may flip, and the CRCs of that way are those that the ends compare.
 *
 * An I/O is a message of the flow.  I/Os end in any order, and are numbered in
 * the order in which they end. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "base/random.h"
#include "lab/exec/run.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_ring.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"
#include "lab/measure/results.h"
#include "lab/storage/integrity.h"
#include "lab/storage/sk_rdma.h"

_Static_assert((int)TRAFFIC_N_FLIP_PLACES == (int)INTEGRITY_PLACES,
               "the words of scenarios are the places");

enum { BYTE_BITS = 8, PARTS_PER_MILLION = 1000000 };

/* What waits for a time: a work request for the core, a completion for the core
 * or a request for the disk. */
struct item {
    bool is_receive;
    struct sk_work work;
};

/* An end of a connection. */
struct end {
    struct run_flow *flow;
    struct end *peer;
    struct run_host *host;
    uint32_t qp;
    uint32_t core;
    struct run_delay posts, arrivals;
    struct run_ring said; /* struct sk_work, by SENDs that have not arrived. */
};

/* An I/O, by slot. */
struct io {
    int64_t start_ps;
    uint64_t number;
    bool is_read;
    unsigned int place; /* Where a bit flips; INTEGRITY_PLACES: nowhere. */
    uint32_t crcs[INTEGRITY_CRCS];
};

struct run_sk_rdma {
    struct sk_config config;
    struct sk_client *client;
    struct sk_server *server;
    struct end ends[2]; /* The client first. */
    struct run_delay disk;
    struct io *ios;
    struct random random;
    struct crc32c crc;
    uint8_t *data;
    uint64_t n_posted, bytes;
    uint64_t flips[INTEGRITY_PLACES], found[INTEGRITY_PLACES];
    uint64_t n_crc_errors; /* I/Os whose CRCs at both ends differ. */
    uint64_t n_misplaced;  /* I/Os of which CRCs name another place. */
    uint64_t n_missed;     /* I/Os with a flip and equal CRCs at both ends. */
    uint64_t n_reads, n_writes;
};

static struct sk_config
config_of(const struct run_flow *flow)
{
    return (struct sk_config){.depth = flow->depth,
                              .credits = (uint32_t)flow->traffic->sk.credits};
}

uint32_t
run_sk_send_depth(const struct run_flow *flow)
{
    const struct sk_config config = config_of(flow);

    return sk_server_most_work(&config);
}

uint32_t
run_sk_receives(const struct run_flow *flow)
{
    return config_of(flow).credits;
}

/* Data --------------------------------------------------------------------- */

/* Draws where a bit of an I/O flips. */
static unsigned int
draw_place(struct run_sk_rdma *sk, const struct sk_rdma_spec *spec)
{
    uint64_t at = random_below(&sk->random, PARTS_PER_MILLION);
    unsigned int place = 0;

    for (; place < INTEGRITY_PLACES; place++) {
        const struct ratio *flips = &spec->flips[place];
        const uint64_t share = (uint64_t)(flips->numerator * PARTS_PER_MILLION /
                                          flips->denominator);

        if (at < share) {
            break;
        }
        at -= share;
    }
    return place;
}

/* Moves the data of 'io' from one program to the other, which gives the CRCs on
 * their way.  Places of scenarios are in the order of a disk write. */
static void
move_data(struct run_flow *flow, struct io *io)
{
    struct run_sk_rdma *sk = flow->sk;
    const uint32_t n = flow->message_bytes;
    const unsigned int place = !io->is_read || io->place == INTEGRITY_PLACES
                                   ? io->place
                                   : INTEGRITY_PLACES - 1 - io->place;

    integrity_fill(sk->data, n, flow->run->seed + flow->number, io->number);
    integrity_move(&sk->crc, sk->data, n, place,
                   random_below(&sk->random, (uint64_t)n * BYTE_BITS),
                   io->crcs);
}

/* Judges the CRCs of an I/O that has ended. */
static void
judge(struct run_sk_rdma *sk, const struct io *io)
{
    const unsigned int at = integrity_locate(io->crcs);
    const unsigned int place =
        !io->is_read || at == INTEGRITY_PLACES ? at : INTEGRITY_PLACES - 1 - at;

    if (io->place < INTEGRITY_PLACES) {
        sk->flips[io->place]++;
    }
    if (place < INTEGRITY_PLACES) {
        sk->found[place]++;
    }
    sk->n_misplaced += place != io->place;
    if (io->crcs[0] != io->crcs[INTEGRITY_CRCS - 1]) {
        sk->n_crc_errors++;
    } else {
        sk->n_missed += io->place < INTEGRITY_PLACES;
    }
}

/* Posting ------------------------------------------------------------------ */

/* Gives 'work' to the adapter. */
static void
post_work(struct end *end, const struct sk_work *work)
{
    static const uint8_t operations[] = {[SK_OP_REQUEST] = RC_SEND,
                                         [SK_OP_READ] = RC_READ,
                                         [SK_OP_WRITE] = RC_WRITE,
                                         [SK_OP_ANSWER] = RC_SEND_INVALIDATE};
    const struct rc_request request = {
        .rkey = work->request.key,
        .length_bytes = work->bytes,
        .operation = operations[work->operation],
        .registers = work->operation == SK_OP_REQUEST,
        .region = {.rkey = work->request.key,
                   .access = work->request.is_read ? REGION_REMOTE_WRITE
                                                   : REGION_REMOTE_READ,
                   .length = work->request.bytes}};

    if (work->operation == SK_OP_REQUEST || work->operation == SK_OP_ANSWER) {
        run_ring_put(&end->said, work);
    }
    orch_assert(nic_post(end->host->nic, end->qp, &request) == ST_OK);
}

static void
on_post(struct event *event, int64_t now_ps)
{
    struct end *end = EVENT_OWNER(event, struct end, posts.event);
    struct item item;

    (void)now_ps;
    run_delay_leave(&end->posts, &item);
    if (!end->flow->error) {
        post_work(end, &item.work);
    }
}

/* Posts what the end of 'flow' wants. */
static void
pump(struct end *end)
{
    struct run_flow *flow = end->flow;
    struct run_sk_rdma *sk = flow->sk;
    const bool is_client = end == &sk->ends[0];
    struct item item = {.is_receive = false};

    while (!flow->error &&
           (is_client ? sk_client_next(sk->client, &item.work)
                      : sk_server_next(sk->server, &item.work))) {
        if (!end->host->processor) {
            post_work(end, &item.work);
            continue;
        }
        run_delay_enter(
            &end->posts,
            run_software_work(end->host, end->core, run_now(flow->run),
                              end->host->profile->spec->cpu.rdma.op_ps),
            &item);
    }
}

void
run_sk_post(struct run_flow *flow)
{
    struct run_sk_rdma *sk = flow->sk;
    const struct sk_rdma_spec *spec = &flow->traffic->sk;
    struct io io = {.start_ps = run_now(flow->run),
                    .number = sk->n_posted++,
                    .place = INTEGRITY_PLACES};
    uint32_t slot;

    io.is_read = random_below(&sk->random, PARTS_PER_MILLION) <
                 (uint64_t)(spec->reads.numerator * PARTS_PER_MILLION /
                            spec->reads.denominator);
    sk->n_reads += io.is_read;
    sk->n_writes += !io.is_read;
    if (spec->crc) {
        io.place = draw_place(sk, spec);
        move_data(flow, &io);
    }
    orch_assert(sk_client_post(sk->client, io.is_read, flow->message_bytes,
                               io.crcs[0], &slot) == ST_OK);
    sk->ios[slot] = io;
    pump(&sk->ends[0]);
}

/* The disk ----------------------------------------------------------------- */

static void
on_disk(struct event *event, int64_t now_ps)
{
    struct run_sk_rdma *sk = EVENT_OWNER(event, struct run_sk_rdma, disk.event);
    struct run_flow *flow = sk->ends[1].flow;
    struct item item;
    const struct io *io;

    (void)now_ps;
    run_delay_leave(&sk->disk, &item);
    if (flow->error) {
        return;
    }
    io = &sk->ios[item.work.request.slot];
    sk_server_stored(sk->server, &item.work.request,
                     io->crcs[io->is_read ? 0 : INTEGRITY_CRCS - 1]);
    pump(&sk->ends[1]);
}

static void
start_disk(struct run_flow *flow)
{
    struct item item = {.is_receive = false};

    while (sk_server_next_disk(flow->sk->server, &item.work.request)) {
        run_delay_enter(&flow->sk->disk,
                        run_now(flow->run) + flow->traffic->sk.disk_ps, &item);
    }
}

/* Completions -------------------------------------------------------------- */

/* Ends the I/O of 'slot': the flow reports the oldest time of posting, so that
 * of this I/O changes places with it. */
static void
end_io(struct run_flow *flow, uint32_t slot, int64_t now_ps)
{
    struct run_sk_rdma *sk = flow->sk;
    const struct io *io = &sk->ios[slot];
    const struct rc_completion whole = {.bytes = flow->message_bytes,
                                        .status = RC_STATUS_OK};
    int64_t *oldest = &flow->posted_ps[flow->judged % flow->depth];
    uint64_t i = flow->judged;

    while (flow->posted_ps[i % flow->depth] != io->start_ps) {
        i++;
        orch_assert(i < flow->posted);
    }
    flow->posted_ps[i % flow->depth] = *oldest;
    *oldest = io->start_ps;
    if (flow->traffic->sk.crc) {
        judge(sk, io);
    }
    sk->bytes += flow->message_bytes;
    run_traffic_complete(flow, true, &whole, now_ps);
}

static void
handle_client(struct run_flow *flow, const struct item *item, int64_t now_ps)
{
    struct run_sk_rdma *sk = flow->sk;

    if (!item->is_receive) {
        sk_client_completed(sk->client);
        pump(&sk->ends[0]);
        return;
    }
    orch_assert(sk_client_received(sk->client, &item->work.answer));
    run_flow_post_receive(flow, sk->ends[0].host, sk->ends[0].qp);
    end_io(flow, item->work.answer.slot, now_ps);
    pump(&sk->ends[0]);
}

static void
handle_server(struct run_flow *flow, const struct item *item)
{
    struct run_sk_rdma *sk = flow->sk;
    struct sk_request request;

    if (item->is_receive) {
        sk_server_received(sk->server, &item->work.request);
        run_flow_post_receive(flow, sk->ends[1].host, sk->ends[1].qp);
    } else if (sk_server_completed(sk->server, &request)) {
        sk_server_checked(sk->server, &request,
                          sk->ios[request.slot].crcs[INTEGRITY_CRCS - 1]);
    }
    start_disk(flow);
    pump(&sk->ends[1]);
}

static void
handle(struct end *end, const struct item *item, int64_t now_ps)
{
    if (end == &end->flow->sk->ends[0]) {
        handle_client(end->flow, item, now_ps);
    } else {
        handle_server(end->flow, item);
    }
}

static void
on_arrive(struct event *event, int64_t now_ps)
{
    struct end *end = EVENT_OWNER(event, struct end, arrivals.event);
    struct item item;

    run_delay_leave(&end->arrivals, &item);
    if (!end->flow->error) {
        handle(end, &item, now_ps);
    }
}

void
run_sk_complete(struct run_flow *flow, bool is_source,
                const struct rc_completion *completion, int64_t now_ps)
{
    struct end *end = &flow->sk->ends[!is_source];
    struct item item = {.is_receive = completion->is_receive};
    int64_t at_ps;

    if (flow->error) {
        return;
    }
    if (completion->status != RC_STATUS_OK) {
        run_traffic_complete(flow, is_source, completion, now_ps);
        return;
    }
    if (item.is_receive) {
        run_ring_take(&end->peer->said, &item.work);
    }
    if (!end->host->processor) {
        handle(end, &item, now_ps);
        return;
    }
    at_ps = run_software_work(end->host, end->core, now_ps,
                              end->host->profile->spec->cpu.rdma.op_ps) +
            run_software_delay(end->host);
    run_delay_enter(&end->arrivals, at_ps, &item);
}

/* Creation ----------------------------------------------------------------- */

static void
create_end(struct run_flow *flow, bool is_source)
{
    struct run_sk_rdma *sk = flow->sk;
    struct end *end = &sk->ends[!is_source];
    const uint32_t n = sk_server_most_work(&sk->config);
    struct arena *arena = flow->run->arena;
    const uint32_t number = 2 * flow->number + !is_source;
    uint32_t entity;

    *end = (struct end){.flow = flow, .peer = &sk->ends[is_source]};
    end->host = run_flow_end(flow, is_source);
    end->qp = is_source ? flow->qp : flow->peer_qp;
    end->core = end->host->processor
                    ? end->qp % end->host->processor->config.n_cores
                    : 0;
    run_ring_create(&end->said, arena, sk->config.credits,
                    sizeof(struct sk_work));
    entity = nic_entity(end->host->nic);
    run_delay_create(&end->posts, arena, flow->run->engine, n,
                     sizeof(struct item),
                     event_make(EVENT_TIMER_SEND, entity, number, on_post));
    run_delay_create(&end->arrivals, arena, flow->run->engine,
                     n + sk->config.credits, sizeof(struct item),
                     event_make(EVENT_TIMER_SEND, entity, number, on_arrive));
}

enum st
run_sk_create(struct run_flow *flow, struct err *err)
{
    const struct sk_rdma_spec *spec = &flow->traffic->sk;
    struct run_sk_rdma *sk = arena_alloc(flow->run->arena, 1, sizeof *flow->sk);

    if (spec->reads.numerator < spec->reads.denominator &&
        run_flow_check_reads(flow, "disk writes", "", err)) {
        return ST_INVALID;
    }
    *sk = (struct run_sk_rdma){.config = config_of(flow)};
    flow->sk = sk;
    sk->client = sk_client_create(&sk->config);
    sk->server = sk_server_create(&sk->config);
    sk->ios = arena_alloc(flow->run->arena, flow->depth, sizeof *sk->ios);
    random_init(&sk->random, flow->run->seed ^ (uint64_t)(flow->number + 1)
                                                   << 32);
    if (spec->crc) {
        crc32c_init(&sk->crc);
        sk->data = arena_alloc(flow->run->arena, flow->message_bytes, 1);
    }
    create_end(flow, true);
    create_end(flow, false);
    run_delay_create(&sk->disk, flow->run->arena, flow->run->engine,
                     sk->config.credits, sizeof(struct item),
                     event_make(EVENT_TIMER_COMMAND,
                                nic_entity(sk->ends[1].host->nic),
                                2 * flow->number + 1, on_disk));
    return ST_OK;
}

void
run_sk_destroy(struct run_flow *flow)
{
    struct run_sk_rdma *sk = flow->sk;

    for (int i = 0; sk && i < 2; i++) {
        run_delay_stop(&sk->ends[i].posts);
        run_delay_stop(&sk->ends[i].arrivals);
    }
    if (sk) {
        run_delay_stop(&sk->disk);
        sk_client_destroy(sk->client);
        sk_server_destroy(sk->server);
    }
}

uint64_t
run_sk_bytes(const struct run_flow *flow)
{
    return flow->sk->bytes;
}

/* Reports ------------------------------------------------------------------ */

static void
describe(struct results *results, const char *name, uint64_t value)
{
    results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE, name, value);
}

static uint64_t
rnr_naks_of(const struct end *end)
{
    return rc_counters(nic_rc(end->host->nic, end->qp))->rnr_naks_sent;
}

/* Adds what 'sk' has counted to '*sum'. */
static void
add_counts(struct run_sk_rdma *sum, const struct run_sk_rdma *sk)
{
    for (int i = 0; i < INTEGRITY_PLACES; i++) {
        sum->flips[i] += sk->flips[i];
        sum->found[i] += sk->found[i];
    }
    sum->n_crc_errors += sk->n_crc_errors;
    sum->n_misplaced += sk->n_misplaced;
    sum->n_missed += sk->n_missed;
    sum->n_reads += sk->n_reads;
    sum->n_writes += sk->n_writes;
}

void
run_sk_describe(const struct run *run, struct results *results)
{
    static const char *const flips[] = {
#define X(member, name) "sk.flips_in_" name,
        TRAFFIC_FLIP_PLACES(X)
#undef X
    };
    static const char *const found[] = {
#define X(member, name) "sk.found_in_" name,
        TRAFFIC_FLIP_PLACES(X)
#undef X
    };
    struct run_sk_rdma *sum = check_calloc(1, sizeof *sum);
    uint64_t n_rnr_naks = 0, n_waits = 0, n = 0;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_sk_rdma *sk = run->flows[i].sk;

        if (sk) {
            add_counts(sum, sk);
            n_waits += sk_client_waits(sk->client);
            n_rnr_naks += rnr_naks_of(&sk->ends[0]) + rnr_naks_of(&sk->ends[1]);
            n++;
        }
    }
    if (n) {
        describe(results, "sk.connections", n);
        describe(results, "sk.disk_reads", sum->n_reads);
        describe(results, "sk.disk_writes", sum->n_writes);
        describe(results, "sk.waits_for_credit", n_waits);
        describe(results, "sk.rnr_naks", n_rnr_naks);
        describe(results, "sk.crc_errors", sum->n_crc_errors);
        describe(results, "sk.misplaced", sum->n_misplaced);
        describe(results, "sk.missed", sum->n_missed);
        for (int i = 0; i < INTEGRITY_PLACES; i++) {
            describe(results, flips[i], sum->flips[i]);
            describe(results, found[i], sum->found[i]);
        }
    }
    free(sum);
}
