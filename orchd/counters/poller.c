/* SPDX-License-Identifier: Apache-2.0 */

/* Groups that walk through rosters of objects.
 *
 * There is one roster for each object type, in the order of arrival, which is
 * by port.  A group has a cursor into the roster of its type; when objects go
 * from before it, it moves along.
 *
 * What counters an object has is the list of its class: a group and a kind of
 * object.  Lists never change once objects refer to them; a class whose objects
 * refuse a counter gets a new list.  A reading notes which list its values
 * belong to.
 *
 * So objects of one class that were read with success before have the same
 * list, and those of them in one slice are read in one call. */

#include <config.h>

#include "orchd/counters/poller.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "sai/metadata.h"

/* Kinds of objects of one type: the queue types, those that are not known as
 * one. */
#define N_KINDS 4

/* What is known of one object in one group. */
struct reading {
    const struct counter_list *list; /* NULL before it is described. */
    sai_stats_mode_t mode;
    bool mute; /* It has none of the counters. */

    /* Of the last time; the other one is for the next. */
    bool known;
    int64_t when;
    uint64_t *values;
};

/* An object.  Most are never read: a group that is not enabled costs a switch
 * with thousands of queues nothing for each of them. */
struct entry {
    struct counted counted; /* First: entries are handed out as that.  Owns
                             * 'readings', by group; NULL before the first. */
    UT_hash_handle hh;
    char name[]; /* Of the place. */
};

struct roster {
    struct entry **entries;
    size_t n, size;
};

struct walk {
    bool enabled;
    int64_t interval;
    uint32_t slice;
    int64_t start; /* When this round began, or will. */
    size_t cursor; /* Objects that this round has read. */
    bool hurried;  /* The first round: it does not wait. */
    bool failing;  /* And that was told. */
    uint64_t n_rounds, n_reads, n_failures;
    uint64_t failures_before; /* This round. */

    /* What objects of each kind have, and whether one of them was read. */
    const struct counter_list *lists[N_KINDS];
    bool proven[N_KINDS];

    bool told[COUNTERS_MAX]; /* Counters of the group whose refusal is known. */
};

/* An object of the slice that is being read. */
struct turn {
    struct counted *object;
    struct reading *reading;
    const struct counter_list *before; /* How it was read last. */
    sai_stats_mode_t mode;             /* Likewise. */
    bool done;
};

enum { PORTS, QUEUES, PGS, POOLS, N_ROSTERS };

struct poller {
    struct poller_sink sink;
    struct sai_backend *backend; /* NULL before poller_attach(). */
    struct entry *by_oid;
    struct roster rosters[N_ROSTERS];
    struct walk walks[N_COUNTER_GROUPS];
    size_t retold[N_ROSTERS]; /* Objects that were told again. */

    /* All lists ever made, for they are referred to; few. */
    struct counter_list **lists;
    size_t n_lists;

    /* The slice that is being read, and the call for those of it that are read
     * together. */
    struct turn turns[POLLER_SLICE];
    sai_object_key_t keys[POLLER_SLICE];
    sai_status_t statuses[POLLER_SLICE];
    uint64_t values[POLLER_SLICE * COUNTERS_MAX];
};

static int
roster_of(sai_object_type_t type)
{
    switch (type) {
    case SAI_OBJECT_TYPE_PORT:
        return PORTS;
    case SAI_OBJECT_TYPE_QUEUE:
        return QUEUES;
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
        return PGS;
    default:
        return POOLS;
    }
}

static struct counter_list *
add_list(struct poller *poller, enum counter_group group)
{
    struct counter_list *list = check_calloc(1, sizeof *list);

    list->group = group;
    poller->lists = check_realloc(poller->lists, (poller->n_lists + 1) *
                                                     sizeof *poller->lists);
    poller->lists[poller->n_lists++] = list;
    return list;
}

struct poller *
poller_create(const struct poller_sink *sink)
{
    struct poller *poller = check_calloc(1, sizeof *poller);

    poller->sink = *sink;
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        const enum counter_group group = (enum counter_group)i;
        const struct counter_group_info *info = counter_group_info(group);
        struct counter_list *all = add_list(poller, group);

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

/* Returns what is known of a group of 'object', NULL if that is nothing. */
static struct reading *
find_reading(const struct counted *object, int group)
{
    return object->readings ? object->readings[group] : NULL;
}

static void
entry_free(struct entry *entry)
{
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        struct reading *reading = find_reading(&entry->counted, i);

        if (reading) {
            free(reading->values);
            free(reading);
        }
    }
    free(entry->counted.readings);
    free(entry);
}

void
poller_clear(struct poller *poller)
{
    struct entry *entry, *next;

    HASH_ITER(hh, poller->by_oid, entry, next)
    {
        HASH_DEL(poller->by_oid, entry);
        entry_free(entry);
    }
    for (int i = 0; i < N_ROSTERS; i++) {
        poller->rosters[i].n = 0;
    }
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        poller->walks[i].cursor = 0;
        poller->walks[i].hurried = true;
    }
}

void
poller_destroy(struct poller *poller)
{
    if (!poller) {
        return;
    }
    poller_clear(poller);
    for (int i = 0; i < N_ROSTERS; i++) {
        free(poller->rosters[i].entries);
    }
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

static struct entry *
find_entry(const struct poller *poller, sai_object_id_t oid)
{
    struct entry *entry;

    HASH_FIND(hh, poller->by_oid, &oid, sizeof oid, entry);
    return entry;
}

const struct counted *
poller_find(const struct poller *poller, sai_object_id_t oid)
{
    const struct entry *entry = find_entry(poller, oid);

    return entry ? &entry->counted : NULL;
}

static bool
is_same(const struct counted_place *a, const struct counted_place *b)
{
    return a->type == b->type && a->kind == b->kind && a->index == b->index &&
           !strcmp(a->name, b->name);
}

const struct counted *
poller_add(struct poller *poller, const struct counted_place *place)
{
    struct roster *roster = &poller->rosters[roster_of(place->type)];
    struct entry *entry = find_entry(poller, place->oid);
    const size_t length = strlen(place->name);

    if (entry && is_same(&entry->counted.place, place)) {
        return &entry->counted;
    }
    poller_remove(poller, place->oid);
    entry = check_calloc(1, sizeof *entry + length + 1);
    memcpy(entry->name, place->name, length);
    entry->counted.place = *place;
    entry->counted.place.name = entry->name;
    HASH_ADD(hh, poller->by_oid, counted.place.oid, sizeof place->oid, entry);
    if (roster->n == roster->size) {
        roster->size = roster->size ? 2 * roster->size : 64;
        roster->entries = check_realloc(roster->entries,
                                        roster->size * sizeof *roster->entries);
    }
    roster->entries[roster->n++] = entry;
    return &entry->counted;
}

/* Takes the entry at 'position' out of a roster; the walks through it stay at
 * the object where they are. */
static void
roster_remove(struct poller *poller, int which, size_t position)
{
    struct roster *roster = &poller->rosters[which];

    roster->n--;
    memmove(&roster->entries[position], &roster->entries[position + 1],
            (roster->n - position) * sizeof *roster->entries);
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        struct walk *walk = &poller->walks[i];

        if (roster_of(counter_group_info((enum counter_group)i)->type) ==
                which &&
            walk->cursor > position) {
            walk->cursor--;
        }
    }
    if (poller->retold[which] > position) {
        poller->retold[which]--;
    }
}

void
poller_remove(struct poller *poller, sai_object_id_t oid)
{
    struct entry *entry = find_entry(poller, oid);
    size_t position = 0;
    int which;

    if (!entry) {
        return;
    }
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        const struct reading *reading = find_reading(&entry->counted, i);

        if (reading && reading->list) {
            poller->sink.gone(poller->sink.context, &entry->counted,
                              (enum counter_group)i);
        }
    }
    which = roster_of(entry->counted.place.type);
    while (poller->rosters[which].entries[position] != entry) {
        position++;
    }
    roster_remove(poller, which, position);
    HASH_DEL(poller->by_oid, entry);
    entry_free(entry);
}

void
poller_set(struct poller *poller, enum counter_group group, bool enabled,
           int64_t interval_ns, int64_t now)
{
    struct walk *walk = &poller->walks[group];

    if (enabled && !walk->enabled) {
        walk->start = now;
        walk->cursor = 0;
        walk->hurried = true;
    } else if (walk->start > now) {
        /* Between two rounds: the next begins that long after the last. */
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

/* Returns the index of the class of 'object'. */
static int
class_of(const struct counted *object)
{
    const int32_t kind = object->place.kind;

    return kind >= 0 && kind < N_KINDS ? (int)kind : N_KINDS - 1;
}

/* The objects that 'group' walks through. */
static const struct roster *
roster_for(const struct poller *poller, int group)
{
    return &poller->rosters[roster_of(
        counter_group_info((enum counter_group)group)->type)];
}

/* Returns when the next slice of a group is due. */
static int64_t
walk_due(const struct poller *poller, int group)
{
    const struct walk *walk = &poller->walks[group];
    const size_t n = roster_for(poller, group)->n;

    if (!poller->backend || !walk->enabled || n == 0) {
        return TIMELINE_NEVER;
    }
    /* Divided first, lest a day times many objects be too large. */
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

/* Returns whether 'status' says that there is no such counter, or no such way
 * of reading it.  Libraries that do not know a counter call the parameter
 * invalid. */
static bool
is_refusal(sai_status_t status)
{
    return status == SAI_STATUS_NOT_SUPPORTED ||
           status == SAI_STATUS_NOT_IMPLEMENTED ||
           status == SAI_STATUS_INVALID_PARAMETER;
}

/* Reads 'n' counters of an object. */
static sai_status_t
read_stats(struct poller *poller, const struct counted *object,
           const struct reading *reading, uint32_t n, const sai_stat_id_t *ids,
           uint64_t *values)
{
    return poller->backend->ops->get_stats(poller->backend, object->place.type,
                                           object->place.oid, n, ids,
                                           reading->mode, values);
}

/* Returns whether the refusal of counter 'id' by objects of 'group' has yet to
 * be told, and notes that it was. */
static bool
is_news(struct poller *poller, enum counter_group group, sai_stat_id_t id)
{
    const struct counter_group_info *info = counter_group_info(group);
    uint32_t i = 0;
    bool news;

    while (info->ids[i] != id) {
        i++;
    }
    news = !poller->walks[group].told[i];
    poller->walks[group].told[i] = true;
    return news;
}

/* Tells which counters of 'list' are not in 'kept', unless others have refused
 * them before. */
static void
tell_refused(struct poller *poller, const struct counted *object,
             const struct counter_list *list, const struct counter_list *kept)
{
    struct text names = {0};
    uint32_t k = 0;

    for (uint32_t i = 0; i < list->n; i++) {
        const struct metadata_stat *stat;

        if (k < kept->n && kept->ids[k] == list->ids[i]) {
            k++;
            continue;
        }
        if (is_news(poller, list->group, list->ids[i])) {
            stat = metadata_stat(object->place.type, list->ids[i]);
            text_add_item(&names, ",", stat->name);
        }
    }
    if (*text_string(&names)) {
        poller->sink.refused(poller->sink.context, object, list->group,
                             text_string(&names));
    }
    text_fini(&names);
}

/* Asks for the counters of 'list' one by one; those that are there go to
 * '*kept' and 'values'.  A counter that is there but can only be read makes
 * this the mode of the object.  Returns the first failure that is no refusal.
 */
static sai_status_t
probe(struct poller *poller, const struct counted *object,
      struct reading *reading, const struct counter_list *list,
      struct counter_list *kept, uint64_t *values)
{
    kept->group = list->group;
    kept->n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const sai_stats_mode_t mode = reading->mode;
        sai_status_t status = read_stats(poller, object, reading, 1,
                                         &list->ids[i], &values[kept->n]);

        if (is_refusal(status) && mode != SAI_STATS_MODE_READ) {
            reading->mode = SAI_STATS_MODE_READ;
            status = read_stats(poller, object, reading, 1, &list->ids[i],
                                &values[kept->n]);
            reading->mode = status ? mode : SAI_STATS_MODE_READ;
        }
        if (status == SAI_STATUS_SUCCESS) {
            kept->ids[kept->n++] = list->ids[i];
        } else if (!is_refusal(status)) {
            return status;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* The list was refused: finds out what of it the object has, and reads that
 * into 'values'.  Changes the list of the class and the mode of 'reading'. */
static sai_status_t
narrow(struct poller *poller, const struct counted *object,
       struct reading *reading, uint64_t *values)
{
    struct walk *walk;
    const struct counter_list *list;
    struct counter_list kept, *made;
    sai_status_t status;
    const sai_stats_mode_t mode = reading->mode;

    list = reading->list;
    walk = &poller->walks[list->group];
    if (mode != SAI_STATS_MODE_READ) {
        reading->mode = SAI_STATS_MODE_READ;
        status =
            read_stats(poller, object, reading, list->n, list->ids, values);
        if (!is_refusal(status)) {
            reading->mode = status ? mode : reading->mode;
            return status;
        }
        reading->mode = mode;
    }
    status = probe(poller, object, reading, list, &kept, values);
    if (status) {
        return status;
    }
    if (kept.n < list->n) {
        tell_refused(poller, object, list, &kept);
    }
    if (kept.n == 0) {
        reading->mute = true;
        return SAI_STATUS_NOT_SUPPORTED;
    }
    if (kept.n < list->n) {
        made = add_list(poller, kept.group);
        made->n = kept.n;
        memcpy(made->ids, kept.ids, kept.n * sizeof *kept.ids);
        walk->lists[class_of(object)] = made;
        reading->list = made;
    }
    return SAI_STATUS_SUCCESS;
}

/* Keeps and tells what was read. */
static void
take_values(struct poller *poller, const struct counted *object,
            struct reading *reading, const uint64_t *values, int64_t now)
{
    const struct counter_list *list = reading->list;

    if (!reading->values) {
        reading->values = check_calloc(list->n, sizeof *reading->values);
    }
    poller->sink.values(poller->sink.context, object, list, values,
                        reading->known ? reading->values : NULL, now,
                        reading->when);
    memcpy(reading->values, values, list->n * sizeof *values);
    reading->known = true;
    reading->when = now;
}

/* Tells how an object is read. */
static void
describe(struct poller *poller, const struct counted *object,
         const struct reading *reading)
{
    poller->sink.described(poller->sink.context, object, reading->list,
                           reading->mode);
}

/* Forgets values that are not those of 'list'. */
static void
use_list(struct reading *reading, const struct counter_list *list)
{
    reading->list = list;
    reading->known = false;
    free(reading->values);
    reading->values = NULL;
}

static struct reading *
get_reading(struct counted *object, enum counter_group group)
{
    struct reading *reading = find_reading(object, (int)group);

    if (!object->readings) {
        object->readings =
            check_calloc(N_COUNTER_GROUPS, sizeof(struct reading *));
    }
    if (!reading) {
        reading = check_calloc(1, sizeof *reading);
        reading->mode = counter_group_info(group)->mode;
        object->readings[group] = reading;
    }
    return reading;
}

/* The object of 'turn' was read, with 'status': finds out what it has if it was
 * refused, and tells what came of it. */
static void
settle(struct poller *poller, struct walk *walk, struct turn *turn,
       sai_status_t status, uint64_t *values, int64_t now)
{
    const struct counted *object = turn->object;
    struct reading *reading = turn->reading;
    const struct counter_list *asked = reading->list;
    const enum counter_group group = asked->group;

    if (is_refusal(status) && asked != walk->lists[class_of(object)]) {
        /* Another one of its class has found out. */
        use_list(reading, walk->lists[class_of(object)]);
        asked = reading->list;
        status =
            read_stats(poller, object, reading, asked->n, asked->ids, values);
    }
    if (is_refusal(status)) {
        status = narrow(poller, object, reading, values);
        if (reading->list != asked) {
            use_list(reading, reading->list);
        }
    }
    if (reading->mute) {
        if (turn->before) {
            poller->sink.gone(poller->sink.context, object, group);
        }
        reading->list = NULL;
    } else if (status) {
        walk->n_failures++;
        reading->list = reading->known ? reading->list : turn->before;
        if (!walk->failing) {
            poller->sink.failed(poller->sink.context, object, group, status);
        }
        walk->failing = true;
    } else {
        walk->proven[class_of(object)] = true;
        if (turn->before != reading->list || turn->mode != reading->mode) {
            describe(poller, object, reading);
        }
        take_values(poller, object, reading, values, now);
    }
}

/* Prepares the reading of 'object' in 'turn'.  Returns false if it has no
 * counters. */
static bool
prepare(struct walk *walk, enum counter_group group, struct counted *object,
        struct turn *turn)
{
    const struct counter_list *list = walk->lists[class_of(object)];
    struct reading *reading = get_reading(object, group);

    if (reading->mute) {
        return false;
    }
    *turn = (struct turn){.object = object,
                          .reading = reading,
                          .before = reading->list,
                          .mode = reading->mode};
    if (reading->list != list) {
        use_list(reading, list);
    }
    walk->n_reads++;
    return true;
}

/* Reads turn 'first' of 'n', and those behind it that are read for the same
 * counters in the same mode. */
static void
read_together(struct poller *poller, struct walk *walk, uint32_t first,
              uint32_t n, int64_t now)
{
    const struct reading like = *poller->turns[first].reading;
    struct backend_stats call = {.type =
                                     poller->turns[first].object->place.type,
                                 .mode = like.mode,
                                 .keys = poller->keys,
                                 .n_ids = like.list->n,
                                 .ids = like.list->ids,
                                 .values = poller->values,
                                 .statuses = poller->statuses};
    uint32_t members[POLLER_SLICE];

    for (uint32_t i = first; i < n; i++) {
        struct turn *turn = &poller->turns[i];

        if (!turn->done && turn->reading->list == like.list &&
            turn->reading->mode == like.mode) {
            turn->done = true;
            poller->keys[call.n].key.object_id = turn->object->place.oid;
            members[call.n++] = i;
        }
    }
    (void)backend_get_stats_many(poller->backend, &call);
    for (uint32_t i = 0; i < call.n; i++) {
        settle(poller, walk, &poller->turns[members[i]], call.statuses[i],
               call.values + (size_t)i * call.n_ids, now);
    }
}

/* Reads the next slice of a group.  The first objects of a class are read one
 * by one, until it is known what they have. */
static void
read_slice(struct poller *poller, struct walk *walk, enum counter_group group,
           const struct roster *roster, int64_t now)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < walk->slice && walk->cursor < roster->n; i++) {
        struct counted *object = &roster->entries[walk->cursor++]->counted;
        struct turn *turn = &poller->turns[n];

        if (!prepare(walk, group, object, turn)) {
            continue;
        }
        if (walk->proven[class_of(object)]) {
            n++;
            continue;
        }
        settle(poller, walk, turn,
               read_stats(poller, object, turn->reading, turn->reading->list->n,
                          turn->reading->list->ids, poller->values),
               poller->values, now);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!poller->turns[i].done) {
            read_together(poller, walk, i, n, now);
        }
    }
}

/* Ends a round; the next one begins an interval after this one did, or at once
 * if that is past. */
static void
end_round(struct walk *walk, int64_t now)
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
    const struct roster *roster;
    struct walk *walk;
    int which = 0;

    for (int i = 1; i < N_COUNTER_GROUPS; i++) {
        which = walk_due(poller, i) < walk_due(poller, which) ? i : which;
    }
    if (walk_due(poller, which) > now) {
        return false;
    }
    walk = &poller->walks[which];
    roster = roster_for(poller, which);
    read_slice(poller, walk, (enum counter_group)which, roster, now);
    if (walk->cursor >= roster->n) {
        end_round(walk, now);
    }
    return poller_next(poller) <= now;
}

/* Tells all that is known of one object. */
static void
retell_object(struct poller *poller, const struct counted *object)
{
    for (int g = 0; g < N_COUNTER_GROUPS; g++) {
        const struct reading *reading = find_reading(object, g);

        if (reading && reading->list && reading->known) {
            describe(poller, object, reading);
            poller->sink.values(poller->sink.context, object, reading->list,
                                reading->values, NULL, reading->when,
                                reading->when);
        }
    }
}

void
poller_retell_begin(struct poller *poller)
{
    memset(poller->retold, 0, sizeof poller->retold);
}

bool
poller_retell(struct poller *poller)
{
    unsigned int n = 0;

    for (int r = 0; r < N_ROSTERS; r++) {
        const struct roster *roster = &poller->rosters[r];

        while (poller->retold[r] < roster->n) {
            if (n++ == POLLER_SLICE) {
                return true;
            }
            retell_object(poller, &roster->entries[poller->retold[r]]->counted);
            poller->retold[r]++;
        }
    }
    return false;
}

bool
counted_value(const struct counted *object, enum counter_group group,
              sai_stat_id_t id, uint64_t *value)
{
    const struct reading *reading = find_reading(object, (int)group);

    if (!reading || !reading->known) {
        return false;
    }
    for (uint32_t i = 0; i < reading->list->n; i++) {
        if (reading->list->ids[i] == id) {
            *value = reading->values[i];
            return true;
        }
    }
    return false;
}

void
poller_each(const struct poller *poller, sai_object_type_t type,
            void (*visit)(void *context, const struct counted *object),
            void *context)
{
    const struct roster *roster = &poller->rosters[roster_of(type)];

    for (size_t i = 0; i < roster->n; i++) {
        visit(context, &roster->entries[i]->counted);
    }
}

void
poller_figures(const struct poller *poller, enum counter_group group,
               struct poller_figures *figures)
{
    const struct walk *walk = &poller->walks[group];

    figures->enabled = walk->enabled;
    figures->interval_ns = walk->interval;
    figures->n_rounds = walk->n_rounds;
    figures->n_reads = walk->n_reads;
    figures->n_failures = walk->n_failures;
}
