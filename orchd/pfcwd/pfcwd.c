/* SPDX-License-Identifier: Apache-2.0 */

/* Polls, and what follows from them. */

#include <config.h>

#include "orchd/pfcwd/pfcwd.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/agent.h"
#include "orchd/pfcwd/storm_reader.h"
#include "orchd/pfcwd/storm_rows.h"
#include "orchd/pfcwd/storm_store.h"
#include "orchd/watchdog/watchdog.h"

#define NS_PER_MS INT64_C(1000000)

/* Statistics of storms are written so often. */
#define WRITE_NS (1000 * NS_PER_MS)

/* Rows that are asked for DEBUG_STORM at each poll. */
enum { DEBUG_PER_POLL = 16 };

/* What the driver knows of a queue. */
struct driven {
    const struct watchdog_queue *queue; /* Key. */
    char *port;                         /* Of the queue, owned: for replies. */
    unsigned int index;
    sai_object_id_t oid; /* As it was found last; null: not there. */
    sai_object_id_t port_oid;
    bool fetched; /* Its statistics of an earlier run were asked for. */
    bool known;   /* And are there, or there are none. */
    bool forced;  /* DEBUG_STORM. */
    int64_t written_ns;
    struct detector_times times; /* As they were written, ... */
    enum policy_action action;
    bool keeps_history, red, watched;
    UT_hash_handle hh;
};

/* A storm of an earlier run whose queue is not watched yet. */
struct replay {
    char *port;
    unsigned int index;
    struct replay *next;
};

struct pfcwd {
    struct pfcwd_listener listener;
    struct storm_store *store;
    struct agent *agent;
    struct watchdog *watchdog; /* The agent's. */

    struct storm_reader reader; /* Its backend is NULL before the switch. */
    struct sai_backend *backend;
    const struct storm_rule *rule, *forced_rule;
    bool judged;
    pfcwd_clock_fn *clock;
    void *clock_context;
    int64_t wall_ns; /* Of this turn. */

    bool polled;
    int64_t polled_ns; /* When all queues were, last. */
    struct driven *driven;
    struct replay *replays;
    bool knows_past; /* It was asked what an earlier run has noted. */
    unsigned int debug_next;
};

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
    while (pfcwd->replays) {
        struct replay *replay = pfcwd->replays;

        pfcwd->replays = replay->next;
        free(replay->port);
        free(replay);
    }
    free(pfcwd);
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
    const struct places *places = object ? object->places : NULL;

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

static struct driven *
find_driven(const struct pfcwd *pfcwd, const struct watchdog_queue *queue)
{
    struct driven *driven;

    HASH_FIND_PTR(pfcwd->driven, &queue, driven);
    return driven;
}

static struct driven *
drive(struct pfcwd *pfcwd, const struct watchdog_queue *queue)
{
    struct driven *driven = find_driven(pfcwd, queue);

    if (!driven) {
        driven = check_calloc(1, sizeof *driven);
        driven->queue = queue;
        driven->port = check_strdup(queue->port);
        driven->index = queue->index;
        HASH_ADD_PTR(pfcwd->driven, queue, driven);
    }
    return driven;
}

static struct storm_rows_place
place_of(const struct driven *driven)
{
    return (struct storm_rows_place){driven->port_oid, driven->oid};
}

/* --- An earlier run ----------------------------------------------------- */

/* Returns the queue with the row 'key' in COUNTERS_DB, or NULL. */
static struct driven *
driven_by_key(const struct pfcwd *pfcwd, const char *key)
{
    sai_object_id_t oid = storm_rows_parse_key(key);
    struct driven *driven = pfcwd->driven;

    while (driven && driven->oid != oid) {
        driven = driven->hh.next;
    }
    return driven;
}

/* The statistics of an earlier run, if there are any. */
static void
on_account(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    struct pfcwd *pfcwd = pfcwd_;
    struct driven *driven = driven_by_key(pfcwd, key);
    struct watchdog_queue *queue =
        driven ? watchdog_find(pfcwd->watchdog, driven->port, driven->index)
               : NULL;

    if (queue && !driven->known && !queue->account.detected) {
        storm_rows_read_account(fields, n, &queue->account);
    }
    if (driven) {
        driven->known = true;
    }
}

/* A row of DEBUG_STORM. */
static void
on_debug(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    const struct pfcwd *pfcwd = pfcwd_;
    struct driven *driven = driven_by_key(pfcwd, key);
    bool forced = false;

    for (size_t i = 0; i < n; i++) {
        forced |= !strcmp(fields[i].name, "DEBUG_STORM") &&
                  !strcmp(fields[i].value, "enabled");
    }
    if (driven) {
        driven->forced = forced;
    }
}

/* Storms that an earlier run has noted of a port. */
static void
on_noted(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    struct pfcwd *pfcwd = pfcwd_;

    for (size_t i = 0; i < n; i++) {
        struct replay *replay;
        int64_t index;

        if (strcmp(fields[i].value, "storm") != 0 ||
            parse_s64(fields[i].name, 0, POLICY_QUEUES - 1, &index)) {
            continue; /* Whoever wrote it: it is nothing that we do. */
        }
        replay = check_calloc(1, sizeof *replay);
        replay->port = check_strdup(key + strlen(STORM_ROWS_IN_STORM));
        replay->index = (unsigned int)index;
        replay->next = pfcwd->replays;
        pfcwd->replays = replay;
    }
}

void
pfcwd_resync(struct pfcwd *pfcwd)
{
    if (!pfcwd->knows_past) {
        pfcwd->knows_past = true;
        pfcwd->store->ops->fetch_all(pfcwd->store, APPL_DB, STORM_ROWS_IN_STORM,
                                     on_noted, pfcwd);
    }
    for (struct driven *driven = pfcwd->driven; driven;
         driven = driven->hh.next) {
        driven->written_ns = INT64_MIN;
        driven->fetched = driven->known;
        storm_rows_in_storm(pfcwd->store, driven->port, driven->index,
                            watchdog_stormed(driven->queue) &&
                                !driven->queue->red);
    }
}

/* From the very begin of a storm its packets count. */
static void
open_account(struct pfcwd *pfcwd, struct watchdog_queue *queue,
             const struct reader_place *place)
{
    struct storm_counts counts;

    if (queue->account.is_open && !queue->account.has_base &&
        queue->action != POLICY_ALERT &&
        storm_reader_counts(&pfcwd->reader, place, &counts)) {
        account_update(&queue->account, &counts);
    }
}

/* Begins storms again whose queues are watched by now.  A queue that is in one
 * needs no word from the past. */
static void
replay(struct pfcwd *pfcwd, int64_t now_ns)
{
    struct replay **link = &pfcwd->replays;

    while (*link) {
        struct replay *replay = *link;
        struct watchdog_queue *queue =
            watchdog_find(pfcwd->watchdog, replay->port, replay->index);
        const struct driven *driven = queue ? find_driven(pfcwd, queue) : NULL;
        struct reader_place place;

        if (!driven || !driven->known) {
            link = &replay->next;
            continue;
        }
        watchdog_assume(pfcwd->watchdog, queue, true, now_ns);
        if (find_place(pfcwd, queue->port, queue->index, &place)) {
            open_account(pfcwd, queue, &place);
        }
        *link = replay->next;
        free(replay->port);
        free(replay);
    }
}

/* --- Telling ------------------------------------------------------------ */

static void
say(const struct pfcwd *pfcwd, bool warns, const char *code, const char *object,
    const char *text)
{
    if (pfcwd->listener.say) {
        pfcwd->listener.say(pfcwd->listener.context, warns, code, object, text);
    }
}

static void
write_queue(struct pfcwd *pfcwd, struct driven *driven, int64_t now_ns)
{
    const struct watchdog_queue *queue = driven->queue;
    const struct storm_rows_place place = place_of(driven);

    if (driven->oid == SAI_NULL_OBJECT_ID || !driven->known) {
        return;
    }
    driven->written_ns = now_ns;
    driven->times = queue->detector.times;
    driven->action = queue->action;
    driven->keeps_history = queue->keeps_history;
    driven->red = queue->red;
    driven->watched = queue->watched;
    if (queue->watched) {
        storm_rows_write(pfcwd->store, &place, queue);
    }
    if (queue->keeps_history) {
        storm_rows_write_history(pfcwd->store, &place, queue,
                                 pfcwd->wall_ns - now_ns);
    }
}

/* Writes the line of the log, and the reason of the event. */
static void
describe(struct text *text, const struct watchdog_event *event,
         const struct driven *driven)
{
    text_addf(text, "queue %u", event->index);
    if (driven && driven->oid != SAI_NULL_OBJECT_ID) {
        text_addf(text, " (queue oid:0x%" PRIx64 ", port oid:0x%" PRIx64 ")",
                  driven->oid, driven->port_oid);
    }
    switch (event->kind) {
    case WATCHDOG_STORM:
        text_addf(text, " %s; action %s",
                  event->red        ? "is dropped by the big red switch"
                  : event->replayed ? "was in a PFC storm before orchd was "
                                      "restarted"
                                    : "is in a PFC storm",
                  event->red ? "drop" : policy_action_word(event->action));
        break;
    case WATCHDOG_RESTORED:
        text_add(text, " is out of the PFC storm");
        break;
    case WATCHDOG_REFUSED:
        text_addf(text,
                  ": the switch refused what action %s needs; it does what is "
                  "left of it",
                  policy_action_word(event->action));
        break;
    }
}

static void
tell_event(struct pfcwd *pfcwd, const struct watchdog_event *event,
           int64_t now_ns)
{
    static const char *const codes[] = {
        [WATCHDOG_STORM] = "pfc-storm",
        [WATCHDOG_RESTORED] = "pfc-storm-over",
        [WATCHDOG_REFUSED] = "pfc-action-refused",
    };
    bool stormed = event->kind == WATCHDOG_STORM;
    struct watchdog_queue *queue =
        watchdog_find(pfcwd->watchdog, event->port, event->index);
    struct driven *driven = queue ? find_driven(pfcwd, queue) : NULL;
    struct text text = {0};

    describe(&text, event, driven);
    say(pfcwd, event->kind != WATCHDOG_RESTORED, codes[event->kind],
        event->port, text_string(&text));
    if (pfcwd->listener.event) {
        pfcwd->listener.event(pfcwd->listener.context, event->port,
                              stormed ? "operational" : "stormed",
                              event->kind == WATCHDOG_RESTORED ? "operational"
                                                               : "stormed",
                              text_string(&text));
    }
    text_fini(&text);
    if (event->kind == WATCHDOG_REFUSED) {
        return;
    }
    storm_rows_in_storm(pfcwd->store, event->port, event->index,
                        stormed && !event->red);
    if (driven && driven->oid != SAI_NULL_OBJECT_ID) {
        const struct storm_rows_place place = place_of(driven);

        storm_rows_tell(pfcwd->store, &place, stormed);
        write_queue(pfcwd, driven, now_ns);
    }
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
    say(pfcwd, !pfcwd->rule, pfcwd->rule ? "pfcwd-rule" : "pfcwd-no-counters",
        "", text_string(&text));
    text_fini(&text);
}

/* Finds out by which rule storms can be told here, once a port is there. */
static void
choose_rule(struct pfcwd *pfcwd)
{
    const struct policy *policy = watchdog_policy(pfcwd->watchdog);
    const struct policy_port *port;
    struct reader_place place;

    for (port = policy->ports; port && !pfcwd->judged; port = port->hh.next) {
        if (!port->configured || !find_place(pfcwd, port->name, 0, &place)) {
            continue;
        }
        storm_reader_init(&pfcwd->reader, pfcwd->backend, &place);
        pfcwd->judged = true;
        pfcwd->rule = pfcwd->forced_rule
                          ? pfcwd->forced_rule
                          : storm_rule_choose(pfcwd->reader.offered);
        if (pfcwd->rule &&
            !storm_rule_suits(pfcwd->rule, pfcwd->reader.offered)) {
            pfcwd->rule = NULL;
        }
        watchdog_set_rule(pfcwd->watchdog, pfcwd->rule);
        say_rule(pfcwd);
    }
}

/* Looks whether the port of 'driven' is there, and asks for what Redis has of
 * its queue. */
static bool
locate(struct pfcwd *pfcwd, struct driven *driven, struct reader_place *place)
{
    char key[STORM_ROWS_KEY_SIZE];

    if (!find_place(pfcwd, driven->port, driven->index, place)) {
        driven->oid = SAI_NULL_OBJECT_ID;
        return false;
    }
    if (driven->oid != place->queue) {
        driven->oid = place->queue;
        driven->port_oid = place->port;
        driven->fetched = driven->known = false;
    }
    if (!driven->fetched) {
        driven->fetched = true;
        driven->written_ns = INT64_MIN;
        pfcwd->store->ops->fetch(pfcwd->store, COUNTERS_DB,
                                 storm_rows_key(driven->oid, key), on_account,
                                 pfcwd);
    }
    return true;
}

/* Lists the queues to be read: all, or those that are due. */
static size_t
list_queues(struct pfcwd *pfcwd, bool all, int64_t now_ns,
            struct watchdog_queue **queues, struct reader_item *items)
{
    size_t n = 0;

    for (struct watchdog_queue *queue = watchdog_queues(pfcwd->watchdog); queue;
         queue = queue->next) {
        struct driven *driven = drive(pfcwd, queue);

        queue->present = locate(pfcwd, driven, &items[n].place);
        if (queue->present && queue->watched &&
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

/* Asks some of the rows for the hook of tests. */
static void
ask_debug(struct pfcwd *pfcwd)
{
    unsigned int i = 0, n = 0;
    char key[STORM_ROWS_KEY_SIZE];

    for (const struct driven *driven = pfcwd->driven; driven;
         driven = driven->hh.next, i++) {
        if (i >= pfcwd->debug_next && n < DEBUG_PER_POLL) {
            pfcwd->store->ops->fetch(pfcwd->store, COUNTERS_DB,
                                     storm_rows_key(driven->oid, key), on_debug,
                                     pfcwd);
            n++;
        }
    }
    pfcwd->debug_next = pfcwd->debug_next + n >= i ? 0 : pfcwd->debug_next + n;
}

static void
poll(struct pfcwd *pfcwd, bool all, int64_t now_ns)
{
    size_t n = count_queues(pfcwd);
    struct watchdog_queue **queues = check_calloc(n + 1, sizeof *queues);
    struct reader_item *items = check_calloc(n + 1, sizeof *items);

    n = list_queues(pfcwd, all, now_ns, queues, items);
    storm_reader_read(&pfcwd->reader, pfcwd->rule->uses, items, n, pfcwd->clock,
                      pfcwd->clock_context);
    for (size_t i = 0; i < n; i++) {
        struct storm_sample *sample = &items[i].sample;

        sample->pfc_off = agent_pfc_is_off(pfcwd->agent, queues[i]);
        sample->forced = find_driven(pfcwd, queues[i])->forced;
        watchdog_sample(pfcwd->watchdog, queues[i], sample,
                        items[i].counted ? &items[i].counts : NULL);
        open_account(pfcwd, queues[i], &items[i].place);
    }
    if (all) {
        pfcwd->polled = true;
        pfcwd->polled_ns = now_ns;
        ask_debug(pfcwd);
    }
    free(queues);
    free(items);
}

/* Closes the accounts of storms whose effects are undone. */
static void
settle(struct pfcwd *pfcwd, int64_t now_ns)
{
    struct watchdog_queue *queue = watchdog_queues(pfcwd->watchdog), *next;

    for (; queue; queue = next) {
        struct driven *driven = find_driven(pfcwd, queue);
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
        if (driven && driven->oid != SAI_NULL_OBJECT_ID && gone) {
            const struct storm_rows_place where = place_of(driven);

            account_end(&queue->account, counted ? &counts : NULL);
            storm_rows_write(pfcwd->store, &where, queue);
            storm_rows_remove(pfcwd->store, &where, queue);
        }
        watchdog_settle(pfcwd->watchdog, queue, counted ? &counts : NULL);
        if (driven && gone) {
            driven_free(pfcwd, driven);
        } else if (driven) {
            write_queue(pfcwd, driven, now_ns);
        }
    }
}

/* Returns whether the queue is watched in another way than was written. */
static bool
is_outdated(const struct driven *driven)
{
    const struct watchdog_queue *queue = driven->queue;
    const struct detector_times *times = &queue->detector.times;

    return driven->written_ns == INT64_MIN ||
           driven->times.detection_ns != times->detection_ns ||
           driven->times.restoration_ns != times->restoration_ns ||
           driven->action != queue->action ||
           driven->keeps_history != queue->keeps_history ||
           driven->red != queue->red || driven->watched != queue->watched;
}

/* Writes what is due of queues in a storm, of those with a history, and of
 * those that are watched in another way than before. */
static void
write_due(struct pfcwd *pfcwd, int64_t now_ns)
{
    for (struct driven *driven = pfcwd->driven; driven;
         driven = driven->hh.next) {
        const struct watchdog_queue *queue = driven->queue;
        bool moves = queue->account.is_open || queue->keeps_history;

        if (is_outdated(driven) ||
            (moves && now_ns - driven->written_ns >= WRITE_NS)) {
            write_queue(pfcwd, driven, now_ns);
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
        replay(pfcwd, now_ns);
    }
    while (watchdog_take_event(pfcwd->watchdog, &event)) {
        tell_event(pfcwd, &event, now_ns);
    }
    settle(pfcwd, now_ns);
    write_due(pfcwd, now_ns);
    return watchdog_changed(pfcwd->watchdog);
}

void
pfcwd_message(struct pfcwd *pfcwd, const char *channel, const char *payload)
{
    sai_object_id_t oid;
    bool stormed;

    if (strcmp(channel, STORM_ROWS_CHANNEL) != 0 || !pfcwd->rule ||
        !storm_rows_parse(payload, &oid, &stormed)) {
        return;
    }
    for (const struct driven *driven = pfcwd->driven; driven;
         driven = driven->hh.next) {
        struct watchdog_queue *queue =
            driven->oid == oid
                ? watchdog_find(pfcwd->watchdog, driven->port, driven->index)
                : NULL;

        if (queue && stormed) {
            watchdog_assume(pfcwd->watchdog, queue, false,
                            pfcwd->clock(pfcwd->clock_context));
        } else if (queue) {
            watchdog_release(pfcwd->watchdog, queue);
        }
    }
}
