/* SPDX-License-Identifier: Apache-2.0 */

/* Writes rows, log lines and events. */

#include <config.h>

#include "orchd/watchdog/pfcwd_state.h"

#include <inttypes.h>

#include "base/text.h"

/* How often the statistics of storms are written. */
#define WRITE_NS (INT64_C(1000) * 1000 * 1000)

static struct storm_rows_ids
ids_of(const struct polled_queue *polled)
{
    return (struct storm_rows_ids){polled->port_oid, polled->oid};
}

void
pfcwd_log__(const struct pfcwd *pfcwd, bool warns, const char *code,
            const char *object, const char *text)
{
    if (pfcwd->listener.log) {
        pfcwd->listener.log(pfcwd->listener.context, warns, code, object, text);
    }
}

static bool
pauses_are_published(const struct pfcwd *pfcwd)
{
    const struct pfcwd_listener *listener = &pfcwd->listener;

    return listener->publishes_pauses &&
           listener->publishes_pauses(listener->context);
}

void
pfcwd_write__(struct pfcwd *pfcwd, struct polled_queue *polled, int64_t now_ns)
{
    const struct watchdog_queue *queue = polled->queue;
    const struct storm_rows_ids ids = ids_of(polled);

    if (polled->oid == SAI_NULL_OBJECT_ID || !polled->known) {
        return;
    }
    pfcwd_describe__(pfcwd, polled);
    polled->written_ns = now_ns;
    polled->times = queue->detector.times;
    polled->action = queue->action;
    polled->keeps_history = queue->keeps_history;
    polled->red = queue->red;
    polled->in_hardware = queue->in_hardware;
    polled->watched = queue->watched;
    if (queue->watched) {
        storm_rows_write(pfcwd->store, &ids, queue);
    }
    if (queue->keeps_history && !pauses_are_published(pfcwd)) {
        storm_rows_write_history(pfcwd->store, &ids, queue);
    }
}

/* Writes the log line, which is also the reason of the event. */
static void
describe(struct text *text, const struct watchdog_event *event,
         const struct polled_queue *polled)
{
    text_addf(text, "queue %u", event->index);
    if (polled && polled->oid != SAI_NULL_OBJECT_ID) {
        text_addf(text, " (queue oid:0x%" PRIx64 ", port oid:0x%" PRIx64 ")",
                  polled->oid, polled->port_oid);
    }
    switch (event->kind) {
    case WATCHDOG_STORM:
        text_addf(text, " %s; action %s",
                  event->red ? "is dropped by the big red switch"
                  : event->from_earlier_run
                      ? "was in a PFC storm before orchd was "
                        "restarted"
                      : "PFC storm detected",
                  event->red ? "drop" : policy_action_word(event->action));
        break;
    case WATCHDOG_RESTORED:
        text_add(text, " PFC storm restored");
        break;
    case WATCHDOG_REFUSED:
        text_addf(text,
                  ": the switch refused a part of action %s, which is in "
                  "force without that part",
                  policy_action_word(event->action));
        break;
    case WATCHDOG_DISTRUSTED:
        text_add(text, ": hardware recovery ended while the PFC storm went on; "
                       "orchd handles the storms of this queue from now on");
        break;
    }
}

void
pfcwd_note__(struct pfcwd *pfcwd, const struct polled_queue *polled)
{
    const struct watchdog_queue *queue = polled->queue;

    storm_rows_in_storm(pfcwd->store, polled->port, polled->index,
                        watchdog_stormed(queue) && !queue->red, queue->dead);
}

void
pfcwd_report__(struct pfcwd *pfcwd, const struct watchdog_event *event,
               int64_t now_ns)
{
    static const char *const codes[] = {
        [WATCHDOG_STORM] = "pfc-storm",
        [WATCHDOG_RESTORED] = "pfc-storm-over",
        [WATCHDOG_REFUSED] = "pfc-action-refused",
        [WATCHDOG_DISTRUSTED] = "pfc-recovery-distrusted",
    };
    bool stormed = event->kind == WATCHDOG_STORM;
    struct watchdog_queue *queue =
        watchdog_find(pfcwd->watchdog, event->port, event->index);
    struct polled_queue *polled = queue ? pfcwd_find__(pfcwd, queue) : NULL;
    struct text text = {0};

    describe(&text, event, polled);
    pfcwd_log__(pfcwd, event->kind != WATCHDOG_RESTORED, codes[event->kind],
                event->port, text_string(&text));
    if (pfcwd->listener.event) {
        pfcwd->listener.event(pfcwd->listener.context, event->port,
                              stormed ? "operational" : "stormed",
                              event->kind == WATCHDOG_RESTORED ? "operational"
                                                               : "stormed",
                              text_string(&text));
    }
    text_fini(&text);
    if (event->kind != WATCHDOG_STORM && event->kind != WATCHDOG_RESTORED) {
        return;
    }
    if (pfcwd->listener.storm) {
        pfcwd->listener.storm(
            pfcwd->listener.context, event->port, event->index, stormed,
            event->red ? "drop" : policy_action_word(event->action));
    }
    storm_rows_in_storm(pfcwd->store, event->port, event->index,
                        stormed && !event->red, queue && queue->dead);
    if (polled && polled->oid != SAI_NULL_OBJECT_ID) {
        const struct storm_rows_ids ids = ids_of(polled);

        storm_rows_publish(pfcwd->store, &ids, stormed);
        pfcwd_write__(pfcwd, polled, now_ns);
    }
}

/* Returns whether the queue is watched in another way than last written. */
static bool
is_outdated(const struct polled_queue *polled)
{
    const struct watchdog_queue *queue = polled->queue;
    const struct detector_times *times = &queue->detector.times;

    return polled->written_ns == INT64_MIN ||
           polled->times.detection_ns != times->detection_ns ||
           polled->times.restoration_ns != times->restoration_ns ||
           polled->action != queue->action ||
           polled->keeps_history != queue->keeps_history ||
           polled->red != queue->red ||
           polled->in_hardware != queue->in_hardware ||
           polled->watched != queue->watched;
}

/* Writes the queues in a storm and those with a history if due, and those that
 * are watched in another way than last written. */
void
pfcwd_write_due__(struct pfcwd *pfcwd, int64_t now_ns)
{
    for (struct polled_queue *polled = pfcwd->polled_queues; polled;
         polled = polled->hh.next) {
        const struct watchdog_queue *queue = polled->queue;
        bool moves = queue->account.is_open || queue->keeps_history;

        if (is_outdated(polled) ||
            (moves && now_ns - polled->written_ns >= WRITE_NS)) {
            pfcwd_write__(pfcwd, polled, now_ns);
        }
    }
}

void
pfcwd_write_last__(struct pfcwd *pfcwd, struct polled_queue *polled)
{
    const struct storm_rows_ids ids = ids_of(polled);

    pfcwd_undescribe__(pfcwd, polled);
    if (polled->oid != SAI_NULL_OBJECT_ID) {
        storm_rows_write(pfcwd->store, &ids, polled->queue);
        storm_rows_remove(pfcwd->store, &ids, polled->queue);
    }
}
