/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PAGE_TOPICS_H
#define ORCHD_PAGE_TOPICS_H

/* Verbs that are run again and again for those who watch them.
 *
 * A topic is a verb with its arguments, as a viewer may call it.  It is run
 * once for all its subscribers, in the shortest of the intervals that they ask
 * for, and not before the last run has ended for as long as it took.  Without
 * subscribers there is no timer and no run.
 *
 * What a run returns is a state.  States are shared and never change. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct control;
struct loop;
struct state;
struct text;
struct topic;
struct topics;

/* A watcher of a topic; embedded in its owner. */
struct subscription {
    int64_t interval_ns;

    /* A run has ended; the state may be the same as before. */
    void (*fresh)(struct subscription *subscription);

    /* Of topics.c. */
    struct topic *topic;
    struct subscription *next, **link;
};

/* Creates topics; both arguments are borrowed. */
struct topics *topics_create(struct loop *loop, struct control *control);

/* Frees 'topics', which have no subscribers.  Runs that have not ended end
 * later, by themselves.  Accepts NULL. */
void topics_destroy(struct topics *topics);

/* Begins to watch 'path', "show/ports?name=Ethernet0".  ST_INVALID: it is no
 * path of a verb (verb_path.h).  'fresh' may be called before this returns. */
enum st topics_subscribe(struct topics *topics, const char *path,
                         struct subscription *subscription) ST_WARN_UNUSED;

/* Ends it.  Accepts a subscription that has no topic. */
void topics_unsubscribe(struct subscription *subscription);

/* Returns the last state, NULL before the first run has ended.  Borrowed. */
struct state *topics_state(const struct subscription *subscription);

/* Keep a state; release it.  state_release() accepts NULL. */
struct state *state_keep(struct state *state);
void state_release(struct state *state);

/* Appends the members of the answer, without braces: "exit":0,"data":... */
void state_print(struct state *state, struct text *text);

/* Appends the change (delta.h) of the data between two states of one topic, and
 * returns whether the answers differ.  If they do in more than data it appends
 * nothing and sets '*whole': send the new one as a whole. */
bool state_print_change(struct state *old, struct state *new, bool *whole,
                        struct text *text);

#endif /* orchd/page/topics.h */
