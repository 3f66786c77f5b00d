/* SPDX-License-Identifier: Apache-2.0 */

/* Queues by port, and the consequences of policy, verdicts and the big red
 * switch for each. */

#include <config.h>

#include "orchd/watchdog/detection/watchdog.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/pfc.h"

/* The maximum of pending events; more than all queues of a large switch cause
 * at once. */
enum { EVENTS_MAX = 65536 };

struct watched_port {
    const struct policy_port *policy;
    bool unanswered;
    bool had_reason; /* The last answer was a reason. */
    struct watchdog_queue *queues[PFC_N_PRIORITIES];
    UT_hash_handle hh;
};

struct watchdog {
    const struct storm_rule *rule;
    bool rule_chosen; /* watchdog_set_rule() was called. */
    struct policy policy;
    struct watched_port *ports; /* By address of the policy's port. */
    struct watchdog_queue *first;
    bool changed;
    bool needed_zero; /* At the last update. */
    struct watchdog_event *events;
    size_t n_events, next_event, events_size;
};

struct watchdog *
watchdog_create(void)
{
    struct watchdog *watchdog = check_calloc(1, sizeof *watchdog);

    policy_init(&watchdog->policy);
    return watchdog;
}

void
watchdog_destroy(struct watchdog *watchdog)
{
    struct watched_port *port, *next_port;

    if (!watchdog) {
        return;
    }
    while (watchdog->first) {
        struct watchdog_queue *queue = watchdog->first;

        watchdog->first = queue->next;
        free(queue);
    }
    HASH_ITER(hh, watchdog->ports, port, next_port)
    {
        HASH_DEL(watchdog->ports, port);
        free(port);
    }
    policy_fini(&watchdog->policy);
    free(watchdog->events);
    free(watchdog);
}

void
watchdog_put_row(struct watchdog *watchdog, const struct row *row)
{
    policy_put_row(&watchdog->policy, row);
}

const struct policy *
watchdog_policy(const struct watchdog *watchdog)
{
    return &watchdog->policy;
}

struct watchdog_queue *
watchdog_queues(struct watchdog *watchdog)
{
    return watchdog->first;
}

static struct watched_port *
find_port(const struct watchdog *watchdog, const struct policy_port *policy)
{
    struct watched_port *port;

    HASH_FIND_PTR(watchdog->ports, &policy, port);
    return port;
}

struct watchdog_queue *
watchdog_find(struct watchdog *watchdog, const char *name, unsigned int index)
{
    const struct policy_port *policy = policy_find(&watchdog->policy, name);
    struct watched_port *port = policy ? find_port(watchdog, policy) : NULL;

    return port && index < PFC_N_PRIORITIES ? port->queues[index] : NULL;
}

/* --- Consequences ------------------------------------------------------- */

static void
add_event(struct watchdog *watchdog, const struct watchdog_queue *queue,
          enum watchdog_event_kind kind, bool from_earlier_run)
{
    if (watchdog->n_events == EVENTS_MAX) {
        return;
    }
    if (watchdog->n_events == watchdog->events_size) {
        watchdog->events_size =
            watchdog->events_size ? 2 * watchdog->events_size : 16;
        watchdog->events = check_realloc(
            watchdog->events, watchdog->events_size * sizeof *watchdog->events);
    }
    watchdog->events[watchdog->n_events++] =
        (struct watchdog_event){.kind = kind,
                                .port = queue->port,
                                .index = queue->index,
                                .action = queue->action,
                                .from_earlier_run = from_earlier_run,
                                .red = queue->red};
}

bool
watchdog_take_event(struct watchdog *watchdog, struct watchdog_event *event)
{
    if (watchdog->next_event == watchdog->n_events) {
        watchdog->next_event = watchdog->n_events = 0;
        return false;
    }
    *event = watchdog->events[watchdog->next_event++];
    return true;
}

bool
watchdog_take_change(struct watchdog *watchdog)
{
    bool changed = watchdog->changed;

    watchdog->changed = false;
    return changed;
}

bool
watchdog_changed(const struct watchdog *watchdog)
{
    return watchdog->changed;
}

bool
watchdog_stormed(const struct watchdog_queue *queue)
{
    return queue->watched &&
           (queue->red || queue->dead || queue->detector.stormed);
}

bool
watchdog_unsettled(const struct watchdog_queue *queue)
{
    return queue->watched ? queue->account.is_open && !watchdog_stormed(queue)
                          : true;
}

/* Updates the effect of 'queue'. */
static void
follow(struct watchdog *watchdog, struct watchdog_queue *queue)
{
    const struct storm_rule *rule = queue->detector.rule;
    enum policy_action action = queue->red ? POLICY_DROP : queue->action;
    struct watchdog_effect effect = {0};

    if (action == POLICY_DROP && queue->refused_drop) {
        action = POLICY_FORWARD;
    }
    if (!watchdog_stormed(queue) || action == POLICY_ALERT || queue->dead) {
        /* Nothing. */
    } else if (action == POLICY_DROP && rule->drop == STORM_DROP_RECOVERY) {
        effect.recovery = true;
    } else {
        effect.zero_buffer = action == POLICY_DROP;
        effect.pfc_off = !queue->refused_off &&
                         (action == POLICY_DROP || rule->forwards) &&
                         (queue->red || !queue->detector.probing);
    }
    if (memcmp(&effect, &queue->effect, sizeof effect)) {
        queue->effect = effect;
        watchdog->changed = true;
    }
}

static void
begin(struct watchdog *watchdog, struct watchdog_queue *queue,
      bool from_earlier_run)
{
    queue->refused_drop = queue->refused_off = false;
    storm_account_begin(&queue->account);
    add_event(watchdog, queue, WATCHDOG_STORM, from_earlier_run);
    follow(watchdog, queue);
}

static void
end(struct watchdog *watchdog, struct watchdog_queue *queue)
{
    queue->detector.stormed = queue->detector.probing = queue->dead = false;
    add_event(watchdog, queue, WATCHDOG_RESTORED, false);
    follow(watchdog, queue);
}

void
watchdog_assume(struct watchdog *watchdog, struct watchdog_queue *queue,
                bool from_earlier_run, int64_t now_ns)
{
    if (queue->watched && !watchdog_stormed(queue)) {
        detector_assume_storm(&queue->detector, now_ns);
        begin(watchdog, queue, from_earlier_run);
    }
}

void
watchdog_assume_deadlock(struct watchdog *watchdog,
                         struct watchdog_queue *queue, int64_t now_ns)
{
    if (queue->in_hardware && !watchdog_stormed(queue)) {
        queue->dead = true;
        detector_assume_storm(&queue->detector, now_ns);
        begin(watchdog, queue, true);
    }
}

void
watchdog_release(struct watchdog *watchdog, struct watchdog_queue *queue)
{
    if (queue->detector.stormed || queue->dead) {
        end(watchdog, queue);
    }
}

bool
watchdog_may_be_in_hardware(const struct watchdog_queue *queue)
{
    return queue->watched && !queue->red && !queue->distrusted &&
           (!queue->detector.stormed || queue->dead) &&
           queue->action != POLICY_ALERT &&
           queue->detector.times.restoration_ns > 0;
}

void
watchdog_set_in_hardware(struct watchdog *watchdog,
                         struct watchdog_queue *queue, bool in_hardware,
                         int64_t now_ns)
{
    bool goes_on = queue->dead && !in_hardware;

    queue->in_hardware = in_hardware;
    if (goes_on) {
        queue->dead = false;
        detector_assume_storm(&queue->detector, now_ns);
        follow(watchdog, queue);
    }
}

/* Returns whether the reported storm is the previous one, which was reported as
 * over: a new one could not have lasted long enough since. */
static bool
is_same_storm(const struct watchdog_queue *queue, int64_t now_ns)
{
    const struct detector_times *times = &queue->detector.times;

    return queue->was_dead && now_ns - queue->recovered_at_ns <
                                  times->detection_ns + times->poll_ns;
}

void
watchdog_deadlock(struct watchdog *watchdog, struct watchdog_queue *queue,
                  bool dead, const struct storm_counts *counts, int64_t now_ns)
{
    if (dead && queue->in_hardware && !watchdog_stormed(queue)) {
        queue->dead = true;
        begin(watchdog, queue, false);
        if (counts && queue->action != POLICY_ALERT) {
            storm_account_update(&queue->account, counts);
        }
        if (is_same_storm(queue, now_ns)) {
            queue->distrusted = true;
            add_event(watchdog, queue, WATCHDOG_DISTRUSTED, false);
        }
    } else if (!dead && queue->dead) {
        queue->was_dead = true;
        queue->recovered_at_ns = now_ns;
        end(watchdog, queue);
    }
}

void
watchdog_refuse(struct watchdog *watchdog, struct watchdog_queue *queue,
                bool pfc)
{
    if (pfc) {
        queue->refused_off = true;
    } else {
        queue->refused_drop = true;
    }
    follow(watchdog, queue);
    add_event(watchdog, queue, WATCHDOG_REFUSED, false);
}

/* --- Policy ------------------------------------------------------------- */

/* An alert without restoration time would never report the next storm: it ends
 * after it was quiet for the detection time. */
static struct detector_times
times_of(const struct watchdog *watchdog, const struct policy_port *policy)
{
    struct detector_times times = {
        .detection_ns = policy->detection_ns,
        .restoration_ns = policy->restoration_ns,
        .poll_ns = watchdog->policy.poll_ns,
        .probes_cost = policy->action == POLICY_FORWARD,
    };

    if (policy->action == POLICY_ALERT && !times.restoration_ns) {
        times.restoration_ns = times.detection_ns;
    }
    return times;
}

static struct watchdog_queue *
make_queue(struct watchdog *watchdog, struct watched_port *port,
           unsigned int index)
{
    const struct detector_times times = times_of(watchdog, port->policy);
    struct watchdog_queue *queue = check_calloc(1, sizeof *queue);

    queue->port = port->policy->name;
    queue->index = index;
    detector_init(&queue->detector, watchdog->rule, &times);
    queue->next = watchdog->first;
    watchdog->first = queue;
    port->queues[index] = queue;
    watchdog->changed = true;
    return queue;
}

/* Turns the big red switch on or off for 'queue'. */
static void
turn_red(struct watchdog *watchdog, struct watchdog_queue *queue, bool red)
{
    if (queue->red == red) {
        return;
    }
    if (watchdog_stormed(queue)) {
        queue->red = false;
        end(watchdog, queue);
    }
    queue->in_hardware &= !red;
    queue->red = red;
    if (red) {
        begin(watchdog, queue, false);
    }
}

/* Watches 'queue' according to 'policy'. */
static void
watch(struct watchdog *watchdog, struct watchdog_queue *queue,
      const struct policy_port *policy)
{
    const struct detector_times times = times_of(watchdog, policy);

    if (!queue->watched) {
        queue->watched = true;
        queue->distrusted = queue->was_dead = false;
        detector_init(&queue->detector, watchdog->rule, &times);
    }
    detector_set_times(&queue->detector, &times);
    queue->action = policy->action;
    queue->keeps_history = policy->keeps_history;
    turn_red(watchdog, queue, watchdog->policy.big_red_switch);
    follow(watchdog, queue);
}

static void
unwatch(struct watchdog *watchdog, struct watchdog_queue *queue)
{
    bool stormed = watchdog_stormed(queue);

    queue->watched = queue->red = queue->dead = queue->in_hardware = false;
    queue->detector.stormed = queue->detector.probing = false;
    if (stormed) {
        add_event(watchdog, queue, WATCHDOG_RESTORED, false);
    }
    follow(watchdog, queue);
}

static void
update_port(struct watchdog *watchdog, const struct policy_port *policy)
{
    unsigned int queues =
        policy->configured && watchdog->rule ? policy->queues : 0;
    struct watched_port *port = find_port(watchdog, policy);

    if (!port && !policy->configured) {
        return;
    }
    if (!port) {
        port = check_calloc(1, sizeof *port);
        port->policy = policy;
        HASH_ADD_PTR(watchdog->ports, policy, port);
    }
    port->unanswered = true;
    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        if (queues >> i & 1) {
            watch(watchdog,
                  port->queues[i] ? port->queues[i]
                                  : make_queue(watchdog, port, i),
                  policy);
        } else if (port->queues[i] && port->queues[i]->watched) {
            unwatch(watchdog, port->queues[i]);
        }
    }
}

/* Sets 'err' to the reason why no queue of 'port' is watched; returns false if
 * one is. */
static bool
explain(const struct watchdog *watchdog, const struct watched_port *port,
        struct err *err)
{
    if (watchdog->rule_chosen && !watchdog->rule) {
        err_set(err, ST_UNSUPPORTED, "no-counters",
                "PFC storms cannot be detected: the switch does not have the "
                "necessary counters");
        err_set_remedy(err, "see " DOCDIR
                            "/explanation/watchdog.md for the counters of each "
                            "rule; if the switch has other ones, start orchd "
                            "with --set storm_rule=NAME");
        return true;
    }
    return policy_explain(port->policy, err);
}

const char *
watchdog_take_answer(struct watchdog *watchdog, struct err *err)
{
    struct watched_port *port;

    for (port = watchdog->ports; port; port = port->hh.next) {
        bool why, was = port->had_reason;

        if (!port->unanswered) {
            continue;
        }
        port->unanswered = false;
        memset(err, 0, sizeof *err);
        why = port->policy->configured && explain(watchdog, port, err);
        port->had_reason = why;
        if (why || (was && port->policy->configured)) {
            return port->policy->name;
        }
    }
    return NULL;
}

/* Checks whether the profile for drops has become necessary, or unnecessary. */
static void
follow_zero(struct watchdog *watchdog)
{
    bool needs = watchdog_needs_zero(watchdog);

    watchdog->changed |= needs != watchdog->needed_zero;
    watchdog->needed_zero = needs;
}

void
watchdog_update(struct watchdog *watchdog)
{
    const struct policy_port *policy;

    while ((policy = policy_take(&watchdog->policy))) {
        update_port(watchdog, policy);
    }
    follow_zero(watchdog);
}

void
watchdog_set_rule(struct watchdog *watchdog, const struct storm_rule *rule)
{
    const struct policy_port *port;

    watchdog->rule = NULL;
    for (port = watchdog->policy.ports; port; port = port->hh.next) {
        update_port(watchdog, port);
    }
    watchdog->rule = rule;
    watchdog->rule_chosen = true;
    for (port = watchdog->policy.ports; port; port = port->hh.next) {
        update_port(watchdog, port);
    }
    follow_zero(watchdog);
}

bool
watchdog_needs_zero(const struct watchdog *watchdog)
{
    for (const struct watchdog_queue *queue = watchdog->first; queue;
         queue = queue->next) {
        if (queue->effect.zero_buffer ||
            (queue->watched && (queue->action == POLICY_DROP || queue->red) &&
             queue->detector.rule->drop == STORM_DROP_ZERO_BUFFER)) {
            return true;
        }
    }
    return false;
}

/* --- Samples ------------------------------------------------------------ */

/* Updates the pause history of 'queue' from two samples. */
static void
keep_history(struct watchdog_queue *queue, const struct storm_sample *sample)
{
    const struct storm_sample *last = &queue->detector.last;
    bool measured = sample->measures & last->measures & STORM_DURATION;
    uint64_t us;
    bool active;

    if (!queue->detector.has_last || sample->at_ns <= last->at_ns ||
        sample->measures != last->measures || sample->frames < last->frames ||
        sample->pause_us < last->pause_us) {
        return;
    }
    us = measured ? sample->pause_us - last->pause_us
                  : (uint64_t)(sample->at_ns - last->at_ns) / 1000;
    active = measured ? us > 0
                      : sample->frames > last->frames ||
                            (last->paused && sample->paused);
    if (active && !queue->was_paused) {
        queue->recent_wall_ns = last->wall_ns;
        queue->recent_us = 0;
    }
    if (active) {
        queue->recent_us += us;
        queue->total_us += us;
    }
    queue->was_paused = active;
}

void
watchdog_sample(struct watchdog *watchdog, struct watchdog_queue *queue,
                const struct storm_sample *sample,
                const struct storm_counts *counts)
{
    enum detector_verdict verdict;

    if (counts) {
        storm_account_update(&queue->account, counts);
    }
    if (!queue->watched) {
        return;
    }
    keep_history(queue, sample);
    if (queue->red) {
        return;
    }
    if (queue->in_hardware && !queue->detector.stormed && !sample->forced) {
        detector_skip(&queue->detector, sample);
        return;
    }
    verdict = detector_take(&queue->detector, sample);
    switch (verdict) {
    case DETECTOR_NOTHING:
        break;
    case DETECTOR_STORM:
        begin(watchdog, queue, false);
        if (counts) {
            storm_account_update(&queue->account, counts);
        }
        break;
    case DETECTOR_RESTORED:
        end(watchdog, queue);
        break;
    case DETECTOR_PROBE:
    case DETECTOR_PROBE_OFF:
        follow(watchdog, queue);
        break;
    }
}

static void
free_queue(struct watchdog *watchdog, struct watchdog_queue *queue)
{
    struct watchdog_queue **link = &watchdog->first;
    const struct policy_port *policy =
        policy_find(&watchdog->policy, queue->port);

    while (*link != queue) {
        link = &(*link)->next;
    }
    *link = queue->next;
    find_port(watchdog, policy)->queues[queue->index] = NULL;
    free(queue);
}

void
watchdog_settle(struct watchdog *watchdog, struct watchdog_queue *queue,
                const struct storm_counts *counts)
{
    storm_account_end(&queue->account, counts);
    if (!queue->watched) {
        free_queue(watchdog, queue);
    }
}

int64_t
watchdog_next(const struct watchdog *watchdog, int64_t polled_ns)
{
    int64_t next_ns = polled_ns + watchdog->policy.poll_ns;

    for (const struct watchdog_queue *queue = watchdog->first; queue;
         queue = queue->next) {
        int64_t due_ns = queue->watched && !queue->red && queue->present
                             ? detector_due(&queue->detector)
                             : INT64_MAX;

        next_ns = due_ns < next_ns ? due_ns : next_ns;
    }
    return watchdog->first ? next_ns : INT64_MAX;
}
