/* SPDX-License-Identifier: Apache-2.0 */

/* Queues in hardware recovery: which ones, and what the switch reports about
 * them. */

#include <config.h>

#include "orchd/watchdog/pfcwd_state.h"

#include "base/text.h"

#define NS_PER_MS INT64_C(1000000)

/* How often hardware recovery is checked: as often as all else on the switch by
 * default (orchd/reconcile/drift.h). */
#define AUDIT_NS (300 * 1000 * NS_PER_MS)

void
pfcwd_use_hardware(struct pfcwd *pfcwd)
{
    pfcwd->may_use_hardware = true;
}

void
pfcwd_hardware_init__(struct pfcwd *pfcwd, const struct reader_ids *ids)
{
    if (!pfcwd->may_use_hardware) {
        return;
    }
    hardware_recovery_init(&pfcwd->hardware, pfcwd->backend, ids->port,
                           ids->queue);
    if (pfcwd->hardware.offered) {
        pfcwd_log__(pfcwd, false, "pfcwd-guard", "",
                    "the switch detects PFC storms and recovers from them in "
                    "hardware, as far as it supports what is configured");
    }
}

/* Returns the settings of 'queue'. */
static struct hardware_recovery_settings
settings_of(const struct watchdog_queue *queue)
{
    const struct detector_times *times = &queue->detector.times;

    return (struct hardware_recovery_settings){
        .detection_ms = (uint32_t)(times->detection_ns / NS_PER_MS),
        .recovery_ms = (uint32_t)(times->restoration_ns / NS_PER_MS),
        .drops = queue->action == POLICY_DROP};
}

/* Logs why a queue is not in hardware recovery although the switch supports it.
 */
static void
log_why(const struct pfcwd *pfcwd, const struct polled_queue *polled)
{
    const struct hardware_recovery_switch *hardware = &pfcwd->hardware;
    struct text text = {0};

    text_addf(&text, "orchd detects the PFC storms of queue %u in software: ",
              polled->index);
    switch (polled->hardware_status) {
    case ST_BUSY:
        text_add(&text, "the switch has common times and a common action for "
                        "its ports, and other ports need different ones");
        break;
    case ST_UNSUPPORTED:
        text_addf(&text,
                  "the hardware supports detection times of %u to %u ms and "
                  "restoration times of %u to %u ms",
                  hardware->detection_min_ms, hardware->detection_max_ms,
                  hardware->recovery_min_ms, hardware->recovery_max_ms);
        break;
    default:
        text_add(&text, "the switch refused to do it in hardware");
        break;
    }
    pfcwd_log__(pfcwd, polled->hardware_status == ST_DEVICE, "pfcwd-unguarded",
                polled->port, text_string(&text));
    text_fini(&text);
}

/* Enables hardware recovery of 'queue' if possible, or ends it. */
static void
follow(struct pfcwd *pfcwd, struct polled_queue *polled,
       struct watchdog_queue *queue, int64_t now_ns)
{
    const enum st before = polled->hardware_status;
    const struct hardware_recovery_settings settings = settings_of(queue);

    polled->hardware_status = ST_OK;
    if (watchdog_may_be_in_hardware(queue)) {
        polled->hardware_status = hardware_recovery_set(
            &pfcwd->hardware, &polled->recovery, polled->port_oid, polled->oid,
            polled->index, &settings);
    } else {
        hardware_recovery_clear(&pfcwd->hardware, &polled->recovery);
    }
    if (polled->hardware_status && polled->hardware_status != before) {
        log_why(pfcwd, polled);
    }
    if (queue->in_hardware != polled->recovery.on) {
        watchdog_set_in_hardware(pfcwd->watchdog, queue, polled->recovery.on,
                                 now_ns);
        if (watchdog_stormed(queue)) {
            pfcwd_note__(pfcwd, polled);
        }
    }
}

/* Checks that hardware recovery is still enabled where orchd enabled it. */
static void
audit(struct pfcwd *pfcwd)
{
    for (struct polled_queue *polled = pfcwd->polled_queues; polled;
         polled = polled->hh.next) {
        if (polled->recovery.on &&
            !hardware_recovery_check(&pfcwd->hardware, &polled->recovery)) {
            pfcwd_log__(pfcwd, true, "pfcwd-guard-ended", polled->port,
                        "another client has disabled the detection of PFC "
                        "storms in hardware; orchd enables it again");
        }
    }
}

void
pfcwd_hardware_follow__(struct pfcwd *pfcwd, int64_t now_ns)
{
    if (!pfcwd->hardware.offered) {
        return;
    }
    if (now_ns - pfcwd->audited_ns >= AUDIT_NS) {
        pfcwd->audited_ns = now_ns;
        audit(pfcwd);
    }
    for (struct polled_queue *polled = pfcwd->polled_queues; polled;
         polled = polled->hh.next) {
        if (polled->oid != SAI_NULL_OBJECT_ID) {
            follow(pfcwd, polled, polled->queue, now_ns);
        }
    }
}

void
pfcwd_deadlock(struct pfcwd *pfcwd, sai_object_id_t oid, bool dead)
{
    struct polled_queue *polled = pfcwd_find_oid__(pfcwd, oid);
    struct watchdog_queue *queue = polled ? polled->queue : NULL;

    if (queue && pfcwd->rule) {
        watchdog_deadlock(pfcwd->watchdog, queue, dead,
                          polled->n_ready ? &polled->ready[polled->n_ready - 1]
                                          : NULL,
                          pfcwd->clock(pfcwd->clock_context));
    }
}
