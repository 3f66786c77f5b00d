/* SPDX-License-Identifier: Apache-2.0 */

/* Credits, the cell fabric and the memory behind it.
 *
 * Three timers of a port do all: its credit scheduler may grant; a grant is at
 * a VOQ; the first frame in the fabric is complete.  Frames leave the fabric in
 * the order in which they entered it, because the links of a card are used in
 * that order; so those of a port are one list, and those that are complete are
 * its beginning. */

#include <config.h>

#include "twin/switch/voq.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "twin/switch/sim_state.h"

/* A frame in the fabric or behind it. */
struct transit {
    struct transit *prev, *next;
    struct sim_out out;
    int64_t complete_ps;
    uint32_t bytes; /* As it left its VOQ. */
};

/* A grant on its way to a VOQ. */
struct grant {
    int64_t at_ps;
    uint32_t queue;
};

struct voq_port {
    struct sim_port *port;
    struct event credit, granted, complete;

    /* The credit scheduler. */
    int64_t next_credit_ps; /* Not before. */
    bool knows;             /* It knows that there is demand. */
    bool is_active;         /* It counts among the busy ports. */
    struct grant *grants;   /* A ring; owned. */
    uint32_t n_grants, first_grant, room;
    uint64_t pending[SCHEDULER_QUEUES];   /* Granted bytes, by queue. */
    uint64_t overdrawn[SCHEDULER_QUEUES]; /* What frames owe, by queue. */
    bool in_dram[SCHEDULER_QUEUES];

    struct transit *frames;     /* In the order of completion. */
    struct transit *incomplete; /* The first that is not complete; or NULL. */
    struct voq_port_stats stats;
};

/* A line card. */
struct card {
    struct voq_card counters;
    int64_t up_free_ps; /* The links to the fabric are free. */
    int64_t down_free_ps;
    int64_t dram_free_ps;
};

struct voq {
    const struct chip_voq *chip;
    uint64_t fabric_mbps; /* Of a card. */
    int64_t cell_ps;      /* Of a cell on one link. */
    struct transit *spare;
    uint64_t former; /* Bytes for ports that were removed. */
    uint32_t n_cards;
    struct card cards[];
};

static void on_credit(struct event *event, int64_t now_ps);
static void on_granted(struct event *event, int64_t now_ps);
static void on_complete(struct event *event, int64_t now_ps);

/* Returns how long 'bytes' take at 'mbps', rounded up. */
static int64_t
bytes_to_ps(uint64_t bytes, uint64_t mbps)
{
    return (int64_t)((bytes * 8000000 + mbps - 1) / mbps);
}

struct voq *
voq_create__(const struct chip *chip)
{
    const struct chip_voq *voq = &chip->voq;
    struct voq *made;

    if (!voq->credit_bytes) {
        return NULL;
    }
    made =
        check_calloc(1, sizeof *made + chip->partitions * sizeof *made->cards);
    made->chip = voq;
    made->n_cards = chip->partitions;
    made->fabric_mbps = (uint64_t)voq->fabric_links * voq->fabric_link_mbps;
    made->cell_ps =
        bytes_to_ps((uint64_t)voq->cell_payload_bytes + voq->cell_header_bytes,
                    voq->fabric_link_mbps);
    return made;
}

void
voq_destroy__(struct voq *voq)
{
    struct transit *frame, *next;

    if (voq) {
        LL_FOREACH_SAFE(voq->spare, frame, next)
        {
            free(frame);
        }
        free(voq);
    }
}

/* Returns the state of 'port', which it creates when it is first needed. */
static struct voq_port *
voq_of(struct sim_port *port)
{
    const struct chip_voq *chip = port->sim->voq->chip;
    const uint32_t entity = sim_port_entity__(port);
    struct voq_port *made = port->cold->voq;

    if (made) {
        return made;
    }
    made = check_calloc(1, sizeof *made);
    made->port = port;
    made->room = chip->egress_bytes / chip->credit_bytes;
    made->grants = check_calloc(made->room, sizeof *made->grants);
    made->credit = event_make(EVENT_TIMER_SEND, entity, 1, on_credit);
    made->granted = event_make(EVENT_TIMER_SEND, entity, 2, on_granted);
    made->complete = event_make(EVENT_TIMER_SEND, entity, 3, on_complete);
    port->cold->voq = made;
    return made;
}

/* Counts 'port' as busy while one of its timers runs. */
static void
update_activity(struct voq_port *port)
{
    const bool active = event_is_pending(&port->credit) ||
                        event_is_pending(&port->granted) ||
                        event_is_pending(&port->complete);

    port->port->sim->n_busy += (uint32_t)active - (uint32_t)port->is_active;
    port->is_active = active;
}

/* -- Credits ----------------------------------------------------------- */

/* Returns what the frames of queue 'index' occupy. */
static uint64_t
queue_bytes(const struct voq_port *port, uint32_t index)
{
    const struct sim *sim = port->port->sim;

    return chip_cells_to_bytes(
        sim->chip, mmu_queue_cells(sim->mmu, port->port->first_queue + index));
}

/* Returns whether queue 'index' has more than what was granted to it. */
static bool
has_demand(const struct voq_port *port, uint32_t index)
{
    return queue_bytes(port, index) + port->overdrawn[index] >
           port->pending[index];
}

/* Returns a bit per queue with demand. */
static uint64_t
demands(const struct voq_port *port)
{
    uint64_t backlog = mmu_port_backlog(port->port->sim->mmu, port->port->id);
    uint64_t found = 0;

    for (; backlog; backlog &= backlog - 1) {
        if (has_demand(port, (uint32_t)__builtin_ctzll(backlog))) {
            found |= backlog & -backlog;
        }
    }
    return found;
}

/* Returns whether another credit fits into the memory behind the fabric. */
static bool
has_room(const struct voq_port *port)
{
    const struct chip_voq *chip = port->port->sim->voq->chip;

    return port->stats.pending + port->stats.in_transit + chip->credit_bytes <=
           chip->egress_bytes;
}

/* Returns half of the time from a request to the departure. */
static int64_t
half_rtt_ps(const struct voq_port *port)
{
    return (int64_t)port->port->sim->voq->chip->credit_rtt_ns * 500;
}

static void
note_peak(struct voq_port *port)
{
    const uint64_t level = port->stats.pending + port->stats.in_transit;

    if (level > port->stats.peak) {
        port->stats.peak = level;
    }
}

/* Grants a credit to queue 'index'. */
static void
grant(struct voq_port *port, uint32_t index, int64_t now_ps)
{
    const struct chip_voq *chip = port->port->sim->voq->chip;
    const uint32_t last = (port->first_grant + port->n_grants) % port->room;
    const uint64_t rate = (uint64_t)port->port->cold->config.speed_mbps *
                          chip->credit_rate_percent / 100;

    orch_assert(port->n_grants < port->room);
    scheduler_sent(port->port->scheduler, index, chip->credit_bytes, now_ps);
    port->grants[last] =
        (struct grant){.at_ps = now_ps + half_rtt_ps(port), .queue = index};
    if (port->n_grants++ == 0) {
        engine_schedule(port->port->sim->engine, &port->granted,
                        port->grants[last].at_ps);
    }
    port->pending[index] += chip->credit_bytes;
    port->stats.pending += chip->credit_bytes;
    port->stats.issued += chip->credit_bytes;
    port->next_credit_ps =
        now_ps + bytes_to_ps(chip->credit_bytes, rate ? rate : 1);
    note_peak(port);
}

/* Has the credit scheduler look again if it may have something to grant. */
static void
schedule_credit(struct voq_port *port, int64_t now_ps)
{
    int64_t at_ps = now_ps;

    if (event_is_pending(&port->credit) || !has_room(port) || !demands(port)) {
        return;
    }
    if (!port->knows) {
        at_ps += half_rtt_ps(port);
        port->knows = true;
    }
    engine_schedule(port->port->sim->engine, &port->credit,
                    at_ps > port->next_credit_ps ? at_ps
                                                 : port->next_credit_ps);
}

/* The credit scheduler may grant. */
static void
on_credit(struct event *event, int64_t now_ps)
{
    struct voq_port *port = EVENT_OWNER(event, struct voq_port, credit);
    struct sim_port *out = port->port;
    const uint64_t demand = demands(port);
    int64_t again_ps = EVENT_NEVER;
    uint32_t index;

    sim_port_review__(out);
    if (has_room(port) && out->is_up && (demand & ~out->held)) {
        index = scheduler_pick(out->scheduler, demand & ~out->held, now_ps,
                               &again_ps);
        if (index != SCHEDULER_NONE) {
            grant(port, index, now_ps);
            schedule_credit(port, now_ps);
        } else if (again_ps != EVENT_NEVER) {
            engine_schedule(out->sim->engine, &port->credit, again_ps);
        }
    }
    port->knows = demands(port) != 0;
    update_activity(port);
}

/* -- VOQs and fabric ---------------------------------------------------- */

/* Returns when a frame of 'bytes' that leaves 'in' at 'now_ps' is complete at
 * 'out', and occupies what it needs on its way. */
static int64_t
cross(struct voq *voq, struct card *in, struct card *out, uint32_t bytes,
      bool from_dram, int64_t now_ps)
{
    const struct chip_voq *chip = voq->chip;
    const uint32_t cells =
        (bytes + chip->cell_payload_bytes - 1) / chip->cell_payload_bytes;
    const int64_t wire_ps = bytes_to_ps(
        bytes + (uint64_t)cells * chip->cell_header_bytes, voq->fabric_mbps);
    const uint32_t rounds =
        (cells + chip->fabric_links - 1) / chip->fabric_links;
    int64_t at_ps = now_ps;

    if (from_dram) {
        in->dram_free_ps =
            (in->dram_free_ps > at_ps ? in->dram_free_ps : at_ps) +
            bytes_to_ps(2 * (uint64_t)bytes, chip->dram_mbps);
        at_ps = in->dram_free_ps + (int64_t)chip->dram_latency_ns * 1000;
        in->counters.dram_bytes += bytes;
    }
    at_ps = in->up_free_ps > at_ps ? in->up_free_ps : at_ps;
    in->up_free_ps = at_ps + wire_ps;
    in->counters.sent_cells += cells;
    in->counters.sent_frames++;
    in->counters.sent_bytes += bytes;
    at_ps += (int64_t)rounds * voq->cell_ps +
             (int64_t)chip->fabric_latency_ns * 1000;
    if (out->down_free_ps + wire_ps > at_ps) {
        at_ps = out->down_free_ps + wire_ps;
    }
    out->down_free_ps = at_ps;
    return at_ps;
}

static struct transit *
take_spare(struct voq *voq)
{
    struct transit *frame = voq->spare;

    if (frame) {
        LL_DELETE(voq->spare, frame);
    } else {
        frame = check_malloc(sizeof *frame);
    }
    return frame;
}

/* Moves the oldest frame of queue 'index' into the fabric.  Returns its
 * length. */
static uint32_t
send_frame(struct voq_port *port, uint32_t index, int64_t now_ps)
{
    struct sim *sim = port->port->sim;
    struct transit *frame = take_spare(sim->voq);
    struct mmu_departure departure;
    const struct sim_port_cold *in;

    frame->out = sim_take__(port->port, index, &departure);
    frame->bytes = departure.length_bytes;
    in = &sim->cold[departure.pg / sim->chip->pgs_per_port];
    frame->complete_ps = cross(sim->voq, &sim->voq->cards[in->card],
                               &sim->voq->cards[port->port->cold->card],
                               frame->bytes, port->in_dram[index], now_ps);
    DL_APPEND(port->frames, frame);
    if (!port->incomplete) {
        port->incomplete = frame;
        engine_schedule(sim->engine, &port->complete, frame->complete_ps);
    }
    port->stats.used += frame->bytes;
    port->stats.in_transit += frame->bytes;
    return frame->bytes;
}

/* Uses 'credit' bytes for frames of queue 'index'. */
static void
spend(struct voq_port *port, uint32_t index, uint64_t credit, int64_t now_ps)
{
    const uint64_t bit = UINT64_C(1) << index;
    const struct mmu *mmu = port->port->sim->mmu;
    int64_t balance = (int64_t)credit - (int64_t)port->overdrawn[index];

    while (balance > 0 && (mmu_port_backlog(mmu, port->port->id) & bit)) {
        balance -= send_frame(port, index, now_ps);
    }
    if (!(mmu_port_backlog(mmu, port->port->id) & bit)) {
        port->in_dram[index] = false;
    }
    port->stats.overdrawn -= port->overdrawn[index];
    port->overdrawn[index] = balance < 0 ? (uint64_t)-balance : 0;
    port->stats.overdrawn += port->overdrawn[index];
    port->stats.returned += balance > 0 ? (uint64_t)balance : 0;
}

/* A grant is at a VOQ. */
static void
on_granted(struct event *event, int64_t now_ps)
{
    struct voq_port *port = EVENT_OWNER(event, struct voq_port, granted);
    struct sim *sim = port->port->sim;
    const uint64_t credit = sim->voq->chip->credit_bytes;

    while (port->n_grants && port->grants[port->first_grant].at_ps <= now_ps) {
        const uint32_t index = port->grants[port->first_grant].queue;

        port->first_grant = (port->first_grant + 1) % port->room;
        port->n_grants--;
        port->pending[index] -= credit;
        port->stats.pending -= credit;
        spend(port, index, credit, now_ps);
    }
    if (port->n_grants) {
        engine_schedule(sim->engine, &port->granted,
                        port->grants[port->first_grant].at_ps);
    }
    note_peak(port);
    schedule_credit(port, now_ps);
    update_activity(port);
}

/* The first frame in the fabric is complete. */
static void
on_complete(struct event *event, int64_t now_ps)
{
    struct voq_port *port = EVENT_OWNER(event, struct voq_port, complete);
    struct sim *sim = port->port->sim;

    while (port->incomplete && port->incomplete->complete_ps <= now_ps) {
        sim->voq->cards[port->port->cold->card].counters.received_bytes +=
            port->incomplete->bytes;
        port->incomplete = port->incomplete->next;
    }
    if (port->incomplete) {
        engine_schedule(sim->engine, &port->complete,
                        port->incomplete->complete_ps);
    }
    update_activity(port);
    sim_transmit__(port->port);
}

/* -- The egress side ----------------------------------------------------- */

/* Takes 'frame' out of the list of 'port'. */
static struct sim_out
let_go(struct voq_port *port, struct transit *frame)
{
    const struct sim_out out = frame->out;

    DL_DELETE(port->frames, frame);
    port->stats.in_transit -= frame->bytes;
    port->stats.sent_bytes += frame->bytes;
    LL_PREPEND(port->port->sim->voq->spare, frame);
    return out;
}

void
voq_wake__(struct sim_port *port)
{
    struct voq_port *voq = voq_of(port);
    const struct sim *sim = port->sim;
    const int64_t now_ps = engine_now_ps(sim->engine);
    uint64_t backlog = mmu_port_backlog(sim->mmu, port->id);

    for (; backlog; backlog &= backlog - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(backlog);

        if (queue_bytes(voq, i) > sim->voq->chip->sram_bytes) {
            voq->in_dram[i] = true;
        }
    }
    schedule_credit(voq, now_ps);
    update_activity(voq);
}

bool
voq_next__(struct sim_port *port, struct sim_out *out)
{
    struct voq_port *voq = voq_of(port);
    struct transit *frame = voq->frames;

    while (frame != voq->incomplete &&
           (port->held >> frame->out.queue_index & 1)) {
        frame = frame->next;
    }
    if (frame == voq->incomplete) {
        return false;
    }
    *out = let_go(voq, frame);
    return true;
}

/* Discards what is in the fabric and behind it; the listener learns of each
 * frame if 'reports'.  Returns how many there were. */
static uint64_t
empty(struct voq_port *voq, bool reports)
{
    struct sim_port *port = voq->port;
    uint64_t n = 0;

    voq->incomplete = NULL;
    engine_cancel(port->sim->engine, &voq->complete);
    while (voq->frames) {
        const uint32_t frame = let_go(voq, voq->frames).frame;

        if (reports) {
            sim_note_flushed__(port, MMU_ADMIN_DOWN, frame);
        }
        frame_give(port->sim->pool, frame);
        n++;
    }
    update_activity(voq);
    return n;
}

uint64_t
voq_empty__(struct sim_port *port)
{
    struct voq_port *voq = port->cold->voq;

    if (!voq) {
        return 0;
    }
    memset(voq->in_dram, 0, sizeof voq->in_dram);
    /* Those that have asked for credit are gone. */
    engine_cancel(port->sim->engine, &voq->credit);
    voq->knows = false;
    return empty(voq, true);
}

void
voq_abort__(struct sim_port *port)
{
    struct voq_port *voq = port->cold->voq;

    if (voq) {
        (void)empty(voq, false);
        engine_cancel(port->sim->engine, &voq->credit);
        engine_cancel(port->sim->engine, &voq->granted);
        update_activity(voq);
        port->sim->voq->former += voq->stats.used;
        free(voq->grants);
        free(voq);
        port->cold->voq = NULL;
    }
}

void
voq_count__(const struct sim_port *port, uint64_t *frames, uint64_t *bytes)
{
    const struct voq_port *voq = port->cold->voq;
    const struct transit *frame;

    DL_FOREACH(voq ? voq->frames : NULL, frame)
    {
        ++*frames;
        *bytes += frame->out.length_bytes;
    }
}

/* -- Reading ------------------------------------------------------------- */

uint32_t
voq_n_cards(const struct sim *sim)
{
    return sim->voq ? sim->voq->n_cards : 0;
}

void
voq_get_card(const struct sim *sim, uint32_t index, struct voq_card *card)
{
    orch_assert(index < voq_n_cards(sim));
    *card = sim->voq->cards[index].counters;
}

void
voq_get_port(const struct sim *sim, uint32_t id, struct voq_port_stats *stats)
{
    const struct voq_port *port =
        id < sim->chip->ports ? sim->cold[id].voq : NULL;

    *stats = port ? port->stats : (struct voq_port_stats){0};
}

/* Checks the invariants of one port, and adds what has left its VOQs to
 * '*left'. */
static const char *
check_port(const struct voq_port *port, uint64_t *left)
{
    const struct voq_port_stats *stats = &port->stats;
    const struct transit *frame;
    uint64_t in_transit = 0;

    DL_FOREACH(port->frames, frame)
    {
        in_transit += frame->bytes;
    }
    *left += stats->used;
    if (in_transit != stats->in_transit) {
        return "the bytes in transit are those of the frames there";
    }
    if (stats->used != stats->in_transit + stats->sent_bytes) {
        return "what has left the VOQs was sent or is in transit";
    }
    if (stats->issued + stats->overdrawn !=
        stats->used + stats->returned + stats->pending) {
        return "credits are conserved";
    }
    return NULL;
}

const char *
voq_check(const struct sim *sim)
{
    uint64_t left = sim->voq ? sim->voq->former : 0;
    uint64_t sent = 0;
    const char *broken = NULL;

    for (uint32_t i = 0; sim->voq && i < sim->chip->ports && !broken; i++) {
        if (sim->cold[i].voq) {
            broken = check_port(sim->cold[i].voq, &left);
        }
    }
    for (uint32_t i = 0; i < voq_n_cards(sim); i++) {
        sent += sim->voq->cards[i].counters.sent_bytes;
    }
    return broken || sent == left ? broken
                                  : "the cards have sent what left the VOQs";
}
