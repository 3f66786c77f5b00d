/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PAGE_PAGE_EVENTS_H
#define ORCHD_PAGE_PAGE_EVENTS_H

/* Server-sent events: the answers of verbs, as they change.
 *
 *   GET /events?interval=MS&topic=NOUN/VERB&topic=NOUN/VERB%3Fname%3Dvalue
 *
 * is a stream without an end (text/event-stream), with at most
 * PAGE_EVENTS_TOPICS topics.  A topic is what comes after /api/ in the URL of
 * its verb, percent-encoded; before it, "MS:" is an interval of its own.  The
 * events, whose data are one line of JSON each, are
 *
 *   hello  {"version", "page", "started", "interval", "writing", "simulated"}:
 *          first.  'page' differs when the files of the page do.
 *          'started' is when orchd did, in nanoseconds since 1970; 'interval'
 *          is that of the stream, in milliseconds; 'writing' whether this
 *          client may POST what changes something; 'simulated' whether the
 *          switch is, null if there is none yet.
 *   full   {"topic", "exit", "data"} or "error": the answer as a whole.
 *          'topic' is the position of the topic in the URL, from 0.
 *   delta  {"topic", "changes"}: what has changed in "data" since the last
 *          event of this topic; see delta.h.
 *
 * A comment comes when there was nothing else for PAGE_EVENTS_QUIET_NS.
 *
 * Nothing waits in a queue: while a client has not read the last events there
 * are no new ones, and then it gets the difference to the present state.  Each
 * connection begins with the full state of each topic, also after a browser has
 * connected again by itself. */

#include <stdbool.h>
#include <stdint.h>

struct control;
struct http_exchange;
struct http_request;
struct loop;
struct page_events;

#define PAGE_EVENTS_TOPICS   16
#define PAGE_EVENTS_QUIET_NS (INT64_C(15) * 1000 * 1000 * 1000)

/* In milliseconds. */
#define PAGE_EVENTS_INTERVAL     100
#define PAGE_EVENTS_INTERVAL_MIN 50
#define PAGE_EVENTS_INTERVAL_MAX 60000

/* What hello says. */
struct page_identity {
    int64_t started;
    bool has_switch, simulated;
};

/* Creates events of the verbs of 'control'.  'build' is of the files
 * (page_files.h); 'identify' fills in the identity.  All is borrowed. */
struct page_events *
page_events_create(struct loop *loop, struct control *control, uint64_t build,
                   void (*identify)(void *context, struct page_identity *),
                   void *context);

/* Frees 'events', whose streams have ended.  Accepts NULL. */
void page_events_destroy(struct page_events *events);

/* Answers 'exchange' with a stream. */
void page_events_serve(struct page_events *events,
                       struct http_exchange *exchange,
                       const struct http_request *request);

#endif /* orchd/page/page_events.h */
