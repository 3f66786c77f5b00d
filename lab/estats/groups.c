/* SPDX-License-Identifier: Apache-2.0 */

/* Histograms of the times of operations, by group. */

#include <config.h>

#include "lab/estats/groups.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/check.h"

struct entry {
    struct estats_group group; /* First: its key is that of the table. */
    UT_hash_handle hh;
};

struct estats_groups {
    struct entry *entries;
};

const char *
estats_operation_name(enum estats_operation operation)
{
    static const char *const names[] = {
#define X(member, name) name,
        ESTATS_OPERATIONS(X)
#undef X
    };

    return names[operation];
}

struct estats_groups *
estats_groups_create(void)
{
    return check_calloc(1, sizeof(struct estats_groups));
}

void
estats_groups_clear(struct estats_groups *groups)
{
    struct entry *entry, *next;

    HASH_ITER(hh, groups->entries, entry, next)
    {
        HASH_DEL(groups->entries, entry);
        free(entry);
    }
}

void
estats_groups_destroy(struct estats_groups *groups)
{
    if (groups) {
        estats_groups_clear(groups);
        free(groups);
    }
}

/* Returns the group of 'key', which is made if there is none. */
static struct estats_group *
find(struct estats_groups *groups, const struct estats_key *key)
{
    struct entry *entry;

    HASH_FIND(hh, groups->entries, key, sizeof *key, entry);
    if (!entry) {
        entry = check_calloc(1, sizeof *entry);
        entry->group.key = *key;
        histogram_init(&entry->group.total);
        histogram_init(&entry->group.nic);
        histogram_init(&entry->group.poll);
        HASH_ADD(hh, groups->entries, group.key, sizeof *key, entry);
    }
    return &entry->group;
}

static uint64_t
not_negative(int64_t ps)
{
    return ps < 0 ? 0 : (uint64_t)ps;
}

void
estats_groups_add(struct estats_groups *groups, const struct estats_key *key,
                  const struct estats_times *times)
{
    struct estats_group *group = find(groups, key);

    group->bytes += times->bytes;
    for (int i = 0; i < ESTATS_N_PARTS; i++) {
        group->parts_ps[i] += times->parts_ps[i];
    }
    histogram_add(&group->total, not_negative(times->total_ps));
    histogram_add(&group->nic, not_negative(times->nic_ps));
    histogram_add(&group->poll, not_negative(times->poll_ps));
}

void
estats_groups_merge(struct estats_groups *groups,
                    const struct estats_groups *other)
{
    for (const struct entry *entry = other->entries; entry;
         entry = entry->hh.next) {
        struct estats_group *group = find(groups, &entry->group.key);

        group->bytes += entry->group.bytes;
        for (int i = 0; i < ESTATS_N_PARTS; i++) {
            group->parts_ps[i] += entry->group.parts_ps[i];
        }
        histogram_merge(&group->total, &entry->group.total);
        histogram_merge(&group->nic, &entry->group.nic);
        histogram_merge(&group->poll, &entry->group.poll);
    }
}

static int
by_key(const struct entry *a, const struct entry *b)
{
    const struct estats_key *x = &a->group.key, *y = &b->group.key;

    return x->connection != y->connection ? (x->connection > y->connection) -
                                                (x->connection < y->connection)
           : x->end != y->end             ? x->end - y->end
           : x->operation != y->operation ? x->operation - y->operation
                                          : x->status - y->status;
}

void
estats_groups_each(struct estats_groups *groups, estats_group_fn *fn,
                   void *context)
{
    HASH_SORT(groups->entries, by_key);
    for (const struct entry *entry = groups->entries; entry;
         entry = entry->hh.next) {
        fn(context, &entry->group);
    }
}
