/* SPDX-License-Identifier: Apache-2.0 */

/* Compares what is there with what is wanted, object by object. */

#include <config.h>

#include "orchd/orchagent/syncd_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/intent/content.h"
#include "orchd/intent/field.h"
#include "orchd/orchagent/syncd_counters.h"
#include "sai/core/serialize.h"

#define N(array) (sizeof(array) / sizeof *(array))

#define GROUP_PREFIX  SYNCD_PLAN_GROUPS ":"
#define OBJECT_PREFIX SYNCD_PLAN_OBJECTS ":"

#define N_OWN SYNCD_COUNTERS_GROUPS

/* Longer than an id as text. */
#define OID_SIZE 32

struct group {
    struct group *next;
    int own; /* Its number; N_OWN: another one with our prefix; -1: foreign. */
    bool present; /* Its row exists, or was sent. */
    bool enabled;
    uint32_t interval_ms;
    size_t n_rows; /* While groups are removed. */
    char name[];
};

/* What a group has of an object. */
struct object_row {
    sai_object_id_t oid;
    struct group *group;
    bool present; /* The row exists, or was sent. */
    uint32_t set; /* Of counters. */
};

struct object {
    sai_object_id_t oid;
    sai_object_type_t type;
    uint32_t foreign; /* What enabled groups of others have. */
};

struct syncd_plan {
    struct group *groups;
    struct hash_index rows;    /* struct object_row, by 'oid' and group. */
    struct hash_index objects; /* struct object, by 'oid'. */
    uint32_t wanted_ms;        /* Of the last turn, ... */
    uint32_t polled;           /* and the set that was polled after it. */
};

/* Sending of one turn. */
struct sending {
    struct syncd_plan *plan;
    syncd_plan_send_fn *send;
    void *context;
    size_t n;
};

struct syncd_plan *
syncd_plan_create(void)
{
    return check_calloc(1, sizeof(struct syncd_plan));
}

/* Frees the items of an index. */
static void
clear_index(struct hash_index *index)
{
    size_t place = 0;
    void *item;

    while ((item = hash_index_next(index, &place))) {
        free(item);
    }
    hash_index_fini(index);
}

void
syncd_plan_clear(struct syncd_plan *plan)
{
    clear_index(&plan->rows);
    while (plan->groups) {
        struct group *group = plan->groups;

        plan->groups = group->next;
        free(group);
    }
}

void
syncd_plan_destroy(struct syncd_plan *plan)
{
    if (plan) {
        syncd_plan_clear(plan);
        clear_index(&plan->objects);
        free(plan);
    }
}

/* Returns which group of orchd is called so; see struct group. */
static int
own_number(const char *name)
{
    return strncmp(name, SYNCD_COUNTERS_PREFIX,
                   strlen(SYNCD_COUNTERS_PREFIX)) != 0
               ? -1
               : syncd_counters_find(name);
}

/* Returns the group whose name is the first 'length' bytes of 'name'. */
static struct group *
get_group(struct syncd_plan *plan, const char *name, size_t length)
{
    struct group *group = plan->groups;

    while (group && (strncmp(group->name, name, length) ||
                     group->name[length] != '\0')) {
        group = group->next;
    }
    if (!group) {
        group = check_calloc(1, sizeof *group + length + 1);
        memcpy(group->name, name, length);
        group->own = own_number(group->name);
        group->next = plan->groups;
        plan->groups = group;
    }
    return group;
}

static uint32_t
hash_of(sai_object_id_t oid, const struct group *group)
{
    return hash_index_number(oid) ^ hash_index_text(group->name);
}

/* A hash_index_equal_fn; the key is a row. */
static bool
is_row(const void *row_, const void *key_)
{
    const struct object_row *row = row_, *key = key_;

    return row->oid == key->oid && row->group == key->group;
}

/* Returns the row of a group about an object. */
static struct object_row *
get_row(struct syncd_plan *plan, struct group *group, sai_object_id_t oid)
{
    const struct object_row key = {.oid = oid, .group = group};
    const uint32_t hash = hash_of(oid, group);
    struct object_row *row = hash_index_find(&plan->rows, hash, is_row, &key);

    if (!row) {
        row = check_calloc(1, sizeof *row);
        *row = key;
        hash_index_add(&plan->rows, hash, row);
    }
    return row;
}

static void
put_group(struct syncd_plan *plan, const char *name, const struct field *fields,
          size_t n)
{
    struct group *group = get_group(plan, name, strlen(name));
    const char *status = content_search(fields, n, "FLEX_COUNTER_STATUS");
    const char *interval = content_search(fields, n, "POLL_INTERVAL");
    uint64_t number;

    group->present = n > 0;
    group->enabled = status && !strcmp(status, "enable");
    group->interval_ms =
        interval && !parse_u64(interval, 0, UINT32_MAX, &number)
            ? (uint32_t)number
            : 0;
}

void
syncd_plan_put(struct syncd_plan *plan, const char *key,
               const struct field *fields, size_t n)
{
    const char *name, *oids, *item;
    size_t length;

    if (!strncmp(key, GROUP_PREFIX, strlen(GROUP_PREFIX))) {
        put_group(plan, key + strlen(GROUP_PREFIX), fields, n);
        return;
    }
    oids = strstr(key, ":oid:");
    if (strncmp(key, OBJECT_PREFIX, strlen(OBJECT_PREFIX)) || !oids) {
        return;
    }
    name = key + strlen(OBJECT_PREFIX);
    if (oids < name) {
        return;
    }
    struct group *group = get_group(plan, name, (size_t)(oids - name));
    const uint32_t set = syncd_counters_parse(fields, n);

    oids++;
    while (parse_list_next(&oids, &item, &length)) {
        char text[OID_SIZE];
        sai_object_id_t oid;

        if (length < sizeof text) {
            text_format(text, sizeof text, "%.*s", (int)length, item);
            if (!serialize_parse_oid(text, &oid)) {
                struct object_row *row = get_row(plan, group, oid);

                row->present = n > 0;
                row->set = set;
            }
        }
    }
}

void
syncd_plan_begin_objects(struct syncd_plan *plan)
{
    clear_index(&plan->objects);
}

/* A hash_index_equal_fn. */
static bool
is_object(const void *object_, const void *key)
{
    const struct object *object = object_;
    const sai_object_id_t *oid = key;

    return object->oid == *oid;
}

static struct object *
find_object(const struct syncd_plan *plan, sai_object_id_t oid)
{
    return hash_index_find(&plan->objects, hash_index_number(oid), is_object,
                           &oid);
}

void
syncd_plan_add_object(struct syncd_plan *plan, sai_object_type_t type,
                      sai_object_id_t oid)
{
    if (!find_object(plan, oid)) {
        struct object *object = check_calloc(1, sizeof *object);

        object->oid = oid;
        object->type = type;
        hash_index_add(&plan->objects, hash_index_number(oid), object);
    }
}

void
syncd_plan_repeat(struct syncd_plan *plan, sai_object_type_t type)
{
    const bool all = type == SAI_OBJECT_TYPE_NULL;
    struct object_row *row;
    size_t place = 0;

    for (struct group *group = plan->groups; group; group = group->next) {
        if (group->own >= 0 && group->own < N_OWN &&
            (all || syncd_counters_type(group->own) == type)) {
            group->interval_ms = 0;
        }
    }
    while ((row = hash_index_next(&plan->rows, &place))) {
        if (row->group->own >= 0 && row->group->own < N_OWN &&
            (all || syncd_counters_type(row->group->own) == type)) {
            row->set = 0;
        }
    }
}

/* Finds out what others have of each object. */
static void
note_foreign(struct syncd_plan *plan)
{
    const struct object_row *row;
    struct object *object;
    size_t place = 0;

    while ((object = hash_index_next(&plan->objects, &place))) {
        object->foreign = 0;
    }
    place = 0;
    while ((row = hash_index_next(&plan->rows, &place))) {
        if (row->group->own < 0 && row->group->enabled && row->present) {
            object = find_object(plan, row->oid);
            if (object) {
                object->foreign |= row->set;
            }
        }
    }
}

/* Returns what group 'own' is to have of an object, NULL: of one that is
 * gone. */
static uint32_t
wanted_of(const struct syncd_plan *plan, const struct object *object, int own)
{
    return plan->wanted_ms && object && own < N_OWN &&
                   syncd_counters_type(own) == object->type
               ? syncd_counters_of_group(own) & ~object->foreign
               : 0;
}

/* Sends a list of counters; an empty one: the row is to be removed. */
static void
send_row(struct sending *sending, const struct object_row *row)
{
    struct text key = {0}, names = {0};
    struct field field = {"", ""};

    text_addf(&key, "%s:", row->group->name);
    serialize_oid(row->oid, &key);
    syncd_counters_names(row->set, &names);
    if (row->group->own < N_OWN) {
        field.name = syncd_counters_list(row->group->own);
    }
    field.value = text_string(&names);
    sending->send(sending->context, SYNCD_PLAN_OBJECTS, text_string(&key),
                  &field, row->set ? 1 : 0);
    sending->n++;
    text_fini(&key);
    text_fini(&names);
}

/* Removes the rows of orchd that are no longer wanted. */
static void
remove_rows(struct sending *sending)
{
    struct syncd_plan *plan = sending->plan;
    struct object_row *row;
    size_t place = 0;

    while ((row = hash_index_next(&plan->rows, &place))) {
        if (row->group->own >= 0 && row->present &&
            !wanted_of(plan, find_object(plan, row->oid), row->group->own)) {
            row->present = false;
            row->set = 0;
            send_row(sending, row);
        }
    }
}

/* Counts the rows of each group. */
static void
count_rows(struct syncd_plan *plan)
{
    const struct object_row *row;
    size_t place = 0;

    for (struct group *group = plan->groups; group; group = group->next) {
        group->n_rows = 0;
    }
    while ((row = hash_index_next(&plan->rows, &place))) {
        row->group->n_rows += row->present;
    }
}

/* Removes the groups of orchd without rows. */
static void
remove_groups(struct sending *sending)
{
    count_rows(sending->plan);
    for (struct group *group = sending->plan->groups; group;
         group = group->next) {
        if (group->own >= 0 && group->present && !group->n_rows) {
            group->present = group->enabled = false;
            group->interval_ms = 0;
            sending->send(sending->context, SYNCD_PLAN_GROUPS, group->name,
                          NULL, 0);
            sending->n++;
        }
    }
}

/* Sends a group of orchd unless it is as wanted. */
static void
add_group(struct sending *sending, struct group *group)
{
    const uint32_t wanted_ms = sending->plan->wanted_ms;
    char interval[24];

    if (group->present && group->enabled && group->interval_ms == wanted_ms) {
        return;
    }
    group->present = group->enabled = true;
    group->interval_ms = wanted_ms;
    text_format(interval, sizeof interval, "%u", (unsigned int)wanted_ms);

    const struct field fields[] = {{"POLL_INTERVAL", interval},
                                   {"STATS_MODE", "STATS_MODE_READ"},
                                   {"FLEX_COUNTER_STATUS", "enable"}};

    sending->send(sending->context, SYNCD_PLAN_GROUPS, group->name, fields,
                  N(fields));
    sending->n++;
}

/* Sends what a group of orchd is to have of each object, after the group. */
static void
add_rows(struct sending *sending, int own)
{
    struct syncd_plan *plan = sending->plan;
    const char *name = syncd_counters_group(own);
    const struct object *object;
    size_t place = 0;

    while ((object = hash_index_next(&plan->objects, &place))) {
        const uint32_t wanted = wanted_of(plan, object, own);
        struct object_row *row;

        if (!wanted) {
            continue;
        }
        row = get_row(plan, get_group(plan, name, strlen(name)), object->oid);
        add_group(sending, row->group);
        if (!row->present || row->set != wanted) {
            row->present = true;
            row->set = wanted;
            send_row(sending, row);
        }
    }
}

/* Returns what enabled groups of orchd have of an object. */
static uint32_t
own_set(const struct syncd_plan *plan, sai_object_id_t oid)
{
    uint32_t set = 0;

    for (struct group *group = plan->groups; group; group = group->next) {
        const struct object_row key = {.oid = oid, .group = group};
        const struct object_row *row =
            group->own >= 0 && group->enabled
                ? hash_index_find(&plan->rows, hash_of(oid, group), is_row,
                                  &key)
                : NULL;

        set |= row && row->present ? row->set : 0;
    }
    return set;
}

/* Finds out which counters are polled of all objects of their types. */
static void
note_polled(struct syncd_plan *plan)
{
    uint32_t there = 0, missing = 0;
    const struct object *object;
    size_t place = 0;

    while ((object = hash_index_next(&plan->objects, &place))) {
        const uint32_t all = syncd_counters_of_type(object->type);

        there |= all;
        missing |= all & ~(object->foreign | own_set(plan, object->oid));
    }
    plan->polled = there & ~missing;
}

size_t
syncd_plan_turn(struct syncd_plan *plan, uint32_t interval_ms,
                syncd_plan_send_fn *send, void *context)
{
    struct sending sending = {plan, send, context, 0};

    plan->wanted_ms = interval_ms;
    note_foreign(plan);
    remove_rows(&sending);
    for (int own = 0; own < N_OWN; own++) {
        add_rows(&sending, own);
    }
    remove_groups(&sending);
    note_polled(plan);
    return sending.n;
}

void
syncd_plan_disable(struct syncd_plan *plan, syncd_plan_send_fn *send,
                   void *context)
{
    static const struct field disable = {"FLEX_COUNTER_STATUS", "disable"};

    plan->polled = 0;
    for (struct group *group = plan->groups; group; group = group->next) {
        if (group->own >= 0 && group->present) {
            group->enabled = false;
            send(context, SYNCD_PLAN_GROUPS, group->name, &disable, 1);
        }
    }
}

bool
syncd_plan_polls(const struct syncd_plan *plan, sai_object_type_t type,
                 sai_stat_id_t id)
{
    return (plan->polled & syncd_counters_bit(type, id)) != 0;
}
