/* SPDX-License-Identifier: Apache-2.0 */

/* Polls, and what follows from them. */

#include <config.h>

#include "orchd/watchdog/pfcwd_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/reconcile/agent.h"
#include "sai/core/bulk_get.h"

struct pfcwd *
pfcwd_create(struct agent *agent, struct storm_store *store,
             const struct pfcwd_listener *listener)
{
    struct pfcwd *pfcwd = check_calloc(1, sizeof *pfcwd);

    pfcwd->agent = agent;
    pfcwd->store = store;
    pfcwd->listener = *listener;
    pfcwd->watchdog = agent_watchdog(agent);
    return pfcwd;
}

static void
driven_free(struct pfcwd *pfcwd, struct driven *driven)
{
    HASH_DEL(pfcwd->driven, driven);
    free(driven->port);
    free(driven);
}

void
pfcwd_destroy(struct pfcwd *pfcwd)
{
    struct driven *driven, *next;

    if (!pfcwd) {
        return;
    }
    HASH_ITER(hh, pfcwd->driven, driven, next)
    {
        driven_free(pfcwd, driven);
    }
    pfcwd_forget_replays__(pfcwd);
    storm_guards_fini(&pfcwd->guards);
    free(pfcwd);
}

/* --- Places ------------------------------------------------------------- */

/* Finds the ids of a queue.  Returns false if its port is not on the switch, or
 * has no such queue. */
static bool
find_place(const struct pfcwd *pfcwd, const char *port, unsigned int index,
           struct reader_place *place)
{
    const struct object *object =
        agent_object(pfcwd->agent, TABLE_PORT, port, -1);
    const struct port_children *places = object ? object->places : NULL;

    if (!places || index >= places->n_queues) {
        return false;
    }
    place->port = object->oid;
    place->queue = places->queue_oids[index];
    place->pg =
        index < places->n_pgs ? places->pg_oids[index] : SAI_NULL_OBJECT_ID;
    place->priority = index;
    return true;
}

struct driven *
pfcwd_find__(const struct pfcwd *pfcwd, const struct watchdog_queue *queue)
{
    struct driven *driven;

    HASH_FIND_PTR(pfcwd->driven, &queue, driven);
    return driven;
}

struct driven *
pfcwd_find_oid__(const struct pfcwd *pfcwd, sai_object_id_t oid)
{
    struct driven *driven = pfcwd->driven;

    while (driven && driven->oid != oid) {
        driven = driven->hh.next;
    }
    return driven;
}

static struct driven *
drive(struct pfcwd *pfcwd, struct watchdog_queue *queue)
{
    struct driven *driven = pfcwd_find__(pfcwd, queue);

    if (!driven) {
        driven = check_calloc(1, sizeof *driven);
        driven->queue = queue;
        driven->port = check_strdup(queue->port);
        driven->index = queue->index;
        HASH_ADD_PTR(pfcwd->driven, queue, driven);
    }
    return driven;
}

/* --- Polling ------------------------------------------------------------ */

static void
say_rule(const struct pfcwd *pfcwd)
{
    struct text text = {0};

    if (pfcwd->rule) {
        text_addf(&text, "PFC storms are detected by the rule %s",
                  pfcwd->rule->name);
    } else {
        text_add(&text, "the switch has no counters by which PFC storms could "
                        "be detected");
    }
    pfcwd_say__(pfcwd, !pfcwd->rule,
                pfcwd->rule ? "pfcwd-rule" : "pfcwd-no-counters", "",
                text_string(&text));
    text_fini(&text);
}

/* Finds the first queue of the first port of the switch that has any: the
 * others are like it, and no row need have claimed it. */
static bool
find_example(const struct pfcwd *pfcwd, struct reader_place *place)
{
    struct sai_backend *backend = pfcwd->backend;
    const sai_attribute_value_t *oids;
    struct bulk_get ports, queues;

    *place = (struct reader_place){0};
    bulk_get_read(&ports, backend, SAI_OBJECT_TYPE_SWITCH,
                  SAI_SWITCH_ATTR_PORT_LIST, 1, &backend->switch_id);
    oids = bulk_get_value(&ports, 0);
    for (uint32_t i = 0; oids && !place->queue && i < oids->objlist.count;
         i++) {
        const sai_attribute_value_t *list;

        place->port = oids->objlist.list[i];
        bulk_get_read(&queues, backend, SAI_OBJECT_TYPE_PORT,
                      SAI_PORT_ATTR_QOS_QUEUE_LIST, 1, &place->port);
        list = bulk_get_value(&queues, 0);
        if (list && list->objlist.count > 0) {
            place->queue = list->objlist.list[0];
        }
        bulk_get_fini(&queues);
    }
    bulk_get_fini(&ports);
    return place->queue != SAI_NULL_OBJECT_ID;
}

static bool
is_configured(const struct policy *policy)
{
    const struct policy_port *port = policy->ports;

    while (port && !port->configured) {
        port = port->hh.next;
    }
    return port != NULL;
}

/* Finds out by which rule storms can be told here, once a port is there and
 * somebody wants to know. */
static void
choose_rule(struct pfcwd *pfcwd)
{
    struct reader_place place;

    if (!is_configured(watchdog_policy(pfcwd->watchdog)) ||
        !find_example(pfcwd, &place)) {
        return;
    }
    storm_reader_init(&pfcwd->reader, pfcwd->backend, &place);
    pfcwd->judged = true;
    pfcwd->rule = pfcwd->forced_rule ? pfcwd->forced_rule
                                     : storm_rule_choose(pfcwd->reader.offered);
    if (pfcwd->rule && !storm_rule_suits(pfcwd->rule, pfcwd->reader.offered)) {
        pfcwd->rule = NULL;
    }
    watchdog_set_rule(pfcwd->watchdog, pfcwd->rule);
    say_rule(pfcwd);
    pfcwd_guard_init__(pfcwd, &place);
}

void
pfcwd_attach(struct pfcwd *pfcwd, struct sai_backend *backend,
             const struct storm_rule *rule, pfcwd_clock_fn *clock,
             void *context)
{
    pfcwd->backend = backend;
    pfcwd->forced_rule = rule;
    pfcwd->clock = clock;
    pfcwd->clock_context = context;
    choose_rule(pfcwd);
    pfcwd_replay__(pfcwd, clock(context));
}

/* Looks whether the port of 'driven' is there, and asks for what Redis has of
 * its queue. */
static bool
locate(struct pfcwd *pfcwd, struct driven *driven, struct reader_place *place)
{
    bool there = find_place(pfcwd, driven->port, driven->index, place);

    if (!there || driven->oid != place->queue) {
        pfcwd_undescribe__(pfcwd, driven);
        hardware_recovery_forget(&pfcwd->guards, &driven->guard);
        driven->guard_status = ST_OK;
        driven->n_ready = 0;
    }
    if (!there) {
        driven->oid = SAI_NULL_OBJECT_ID;
        return false;
    }
    if (driven->oid != place->queue) {
        driven->oid = place->queue;
        driven->port_oid = place->port;
        driven->fetched = driven->known = false;
    }
    if (!driven->fetched) {
        pfcwd_fetch__(pfcwd, driven);
    }
    return true;
}

/* Returns whether the switch judges 'queue', so that its counters need not be
 * read to that end. */
static bool
is_judged(const struct driven *driven)
{
    const struct watchdog_queue *queue = driven->queue;

    return queue->guarded && !queue->detector.stormed &&
           !queue->keeps_history && !driven->forced && !driven->ordered;
}

/* Lists the queues to be read, those that are 'judged' by the switch or the
 * others: all, or those that are due. */
static size_t
list_queues(struct pfcwd *pfcwd, bool all, bool judged, int64_t now_ns,
            struct watchdog_queue **queues, struct reader_item *items)
{
    size_t n = 0;

    for (struct watchdog_queue *queue = watchdog_queues(pfcwd->watchdog); queue;
         queue = queue->next) {
        struct driven *driven = drive(pfcwd, queue);

        queue->present = locate(pfcwd, driven, &items[n].place);
        if (queue->present && queue->watched && is_judged(driven) == judged &&
            (all || detector_due(&queue->detector) <= now_ns)) {
            items[n].counts_wanted =
                queue->account.is_open && queue->action != POLICY_ALERT;
            queues[n++] = queue;
        }
    }
    return n;
}

static size_t
count_queues(struct pfcwd *pfcwd)
{
    size_t n = 0;

    for (const struct watchdog_queue *queue = watchdog_queues(pfcwd->watchdog);
         queue; queue = queue->next) {
        n++;
    }
    return n;
}

/* A queue that the switch finds dead has been paused for a while: what was
 * counted then is what its storm begins with.  Two polls are kept, because the
 * switch may have begun to recover before the newer one, and say so after. */
static void
make_ready(struct pfcwd *pfcwd, struct driven *driven,
           const struct reader_item *item)
{
    struct storm_counts counts;

    if (!item->sample.paused) {
        driven->n_ready = 0;
    } else if (!watchdog_stormed(driven->queue) &&
               storm_reader_counts(&pfcwd->reader, &item->place, &counts)) {
        driven->ready[1] = driven->ready[0];
        driven->ready[0] = counts;
        driven->n_ready = driven->n_ready ? 2 : 1;
    }
}

/* Reads and judges queues, as list_queues() chooses them; 'items' and 'queues'
 * have room for all. */
static void
poll_some(struct pfcwd *pfcwd, bool all, bool judged, int64_t now_ns,
          struct watchdog_queue **queues, struct reader_item *items)
{
    const unsigned int measures =
        judged ? (unsigned int)STORM_STATUS : pfcwd->rule->uses;
    size_t n = list_queues(pfcwd, all, judged, now_ns, queues, items);

    storm_reader_read(&pfcwd->reader, measures, items, n, pfcwd->clock,
                      pfcwd->clock_context);
    for (size_t i = 0; i < n; i++) {
        struct storm_sample *sample = &items[i].sample;
        struct driven *driven = pfcwd_find__(pfcwd, queues[i]);

        sample->pfc_off = agent_pfc_is_off(pfcwd->agent, queues[i]);
        sample->forced = driven->forced || driven->ordered;
        if (queues[i]->guarded) {
            make_ready(pfcwd, driven, &items[i]);
        }
        watchdog_sample(pfcwd->watchdog, queues[i], sample,
                        items[i].counted ? &items[i].counts : NULL);
    }
}

static void
poll(struct pfcwd *pfcwd, bool all, int64_t now_ns)
{
    size_t n = count_queues(pfcwd);
    struct watchdog_queue **queues = check_calloc(n + 1, sizeof *queues);
    struct reader_item *items = check_calloc(n + 1, sizeof *items);

    poll_some(pfcwd, all, false, now_ns, queues, items);
    if (all) {
        poll_some(pfcwd, all, true, now_ns, queues, items);
        pfcwd->polled = true;
        pfcwd->polled_ns = now_ns;
        pfcwd_ask__(pfcwd);
    }
    free(queues);
    free(items);
}

/* From the very begin of a storm its packets count, however it was found. */
static void
open_accounts(struct pfcwd *pfcwd)
{
    for (struct watchdog_queue *queue = watchdog_queues(pfcwd->watchdog); queue;
         queue = queue->next) {
        struct reader_place place;
        struct storm_counts counts;

        if (queue->account.is_open && !queue->account.has_base &&
            queue->action != POLICY_ALERT &&
            find_place(pfcwd, queue->port, queue->index, &place) &&
            storm_reader_counts(&pfcwd->reader, &place, &counts)) {
            storm_account_update(&queue->account, &counts);
        }
    }
}

/* Closes the accounts of storms whose effects are undone. */
static void
settle(struct pfcwd *pfcwd, int64_t now_ns)
{
    struct watchdog_queue *queue = watchdog_queues(pfcwd->watchdog), *next;

    for (; queue; queue = next) {
        struct driven *driven = pfcwd_find__(pfcwd, queue);
        struct reader_place place;
        struct storm_counts counts;
        bool counted, gone = !queue->watched;

        next = queue->next;
        if (!watchdog_unsettled(queue) ||
            !agent_effects_are_undone(pfcwd->agent, queue)) {
            continue;
        }
        counted = queue->account.is_open && queue->action != POLICY_ALERT &&
                  find_place(pfcwd, queue->port, queue->index, &place) &&
                  storm_reader_counts(&pfcwd->reader, &place, &counts);
        if (driven && gone) {
            hardware_recovery_clear(&pfcwd->guards, &driven->guard);
            storm_account_end(&queue->account, counted ? &counts : NULL);
            pfcwd_write_last__(pfcwd, driven);
        }
        watchdog_settle(pfcwd->watchdog, queue, counted ? &counts : NULL);
        if (driven && gone) {
            driven_free(pfcwd, driven);
        } else if (driven) {
            pfcwd_write__(pfcwd, driven, now_ns);
        }
    }
}

int64_t
pfcwd_next(const struct pfcwd *pfcwd)
{
    return pfcwd->rule ? watchdog_next(pfcwd->watchdog, pfcwd->polled_ns)
                       : INT64_MAX;
}

bool
pfcwd_turn(struct pfcwd *pfcwd, int64_t wall_ns)
{
    const struct policy *policy = watchdog_policy(pfcwd->watchdog);
    struct watchdog_event event;
    int64_t now_ns;

    if (!pfcwd->backend || !policy->ports) {
        return false;
    }
    if (!pfcwd->judged) {
        choose_rule(pfcwd);
    }
    if (!watchdog_queues(pfcwd->watchdog)) {
        return false;
    }
    now_ns = pfcwd->clock(pfcwd->clock_context);
    pfcwd->wall_ns = wall_ns;
    if (pfcwd->rule) {
        bool all = !pfcwd->polled ||
                   now_ns - pfcwd->polled_ns >= policy->poll_ns ||
                   now_ns < pfcwd->polled_ns;

        if (all || watchdog_next(pfcwd->watchdog, pfcwd->polled_ns) <= now_ns) {
            poll(pfcwd, all, now_ns);
        }
        pfcwd_guard_follow__(pfcwd, now_ns);
        pfcwd_replay__(pfcwd, now_ns);
        open_accounts(pfcwd);
    }
    while (watchdog_take_event(pfcwd->watchdog, &event)) {
        pfcwd_tell__(pfcwd, &event, now_ns);
    }
    settle(pfcwd, now_ns);
    pfcwd_write_due__(pfcwd, now_ns);
    return watchdog_changed(pfcwd->watchdog);
}

void
pfcwd_message(struct pfcwd *pfcwd, const char *channel, const char *payload)
{
    struct watchdog_queue *queue;
    struct driven *driven;
    sai_object_id_t oid;
    bool stormed;

    if (strcmp(channel, STORM_ROWS_CHANNEL) != 0 || !pfcwd->rule ||
        !storm_rows_parse(payload, &oid, &stormed)) {
        return;
    }
    driven = pfcwd_find_oid__(pfcwd, oid);
    queue = driven ? driven->queue : NULL;
    if (queue && stormed) {
        watchdog_assume(pfcwd->watchdog, queue, false,
                        pfcwd->clock(pfcwd->clock_context));
    } else if (queue) {
        watchdog_release(pfcwd->watchdog, queue);
        /* A switch that recovers by itself has to begin anew, too. */
        hardware_recovery_clear(&pfcwd->guards, &driven->guard);
    }
}
