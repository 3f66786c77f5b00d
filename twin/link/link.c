/* SPDX-License-Identifier: Apache-2.0 */

/* A cable: full duplex, keeps the order of frames, has a delay. */

#include <config.h>

#include "twin/link/link.h"

#include <stdlib.h>
#include <string.h>

#include "base/cable.h"
#include "base/check.h"
#include "base/ethernet.h"
#include "base/line_pool.h"
#include "base/pfc.h"
#include "twin/event/random_stream.h"

/* Of the ECN field (RFC 3168). */
enum { ECN_ECT_0 = 2, ECN_CE = 3 };

enum {
    BYTE_BITS = 8,
    FRAMING_BYTES = 8 + 4, /* Preamble and FCS. */
};

struct flight {
    struct sim_frame frame;
    int64_t arrives_ps;
};

struct link_sender {
    struct link *link;
    struct link_end to;
    struct event arrival; /* The first frame in flight arrives. */
    struct wire wire;     /* Used if 'to' is a place of the simulation. */
    struct wire_guard guard;
    struct llr_end *llr;  /* The end that sends; NULL: none. */
    uint32_t plain_bytes; /* The longest frame that only link-level retry has to
                           * do with; 0: others have, or the link is down. */
    struct link_fault fault;
    bool has_fault;
    bool loses_pauses;   /* The receiver refuses the form in which they are. */
    struct link_tap tap; /* 'sent' NULL: none. */
    bool is_behind;      /* A fault delays frames, or has delayed some. */
    int64_t arrival_ps;  /* Of the last of these. */
    struct random_stream random;  /* Of 'fault'. */
    struct bit_errors errors;     /* Of frames. */
    struct bit_errors set_errors; /* Of ordered sets. */
    link_hold_fn *hold;           /* Of the end that sends; NULL: it cannot. */
    void *hold_context;
    uint32_t hold_port;
    uint32_t n_passed; /* IP packets since the last loss by count. */

    /* A ring; its size is a power of two. */
    struct flight *flights;
    uint32_t size;
    uint32_t first;
    struct link_stats stats;
};

struct link {
    struct engine *engine;
    struct frame_pool *pool;
    int64_t delay_ps;
    uint32_t mtu_bytes;
    bool is_up;
    link_lost_fn *lost; /* NULL: nothing listens. */
    void *lost_context;
    struct llr *llr;          /* NULL: none. */
    link_flushed_fn *flushed; /* NULL: nothing listens. */
    void *flushed_context;
    struct link_sender senders[2];
};

/* A frame on a wire. */
struct landing {
    int64_t when_ps;
    uint32_t frame;
};

/* Looks for the frames on a wire among all posts. */
struct search {
    const struct wire *wire;
    const struct frame_pool *pool;
    struct landing *found; /* Room for those in flight. */
    uint32_t n;
};

static unsigned int
index_of(const struct link_sender *sender)
{
    return sender == &sender->link->senders[1];
}

/* Reports 'frame', which 'sender' has lost. */
static void
report(const struct link_sender *sender, enum link_loss why,
       const struct sim_frame *frame)
{
    const struct link *link = sender->link;

    if (link->lost) {
        link->lost(link->lost_context, index_of(sender), why, frame);
    }
}

/* Returns flight 'i', counted from the first. */
static struct flight *
flight_at(const struct link_sender *sender, uint32_t i)
{
    return &sender->flights[(sender->first + i) & (sender->size - 1)];
}

/* Doubles the ring. */
static void
grow(struct link_sender *sender)
{
    uint32_t size = sender->size ? 2 * sender->size : 8;
    struct flight *flights = check_calloc(size, sizeof *flights);

    for (uint32_t i = 0; i < sender->stats.in_flight; i++) {
        flights[i] = *flight_at(sender, i);
    }
    free(sender->flights);
    sender->flights = flights;
    sender->size = size;
    sender->first = 0;
}

/* Removes the first flight from the ring.  Its slot keeps the reference to the
 * payload until it is reused. */
static struct flight *
land(struct link_sender *sender)
{
    struct flight *flight = flight_at(sender, 0);

    sender->first = (sender->first + 1) & (sender->size - 1);
    sender->stats.in_flight--;
    if (sender->stats.in_flight) {
        engine_schedule(sender->link->engine, &sender->arrival,
                        flight_at(sender, 0)->arrives_ps);
    }
    return flight;
}

static void
on_arrival(struct event *event, int64_t now_ps)
{
    struct link_sender *sender =
        EVENT_OWNER(event, struct link_sender, arrival);
    struct sim_frame frame = {0};

    (void)now_ps;
    /* A copy, because 'deliver' may use the ring. */
    frame_keep(&frame, &land(sender)->frame);
    if (sender->to.deliver(sender->to.context, sender->to.port, &frame)) {
        sender->stats.delivered++;
    } else {
        sender->stats.lost++;
        report(sender, LINK_LOSS_DOWN, &frame);
    }
    sim_payload_unref(frame.payload);
}

static int64_t passes(void *context, struct sim_frame *frame, int64_t end_ps);
static bool lands(void *context, const struct sim_frame *frame);
static int64_t passes_plain(void *context, struct sim_frame *frame,
                            int64_t end_ps);
static void set_guard(struct link_sender *sender);
static bool lands_plain(void *context, const struct sim_frame *frame);
static void on_lost(void *context, const struct sim_frame *frame);

struct link *
link_create(struct engine *engine, const struct link_config *config)
{
    struct frame_pool *pool = frame_pool_of(engine);
    struct link *link = line_pool_take(pool->memory, sizeof *link);

    link->engine = engine;
    link->pool = pool;
    link->delay_ps = (int64_t)config->length_m * CABLE_PS_PER_METRE +
                     (int64_t)config->length_mm * CABLE_PS_PER_METRE / 1000;
    link->mtu_bytes = config->mtu_bytes;
    link->is_up = true;
    for (int i = 0; i < 2; i++) {
        link->senders[i].link = link;
        link->senders[i].to = config->ends[1 - i];
        wire_init(&link->senders[i].wire, link->pool, config->ends[1 - i].class,
                  config->ends[1 - i].entity);
        link->senders[i].wire.delay_ps = link->delay_ps;
        link->senders[i].wire.mtu_bytes = config->mtu_bytes;
        link->senders[i].guard =
            (struct wire_guard){passes, lands, on_lost, &link->senders[i]};
        link->senders[i].wire.guard = &link->senders[i].guard;
        link->senders[i].arrival =
            event_make(config->ends[1 - i].class, config->ends[1 - i].entity, 0,
                       on_arrival);
    }
    return link;
}

void
link_destroy(struct link *link)
{
    if (!link) {
        return;
    }
    llr_destroy(link->llr);
    for (int i = 0; i < 2; i++) {
        struct link_sender *sender = &link->senders[i];

        engine_cancel(link->engine, &sender->arrival);
        for (uint32_t k = 0; k < sender->size; k++) {
            sim_payload_unref(sender->flights[k].frame.payload);
        }
        free(sender->flights);
    }
    line_pool_give(link->pool->memory, link, sizeof *link);
}

struct link_sender *
link_sender(struct link *link, unsigned int end)
{
    return &link->senders[end];
}

struct wire *
link_wire(struct link_sender *sender)
{
    return sender->to.deliver ? NULL : &sender->wire;
}

void
link_import(struct link *link, unsigned int end, uint32_t index,
            int64_t arrives_ps)
{
    struct wire *wire = &link->senders[end].wire;

    frame_at(link->pool, index)->wire = wire->epoch;
    wire->in_flight++;
    engine_post(link->engine, arrives_ps, (enum event_class)wire->class,
                wire->entity, index);
}

void
link_transmit(void *context, const struct sim_frame *frame)
{
    struct link_sender *sender = context;
    struct link *link = sender->link;
    struct flight *flight;

    sender->stats.sent++;
    if (!link->is_up || frame->length_bytes > link->mtu_bytes) {
        sender->stats.lost++;
        report(sender, link->is_up ? LINK_LOSS_MTU : LINK_LOSS_DOWN, frame);
        return;
    }
    if (sender->stats.in_flight == sender->size) {
        grow(sender);
    }
    flight = flight_at(sender, sender->stats.in_flight++);
    frame_keep(&flight->frame, frame);
    flight->arrives_ps = engine_now_ps(link->engine) + link->delay_ps;
    if (sender->stats.in_flight == 1) {
        engine_schedule(link->engine, &sender->arrival, flight->arrives_ps);
    }
    if (sender->stats.in_flight > sender->stats.most_in_flight) {
        sender->stats.most_in_flight = sender->stats.in_flight;
    }
}

/* A wheel_visit_fn: notes a frame on the wire of the search. */
static void
note_landing(void *context, const struct post *post)
{
    struct search *search = context;
    const struct wire *wire = search->wire;

    if (event_entity(post->order) == wire->entity &&
        event_class(post->order) == (enum event_class)wire->class &&
        frame_at(search->pool, event_arg(post->order))->wire == wire->epoch) {
        orch_assert(search->n < wire->in_flight);
        search->found[search->n++] =
            (struct landing){post->when_ps, event_arg(post->order)};
    }
}

static int
compare_landings(const void *a, const void *b)
{
    const struct landing *x = a, *y = b;

    return (x->when_ps > y->when_ps) - (x->when_ps < y->when_ps);
}

/* Reports the frames on the wire of 'sender' as lost, in their order.  They are
 * on no wire afterwards. */
static void
lose_landings(struct link_sender *sender)
{
    const struct link *link = sender->link;
    struct search search = {.wire = &sender->wire, .pool = link->pool};

    if (!sender->wire.in_flight) {
        return;
    }
    search.found = check_malloc(sender->wire.in_flight * sizeof *search.found);
    engine_visit(link->engine, note_landing, &search);
    qsort(search.found, search.n, sizeof *search.found, compare_landings);
    for (uint32_t i = 0; i < search.n; i++) {
        struct sim_frame *frame = frame_at(link->pool, search.found[i].frame);

        frame->wire = 0;
        if (!link->llr ||
            !llr_lose(link->llr, index_of(sender), frame, false)) {
            report(sender, LINK_LOSS_DOWN, frame);
        }
    }
    free(search.found);
}

/* Loses what is in flight from 'sender'. */
static void
lose_flights(struct link_sender *sender)
{
    lose_landings(sender);
    wire_clear(&sender->wire, sender->link->pool);
    engine_cancel(sender->link->engine, &sender->arrival);
    for (uint32_t i = 0; i < sender->stats.in_flight; i++) {
        report(sender, LINK_LOSS_DOWN, &flight_at(sender, i)->frame);
    }
    sender->stats.lost += sender->stats.in_flight;
    sender->stats.in_flight = 0;
}

void
link_set_up(struct link *link, bool up)
{
    link->is_up = link->senders[0].wire.is_up = link->senders[1].wire.is_up =
        up;
    for (int i = 0; i < 2 && !up; i++) {
        lose_flights(&link->senders[i]);
    }
    if (link->llr) {
        set_guard(&link->senders[0]);
        set_guard(&link->senders[1]);
        llr_set_up(link->llr, up);
    }
}

void
link_set_listener(struct link *link, link_lost_fn *fn, void *context)
{
    link->lost = fn;
    link->lost_context = context;
}

/* Returns whether the fault of the direction strikes 'frame'. */
static bool
is_unlucky(struct link_sender *sender, const struct sim_frame *frame)
{
    const struct link_fault *fault = &sender->fault;
    bool is_struck = false;

    if (fault->loss && random_stream_rare(&sender->random, fault->loss)) {
        is_struck = true;
    }
    if (fault->every && frame->dscp >= 0 &&
        ++sender->n_passed == fault->every) {
        sender->n_passed = 0;
        is_struck = true;
    }
    return is_struck;
}

/* Returns what happens to 'frame' on its way. */
static inline enum llr_damage
damage_to(struct link_sender *sender, const struct sim_frame *frame)
{
    /* All but the gap between frames. */
    const uint64_t bits =
        (uint64_t)BYTE_BITS * (frame->length_bytes + FRAMING_BYTES);
    const bool is_wrong = bit_errors_hit(&sender->errors, bits);
    enum llr_damage damage = LLR_INTACT;

    if (sender->has_fault && is_unlucky(sender, frame)) {
        damage = LLR_MISSED;
        if (sender->fault.poisons || sender->fault.corrupts) {
            damage = sender->fault.poisons ? LLR_POISONED : LLR_BAD;
        }
    }
    return is_wrong && damage != LLR_MISSED ? LLR_BAD : damage;
}

/* Returns why a frame with 'damage' is lost. */
static enum link_loss
reason_of(enum llr_damage damage)
{
    return damage == LLR_MISSED ? LINK_LOSS_FAULT : LINK_LOSS_FCS;
}

/* Lets the wire of 'sender' show each frame to passes() if it has something to
 * do for those that pass as usual; to passes_plain() if that is link-level
 * retry only. */
static void
set_guard(struct link_sender *sender)
{
    struct llr *llr = sender->link->llr;
    const bool is_needed = sender->has_fault || sender->tap.sent ||
                           sender->loses_pauses || sender->is_behind ||
                           sender->errors.rate.gap_bits;

    orch_assert(!sender->to.deliver);
    sender->wire.mtu_bytes = is_needed || llr ? 0 : sender->link->mtu_bytes;
    sender->plain_bytes =
        llr && !is_needed && sender->link->is_up ? sender->link->mtu_bytes : 0;
    if (llr) {
        sender->llr = llr_end(llr, index_of(sender));
        sender->guard.passes = sender->plain_bytes ? passes_plain : passes;
        sender->guard.lands = lands_plain;
        llr_set_noisy(llr, index_of(sender),
                      sender->set_errors.rate.gap_bits != 0);
    }
}

/* Sets when 'frame', whose last bit leaves at 'end_ps', arrives: late while the
 * fault lasts, afterwards as early as those before it allow. */
static void
delay(struct link_sender *sender, const struct sim_frame *frame, int64_t end_ps)
{
    const int64_t bytes = frame->length_bytes + ETHERNET_WIRE_OVERHEAD_BYTES;
    const int64_t free_ps = sender->arrival_ps + bytes * sender->fault.byte_ps;
    int64_t arrival_ps =
        end_ps + sender->link->delay_ps + sender->fault.delay_ps;

    if (arrival_ps < free_ps) {
        arrival_ps = free_ps;
    } else if (!sender->fault.delay_ps) {
        sender->is_behind = false;
        set_guard(sender);
    }
    sender->wire.delay_ps = arrival_ps - end_ps;
    sender->arrival_ps = arrival_ps;
}

/* Shows 'frame', which starts on its way, to what changes or sees it. */
static void
show(struct link_sender *sender, struct sim_frame *frame, int64_t end_ps,
     bool is_lost)
{
    if (!is_lost && sender->is_behind) {
        delay(sender, frame, end_ps);
    }
    if (sender->fault.clears_ce && frame->dscp >= 0 && frame->ecn == ECN_CE) {
        frame->ecn = ECN_ECT_0;
    }
    if (sender->tap.sent) {
        sender->tap.sent(sender->tap.context, frame, end_ps,
                         sender->wire.delay_ps, is_lost);
    }
}

/* passes() for a link with link-level retry, and a frame that is neither
 * refused nor too long. */
static int64_t
passes_llr(struct link_sender *sender, struct sim_frame *frame, int64_t end_ps)
{
    const enum llr_damage damage = damage_to(sender, frame);
    const bool is_control = frame->dst_mac == PAUSE_FRAME_ADDRESS;

    if (llr_send(sender->link->llr, index_of(sender), frame, is_control, damage,
                 &end_ps) == LLR_DROPPED) {
        report(sender, LINK_LOSS_LLR, frame);
        return WIRE_LOST;
    }
    show(sender, frame, end_ps, damage == LLR_BAD || damage == LLR_MISSED);
    return end_ps;
}

/* Of a struct wire_guard: loses frames while the link is down, above the MTU,
 * and as MACsec, the fault of the direction and bit errors say; lets link-level
 * retry number them; shows what is sent to its tap, which may take it. */
static int64_t
passes(void *context, struct sim_frame *frame, int64_t end_ps)
{
    struct link_sender *sender = context;
    const bool is_long = frame->length_bytes > sender->link->mtu_bytes;
    const bool is_refused =
        sender->loses_pauses && frame->dst_mac == PAUSE_FRAME_ADDRESS;
    enum llr_damage damage;

    if (!sender->link->is_up) {
        report(sender, LINK_LOSS_DOWN, frame);
        return WIRE_LOST;
    }
    if (is_long || is_refused) {
        report(sender, is_refused ? LINK_LOSS_MACSEC : LINK_LOSS_MTU, frame);
        show(sender, frame, end_ps, true);
        return WIRE_LOST;
    }
    if (sender->link->llr) {
        return passes_llr(sender, frame, end_ps);
    }
    damage = damage_to(sender, frame);
    if (damage != LLR_INTACT) {
        report(sender, reason_of(damage), frame);
    }
    show(sender, frame, end_ps, damage != LLR_INTACT);
    return damage != LLR_INTACT ? WIRE_LOST
           : sender->tap.takes  ? WIRE_TAKEN
                                : end_ps;
}

static int64_t
passes_plain(void *context, struct sim_frame *frame, int64_t end_ps)
{
    const struct link_sender *sender = context;

    if (frame->length_bytes <= sender->plain_bytes &&
        frame->dst_mac != PAUSE_FRAME_ADDRESS &&
        llr_send_intact(sender->llr, frame, &end_ps)) {
        return end_ps;
    }
    return passes(context, frame, end_ps);
}

/* Of a struct wire_guard, with link-level retry: most frames arrive intact. */
static bool
lands_plain(void *context, const struct sim_frame *frame)
{
    const struct link_sender *sender = context;

    return llr_arrive_intact(sender->llr) || lands(context, frame);
}

/* Of a struct wire_guard, with link-level retry. */
static bool
lands(void *context, const struct sim_frame *frame)
{
    struct link_sender *sender = context;
    enum llr_damage damage;
    const enum llr_verdict verdict =
        llr_arrive(sender->link->llr, index_of(sender), frame, &damage);

    if (verdict == LLR_DELIVER && damage != LLR_POISONED) {
        return true;
    }
    sender->wire.lost++;
    if (verdict != LLR_REPEAT) {
        report(sender, reason_of(damage), frame);
    }
    return false;
}

/* Of a struct wire_guard: the port at one end is down. */
static void
on_lost(void *context, const struct sim_frame *frame)
{
    struct link_sender *sender = context;
    struct llr *llr = sender->link->llr;

    /* A frame that its sender takes back is on no wire. */
    if (!llr || frame->wire || !llr_lose(llr, index_of(sender), frame, true)) {
        report(sender, LINK_LOSS_DOWN, frame);
    }
}

/* Link-level retry ------------------------------------------------------ */

static void
hold(void *context, unsigned int end, bool is_held)
{
    const struct link *link = context;
    const struct link_sender *sender = &link->senders[end];

    orch_assert(sender->hold);
    sender->hold(sender->hold_context, sender->hold_port, is_held);
}

static enum llr_damage
resend(void *context, unsigned int end, const struct sim_frame *frame,
       int64_t end_ps)
{
    struct link *link = context;
    struct link_sender *sender = &link->senders[end];
    const uint32_t index = frame_copy(link->pool, frame);
    struct sim_frame *copy = frame_at(link->pool, index);
    const enum llr_damage damage = damage_to(sender, copy);

    sender->wire.sent++;
    show(sender, copy, end_ps, damage != LLR_INTACT);
    wire_put(&sender->wire, link->engine, link->pool, index, end_ps);
    return damage == LLR_POISONED ? LLR_INTACT : damage;
}

static void
give_up(void *context, unsigned int end, const struct sim_frame *frame)
{
    const struct link *link = context;

    report(&link->senders[end], LINK_LOSS_LLR, frame);
}

static bool
loses_set(void *context, unsigned int end)
{
    struct link *link = context;

    return bit_errors_hit(&link->senders[end].set_errors,
                          (uint64_t)BYTE_BITS * LLR_SET_BYTES);
}

static void
on_flushed(void *context, unsigned int end)
{
    const struct link *link = context;

    if (link->flushed) {
        link->flushed(link->flushed_context, end);
    }
}

struct llr *
link_llr(struct link *link)
{
    static const struct llr_ops ops = {hold, resend, give_up, loses_set,
                                       on_flushed};
    struct link_sender *senders = link->senders;

    if (!link->llr) {
        /* A wire ends at the peer of its sender. */
        link->llr = llr_create(
            link->engine, &ops, link, link->delay_ps,
            (uint32_t[2]){senders[1].wire.entity, senders[0].wire.entity},
            (uint32_t[2]){senders[0].wire.in_flight,
                          senders[1].wire.in_flight});
        llr_set_up(link->llr, link->is_up);
        for (int i = 0; i < 2; i++) {
            senders[i].wire.is_judged = true;
            set_guard(&senders[i]);
        }
    }
    return link->llr;
}

bool
link_has_llr(const struct link *link)
{
    return link->llr != NULL;
}

void
link_set_hold(struct link *link, unsigned int end, link_hold_fn *fn,
              void *context, uint32_t port)
{
    struct link_sender *sender = &link->senders[end];

    sender->hold = fn;
    sender->hold_context = context;
    sender->hold_port = port;
}

void
link_set_flushed(struct link *link, link_flushed_fn *fn, void *context)
{
    link->flushed = fn;
    link->flushed_context = context;
}

void
link_set_bit_errors(struct link *link, unsigned int end,
                    const struct bit_error_rate *rate, uint64_t seed)
{
    struct link_sender *sender = &link->senders[end];

    bit_errors_init(&sender->errors, rate, seed, sender->wire.entity,
                    RANDOM_BIT_ERRORS);
    bit_errors_init(&sender->set_errors, rate, seed, sender->wire.entity,
                    RANDOM_SET_ERRORS);
    set_guard(sender);
}

void
link_set_fault(struct link *link, unsigned int end,
               const struct link_fault *fault)
{
    struct link_sender *sender = &link->senders[end];

    const int64_t byte_ps = sender->fault.byte_ps;

    sender->fault = fault ? *fault : (struct link_fault){.byte_ps = byte_ps};
    sender->has_fault = fault != NULL;
    sender->is_behind |= fault && fault->delay_ps;
    set_guard(sender);
    if (fault) {
        sender->n_passed = 0;
        random_stream_init(&sender->random, fault->seed, sender->wire.entity,
                           RANDOM_LOSS);
    }
}

void
link_set_macsec(struct link *link, const struct link_macsec *macsec)
{
    for (unsigned int i = 0; i < 2; i++) {
        struct link_sender *sender = &link->senders[i];

        sender->loses_pauses =
            macsec &&
            !(macsec->ends[1 - i].accepts >> macsec->ends[i].sends & 1);
        set_guard(sender);
    }
}

void
link_set_tap(struct link *link, unsigned int end, const struct link_tap *tap)
{
    struct link_sender *sender = &link->senders[end];

    orch_assert(!tap || !tap->takes || !sender->link->llr);
    sender->tap = tap ? *tap : (struct link_tap){0};
    set_guard(sender);
}

void
link_get_stats(const struct link *link, unsigned int end,
               struct link_stats *stats)
{
    const struct wire *wire = &link->senders[end].wire;

    *stats = link->senders[end].stats;
    if (!link->senders[end].to.deliver) {
        *stats = (struct link_stats){.sent = wire->sent,
                                     .delivered = wire->delivered,
                                     .lost = wire->lost,
                                     .in_flight = wire->in_flight,
                                     .most_in_flight = wire->most_in_flight};
    }
    if (link->llr) {
        struct llr_amounts amounts;

        llr_get_amounts(link->llr, end, &amounts);
        stats->replayed = amounts.replayed;
    }
}
