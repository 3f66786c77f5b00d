/* SPDX-License-Identifier: Apache-2.0 */

/* Polls queues, and handles what follows. */

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
polled_free(struct pfcwd *pfcwd, struct polled_queue *polled)
{
    HASH_DEL(pfcwd->polled_queues, polled);
    free(polled->port);
    free(polled);
}

void
pfcwd_destroy(struct pfcwd *pfcwd)
{
    struct polled_queue *polled, *next;

    if (!pfcwd) {
        return;
    }
    HASH_ITER(hh, pfcwd->polled_queues, polled, next)
    {
        polled_free(pfcwd, polled);
    }
    pfcwd_forget_past_storms__(pfcwd);
    hardware_recovery_fini(&pfcwd->hardware);
    free(pfcwd);
}

/* --- Queues on the switch ----------------------------------------------- */

/* Finds the ids of a queue.  Returns false if its port is not on the switch, or
 * has no such queue. */
static bool
find_ids(const struct pfcwd *pfcwd, const char *port, unsigned int index,
         struct reader_ids *ids)
{
    const struct object *object =
        agent_object(pfcwd->agent, TABLE_PORT, port, -1);
    const struct port_children *children =
        object ? object->port_children : NULL;

    if (!children || index >= children->n_queues) {
        return false;
    }
    ids->port = object->oid;
    ids->queue = children->queue_oids[index];
    ids->pg =
        index < children->n_pgs ? children->pg_oids[index] : SAI_NULL_OBJECT_ID;
    ids->priority = index;
    return true;
}

struct polled_queue *
pfcwd_find__(const struct pfcwd *pfcwd, const struct watchdog_queue *queue)
{
    struct polled_queue *polled;

    HASH_FIND_PTR(pfcwd->polled_queues, &queue, polled);
    return polled;
}

struct polled_queue *
pfcwd_find_oid__(const struct pfcwd *pfcwd, sai_object_id_t oid)
{
    struct polled_queue *polled = pfcwd->polled_queues;

    while (polled && polled->oid != oid) {
        polled = polled->hh.next;
    }
    return polled;
}

static struct polled_queue *
polled_make(struct pfcwd *pfcwd, struct watchdog_queue *queue)
{
    struct polled_queue *polled = pfcwd_find__(pfcwd, queue);

    if (!polled) {
        polled = check_calloc(1, sizeof *polled);
        polled->queue = queue;
        polled->port = check_strdup(queue->port);
        polled->index = queue->index;
        HASH_ADD_PTR(pfcwd->polled_queues, queue, polled);
    }
    return polled;
}

/* --- Polling ------------------------------------------------------------ */

static void
log_rule(const struct pfcwd *pfcwd)
{
    struct text text = {0};

    if (pfcwd->rule) {
        text_addf(&text, "PFC storms are detected with the rule %s",
                  pfcwd->rule->name);
    } else {
        text_add(&text,
                 "PFC storms cannot be detected: the switch does not have "
                 "the necessary counters");
    }
    pfcwd_log__(pfcwd, !pfcwd->rule,
                pfcwd->rule ? "pfcwd-rule" : "pfcwd-no-counters", "",
                text_string(&text));
    text_fini(&text);
}

/* Finds the first queue of the first port of the switch that has any.  The
 * other queues are like it, and no row needs to claim it. */
static bool
find_first_queue(const struct pfcwd *pfcwd, struct reader_ids *ids)
{
    struct sai_backend *backend = pfcwd->backend;
    const sai_attribute_value_t *oids;
    struct bulk_get ports, queues;

    *ids = (struct reader_ids){0};
    bulk_get_read(&ports, backend, SAI_OBJECT_TYPE_SWITCH,
                  SAI_SWITCH_ATTR_PORT_LIST, 1, &backend->switch_id);
    oids = bulk_get_value(&ports, 0);
    for (uint32_t i = 0; oids && !ids->queue && i < oids->objlist.count; i++) {
        const sai_attribute_value_t *list;

        ids->port = oids->objlist.list[i];
        bulk_get_read(&queues, backend, SAI_OBJECT_TYPE_PORT,
                      SAI_PORT_ATTR_QOS_QUEUE_LIST, 1, &ids->port);
        list = bulk_get_value(&queues, 0);
        if (list && list->objlist.count > 0) {
            ids->queue = list->objlist.list[0];
        }
        bulk_get_fini(&queues);
    }
    bulk_get_fini(&ports);
    return ids->queue != SAI_NULL_OBJECT_ID;
}

/* Chooses the rule for this switch, once it has a port and a row configures the
 * watchdog. */
static void
choose_rule(struct pfcwd *pfcwd)
{
    struct reader_ids ids;

    if (!watchdog_policy(pfcwd->watchdog)->n_configured ||
        !find_first_queue(pfcwd, &ids)) {
        return;
    }
    storm_reader_init(&pfcwd->reader, pfcwd->backend, &ids);
    pfcwd->rule_chosen = true;
    pfcwd->rule = pfcwd->forced_rule ? pfcwd->forced_rule
                                     : storm_rule_choose(pfcwd->reader.offered);
    if (pfcwd->rule && !storm_rule_suits(pfcwd->rule, pfcwd->reader.offered)) {
        pfcwd->rule = NULL;
    }
    watchdog_set_rule(pfcwd->watchdog, pfcwd->rule);
    log_rule(pfcwd);
    pfcwd_hardware_init__(pfcwd, &ids);
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
    pfcwd_resume_storms__(pfcwd, clock(context));
}

/* Checks whether the port of 'polled' exists, and requests what the store has
 * about its queue. */
static bool
locate(struct pfcwd *pfcwd, struct polled_queue *polled, struct reader_ids *ids)
{
    bool there = find_ids(pfcwd, polled->port, polled->index, ids);

    if (!there || polled->oid != ids->queue) {
        pfcwd_undescribe__(pfcwd, polled);
        hardware_recovery_forget(&pfcwd->hardware, &polled->recovery);
        polled->hardware_status = ST_OK;
        polled->n_ready = 0;
    }
    if (!there) {
        polled->oid = SAI_NULL_OBJECT_ID;
        return false;
    }
    if (polled->oid != ids->queue) {
        polled->oid = ids->queue;
        polled->port_oid = ids->port;
        polled->fetched = polled->known = false;
    }
    if (!polled->fetched) {
        pfcwd_fetch__(pfcwd, polled);
    }
    return true;
}

/* Finds queues that are new, or whose ports are.  The clock of a switch may
 * stand still, and the next poll be far away: hardware recovery does not wait
 * for it. */
static void
locate_new(struct pfcwd *pfcwd)
{
    const uint64_t n_port_reads = agent_port_reads(pfcwd->agent);
    const bool moved = n_port_reads != pfcwd->n_port_reads;
    struct reader_ids ids;

    for (struct watchdog_queue *queue = watchdog_queues(pfcwd->watchdog); queue;
         queue = queue->next) {
        if (queue->watched && (moved || !queue->present)) {
            queue->present = locate(pfcwd, polled_make(pfcwd, queue), &ids);
        }
    }
    pfcwd->n_port_reads = n_port_reads;
}

/* Returns whether the switch watches 'queue', so that its counters need not be
 * read for the detector. */
static bool
is_by_switch(const struct polled_queue *polled)
{
    const struct watchdog_queue *queue = polled->queue;

    return queue->in_hardware && !queue->detector.stormed &&
           !queue->keeps_history && !polled->forced && !polled->requested;
}

/* Lists the queues to read, those in hardware recovery ('by_switch') or the
 * others: all, or those that are due. */
static size_t
list_queues(struct pfcwd *pfcwd, bool all, bool by_switch, int64_t now_ns,
            struct watchdog_queue **queues, struct reader_item *items)
{
    size_t n = 0;

    for (struct watchdog_queue *queue = watchdog_queues(pfcwd->watchdog); queue;
         queue = queue->next) {
        struct polled_queue *polled = polled_make(pfcwd, queue);

        queue->present = locate(pfcwd, polled, &items[n].ids);
        if (queue->present && queue->watched &&
            is_by_switch(polled) == by_switch &&
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

/* Keeps packet counts for a queue that the switch may report as dead: it was
 * paused for a while then, and its storm begins with the counts of that time.
 * Two polls are kept, because the switch may start its recovery before the
 * newer poll and report it after. */
static void
make_ready(struct pfcwd *pfcwd, struct polled_queue *polled,
           const struct reader_item *item)
{
    struct storm_counts counts;

    if (!item->sample.paused) {
        polled->n_ready = 0;
    } else if (!watchdog_stormed(polled->queue) &&
               storm_reader_counts(&pfcwd->reader, &item->ids, &counts)) {
        polled->ready[1] = polled->ready[0];
        polled->ready[0] = counts;
        polled->n_ready = polled->n_ready ? 2 : 1;
    }
}

/* Reads the queues that list_queues() selects, and runs the detector; 'items'
 * and 'queues' have room for all. */
static void
poll_some(struct pfcwd *pfcwd, bool all, bool by_switch, int64_t now_ns,
          struct watchdog_queue **queues, struct reader_item *items)
{
    const unsigned int measures =
        by_switch ? (unsigned int)STORM_STATUS : pfcwd->rule->uses;
    size_t n = list_queues(pfcwd, all, by_switch, now_ns, queues, items);

    storm_reader_read(&pfcwd->reader, measures, items, n, pfcwd->clock,
                      pfcwd->clock_context);
    for (size_t i = 0; i < n; i++) {
        struct storm_sample *sample = &items[i].sample;
        struct polled_queue *polled = pfcwd_find__(pfcwd, queues[i]);

        sample->wall_ns = pfcwd->wall_ns;
        sample->pfc_off = agent_pfc_is_off(pfcwd->agent, queues[i]);
        sample->forced = polled->forced || polled->requested;
        if (queues[i]->in_hardware) {
            make_ready(pfcwd, polled, &items[i]);
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
        pfcwd->has_polled = true;
        pfcwd->polled_ns = now_ns;
        pfcwd_ask__(pfcwd);
    }
    free(queues);
    free(items);
}

/* Reads the packet counts at the beginning of a storm, however it was detected.
 */
static void
open_accounts(struct pfcwd *pfcwd)
{
    for (struct watchdog_queue *queue = watchdog_queues(pfcwd->watchdog); queue;
         queue = queue->next) {
        struct reader_ids ids;
        struct storm_counts counts;

        if (queue->account.is_open && !queue->account.has_base &&
            queue->action != POLICY_ALERT &&
            find_ids(pfcwd, queue->port, queue->index, &ids) &&
            storm_reader_counts(&pfcwd->reader, &ids, &counts)) {
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
        struct polled_queue *polled = pfcwd_find__(pfcwd, queue);
        struct reader_ids ids;
        struct storm_counts counts;
        bool counted, gone = !queue->watched;

        next = queue->next;
        if (!watchdog_unsettled(queue) ||
            !agent_effects_are_undone(pfcwd->agent, queue)) {
            continue;
        }
        counted = queue->account.is_open && queue->action != POLICY_ALERT &&
                  find_ids(pfcwd, queue->port, queue->index, &ids) &&
                  storm_reader_counts(&pfcwd->reader, &ids, &counts);
        if (polled && gone) {
            hardware_recovery_clear(&pfcwd->hardware, &polled->recovery);
            storm_account_end(&queue->account, counted ? &counts : NULL);
            pfcwd_write_last__(pfcwd, polled);
        }
        watchdog_settle(pfcwd->watchdog, queue, counted ? &counts : NULL);
        if (polled && gone) {
            polled_free(pfcwd, polled);
        } else if (polled) {
            pfcwd_write__(pfcwd, polled, now_ns);
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
    if (!pfcwd->rule_chosen) {
        choose_rule(pfcwd);
    }
    if (!watchdog_queues(pfcwd->watchdog)) {
        return false;
    }
    now_ns = pfcwd->clock(pfcwd->clock_context);
    pfcwd->wall_ns = wall_ns;
    if (pfcwd->rule) {
        bool all = !pfcwd->has_polled ||
                   now_ns - pfcwd->polled_ns >= policy->poll_ns ||
                   now_ns < pfcwd->polled_ns;

        if (all || watchdog_next(pfcwd->watchdog, pfcwd->polled_ns) <= now_ns) {
            poll(pfcwd, all, now_ns);
        }
        locate_new(pfcwd);
        pfcwd_hardware_follow__(pfcwd, now_ns);
        pfcwd_resume_storms__(pfcwd, now_ns);
        open_accounts(pfcwd);
    }
    while (watchdog_take_event(pfcwd->watchdog, &event)) {
        pfcwd_report__(pfcwd, &event, now_ns);
    }
    settle(pfcwd, now_ns);
    pfcwd_write_due__(pfcwd, now_ns);
    return watchdog_changed(pfcwd->watchdog);
}

void
pfcwd_message(struct pfcwd *pfcwd, const char *channel, const char *payload)
{
    struct watchdog_queue *queue;
    struct polled_queue *polled;
    sai_object_id_t oid;
    bool stormed;

    if (strcmp(channel, STORM_ROWS_CHANNEL) != 0 || !pfcwd->rule ||
        !storm_rows_parse(payload, &oid, &stormed)) {
        return;
    }
    polled = pfcwd_find_oid__(pfcwd, oid);
    queue = polled ? polled->queue : NULL;
    if (queue && stormed) {
        watchdog_assume(pfcwd->watchdog, queue, false,
                        pfcwd->clock(pfcwd->clock_context));
    } else if (queue) {
        watchdog_release(pfcwd->watchdog, queue);
        /* Hardware recovery has to start again, too. */
        hardware_recovery_clear(&pfcwd->hardware, &polled->recovery);
    }
}
