/* SPDX-License-Identifier: Apache-2.0 */

/* Viewers, each with its topics and the states that it has. */

#include <config.h>

#include "orchd/page/page_events.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/control/command.h"
#include "orchd/control/control.h"
#include "orchd/http/http_exchange.h"
#include "orchd/http/http_query.h"
#include "orchd/http/http_request.h"
#include "orchd/http/http_response.h"
#include "orchd/page/topics.h"
#include "process/loop.h"
#include "process/peer.h"

#define NS_PER_MS (INT64_C(1000) * 1000)

/* Runs take longer or shorter; one that ends earlier than the interval after
 * the last is not to be left out. */
#define JITTER_NS (20 * NS_PER_MS)

/* How long a browser waits before it connects again. */
#define RETRY "retry: 1000\n"

struct page_events {
    struct loop *loop;
    struct control *control;
    struct topics *topics;
    uint64_t build;
    void (*identify)(void *context, struct page_identity *identity);
    void *context;
};

/* A topic of a viewer. */
struct watched {
    struct subscription subscription; /* First. */
    struct viewer *viewer;
    struct state *sent; /* NULL: nothing yet. */
    int64_t due;        /* Not sent before this time. */
};

struct viewer {
    struct page_events *events;
    struct http_exchange *exchange;
    struct watched watched[PAGE_EVENTS_TOPICS];
    size_t n;
    bool ready;         /* The stream has begun. */
    struct timer quiet; /* When a comment is due. */
};

/* What a URL asks for. */
struct wish {
    uint64_t interval; /* Milliseconds. */
    const char *topics[PAGE_EVENTS_TOPICS];
    uint64_t intervals[PAGE_EVENTS_TOPICS];
    size_t n;
};

struct page_events *
page_events_create(struct loop *loop, struct control *control, uint64_t build,
                   void (*identify)(void *context, struct page_identity *),
                   void *context)
{
    struct page_events *events = check_calloc(1, sizeof *events);

    events->loop = loop;
    events->control = control;
    events->topics = topics_create(loop, control);
    events->build = build;
    events->identify = identify;
    events->context = context;
    return events;
}

void
page_events_destroy(struct page_events *events)
{
    if (events) {
        topics_destroy(events->topics);
        free(events);
    }
}

/* Writes what there is, and lets a comment follow if nothing else does. */
static void
flush(struct viewer *viewer, struct text *text)
{
    if (text->length) {
        http_exchange_write(viewer->exchange, text);
    }
    timeline_set(loop_timeline(viewer->events->loop), &viewer->quiet,
                 loop_now(viewer->events->loop) + PAGE_EVENTS_QUIET_NS);
}

/* Appends the event of a topic whose state is not what the viewer has. */
static void
print_topic(struct watched *watched, size_t i, struct text *text)
{
    struct state *state = topics_state(&watched->subscription);
    struct text change = {0};
    bool whole = true, changed = true;

    if (watched->sent) {
        changed = state_print_change(watched->sent, state, &whole, &change);
    }
    if (changed && whole) {
        text_addf(text, "event: full\ndata: {\"topic\":%zu,", i);
        state_print(state, text);
        text_add(text, "}\n\n");
    } else if (changed) {
        text_addf(text, "event: delta\ndata: {\"topic\":%zu,\"changes\":", i);
        text_add_bytes(text, change.bytes, change.length);
        text_add(text, "}\n\n");
    }
    text_fini(&change);
    state_keep(state);
    state_release(watched->sent);
    watched->sent = state;
}

/* Sends what is new and due, if the client has read all before. */
static void
catch_up(struct viewer *viewer)
{
    const int64_t now = loop_now(viewer->events->loop);
    struct text text = {0};

    if (!viewer->ready || !http_exchange_is_idle(viewer->exchange)) {
        return;
    }
    for (size_t i = 0; i < viewer->n; i++) {
        struct watched *watched = &viewer->watched[i];
        const int64_t interval = watched->subscription.interval_ns;
        struct state *state = watched->subscription.topic
                                  ? topics_state(&watched->subscription)
                                  : NULL;

        if (state && state != watched->sent && now >= watched->due) {
            print_topic(watched, i, &text);
            watched->due =
                now + interval -
                (interval / 4 < JITTER_NS ? interval / 4 : JITTER_NS);
        }
    }
    if (text.length) {
        flush(viewer, &text);
    }
    text_fini(&text);
}

/* Implements subscription.fresh. */
static void
on_fresh(struct subscription *subscription)
{
    catch_up(((struct watched *)subscription)->viewer);
}

/* Implements http_waiter.drained. */
static void
on_drained(void *viewer)
{
    catch_up(viewer);
}

/* Implements http_waiter.gone. */
static void
on_gone(void *viewer_)
{
    struct viewer *viewer = viewer_;

    timeline_cancel(loop_timeline(viewer->events->loop), &viewer->quiet);
    for (size_t i = 0; i < viewer->n; i++) {
        topics_unsubscribe(&viewer->watched[i].subscription);
        state_release(viewer->watched[i].sent);
    }
    free(viewer);
}

static const struct http_waiter waiter = {.gone = on_gone,
                                          .drained = on_drained};

/* Implements timer_fn: nothing was sent for a while. */
static void
on_quiet(struct timer *timer, int64_t when)
{
    struct viewer *viewer = timer->owner;
    struct text text = {0};

    (void)when;
    if (http_exchange_is_idle(viewer->exchange)) {
        text_add(&text, ":\n\n");
    }
    flush(viewer, &text);
}

/* Parses milliseconds. */
static enum st
parse_interval(const char *text, uint64_t *interval)
{
    return parse_u64(text, PAGE_EVENTS_INTERVAL_MIN, PAGE_EVENTS_INTERVAL_MAX,
                     interval);
}

/* Adds a topic, "show/status" or "1000:show/status". */
static enum st
add_wish(struct wish *wish, char *topic)
{
    char *colon = topic + strspn(topic, "0123456789");

    if (wish->n == PAGE_EVENTS_TOPICS) {
        return ST_INVALID;
    }
    wish->intervals[wish->n] = 0;
    if (colon > topic && *colon == ':') {
        *colon = '\0';
        if (parse_interval(topic, &wish->intervals[wish->n])) {
            return ST_INVALID;
        }
        topic = colon + 1;
    }
    wish->topics[wish->n++] = topic;
    return ST_OK;
}

/* Reads a query. */
static enum st
read_wish(const struct http_query *query, struct wish *wish)
{
    enum st st = ST_OK;

    memset(wish, 0, sizeof *wish);
    wish->interval = PAGE_EVENTS_INTERVAL;
    for (size_t i = 0; !st && i < query->n; i++) {
        if (!strcmp(query->pairs[i].name, "interval")) {
            st = parse_interval(query->pairs[i].value, &wish->interval);
        } else if (!strcmp(query->pairs[i].name, "topic")) {
            st = add_wish(wish, query->pairs[i].value);
        } else {
            st = ST_INVALID;
        }
    }
    return st;
}

/* Answers a request that cannot be understood. */
static void
refuse(struct http_exchange *exchange)
{
    struct http_response response = {.status = HTTP_STATUS_BAD,
                                     .type = "application/json"};
    struct text body = {0};

    text_addf(
        &body,
        "{\"exit\":2,\"error\":{\"code\":\"usage\",\"reason\":\"a request "
        "is /events?interval=MS&topic=NOUN/VERB%%3Fname%%3Dvalue&..., "
        "with at most %d topics, and intervals of %d to %d ms\"}}\n",
        PAGE_EVENTS_TOPICS, PAGE_EVENTS_INTERVAL_MIN, PAGE_EVENTS_INTERVAL_MAX);
    http_exchange_answer(exchange, &response, &body);
}

/* Begins the stream with its first event. */
static void
send_identity(struct viewer *viewer, uint64_t interval)
{
    const struct page_events *events = viewer->events;
    struct page_identity identity = {0};
    struct text text = {0};
    struct peer peer;
    bool writing;

    events->identify(events->context, &identity);
    peer_read(http_exchange_fd(viewer->exchange), &peer);
    writing = control_may_write(events->control, &peer);
    text_addf(&text,
              RETRY "id: %lld\nevent: hello\ndata: {\"version\":\"%s\","
                    "\"page\":\"%016llx\",\"started\":%lld,\"interval\":%llu,"
                    "\"writing\":%s,"
                    "\"simulated\":%s",
              (long long)identity.started, PACKAGE_VERSION,
              (unsigned long long)events->build, (long long)identity.started,
              (unsigned long long)interval, writing ? "true" : "false",
              !identity.has_switch ? "null"
              : identity.simulated ? "true"
                                   : "false");
    if (writing) {
        text_add(&text, ",\"asic\":");
        command_add_ranges("asic", &text);
    }
    text_add(&text, "}\n\n");
    peer_fini(&peer);
    flush(viewer, &text);
}

/* Watches the topics of 'wish'; false if one of them is none. */
static bool
watch(struct viewer *viewer, const struct wish *wish)
{
    for (size_t i = 0; i < wish->n; i++) {
        struct watched *watched = &viewer->watched[viewer->n];
        const uint64_t interval =
            wish->intervals[i] ? wish->intervals[i] : wish->interval;

        watched->viewer = viewer;
        watched->subscription.fresh = on_fresh;
        watched->subscription.interval_ns = (int64_t)interval * NS_PER_MS;
        if (topics_subscribe(viewer->events->topics, wish->topics[i],
                             &watched->subscription)) {
            return false;
        }
        viewer->n++;
    }
    return true;
}

/* Serves a stream. */
static void
begin(struct page_events *events, struct http_exchange *exchange,
      const struct wish *wish)
{
    struct viewer *viewer = check_calloc(1, sizeof *viewer);

    viewer->events = events;
    viewer->exchange = exchange;
    viewer->quiet.fire = on_quiet;
    viewer->quiet.owner = viewer;
    if (!watch(viewer, wish)) {
        on_gone(viewer);
        refuse(exchange);
    } else if (http_exchange_stream(exchange, "text/event-stream", &waiter,
                                    viewer)) {
        send_identity(viewer, wish->interval);
        /* The first states come when hello is sent. */
        viewer->ready = true;
    } else {
        on_gone(viewer);
    }
}

void
page_events_serve(struct page_events *events, struct http_exchange *exchange,
                  const struct http_request *request)
{
    struct http_response response = {.status = HTTP_STATUS_OK,
                                     .type = "text/event-stream"};
    struct http_query query;
    struct text body = {0};
    struct wish wish;

    if (http_query_parse(request->query, &query) || read_wish(&query, &wish)) {
        refuse(exchange);
    } else if (request->method == HTTP_HEAD) {
        http_exchange_answer(exchange, &response, &body);
    } else {
        begin(events, exchange, &wish);
    }
    http_query_fini(&query);
}
