/* SPDX-License-Identifier: Apache-2.0 */

/* Disks of virtual machines in a storage cluster.
 *
 * Each client has I/Os, by time or one after another, which are graphs of steps
 * (lab/storage/io.h).  A step that is a message is the next one of the flow
 * between its places; messages of a flow arrive in order, so the flow only
 * keeps which steps they are.  Work is that of a core; an access that of the
 * disk of the host (lab/storage/ssd.h).  What a host does not have ('cpu',
 * 'ssd') takes no time, nor does a message of a host to itself.
 *
 * The server and the nodes of an I/O are drawn, by a generator of the client.
 * If a queue pair fails, the I/Os that need it do not end. */

#include <config.h>

#include <stdio.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/random.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"
#include "lab/measure/results.h"
#include "lab/storage/io.h"
#include "lab/storage/ssd.h"

#define X(member, name)                                                        \
    _Static_assert((int)DISK_##member == (int)IO_##member,                     \
                   "the messages of scenarios are those of I/Os");
DISK_MESSAGES(X)
#undef X
_Static_assert((int)DISK_N_MESSAGES == (int)IO_N_MESSAGES &&
                   (int)DISK_READ == (int)IO_READ &&
                   (int)DISK_WRITE == (int)IO_WRITE,
               "all of them");

enum {
    PERMILLE = 1000,
    TIMED_DEPTH = 1024, /* I/Os of 'every' that are outstanding. */
    FIRST_ORDERS = 16,
    NAME_SIZE = 128,
};

/* Groups of hosts, in the order of their roles. */
enum group { CLIENTS, SERVERS, NODES, N_GROUPS };

struct run_io;

/* A step of an I/O, with its timer. */
struct step {
    struct run_io *io;
    uint32_t number;
    bool has_accessed; /* DISK: the bus is next. */
    struct event timer;
};

struct run_client;

struct run_io {
    struct run_io *next;  /* Of the free ones. */
    struct run_io *older; /* Of all. */
    struct run_client *client;
    uint64_t number;
    int64_t start_ps;
    struct io io;
    /* By place: the host, and its position in its group. */
    uint32_t hosts[IO_PLACES_MAX], positions[IO_PLACES_MAX];
    uint64_t front_bytes, back_bytes;
    struct step steps[IO_STEPS_MAX];
};

struct run_client {
    struct run_disk *disk;
    uint32_t host;
    struct random random;
    uint64_t n_started, n_ended, n_skipped;
    bool is_done;
    struct event timer;
};

/* What a flow carries: a ring of steps whose messages have not arrived. */
struct run_disk_flow {
    struct run_disk *disk;
    struct step **orders;
    uint64_t first, end;
    uint32_t size;
};

struct run_disk {
    struct run *run;
    const struct disk_spec *spec; /* NULL: the item is none, or not the first
                                   * of one. */
    struct io_plan plan;
    struct reference_list hosts[N_GROUPS];
    struct run_flow **flows[IO_N_MESSAGES]; /* By places of both ends. */
    struct run_client *clients;
    struct run_io *free, *newest;
    uint64_t n_failed; /* Messages of queue pairs that have failed. */
};

/* Steps -------------------------------------------------------------------- */

static void go_on(struct run_io *one, int64_t now_ps);

/* Which group sends messages to which. */
static const enum group ends_of[IO_N_MESSAGES][2] = {
    [IO_REQUEST] = {CLIENTS, SERVERS}, [IO_COMMAND] = {SERVERS, NODES},
    [IO_COPY] = {NODES, NODES},        [IO_STORED] = {NODES, NODES},
    [IO_ANSWER] = {NODES, SERVERS},    [IO_REPLY] = {SERVERS, CLIENTS}};

/* Returns where the flow for messages of 'kind' from the host at one position
 * to that at another one, in their groups, is stored. */
static struct run_flow **
flow_at(const struct run_disk *disk, enum io_kind kind, size_t source,
        size_t destination)
{
    return &disk->flows[kind]
                       [source * disk->hosts[ends_of[kind][1]].n + destination];
}

/* Returns the work of the place of a step of 'disk'. */
static int64_t
work_of(const struct disk_spec *spec, uint32_t place)
{
    return place == IO_CLIENT   ? spec->client_work_ps
           : place == IO_SERVER ? spec->server_work_ps
                                : spec->node_work_ps;
}

/* Returns the work of 'host' at a place of an I/O. */
static int64_t
work_at(const struct disk_spec *spec, uint32_t place,
        const struct run_host *host)
{
    return work_of(spec, place) +
           (place == IO_CLIENT ? host->profile->spec->cpu.io_ps : 0);
}

static void
end_step(struct step *step, int64_t now_ps)
{
    io_end(&step->io->io, step->number, now_ps);
    go_on(step->io, now_ps);
}

/* The core is done, or the access, or the transfer after it. */
static void
on_step(struct event *event, int64_t now_ps)
{
    struct step *step = EVENT_OWNER(event, struct step, timer);
    const struct run_disk *disk = step->io->client->disk;
    const struct io_step *of = &disk->plan.steps[step->number];
    const struct run_host *host =
        run_host(disk->run, step->io->hosts[of->from]);

    if (of->kind == IO_DISK && !step->has_accessed) {
        step->has_accessed = true;
        engine_schedule(
            disk->run->engine, event,
            ssd_transfer(
                host->ssd, now_ps, (uint64_t)disk->spec->size_bytes,
                (uint64_t)host->profile->spec->ssd.rate_bps[disk->spec->verb]));
        return;
    }
    end_step(step, now_ps);
}

/* Begins work or an access.  Returns false if it takes no time. */
static bool
begin_local(struct step *step, const struct io_step *of, int64_t now_ps)
{
    const struct run_disk *disk = step->io->client->disk;
    struct run_host *host = run_host(disk->run, step->io->hosts[of->from]);
    int64_t end_ps;

    if (of->kind == IO_DISK && host->ssd) {
        const struct ssd_spec *spec = &host->profile->spec->ssd;
        const struct host_delay latency = {
            .median_ps = spec->latency_ps[disk->spec->verb],
            .spread = (uint32_t)(spec->spread.numerator * PERMILLE /
                                 spec->spread.denominator)};

        step->has_accessed = false;
        end_ps = ssd_access(host->ssd, now_ps,
                            host_delay_draw(&latency, &host->accesses));
    } else if (of->kind == IO_WORK && host->processor &&
               work_at(disk->spec, of->from, host)) {
        end_ps = run_software_work(
            host,
            (uint32_t)(step->io->number % host->processor->config.n_cores),
            now_ps, work_at(disk->spec, of->from, host));
    } else {
        return false;
    }
    step->timer = event_make(EVENT_TIMER_SEND, nic_entity(host->nic),
                             (uint32_t)step->io->number, on_step);
    engine_schedule(disk->run->engine, &step->timer, end_ps);
    return true;
}

/* Appends 'step' to what 'flow' carries. */
static void
append(struct run_flow *flow, struct step *step)
{
    struct run_disk_flow *of = flow->disk;

    if (of->end - of->first == of->size) {
        const uint32_t size = of->size ? 2 * of->size : FIRST_ORDERS;
        struct step **orders =
            arena_alloc(flow->run->arena, size, sizeof *orders);

        for (uint64_t i = of->first; i < of->end; i++) {
            orders[i % size] = of->orders[i % of->size];
        }
        of->orders = orders;
        of->size = size;
    }
    of->orders[of->end++ % of->size] = step;
}

/* Posts the message of a step.  Returns false if it is of a host to itself. */
static bool
begin_message(struct step *step, const struct io_step *of)
{
    struct run_io *one = step->io;
    const struct run_disk *disk = one->client->disk;
    struct run_flow *flow;

    if (one->hosts[of->from] == one->hosts[of->to]) {
        return false;
    }
    flow = *flow_at(disk, of->kind, one->positions[of->from],
                    one->positions[of->to]);
    if (io_carries_data(disk->plan.verb, of->kind)) {
        *(of->kind == IO_REQUEST || of->kind == IO_REPLY ? &one->front_bytes
                                                         : &one->back_bytes) +=
            (uint64_t)disk->spec->size_bytes;
    }
    append(flow, step);
    flow->n_allowed++;
    run_flow_fill(flow);
    return true;
}

void
run_disk_note_arrived(struct run_flow *flow, int64_t now_ps)
{
    struct run_disk_flow *of = flow->disk;

    orch_assert(of->first < of->end);
    end_step(of->orders[of->first++ % of->size], now_ps);
}

void
run_disk_note_failed(struct run_flow *flow)
{
    flow->disk->disk->n_failed += flow->disk->end - flow->disk->first;
}

/* I/Os --------------------------------------------------------------------- */

/* Reports an I/O that is over. */
static void
report(const struct run_io *one)
{
    const struct run_disk *disk = one->client->disk;
    const struct sink *sink = disk->run->sink;
    const struct sink_io io = {.number = one->number,
                               .disk = disk->spec->name,
                               .verb = disk->plan.verb == IO_READ ? "read"
                                                                  : "write",
                               .client = one->hosts[IO_CLIENT],
                               .server = one->hosts[IO_SERVER],
                               .node = one->hosts[IO_NODE],
                               .copies = disk->plan.n_copies,
                               .bytes = (uint64_t)disk->spec->size_bytes,
                               .start_ps = one->start_ps,
                               .end_ps = run_now(disk->run),
                               .stored_ps = io_stored_ps(&one->io),
                               .front_bytes = one->front_bytes,
                               .back_bytes = one->back_bytes};

    if (sink->io_ended) {
        sink->io_ended(sink->context, &io);
    }
    for (uint32_t i = 0;
         sink->span_ended && disk->run->scenario->record.spans &&
         i < disk->plan.n_steps;
         i++) {
        const struct io_step *step = &disk->plan.steps[i];

        sink->span_ended(sink->context,
                         &(struct sink_span){.io = one->number,
                                             .step = i,
                                             .name = io_kind_name(step->kind),
                                             .from = one->hosts[step->from],
                                             .to = one->hosts[step->to],
                                             .start_ps = one->io.start_ps[i],
                                             .end_ps = one->io.end_ps[i]});
    }
}

static bool
is_exhausted(const struct run_client *client)
{
    const struct disk_spec *spec = client->disk->spec;

    return run_now(client->disk->run) >= spec->stop_ps ||
           (spec->repeat != QUANTITY_INFINITE &&
            client->n_started >= (uint64_t)spec->repeat);
}

static bool
is_finite(const struct disk_spec *spec)
{
    return spec->repeat != QUANTITY_INFINITE ||
           spec->stop_ps != QUANTITY_INFINITE;
}

/* Notes that 'client' is done, if it is. */
static void
try_end(struct run_client *client)
{
    if (!client->is_done && is_exhausted(client) &&
        client->n_started == client->n_ended) {
        client->is_done = true;
        client->disk->run->n_done += is_finite(client->disk->spec);
    }
}

/* Draws 'n' different hosts of a group as the places from 'first' on. */
static void
draw_hosts(struct run_io *one, enum group group, uint32_t first, uint32_t n)
{
    const struct reference_list *list = &one->client->disk->hosts[group];
    uint32_t *positions = &one->positions[first];

    for (uint32_t i = 0; i < n;) {
        uint32_t k = 0;

        positions[i] = (uint32_t)random_below(&one->client->random, list->n);
        while (positions[k] != positions[i]) {
            k++;
        }
        one->hosts[first + i] = list->numbers[positions[i]];
        i += k == i;
    }
}

static struct run_io *
take_io(struct run_disk *disk)
{
    struct run_io *one = disk->free;

    if (one) {
        disk->free = one->next;
    } else {
        one = arena_alloc(disk->run->arena, 1, sizeof *one);
        one->older = disk->newest;
        disk->newest = one;
    }
    return one;
}

static void
start(struct run_client *client, int64_t now_ps)
{
    struct run_disk *disk = client->disk;
    struct run_io *one = take_io(disk);

    *one = (struct run_io){
        .older = one->older,
        .client = client,
        .number = disk->run->n_ios++,
        .start_ps = now_ps,
        .hosts = {[IO_CLIENT] = client->host},
        .positions = {[IO_CLIENT] = (uint32_t)(client - disk->clients)}};
    draw_hosts(one, SERVERS, IO_SERVER, 1);
    draw_hosts(one, NODES, IO_NODE, disk->plan.n_copies);
    for (uint32_t i = 0; i < disk->plan.n_steps; i++) {
        one->steps[i].io = one;
        one->steps[i].number = i;
    }
    io_init(&one->io, &disk->plan);
    client->n_started++;
    go_on(one, now_ps);
}

/* Starts the I/Os that 'client' may have outstanding. */
static void
fill(struct run_client *client, int64_t now_ps)
{
    while (!is_exhausted(client) && client->n_started - client->n_ended <
                                        (uint64_t)client->disk->spec->depth) {
        start(client, now_ps);
    }
}

/* Begins all steps of an I/O that can begin, and ends it after the last. */
static void
go_on(struct run_io *one, int64_t now_ps)
{
    struct run_client *client = one->client;
    struct run_disk *disk = client->disk;
    uint32_t number;

    while (io_next(&one->io, now_ps, &number)) {
        const struct io_step *of = &disk->plan.steps[number];
        const bool takes_time =
            of->kind < IO_WORK ? begin_message(&one->steps[number], of)
                               : begin_local(&one->steps[number], of, now_ps);

        if (!takes_time) {
            io_end(&one->io, number, now_ps);
        }
    }
    if (!io_is_over(&one->io)) {
        return;
    }
    report(one);
    client->n_ended++;
    one->next = disk->free;
    disk->free = one;
    if (!disk->spec->every_ps) {
        fill(client, now_ps);
    }
    try_end(client);
}

/* The start of a client, or the time of its next I/O. */
static void
on_client(struct event *event, int64_t now_ps)
{
    struct run_client *client = EVENT_OWNER(event, struct run_client, timer);
    const struct disk_spec *spec = client->disk->spec;

    if (!spec->every_ps) {
        fill(client, now_ps);
    } else if (!is_exhausted(client)) {
        if (client->n_started - client->n_ended < TIMED_DEPTH) {
            start(client, now_ps);
        } else {
            client->n_skipped++;
        }
        engine_schedule(client->disk->run->engine, event,
                        now_ps + spec->every_ps);
    }
    try_end(client);
}

/* Creation ----------------------------------------------------------------- */

/* Returns 'one' and 'two' as a number for a generator. */
static uint64_t
seed_of(const struct run *run, uint64_t one, uint64_t two)
{
    const uint64_t words[] = {run->seed, one, two};

    return digest_bytes(DIGEST_START, words, sizeof words);
}

static void
create_clients(struct run_disk *disk, uint64_t item)
{
    const struct reference_list *hosts = &disk->hosts[CLIENTS];
    const struct disk_spec *spec = disk->spec;
    struct run *run = disk->run;

    disk->clients = arena_alloc(run->arena, hosts->n, sizeof *disk->clients);
    for (size_t i = 0; i < hosts->n; i++) {
        struct run_client *client = &disk->clients[i];
        const struct run_host *host = run_host(run, hosts->numbers[i]);
        int64_t start_ps = spec->start_ps;

        *client = (struct run_client){
            .disk = disk,
            .host = host->node,
            .timer = event_make(EVENT_TIMER_COMMAND, nic_entity(host->nic),
                                (uint32_t)item, on_client)};
        random_init(&client->random, seed_of(run, item, host->node));
        if (spec->jitter_ps) {
            start_ps += (int64_t)random_below(&client->random,
                                              (uint64_t)spec->jitter_ps + 1);
        }
        run->n_finite += is_finite(spec);
        engine_schedule(run->engine, &client->timer, start_ps);
    }
}

/* Checks that the hosts of 'disk' can do what it needs. */
static enum st
check_hosts(const struct run_disk *disk, struct err *err)
{
    static const char *const keys[] = {"client_work", "server_work",
                                       "node_work"};
    const struct run *run = disk->run;
    const struct disk_spec *spec = disk->spec;

    if (disk->plan.n_copies > disk->hosts[NODES].n) {
        return scenario_fail(
            run->scenario, &spec->place, err,
            "'copies' of '%s' are %u, and 'nodes' has %zu "
            "host%s; set 'copies' to %zu, or add nodes",
            spec->name, (unsigned int)disk->plan.n_copies, disk->hosts[NODES].n,
            disk->hosts[NODES].n == 1 ? "" : "s", disk->hosts[NODES].n);
    }
    for (uint32_t group = 0; group < N_GROUPS; group++) {
        const struct reference_list *hosts = &disk->hosts[group];

        for (size_t i = 0; i < hosts->n && work_of(spec, group); i++) {
            if (!run_host(run, hosts->numbers[i])->processor) {
                return scenario_fail(
                    run->scenario, &spec->place, err,
                    "'%s' of '%s' is work of cores, and %s has none: set "
                    "'cpu', or leave it out",
                    keys[group], spec->name,
                    run->topology->nodes[hosts->numbers[i]].name);
            }
        }
    }
    return ST_OK;
}

/* Returns the position of host 'node' in a group of 'disk', where it is. */
static size_t
position_of(const struct run_disk *disk, enum group group, uint32_t node)
{
    size_t i = 0;

    while (disk->hosts[group].numbers[i] != node) {
        i++;
    }
    return i;
}

/* Gives the flows of 'disk' to it. */
static void
take_flows(struct run_disk *disk)
{
    struct run *run = disk->run;

    for (int kind = 0; kind < IO_N_MESSAGES; kind++) {
        disk->flows[kind] = arena_alloc(run->arena,
                                        disk->hosts[ends_of[kind][0]].n *
                                            disk->hosts[ends_of[kind][1]].n,
                                        sizeof(struct run_flow *));
    }
    for (uint32_t i = 0; i < run->n_flows; i++) {
        struct run_flow *flow = &run->flows[i];
        const enum io_kind kind = (enum io_kind)flow->traffic->message;

        if (flow->traffic->disk == disk->spec) {
            *flow_at(
                disk, kind, position_of(disk, ends_of[kind][0], flow->source),
                position_of(disk, ends_of[kind][1], flow->destination)) = flow;
            flow->disk = arena_alloc(run->arena, 1, sizeof *flow->disk);
            *flow->disk = (struct run_disk_flow){.disk = disk};
        }
    }
}

static enum st
create_disk(struct run_disk *disk, uint64_t item, struct err *err)
{
    struct run *run = disk->run;
    const struct disk_spec *spec = disk->spec;
    const struct selector *selectors[N_GROUPS] = {&spec->clients,
                                                  &spec->servers, &spec->nodes};
    enum st st = io_plan_make(&disk->plan, (enum io_verb)spec->verb,
                              (uint32_t)spec->copies, err);

    for (int i = 0; !st && i < N_GROUPS; i++) {
        st = references_hosts(run->scenario, run->topology, selectors[i],
                              run->arena, &disk->hosts[i], err);
    }
    st = st ? st : check_hosts(disk, err);
    if (!st) {
        take_flows(disk);
        create_clients(disk, item);
    }
    return st;
}

static void
create_ssd(struct run_host *host)
{
    const struct ssd_spec *spec = &host->profile->spec->ssd;

    if (spec->enabled && host->nic) {
        host->ssd = arena_alloc(host->run->arena, 1, sizeof *host->ssd);
        ssd_init(host->ssd, (uint32_t)spec->channels);
        random_stream_init(&host->accesses, host->run->seed,
                           nic_entity(host->nic), RANDOM_DISK);
    }
}

enum st
run_disks_create(struct run *run, struct err *err)
{
    const size_t n = run->scenario->n_traffic;
    const struct disk_spec *last = NULL;
    enum st st = ST_OK;

    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        create_ssd(&run->hosts[i]);
    }
    run->disks = arena_alloc(run->arena, n + 1, sizeof *run->disks);
    for (size_t i = 0; i < n; i++) {
        const struct disk_spec *spec = run->scenario->traffic[i].disk;

        run->disks[i] =
            (struct run_disk){.run = run, .spec = spec == last ? NULL : spec};
        last = spec;
    }
    for (size_t i = 0; !st && i < n; i++) {
        st = run->disks[i].spec ? create_disk(&run->disks[i], i, err) : ST_OK;
    }
    return st;
}

void
run_disks_destroy(struct run *run)
{
    for (size_t i = 0; run->disks && i < run->scenario->n_traffic; i++) {
        const struct run_disk *disk = &run->disks[i];

        for (size_t k = 0; disk->clients && k < disk->hosts[CLIENTS].n; k++) {
            engine_cancel(run->engine, &disk->clients[k].timer);
        }
        for (struct run_io *one = disk->newest; one; one = one->older) {
            for (uint32_t k = 0; k < IO_STEPS_MAX; k++) {
                engine_cancel(run->engine, &one->steps[k].timer);
            }
        }
    }
}

/* Reports ------------------------------------------------------------------ */

static void
describe_disk(const struct run_disk *disk, struct results *results)
{
    uint64_t n_started = 0, n_ended = 0, n_skipped = 0;

    for (size_t i = 0; i < disk->hosts[CLIENTS].n; i++) {
        n_started += disk->clients[i].n_started;
        n_ended += disk->clients[i].n_ended;
        n_skipped += disk->clients[i].n_skipped;
    }
    const struct {
        const char *name;
        uint64_t value;
    } counters[] = {
        {"started", n_started},
        {"ended", n_ended},
        {"skipped", n_skipped},
        {"failed", disk->n_failed},
    };

    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        char name[NAME_SIZE];

        (void)snprintf(name, sizeof name, "%s.%s", disk->spec->name,
                       counters[i].name);
        results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE, name,
                            counters[i].value);
    }
}

void
run_disks_describe(const struct run *run, struct results *results)
{
    for (size_t i = 0; i < run->scenario->n_traffic; i++) {
        if (run->disks[i].spec) {
            describe_disk(&run->disks[i], results);
        }
    }
    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        const struct run_host *host = &run->hosts[i];

        if (host->ssd && host->ssd->n_accesses) {
            results_add_counter(results, host->node, 0, SINK_NONE,
                                "ssd.accesses", host->ssd->n_accesses);
            results_add_counter(results, host->node, 0, SINK_NONE, "ssd.bytes",
                                host->ssd->bytes);
            results_add_counter(results, host->node, 0, SINK_NONE,
                                "ssd.longest_wait_ps",
                                (uint64_t)host->ssd->longest_wait_ps);
        }
    }
}
