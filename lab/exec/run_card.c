/* SPDX-License-Identifier: Apache-2.0 */

/* The watchdog of a card between a host's adapter and its switch, a bump in the
 * wire.  "Empowering Azure Storage with RDMA", section 3.1: such cards have a
 * watchdog like that of a switch, which disables PFC and drops the packets of a
 * queue that is paused for hundreds of milliseconds.
 *
 * The card here passes everything on without a delay and holds nothing back. It
 * sees which priorities the adapter pauses and for how long, and decides by the
 * state machine of orchd (orchd/watchdog/detection/detector.h).  In a storm it
 * drops the pauses of the adapter, and the packets for it
 * (nic_set_blocked()). */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "orchd/watchdog/detection/detector.h"
#include "twin/qos/pause.h"

/* The number of the timer of a card at its adapter: after those of the
 * adapter. */
enum { TIMER = 16 };

/* What a card knows of one priority. */
struct watched {
    bool enabled;
    struct detector detector;
    struct pause_meter meter;
    uint64_t ends;
    int64_t quiet_ps; /* When the last pause ended; -1: none has. */
};

struct run_card {
    struct run_host *host;
    uint8_t xoff;    /* Priorities that the adapter pauses. */
    uint8_t blocked; /* Priorities in a storm. */
    int64_t poll_ns, polled_ns;
    struct event timer;
    struct watched watched[RUN_PRIORITIES];
};

/* The card measures all pauses by itself, in a storm as well. */
enum { MEASURES = STORM_DURATION | STORM_ENDS | STORM_STATUS };

static const struct storm_rule rule = {
    .name = "card",
    .needs = MEASURES,
    .uses = MEASURES,
    .clauses = {STORM_IF_WHOLE | STORM_IF_UNBROKEN | STORM_IF_PAUSED},
    .live_disabled = MEASURES,
    .forwards = true,
};

bool
run_card_drops(const struct run_card *card, uint8_t priority)
{
    return card && card->blocked >> priority & 1;
}

/* Notes that the adapter pauses the priorities 'xoff' from now on. */
static void
note(struct run_card *card, uint8_t xoff, int64_t now_ps)
{
    for (int p = 0; p < RUN_PRIORITIES; p++) {
        struct watched *watched = &card->watched[p];
        const bool on = xoff >> p & 1;

        if (on != (card->xoff >> p & 1)) {
            pause_meter_set(&watched->meter, on,
                            card->host->profile->speed_mbps, now_ps);
            if (!on) {
                watched->ends++;
                watched->quiet_ps = now_ps;
            }
        }
    }
    card->xoff = xoff;
}

void
run_card_note(void *host_, uint8_t xoff, int64_t now_ps)
{
    struct run_card *card = ((const struct run_host *)host_)->card;

    if (card) {
        note(card, xoff & (card->xoff | card->blocked), now_ps);
    }
}

void
run_card_note_frame(struct run_card *card, uint8_t priority, int64_t now_ps)
{
    if (card) {
        note(card, card->xoff | (uint8_t)(1U << priority), now_ps);
    }
}

/* Begins or ends the action against a storm of 'priority'. */
static void
act(struct run_card *card, uint8_t priority, bool begins)
{
    const struct run_host *host = card->host;
    const uint8_t bit = (uint8_t)(1U << priority);

    if (begins) {
        run_storm_begin(host->run, SINK_WATCHDOG_CARD, host->node, 0, priority,
                        &host->pauses[priority]);
        card->blocked |= bit;
    } else {
        run_storm_end(host->run, SINK_WATCHDOG_CARD, host->node, 0, priority,
                      card->watched[priority].quiet_ps);
        card->blocked &= (uint8_t)~bit;
    }
    nic_set_blocked(host->nic, card->blocked);
}

static void
sample(struct run_card *card, uint8_t priority, int64_t now_ps)
{
    struct watched *watched = &card->watched[priority];
    const struct pause_meter meter = pause_meter_read(
        &watched->meter, card->host->profile->speed_mbps, now_ps);
    const struct storm_sample taken = {.at_ns = now_ps / PS_PER_NS,
                                       .measures = MEASURES,
                                       .pause_us =
                                           meter.total_ps / (uint64_t)PS_PER_US,
                                       .ends = watched->ends,
                                       .paused = meter.is_on,
                                       .link_up = true};

    switch (detector_take(&watched->detector, &taken)) {
    case DETECTOR_STORM:
        act(card, priority, true);
        break;
    case DETECTOR_RESTORED:
        act(card, priority, false);
        break;
    case DETECTOR_NOTHING:
    case DETECTOR_PROBE:
    case DETECTOR_PROBE_OFF:
        break;
    }
}

/* Waits for the next poll, or for a verdict that is due before. */
static void
wait(struct run_card *card)
{
    int64_t next_ns = card->polled_ns + card->poll_ns;
    const int64_t now_ns = run_now(card->host->run) / PS_PER_NS;

    for (int p = 0; p < RUN_PRIORITIES; p++) {
        if (card->watched[p].enabled) {
            const int64_t due_ns = detector_due(&card->watched[p].detector);

            next_ns = due_ns < next_ns ? due_ns : next_ns;
        }
    }
    if (next_ns <= now_ns) {
        next_ns = now_ns + 1;
    }
    engine_schedule(card->host->run->engine, &card->timer, next_ns * PS_PER_NS);
}

static void
on_poll(struct event *event, int64_t now_ps)
{
    struct run_card *card = EVENT_OWNER(event, struct run_card, timer);
    const int64_t now_ns = now_ps / PS_PER_NS;
    const bool all = now_ns >= card->polled_ns + card->poll_ns;

    for (uint8_t p = 0; p < RUN_PRIORITIES; p++) {
        if (card->watched[p].enabled &&
            (all || detector_due(&card->watched[p].detector) <= now_ns)) {
            sample(card, p, now_ps);
        }
    }
    if (all) {
        card->polled_ns = now_ns;
    }
    wait(card);
}

struct run_card *
run_card_create(struct run_host *host, const struct watchdog_spec *spec)
{
    struct run_card *card = check_calloc(1, sizeof *card);
    const struct detector_times times = {
        .detection_ns = spec->detection_ps / PS_PER_NS,
        .restoration_ns = spec->restoration_ps / PS_PER_NS,
        .poll_ns = spec->poll_ps / PS_PER_NS};

    card->host = host;
    card->poll_ns = times.poll_ns;
    card->timer =
        event_make(EVENT_TIMER_WATCH, nic_entity(host->nic), TIMER, on_poll);
    for (uint8_t p = 0; p < RUN_PRIORITIES; p++) {
        card->watched[p].quiet_ps = -1;
        card->watched[p].enabled = spec->priorities >> p & 1;
        if (card->watched[p].enabled) {
            detector_init(&card->watched[p].detector, &rule, &times);
            sample(card, p, run_now(host->run));
        }
    }
    wait(card);
    return card;
}

void
run_card_destroy(struct run_card *card)
{
    if (card) {
        engine_cancel(card->host->run->engine, &card->timer);
        free(card);
    }
}
