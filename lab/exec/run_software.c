/* SPDX-License-Identifier: Apache-2.0 */

/* The software of hosts between flows and adapters: what messages cost there.
 *
 * An end of a flow at a host with a processor belongs to one of its cores.
 * What its program posts waits until the core has worked on it; what completes
 * for it costs work, too, and reaches it after a delay of the system.  Both
 * directions keep their order.
 *
 * Over TCP a message is posted in pieces of PIECE_BYTES, as a system segments
 * what is written: one is with the core, the others of the message, and later
 * messages, wait behind it.  A piece is given to the adapter when its send
 * queue has room and the receive window at the other end is open: that is at
 * most the window of the connection more than the program there has read.
 * (That a window opens is known at once; in a network it takes half a round
 * trip, which changes nothing while the window is above rate times RTT.)
 *
 * Over RDMA a work request is one piece, whatever its length.  The adapter
 * moves the data; the core at the other end is not involved unless a program
 * there waits for a completion.
 *
 * Over SRD each datagram is a work request at both ends, and costs what one of
 * RDMA does: the verbs are alike.  A message goes to the adapter when the core
 * has posted its first datagram; it posts the others while that is sent, so
 * they limit how many messages there can be, but do not delay this one.  A
 * datagram that arrives costs a completion, and the copy of the message layer,
 * if there is one.  A message ends when the core is done with its last. */

#include <config.h>

#include <string.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"
#include "lab/measure/results.h"

enum {
    PIECE_BYTES = 64 * 1024,
    FIRST_ARRIVALS = 8,
    PERMILLE = 1000,
    PER_MILLION = 1000000,
};

#define PS_PER_BYTE_AT_1_BPS UINT64_C(8000000000000)

/* A completion on its way to a program. */
struct arrival {
    int64_t at_ps;
    int64_t job_ps;      /* Of the core, with its waiting. */
    bool is_for_program; /* The last piece of a message. */
    uint32_t message_bytes;
    struct rc_completion completion;
};

/* A piece of the messages of a flow, by their numbers. */
struct place {
    uint64_t message;
    uint32_t piece;
};

/* One end of a flow. */
struct run_software {
    struct run_flow *flow;
    struct run_host *host;
    struct run_software *peer; /* NULL: its host has no processor. */
    bool is_source;
    bool is_stream;    /* TCP. */
    bool is_datagrams; /* SRD. */
    bool is_beside;    /* Its connection is one beside those of the flow. */
    uint32_t qp;
    uint32_t core;

    /* What the program has posted and the adapter does not have. */
    uint64_t n_messages;
    struct place next;    /* Piece for the adapter. */
    uint8_t operation;    /* Of all of them. */
    bool is_working;      /* The core works on that piece, ... */
    bool is_blocked;      /* ... or has, and the adapter has no room. */
    uint64_t given_bytes; /* To the adapter. */
    struct event work;

    uint64_t n_sent;             /* Pieces. */
    struct place sent, received; /* The next ones. */
    int64_t datagrams_ps;        /* When the core is done with those of SRD. */
    uint64_t read_bytes;         /* By the program. */

    /* What completes for the program: a ring. */
    struct arrival *arrivals;
    uint32_t first, n, size;
    int64_t last_ps; /* Of the last one. */
    struct event arrive;

    struct run_load load;
    int64_t began_ps; /* The work on the present piece. */
};

/* Processors --------------------------------------------------------------- */

static uint32_t
scaled(const struct ratio *ratio, int64_t scale)
{
    return (uint32_t)(ratio->numerator * scale / ratio->denominator);
}

static struct host_delay
delay_of(const struct cpu_costs_spec *costs)
{
    return (struct host_delay){.median_ps = costs->delay_ps,
                               .spread = scaled(&costs->spread, PERMILLE),
                               .stall = scaled(&costs->stall, PER_MILLION),
                               .stall_ps = costs->stall_ps};
}

void
run_software_add_processor(struct run_host *host)
{
    const struct cpu_spec *spec = &host->profile->spec->cpu;
    struct arena *arena = host->run->arena;
    struct processor_config config;

    if (!spec->enabled) {
        return;
    }
    config = (struct processor_config){
        .n_cores = (uint32_t)spec->cores,
        .background = scaled(&spec->background, PERMILLE),
        .background_job_ps = spec->background_job_ps,
        .seed = host->run->seed,
        .entity = nic_entity(host->nic)};
    host->processor = arena_alloc(arena, 1, sizeof *host->processor);
    orch_assert(processor_init(host->processor, &config,
                               arena_alloc(arena, config.n_cores,
                                           sizeof(struct processor_core))) ==
                ST_OK);
    random_stream_init(&host->delays, config.seed, config.entity, RANDOM_DELAY);
}

int64_t
run_software_work(const struct run_host *host, uint32_t core, int64_t now_ps,
                  int64_t cost_ps)
{
    for (; cost_ps > PROCESSOR_MAX_TIME_PS; cost_ps -= PROCESSOR_MAX_TIME_PS) {
        (void)processor_run(host->processor, core, now_ps,
                            PROCESSOR_MAX_TIME_PS);
    }
    return processor_run(host->processor, core, now_ps, cost_ps);
}

int64_t
run_software_delay(const struct run_host *host)
{
    const struct host_delay delay = delay_of(&host->profile->spec->cpu.rdma);
    struct run_host *owner = run_host(host->run, host->node); /* Of a loop. */

    return host_delay_draw(&delay, &owner->delays);
}

void
run_software_report(struct run *run, struct results *results)
{
    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        struct run_host *host = &run->hosts[i];
        struct processor_stats stats;

        if (!host->processor) {
            continue;
        }
        processor_get_stats(host->processor, run_now(run), &stats);
        const struct {
            const char *name;
            int64_t value;
        } counters[] = {
            {"cpu_cores", host->processor->config.n_cores},
            {"cpu_busy_ps", stats.busy_ps},
            {"cpu_messages_ps", stats.work_ps},
            {"cpu_jobs", (int64_t)stats.n_jobs},
            {"cpu_wait_ps", stats.wait_ps},
            {"cpu_longest_wait_ps", stats.longest_wait_ps},
        };

        for (size_t k = 0; k < sizeof counters / sizeof counters[0]; k++) {
            results_add_counter(results, host->node, 0, SINK_NONE,
                                counters[k].name, (uint64_t)counters[k].value);
        }
    }
}

/* Ends --------------------------------------------------------------------- */

static const struct cpu_costs_spec *
costs_of(const struct run_software *end)
{
    const struct cpu_spec *cpu = &end->host->profile->spec->cpu;

    return end->is_stream ? &cpu->tcp : &cpu->rdma;
}

/* Returns the bytes of message 'number'. */
static uint32_t
length_of(const struct run_software *end, uint64_t number)
{
    return run_barrier_bytes(end->flow, number);
}

/* Returns how many pieces message 'number' has. */
static uint32_t
pieces_of(const struct run_software *end, uint64_t number)
{
    return end->is_stream
               ? run_software_pieces(end->host, length_of(end, number))
               : 1;
}

/* Returns the bytes of the piece at 'place'. */
static uint32_t
piece_bytes(const struct run_software *end, const struct place *place)
{
    const uint32_t bytes = length_of(end, place->message);
    const uint32_t last = pieces_of(end, place->message) - 1;

    return place->piece < last ? PIECE_BYTES : bytes - last * PIECE_BYTES;
}

/* Moves 'place' to the next piece.  Returns whether that is of another
 * message. */
static bool
pass(const struct run_software *end, struct place *place)
{
    if (++place->piece < pieces_of(end, place->message)) {
        return false;
    }
    place->piece = 0;
    place->message++;
    return true;
}

struct run_load
run_software_load(const struct run_software *end)
{
    struct run_load load = {0};

    if (end) {
        load = end->load;
    }
    if (end && end->is_working && !end->is_blocked) {
        load.n_jobs++;
        load.jobs_ps += engine_now_ps(end->flow->run->engine) - end->began_ps;
    }
    return load;
}

/* Notes that a job of the thread of 'end' has ended, which took 'ps' with its
 * waiting. */
static void
note_job(struct run_software *end, int64_t ps)
{
    end->load.n_jobs++;
    end->load.jobs_ps += ps;
}

/* Gives the work for the piece at 'place' to the core, and returns when
 * it is done. */
static int64_t
work_on(const struct run_software *end, const struct place *place,
        int64_t now_ps)
{
    const struct cpu_costs_spec *costs = costs_of(end);
    int64_t cost_ps = place->piece ? 0 : costs->op_ps;

    if (end->is_stream) {
        cost_ps += costs->batch_ps + costs->byte_ps * piece_bytes(end, place);
    }
    return processor_run(end->host->processor, end->core, now_ps, cost_ps);
}

/* Gives work of 'cost_ps', which may be more than a job of a core is at most,
 * to the core of 'end', and returns when it is done. */
static int64_t
charge(const struct run_software *end, int64_t now_ps, int64_t cost_ps)
{
    return run_software_work(end->host, end->core, now_ps, cost_ps);
}

/* Lets the core post the datagrams of a message of SRD after the first. */
static void
post_others(const struct run_software *end, int64_t now_ps)
{
    const uint32_t segment = end->host->profile->messages.segment_bytes;
    const int64_t n = (length_of(end, end->next.message) - 1) / segment;

    (void)charge(end, now_ps, n * costs_of(end)->op_ps);
}

/* Starts the work on the next piece, if there is one and the core is free for
 * it. */
static void
start(struct run_software *end)
{
    if (end->n_messages && !end->is_working) {
        struct engine *engine = end->flow->run->engine;

        end->is_working = true;
        end->began_ps = engine_now_ps(engine);
        engine_schedule(engine, &end->work,
                        work_on(end, &end->next, engine_now_ps(engine)));
    }
}

/* Gives the piece on which the core has worked to the adapter.  Returns whether
 * it had room. */
static bool
give(struct run_software *end)
{
    const struct rc_request request = {
        .id = end->n_sent,
        .length_bytes = piece_bytes(end, &end->next),
        .operation = end->operation,
        .registers = end->is_source && end->flow->traffic->registers};
    const uint64_t window =
        (uint64_t)end->host->profile->spec->tcp.window_bytes;

    if (end->is_stream && end->peer &&
        end->given_bytes + request.length_bytes >
            end->peer->read_bytes + window) {
        return false;
    }
    return nic_post(end->host->nic, end->qp, &request) == ST_OK;
}

/* Goes on with the piece on which the core has worked. */
static void
go_on(struct run_software *end)
{
    if (end->flow->error) {
        return;
    }
    end->is_blocked = !give(end);
    if (end->is_blocked) {
        return;
    }
    if (end->is_datagrams) {
        post_others(end, engine_now_ps(end->flow->run->engine));
    }
    if (end->flow->estats) {
        run_estats_take(end->flow, end->is_source);
    }
    end->given_bytes += piece_bytes(end, &end->next);
    end->n_messages -= pass(end, &end->next);
    end->is_working = false;
    start(end);
}

static void
on_work(struct event *event, int64_t now_ps)
{
    struct run_software *end = EVENT_OWNER(event, struct run_software, work);

    note_job(end, now_ps - end->began_ps);
    go_on(end);
}

/* The adapter, or the window of the other end, may have room again. */
static void
resume(struct run_software *end)
{
    if (end && end->is_blocked) {
        go_on(end);
    }
}

void
run_software_post(struct run_software *end, uint8_t operation)
{
    end->operation = operation;
    end->n_messages++;
    start(end);
}

/* Completions -------------------------------------------------------------- */

/* Gives the program what has completed for it. */
static void
finish(const struct run_software *end, const struct rc_completion *completion,
       int64_t now_ps)
{
    if (end->is_beside) {
        run_failover_complete(end->flow, end->is_source, completion, now_ps);
    } else {
        run_traffic_complete(end->flow, end->is_source, completion, now_ps);
    }
}

/* Waits for the first arrival. */
static void
await(struct run_software *end)
{
    if (end->n) {
        engine_schedule(end->flow->run->engine, &end->arrive,
                        end->arrivals[end->first].at_ps);
    }
}

static void
append(struct run_software *end, const struct arrival *arrival)
{
    if (end->n == end->size) {
        const uint32_t size = end->size ? 2 * end->size : FIRST_ARRIVALS;
        struct arrival *arrivals =
            arena_alloc(end->flow->run->arena, size, sizeof *arrivals);

        for (uint32_t i = 0; i < end->n; i++) {
            arrivals[i] = end->arrivals[(end->first + i) % end->size];
        }
        end->arrivals = arrivals;
        end->first = 0;
        end->size = size;
    }
    end->arrivals[(end->first + end->n++) % end->size] = *arrival;
    if (end->n == 1) {
        await(end);
    }
}

static void
on_arrive(struct event *event, int64_t now_ps)
{
    struct run_software *end = EVENT_OWNER(event, struct run_software, arrive);
    struct arrival arrival = end->arrivals[end->first];

    end->first = (end->first + 1) % end->size;
    end->n--;
    note_job(end, arrival.job_ps);
    await(end);
    if (arrival.completion.is_receive) {
        end->read_bytes += arrival.completion.bytes;
        resume(end->peer);
        arrival.completion.bytes = arrival.message_bytes;
    }
    if (arrival.is_for_program && !end->flow->error) {
        finish(end, &arrival.completion, now_ps);
    }
}

/* Returns whether what has been sent reaches the program without the core: it
 * does not wait for that. */
static bool
is_silent(const struct run_software *end)
{
    return end->is_stream || end->flow->traffic->kind == TRAFFIC_PING;
}

/* Handles what the adapter has sent: the program gets it at once if it does not
 * wait for it. */
static void
note_sent(struct run_software *end, const struct rc_completion *completion,
          int64_t now_ps)
{
    struct rc_completion whole = *completion;

    end->n_sent++;
    resume(end);
    whole.bytes = length_of(end, end->sent.message);
    if (pass(end, &end->sent)) {
        finish(end, &whole, now_ps);
    }
}

void
run_software_datagram(struct run_software *end, uint32_t bytes, bool is_receive,
                      int64_t now_ps)
{
    const int64_t copy_bps = end->host->profile->spec->srd.copy_bps;
    int64_t cost_ps = costs_of(end)->op_ps;

    if (is_receive && copy_bps) {
        cost_ps += (int64_t)(bytes * PS_PER_BYTE_AT_1_BPS / (uint64_t)copy_bps);
    }
    end->datagrams_ps = charge(end, now_ps, cost_ps);
}

/* Returns when the core is done with what 'end' gets at 'now_ps'. */
static int64_t
done_ps(const struct run_software *end, const struct place *place,
        int64_t now_ps)
{
    if (!end->is_datagrams) {
        return work_on(end, place, now_ps);
    }
    return end->datagrams_ps > now_ps ? end->datagrams_ps : now_ps;
}

void
run_software_complete(struct run_software *end,
                      const struct rc_completion *completion, int64_t now_ps)
{
    const struct host_delay delay = delay_of(costs_of(end));
    struct arrival arrival = {.completion = *completion,
                              .is_for_program = true};
    struct place place = {0, 0};

    if (completion->status != RC_STATUS_OK) {
        finish(end, completion, now_ps);
        return;
    }
    if (!completion->is_receive && is_silent(end)) {
        note_sent(end, completion, now_ps);
        return;
    }
    if (completion->is_receive) {
        place = end->received;
        arrival.message_bytes = length_of(end, place.message);
        arrival.is_for_program = pass(end, &end->received);
    } else {
        resume(end);
    }
    arrival.at_ps = done_ps(end, &place, now_ps);
    arrival.job_ps = arrival.at_ps - now_ps;
    if (arrival.is_for_program) {
        arrival.at_ps += host_delay_draw(&delay, &end->host->delays);
    }
    if (arrival.at_ps < end->last_ps) {
        arrival.at_ps = end->last_ps;
    }
    end->last_ps = arrival.at_ps;
    append(end, &arrival);
}

int64_t
run_software_busy_ps(const struct run_host *host)
{
    struct processor_stats stats;

    processor_get_stats(host->processor, run_now(host->run), &stats);
    return stats.busy_ps;
}

/* Creation ----------------------------------------------------------------- */

uint32_t
run_software_pieces(const struct run_host *host, uint32_t bytes)
{
    return host->processor ? (bytes + PIECE_BYTES - 1) / PIECE_BYTES : 1;
}

/* Returns the software of one end of 'flow' for its queue pair 'qp', NULL if
 * its host has no processor. */
static struct run_software *
create_end(struct run_flow *flow, bool is_source, bool is_stream, uint32_t qp)
{
    struct run_host *host = run_flow_end(flow, is_source);
    struct arena *arena = flow->run->arena;
    const bool is_datagrams = flow->traffic->kind == TRAFFIC_SRD;
    struct run_software *end;

    if (!host->processor) {
        return NULL;
    }
    end = arena_alloc(arena, 1, sizeof *end);
    *end = (struct run_software){.flow = flow,
                                 .host = host,
                                 .is_source = is_source,
                                 .is_stream = is_stream,
                                 .is_datagrams = is_datagrams,
                                 .qp = qp,
                                 /* A queue pair of SRD is that of a process. */
                                 .core = (is_datagrams ? flow->process : qp) %
                                         host->processor->config.n_cores};
    end->work = event_make(EVENT_TIMER_SEND, nic_entity(host->nic),
                           2 * flow->number + !is_source, on_work);
    end->arrive = event_make(EVENT_TIMER_SEND, nic_entity(host->nic),
                             2 * flow->number + !is_source, on_arrive);
    return end;
}

/* Makes the two ends of a connection know each other. */
static void
join(struct run_software *source, struct run_software *destination)
{
    if (source && destination) {
        source->peer = destination;
        destination->peer = source;
    }
}

void
run_software_create(struct run_flow *flow)
{
    const bool is_stream = flow->traffic->transport == TRAFFIC_TRANSPORT_TCP;

    if (flow->traffic->kind == TRAFFIC_RAW ||
        flow->traffic->kind == TRAFFIC_SU_RDMA || /* It has its own. */
        flow->traffic->kind == TRAFFIC_SK_RDMA) {
        return;
    }
    flow->source_end = create_end(flow, true, is_stream, flow->qp);
    flow->destination_end = create_end(flow, false, is_stream, flow->peer_qp);
    join(flow->source_end, flow->destination_end);
}

void
run_software_create_streams(struct run_flow *flow, const uint32_t qps[2],
                            struct run_software *ends[2])
{
    for (int i = 0; i < 2; i++) {
        ends[i] = create_end(flow, i == 0, true, qps[i]);
        if (ends[i]) {
            ends[i]->is_beside = true;
        }
    }
    join(ends[0], ends[1]);
}

void
run_software_destroy(struct run_software *end)
{
    if (end) {
        engine_cancel(end->flow->run->engine, &end->work);
        engine_cancel(end->flow->run->engine, &end->arrive);
    }
}
