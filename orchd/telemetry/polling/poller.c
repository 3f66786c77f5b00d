/* SPDX-License-Identifier: Apache-2.0 */

/* Decides which group reads the next slice of its objects, and when. */

#include <config.h>

#include "orchd/telemetry/polling/poller.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/timeline.h"
#include "orchd/telemetry/polling/poll_slice.h"
#include "orchd/telemetry/polling/poller_state.h"

struct poller *
poller_create(const struct poller_listener *listener)
{
    struct poller *poller = check_calloc(1, sizeof *poller);

    poller->listener = *listener;
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        const enum counter_group group = (enum counter_group)i;
        const struct counter_group_info *info = counter_group_info(group);
        struct counter_list *all = poller_add_list(poller, group);

        all->n = info->n_ids;
        memcpy(all->ids, info->ids, info->n_ids * sizeof *info->ids);
        for (int kind = 0; kind < N_KINDS; kind++) {
            poller->walks[i].lists[kind] = all;
        }
        poller->walks[i].slice = POLLER_SLICE;
        poller->walks[i].interval = info->milliseconds * 1000000;
    }
    return poller;
}

void
poller_destroy(struct poller *poller)
{
    if (!poller) {
        return;
    }
    object_lists_fini(&poller->objects);
    for (size_t i = 0; i < poller->n_lists; i++) {
        free(poller->lists[i]);
    }
    free(poller->lists);
    free(poller);
}

void
poller_attach(struct poller *poller, struct sai_backend *backend)
{
    poller->backend = backend;
}

void
poller_set_clock(struct poller *poller, const struct poller_clock *clock)
{
    poller->clock = clock ? *clock : (struct poller_clock){0};
}

const struct polled_object *
poller_find(const struct poller *poller, sai_object_id_t oid)
{
    const struct entry *entry = object_lists_find(&poller->objects, oid);

    return entry ? &entry->object : NULL;
}

static bool
is_same(const struct polled_object_id *a, const struct polled_object_id *b)
{
    return a->type == b->type && a->kind == b->kind && a->index == b->index &&
           !strcmp(a->name, b->name);
}

const struct polled_object *
poller_add(struct poller *poller, const struct polled_object_id *id)
{
    struct entry *entry = object_lists_find(&poller->objects, id->oid);

    if (!entry || !is_same(&entry->object.id, id)) {
        poller_remove(poller, id->oid);
        entry = object_lists_add(&poller->objects, id);
    }
    return &entry->object;
}

/* The object at 'position' of a list was removed: keeps the cursors of the list
 * at the objects where they are. */
static void
step_back(struct poller *poller, int which, size_t position)
{
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        struct group_walk *walk = &poller->walks[i];
        const bool of_list =
            object_list_of(counter_group_info((enum counter_group)i)->type) ==
            which;

        if (of_list && walk->cursor > position) {
            walk->cursor--;
        }
        if (of_list && walk->known > position) {
            walk->known--;
        }
    }
    if (poller->republished[which] > position) {
        poller->republished[which]--;
    }
}

void
poller_remove(struct poller *poller, sai_object_id_t oid)
{
    struct entry *entry = object_lists_find(&poller->objects, oid);
    int which;

    if (!entry) {
        return;
    }
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        const struct polled_reading *reading =
            polled_object_reading(&entry->object, i);

        if (reading && reading->list) {
            poller->listener.gone(poller->listener.context, &entry->object,
                                  (enum counter_group)i);
        }
    }
    which = object_list_of(entry->object.id.type);
    step_back(poller, which, object_lists_remove(&poller->objects, entry));
}

void
poller_set(struct poller *poller, enum counter_group group, bool enabled,
           int64_t interval_ns, int64_t now)
{
    struct group_walk *walk = &poller->walks[group];

    if (enabled && !walk->enabled) {
        walk->start = now;
        walk->cursor = walk->known = 0;
        walk->hurried = true;
    } else if (walk->start > now) {
        /* Between two rounds: the next begins one interval after the last. */
        walk->start += interval_ns - walk->interval;
        walk->start = walk->start < now ? now : walk->start;
    }
    walk->enabled = enabled;
    walk->interval = interval_ns;
}

void
poller_set_slice(struct poller *poller, enum counter_group group, uint32_t n)
{
    poller->walks[group].slice = n && n < POLLER_SLICE ? n : POLLER_SLICE;
}

/* Returns the objects that 'group' reads. */
static const struct object_list *
objects_for(const struct poller *poller, int group)
{
    return &poller->objects.all[object_list_of(
        counter_group_info((enum counter_group)group)->type)];
}

/* Returns whether 'walk' has newcomers among 'n' objects.  A first round reads
 * all objects at once anyway. */
static bool
has_newcomers(const struct group_walk *walk, size_t n)
{
    return !walk->hurried && walk->known < n;
}

/* Returns when the next slice of a group is due.  Newcomers are overdue: a
 * round never begins later than one interval from now. */
static int64_t
walk_due(const struct poller *poller, int group)
{
    const struct group_walk *walk = &poller->walks[group];
    const size_t n = objects_for(poller, group)->n;

    if (!poller->backend || !walk->enabled || n == 0) {
        return TIMELINE_NEVER;
    }
    if (has_newcomers(walk, n)) {
        return walk->start - walk->interval;
    }
    /* Divide first: a day times many objects could overflow. */
    return walk->hurried ? walk->start
                         : walk->start + walk->interval / (int64_t)n *
                                             (int64_t)walk->cursor;
}

int64_t
poller_next(const struct poller *poller)
{
    int64_t next = TIMELINE_NEVER;

    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        const int64_t due = walk_due(poller, i);

        next = due < next ? due : next;
    }
    return next;
}

/* Ends a round; the next one begins one interval after this one began, or at
 * once if that time has passed. */
static void
end_round(struct group_walk *walk, int64_t now)
{
    walk->cursor = 0;
    walk->hurried = false;
    walk->n_rounds++;
    walk->failing = walk->n_failures != walk->failures_before;
    walk->failures_before = walk->n_failures;
    walk->start += walk->interval;
    if (walk->start < now) {
        walk->start = now;
    }
}

bool
poller_turn(struct poller *poller, int64_t now)
{
    const struct object_list *objects;
    struct group_walk *walk;
    int which = 0;

    for (int i = 1; i < N_COUNTER_GROUPS; i++) {
        which = walk_due(poller, i) < walk_due(poller, which) ? i : which;
    }
    if (walk_due(poller, which) > now) {
        return false;
    }
    walk = &poller->walks[which];
    objects = objects_for(poller, which);
    if (has_newcomers(walk, objects->n)) {
        poll_slice_read(poller, (enum counter_group)which, objects,
                        &walk->known, now);
        return poller_next(poller) <= now;
    }
    poll_slice_read(poller, (enum counter_group)which, objects, &walk->cursor,
                    now);
    walk->known = walk->cursor > walk->known ? walk->cursor : walk->known;
    if (walk->cursor >= objects->n) {
        end_round(walk, now);
    }
    return poller_next(poller) <= now;
}

/* Calls the listener with all values of one object. */
static void
republish_object(struct poller *poller, const struct polled_object *object)
{
    for (int g = 0; g < N_COUNTER_GROUPS; g++) {
        const struct polled_reading *reading = polled_object_reading(object, g);

        if (reading && reading->list && reading->known) {
            poll_slice_describe(poller, object, reading);
            poller->listener.values(poller->listener.context, object,
                                    reading->list, reading->values, NULL,
                                    &reading->at, &reading->at);
        }
    }
}

void
poller_republish_begin(struct poller *poller)
{
    memset(poller->republished, 0, sizeof poller->republished);
}

bool
poller_republish(struct poller *poller)
{
    unsigned int n = 0;

    for (int r = 0; r < N_OBJECT_LISTS; r++) {
        const struct object_list *objects = &poller->objects.all[r];

        while (poller->republished[r] < objects->n) {
            if (n++ == POLLER_SLICE) {
                return true;
            }
            republish_object(poller,
                             &objects->entries[poller->republished[r]]->object);
            poller->republished[r]++;
        }
    }
    return false;
}

void
poller_each(const struct poller *poller, sai_object_type_t type,
            void (*visit)(void *context, const struct polled_object *object),
            void *context)
{
    const struct object_list *objects =
        &poller->objects.all[object_list_of(type)];

    for (size_t i = 0; i < objects->n; i++) {
        visit(context, &objects->entries[i]->object);
    }
}

void
poller_figures(const struct poller *poller, enum counter_group group,
               struct poller_figures *figures)
{
    const struct group_walk *walk = &poller->walks[group];

    figures->enabled = walk->enabled;
    figures->interval_ns = walk->interval;
    figures->n_rounds = walk->n_rounds;
    figures->n_reads = walk->n_reads;
    figures->n_failures = walk->n_failures;
}
