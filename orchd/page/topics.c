/* SPDX-License-Identifier: Apache-2.0 */

/* A hash of topics by path. */

#include <config.h>

#include "orchd/page/topics.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/control/columns.h"
#include "orchd/control/control.h"
#include "orchd/control/request.h"
#include "orchd/page/delta.h"
#include "orchd/page/verb_path.h"
#include "process/loop.h"
#include "process/peer.h"

struct state {
    unsigned int n_users;
    json_t *answer;          /* NULL: it is 'columns'. */
    struct columns *columns; /* The data of a success. */
    struct text printed;     /* state_print(), once it was called. */

    /* The change from the state 'before', which is not used otherwise; empty if
     * it was not asked for. */
    const struct state *before;
    bool changed;
    bool whole; /* The answers differ in more than their data. */
    struct text change;
};

/* A topic.  While a run is in progress it outlives its subscribers. */
struct topic {
    struct request request; /* Of the run. */
    struct topics *topics;  /* NULL: it has been given up. */
    char *path;             /* Key. */
    struct verb_path verb;
    struct subscription *subscribers;
    struct state *state; /* NULL: none yet. */
    bool running;
    bool refused;       /* By orchd, as it will be next time. */
    int64_t began;      /* The last run. */
    int64_t may_begin;  /* The next one. */
    struct timer timer; /* Pending while there are subscribers and no run. */
    UT_hash_handle hh;
};

struct topics {
    struct loop *loop;
    struct control *control;
    struct topic *topics;
};

/* Everybody is a viewer. */
static const struct peer nobody;

struct state *
state_keep(struct state *state)
{
    state->n_users++;
    return state;
}

void
state_release(struct state *state)
{
    if (state && !--state->n_users) {
        json_decref(state->answer);
        columns_destroy(state->columns);
        text_fini(&state->printed);
        text_fini(&state->change);
        free(state);
    }
}

/* Writes the members of the answer. */
static void
print_answer(struct state *state)
{
    char *json;

    if (state->columns) {
        text_add(&state->printed, "\"exit\":0,\"data\":");
        columns_print(state->columns, &state->printed);
        return;
    }
    json = json_dumps(state->answer, JSON_COMPACT);
    orch_assert(json);
    /* Without the braces. */
    text_add_bytes(&state->printed, json + 1, strlen(json) - 2);
    free(json);
}

void
state_print(struct state *state, struct text *text)
{
    if (!state->printed.length) {
        print_answer(state);
    }
    text_add_bytes(text, state->printed.bytes, state->printed.length);
}

/* Returns whether both states are successes with JSON of which only the data
 * may differ. */
static bool
has_data(const struct state *old, const struct state *new)
{
    return json_object_get(old->answer, "data") &&
           json_object_get(new->answer, "data") &&
           json_equal(json_object_get(old->answer, "exit"),
                      json_object_get(new->answer, "exit")) &&
           !json_object_get(old->answer, "error") &&
           !json_object_get(new->answer, "error");
}

/* Computes the change of JSON. */
static void
compare_answers(const struct state *old, struct state *new)
{
    json_t *change = delta_make(json_object_get(old->answer, "data"),
                                json_object_get(new->answer, "data"));
    char *json;

    new->changed = change != NULL;
    if (change) {
        json = json_dumps(change, JSON_COMPACT | JSON_ENCODE_ANY);
        orch_assert(json);
        text_add(&new->change, json);
        free(json);
        json_decref(change);
    }
}

/* Computes the change from 'old'. */
static void
compare(const struct state *old, struct state *new)
{
    new->before = old;
    text_clear(&new->change);
    new->whole = false;
    if (old->columns && new->columns) {
        new->changed =
            columns_print_change(old->columns, new->columns, &new->change);
    } else if (has_data(old, new)) {
        compare_answers(old, new);
    } else {
        new->whole = true;
        new->changed = !json_equal(old->answer, new->answer);
    }
}

bool
state_print_change(struct state *old, struct state *new, bool *whole,
                   struct text *text)
{
    *whole = false;
    if (old == new) {
        return false;
    }
    if (new->before != old) {
        compare(old, new);
    }
    *whole = new->whole;
    text_add_bytes(text, text_string(&new->change), new->change.length);
    return new->changed;
}

/* Frees 'topic', which nobody uses. */
static void
topic_free(struct topic *topic)
{
    state_release(topic->state);
    verb_path_fini(&topic->verb);
    free(topic->path);
    free(topic);
}

/* Takes 'topic' out of the hash; it is freed when its run has ended. */
static void
topic_give_up(struct topic *topic)
{
    timeline_cancel(loop_timeline(topic->topics->loop), &topic->timer);
    HASH_DEL(topic->topics->topics, topic);
    topic->topics = NULL;
    if (!topic->running) {
        topic_free(topic);
    }
}

/* Returns the shortest interval that a subscriber asks for. */
static int64_t
shortest(const struct topic *topic)
{
    int64_t interval = INT64_MAX;

    for (const struct subscription *s = topic->subscribers; s; s = s->next) {
        interval = s->interval_ns < interval ? s->interval_ns : interval;
    }
    return interval;
}

/* Sets when the next run begins. */
static void
schedule(struct topic *topic)
{
    int64_t when;

    if (topic->running || topic->refused || !topic->subscribers) {
        return;
    }
    when = topic->began + shortest(topic);
    when = when > topic->may_begin ? when : topic->may_begin;
    timeline_set(loop_timeline(topic->topics->loop), &topic->timer, when);
}

/* Tells the subscribers that there is a state. */
static void
tell(struct topic *topic)
{
    struct subscription *next;

    for (struct subscription *s = topic->subscribers; s; s = next) {
        next = s->next;
        s->fresh(s);
    }
}

/* A run has ended with an answer, or with columns. */
static void
end_run(struct topic *topic, json_t *answer, struct columns *columns)
{
    struct state *state;
    int64_t now;

    topic->running = false;
    if (!topic->topics) {
        json_decref(answer);
        columns_destroy(columns);
        topic_free(topic);
        return;
    }
    state = check_calloc(1, sizeof *state);
    state->n_users = 1;
    state->answer = answer;
    state->columns = columns;
    state_release(topic->state);
    topic->state = state;
    topic->refused = topic->request.outcome != REQUEST_ANSWERED;
    now = loop_now(topic->topics->loop);
    topic->may_begin = now + (now - topic->began);
    schedule(topic);
    tell(topic);
}

/* Implements request_ops.value. */
static void
take_answer(struct request *request, json_t *answer)
{
    end_run((struct topic *)request, answer, NULL);
}

/* Implements request_ops.columns. */
static void
take_columns(struct request *request, struct columns *columns)
{
    end_run((struct topic *)request, NULL, columns);
}

/* Implements request_ops.is_gone. */
static bool
is_gone(const struct request *request)
{
    return !((const struct topic *)request)->topics;
}

static const struct request_ops ops = {
    .value = take_answer, .columns = take_columns, .is_gone = is_gone};

/* Begins a run. */
static void
run(struct topic *topic, int64_t now)
{
    topic->running = true;
    topic->began = now;
    control_run(topic->topics->control, true, &topic->request,
                &topic->verb.texts);
}

/* Implements timer_fn. */
static void
on_timer(struct timer *timer, int64_t when)
{
    struct topic *topic = timer->owner;

    (void)when;
    run(topic, loop_now(topic->topics->loop));
}

struct topics *
topics_create(struct loop *loop, struct control *control)
{
    struct topics *topics = check_calloc(1, sizeof *topics);

    topics->loop = loop;
    topics->control = control;
    return topics;
}

void
topics_destroy(struct topics *topics)
{
    if (topics) {
        orch_assert(!topics->topics);
        free(topics);
    }
}

/* Returns the topic of 'path', a new one if there is none; NULL if it is no
 * path of a verb. */
static struct topic *
topic_get(struct topics *topics, const char *path)
{
    char *cut = check_strdup(path);
    char *query = strchr(cut, '?');
    struct topic *topic;

    HASH_FIND_STR(topics->topics, path, topic);
    if (!topic) {
        topic = check_calloc(1, sizeof *topic);
        topic->path = check_strdup(path);
        topic->topics = topics;
        topic->timer.fire = on_timer;
        topic->timer.owner = topic;
        topic->request.ops = &ops;
        topic->request.peer = &nobody;
        if (query) {
            *query++ = '\0';
        }
        if (verb_path_parse(cut, query ? query : "", &topic->verb)) {
            topic_free(topic);
            topic = NULL;
        } else {
            HASH_ADD_KEYPTR(hh, topics->topics, topic->path,
                            strlen(topic->path), topic);
        }
    }
    free(cut);
    return topic;
}

enum st
topics_subscribe(struct topics *topics, const char *path,
                 struct subscription *subscription)
{
    struct topic *topic = topic_get(topics, path);

    if (!topic) {
        return ST_INVALID;
    }
    subscription->topic = topic;
    subscription->next = topic->subscribers;
    subscription->link = &topic->subscribers;
    if (subscription->next) {
        subscription->next->link = &subscription->next;
    }
    topic->subscribers = subscription;
    if (topic->state) {
        schedule(topic);
        subscription->fresh(subscription);
    } else if (!topic->running) {
        run(topic, loop_now(topics->loop));
    }
    return ST_OK;
}

void
topics_unsubscribe(struct subscription *subscription)
{
    struct topic *topic = subscription->topic;

    if (!topic) {
        return;
    }
    *subscription->link = subscription->next;
    if (subscription->next) {
        subscription->next->link = subscription->link;
    }
    subscription->topic = NULL;
    if (topic->subscribers) {
        schedule(topic);
    } else {
        topic_give_up(topic);
    }
}

struct state *
topics_state(const struct subscription *subscription)
{
    return subscription->topic->state;
}
