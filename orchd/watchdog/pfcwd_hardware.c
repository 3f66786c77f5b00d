/* SPDX-License-Identifier: Apache-2.0 */

/* Queues that the switch guards: which, and what it says of them. */

#include <config.h>

#include "orchd/watchdog/pfcwd_state.h"

#include "base/text.h"

#define NS_PER_MS INT64_C(1000000)

/* Guards are looked at so often, as all else on the switch by default
 * (orchd/reconcile/drift.h). */
#define AUDIT_NS (300 * 1000 * NS_PER_MS)

void
pfcwd_guard_by_switch(struct pfcwd *pfcwd)
{
    pfcwd->may_guard = true;
}

void
pfcwd_guard_init__(struct pfcwd *pfcwd, const struct reader_place *place)
{
    if (!pfcwd->may_guard) {
        return;
    }
    storm_guards_init(&pfcwd->guards, pfcwd->backend, place->port,
                      place->queue);
    if (pfcwd->guards.offered) {
        pfcwd_say__(pfcwd, false, "pfcwd-guard", "",
                    "the switch detects PFC storms and recovers from them by "
                    "itself, where it has what is configured");
    }
}

/* Returns what 'queue' wants of its guard. */
static struct guard_wish
wish_of(const struct watchdog_queue *queue)
{
    const struct detector_times *times = &queue->detector.times;

    return (struct guard_wish){
        .detection_ms = (uint32_t)(times->detection_ns / NS_PER_MS),
        .recovery_ms = (uint32_t)(times->restoration_ns / NS_PER_MS),
        .drops = queue->action == POLICY_DROP};
}

/* Tells why a queue is not guarded by a switch that guards others. */
static void
say_why(const struct pfcwd *pfcwd, const struct driven *driven)
{
    const struct storm_guards *guards = &pfcwd->guards;
    struct text text = {0};

    text_addf(&text,
              "the storms of queue %u are detected by orchd: ", driven->index);
    switch (driven->guard_status) {
    case ST_BUSY:
        text_add(&text, "the switch has times and an action for all its ports, "
                        "and other ports use them otherwise");
        break;
    case ST_UNSUPPORTED:
        text_addf(&text,
                  "the switch itself detects after %u to %u ms, and recovers "
                  "for %u to %u ms",
                  guards->detection_min_ms, guards->detection_max_ms,
                  guards->recovery_min_ms, guards->recovery_max_ms);
        break;
    default:
        text_add(&text, "the switch refused to");
        break;
    }
    pfcwd_say__(pfcwd, driven->guard_status == ST_DEVICE, "pfcwd-unguarded",
                driven->port, text_string(&text));
    text_fini(&text);
}

/* Has 'queue' guarded if that can be, or no longer. */
static void
follow(struct pfcwd *pfcwd, struct driven *driven, struct watchdog_queue *queue,
       int64_t now_ns)
{
    const enum st before = driven->guard_status;
    const struct guard_wish wish = wish_of(queue);

    driven->guard_status = ST_OK;
    if (watchdog_may_guard(queue)) {
        driven->guard_status = hardware_recovery_set(
            &pfcwd->guards, &driven->guard, driven->port_oid, driven->oid,
            driven->index, &wish);
    } else {
        hardware_recovery_clear(&pfcwd->guards, &driven->guard);
    }
    if (driven->guard_status && driven->guard_status != before) {
        say_why(pfcwd, driven);
    }
    if (queue->guarded != driven->guard.on) {
        watchdog_guard(pfcwd->watchdog, queue, driven->guard.on, now_ns);
        if (watchdog_stormed(queue)) {
            pfcwd_note__(pfcwd, driven);
        }
    }
}

/* Looks whether guards are what they were made. */
static void
audit(struct pfcwd *pfcwd)
{
    for (struct driven *driven = pfcwd->driven; driven;
         driven = driven->hh.next) {
        if (driven->guard.on &&
            !hardware_recovery_check(&pfcwd->guards, &driven->guard)) {
            pfcwd_say__(pfcwd, true, "pfcwd-guard-ended", driven->port,
                        "somebody else has ended the detection of storms by "
                        "the switch; it is begun again");
        }
    }
}

void
pfcwd_guard_follow__(struct pfcwd *pfcwd, int64_t now_ns)
{
    if (!pfcwd->guards.offered) {
        return;
    }
    if (now_ns - pfcwd->audited_ns >= AUDIT_NS) {
        pfcwd->audited_ns = now_ns;
        audit(pfcwd);
    }
    for (struct driven *driven = pfcwd->driven; driven;
         driven = driven->hh.next) {
        if (driven->oid != SAI_NULL_OBJECT_ID) {
            follow(pfcwd, driven, driven->queue, now_ns);
        }
    }
}

void
pfcwd_deadlock(struct pfcwd *pfcwd, sai_object_id_t oid, bool dead)
{
    struct driven *driven = pfcwd_find_oid__(pfcwd, oid);
    struct watchdog_queue *queue = driven ? driven->queue : NULL;

    if (queue && pfcwd->rule) {
        watchdog_deadlock(pfcwd->watchdog, queue, dead,
                          driven->n_ready ? &driven->ready[driven->n_ready - 1]
                                          : NULL,
                          pfcwd->clock(pfcwd->clock_context));
    }
}
