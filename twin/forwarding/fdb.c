/* SPDX-License-Identifier: Apache-2.0 */

/* A hash table of entries.  The key is VLAN and address in one number.
 *
 * Ageing is lazy: a frame only records when it touched the entry.  The event of
 * an entry fires when the entry would be too old without any touch since the
 * event was scheduled.  If it was touched, the event is scheduled again from
 * the last touch on.  So a busy address costs one event per ageing time rather
 * than one per frame, and an idle one is removed after exactly that time.
 *
 * The generation counts changes that may affect forwarding, so users can cache
 * a result as long as the generation is the same. */

#include <config.h>

#include "twin/forwarding/fdb.h"

#include <stdlib.h>

#include <uthash.h>

#include "base/check.h"

#define MAC_BITS UINT64_C(0xffffffffffff)

enum { VLAN_SHIFT = 48 };

struct node {
    uint64_t key; /* VLAN and address. */
    struct fdb_entry entry;
    struct fdb *fdb;     /* Its table, for its event. */
    int64_t touched_ps;  /* When the last frame came from the address. */
    struct event ageing; /* Pending while the entry may age. */
    UT_hash_handle hh;
};

struct fdb {
    struct node *nodes; /* Owned; oldest first. */
    uint64_t generation;
    uint32_t *changes;     /* Borrowed; see fdb_watch().  Or NULL. */
    struct engine *engine; /* Borrowed; the clock and the events. */
    uint32_t entity;       /* Of the events. */
    int64_t ageing_ps;     /* 0: nothing ages. */
    fdb_each_fn *aged;     /* Called for each aged entry; or NULL. */
    void *context;
};

struct fdb *
fdb_create(struct engine *engine, uint32_t entity)
{
    struct fdb *fdb = check_calloc(1, sizeof *fdb);

    fdb->engine = engine;
    fdb->entity = entity;
    return fdb;
}

void
fdb_watch(struct fdb *fdb, uint32_t *changes)
{
    fdb->changes = changes;
}

/* Counts a change that may matter to whom knew the old state. */
static void
note_change(struct fdb *fdb)
{
    if (fdb->changes) {
        ++*fdb->changes;
    }
}

/* Removes and frees an entry. */
static void
drop(struct fdb *fdb, struct node *node)
{
    if (event_is_pending(&node->ageing)) {
        engine_cancel(fdb->engine, &node->ageing);
    }
    fdb->generation++;
    note_change(fdb);
    HASH_DEL(fdb->nodes, node);
    free(node);
}

void
fdb_destroy(struct fdb *fdb)
{
    struct node *node;
    struct node *next;

    if (!fdb) {
        return;
    }
    HASH_ITER(hh, fdb->nodes, node, next)
    {
        drop(fdb, node);
    }
    free(fdb);
}

bool
fdb_mac_is_valid(uint64_t mac)
{
    return (mac & ~MAC_BITS) == 0;
}

/* Returns the entry, NULL if there is none. */
static struct node *
find(const struct fdb *fdb, uint16_t vlan, uint64_t mac)
{
    const uint64_t key = (uint64_t)vlan << VLAN_SHIFT | mac;
    struct node *node;

    HASH_FIND(hh, fdb->nodes, &key, sizeof key, node);
    return node;
}

/* Schedules the ageing of 'node' from its last touch on, if it may age and the
 * time is within the range of the clock. */
static void
arm(struct fdb *fdb, struct node *node)
{
    if (event_is_pending(&node->ageing)) {
        engine_cancel(fdb->engine, &node->ageing);
    }
    if (fdb->ageing_ps && !node->entry.is_static &&
        node->touched_ps < EVENT_NEVER - fdb->ageing_ps) {
        engine_schedule(fdb->engine, &node->ageing,
                        node->touched_ps + fdb->ageing_ps);
    }
}

/* An event_fn: the entry is too old, unless it was touched. */
static void
on_ageing(struct event *event, int64_t now_ps)
{
    struct node *node = EVENT_OWNER(event, struct node, ageing);
    struct fdb *fdb = node->fdb;

    if (now_ps - node->touched_ps < fdb->ageing_ps) {
        arm(fdb, node);
        return;
    }
    if (fdb->aged) {
        fdb->aged(fdb->context, &node->entry);
    }
    drop(fdb, node);
}

/* Restarts the ageing time of 'node'. */
static void
renew(struct fdb *fdb, struct node *node)
{
    if (fdb->ageing_ps) {
        node->touched_ps = engine_now_ps(fdb->engine);
    }
    arm(fdb, node);
}

bool
fdb_set(struct fdb *fdb, const struct fdb_entry *entry)
{
    struct node *node = find(fdb, entry->vlan, entry->mac);

    if (node || entry->vlan == FDB_ANY_VLAN) {
        note_change(fdb);
    }
    if (!node) {
        if (entry->vlan != FDB_ANY_VLAN &&
            HASH_COUNT(fdb->nodes) >= FDB_MAX_ENTRIES) {
            return false;
        }
        node = check_calloc(1, sizeof *node);
        node->key = (uint64_t)entry->vlan << VLAN_SHIFT | entry->mac;
        node->fdb = fdb;
        node->ageing = event_make(EVENT_TIMER_AGE, fdb->entity,
                                  (uint32_t)entry->mac, on_ageing);
        HASH_ADD(hh, fdb->nodes, key, sizeof node->key, node);
    }
    node->entry = *entry;
    renew(fdb, node);
    fdb->generation++;
    return true;
}

void
fdb_touch(struct fdb *fdb, const struct fdb_entry *entry)
{
    if (fdb->ageing_ps) {
        struct node *node =
            (struct node *)(void *)((char *)(uintptr_t)entry -
                                    offsetof(struct node, entry));

        node->touched_ps = engine_now_ps(fdb->engine);
    }
}

void
fdb_set_ageing(struct fdb *fdb, int64_t ageing_ps, fdb_each_fn *aged,
               void *context)
{
    fdb->ageing_ps = ageing_ps;
    fdb->aged = aged;
    fdb->context = context;
    for (struct node *node = fdb->nodes; node; node = node->hh.next) {
        renew(fdb, node);
    }
}

bool
fdb_remove(struct fdb *fdb, uint16_t vlan, uint64_t mac)
{
    struct node *node = find(fdb, vlan, mac);

    if (node) {
        drop(fdb, node);
    }
    return node != NULL;
}

void
fdb_forget_port(struct fdb *fdb, uint32_t port)
{
    struct node *node;
    struct node *next;

    HASH_ITER(hh, fdb->nodes, node, next)
    {
        if (node->entry.port == port) {
            drop(fdb, node);
        }
    }
}

uint64_t
fdb_generation(const struct fdb *fdb)
{
    return fdb->generation;
}

const struct fdb_entry *
fdb_find(const struct fdb *fdb, uint16_t vlan, uint64_t mac)
{
    const struct node *node = find(fdb, vlan, mac);

    return node ? &node->entry : NULL;
}

/* Returns whether a flush with that filter takes the entry. */
static bool
matches(const struct fdb_entry *entry, const struct fdb_filter *filter)
{
    return (filter->vlan == FDB_ANY_VLAN ? entry->vlan != FDB_ANY_VLAN
                                         : entry->vlan == filter->vlan) &&
           (filter->port == FDB_NONE || entry->port == filter->port) &&
           (entry->is_static ? filter->statics : filter->learned);
}

size_t
fdb_flush(struct fdb *fdb, const struct fdb_filter *filter, fdb_each_fn *gone,
          void *context)
{
    struct node *node;
    struct node *next;
    size_t n = 0;

    HASH_ITER(hh, fdb->nodes, node, next)
    {
        if (matches(&node->entry, filter)) {
            if (gone) {
                gone(context, &node->entry);
            }
            drop(fdb, node);
            n++;
        }
    }
    return n;
}

size_t
fdb_each(const struct fdb *fdb, const struct fdb_filter *filter,
         fdb_each_fn *each, void *context)
{
    size_t n = 0;

    for (const struct node *node = fdb->nodes; node; node = node->hh.next) {
        if (matches(&node->entry, filter)) {
            if (each) {
                each(context, &node->entry);
            }
            n++;
        }
    }
    return n;
}
