/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_FDB_H
#define ORCHD_TWIN_FORWARDING_FDB_H

/* Forwarding entries: from VLAN and MAC address to port.
 *
 * Addresses are the low 48 bits of a number; ports are numbers that mean
 * nothing here.  VLAN 0 holds entries that are valid in
 * every VLAN; who looks something up asks for these apart.  Cost: a hash
 * table.
 *
 * Learned entries age (IEEE 802.1Q-2018 clause 8.8.3): one that was not
 * touched for the ageing time is removed at the very picosecond when that is
 * over.  A touch is a store; each entry is an event of the engine, which looks
 * at the time of the last touch only when the entry might be too old, and
 * waits for the rest if it is not.  So an entry costs one event per ageing
 * time, however much traffic there is, and nothing if there is no ageing.
 * Static entries stay. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "twin/event/engine.h"

/* No port. */
#define FDB_NONE UINT32_MAX

enum { FDB_MAX_ENTRIES = 65536 };

/* Valid in every VLAN. */
#define FDB_ANY_VLAN 0

struct fdb;

struct fdb_entry {
    uint64_t mac;
    uint16_t vlan;
    bool is_static; /* Else learned. */
    bool discards;  /* Frames to it go nowhere. */
    uint32_t port;  /* FDB_NONE: nowhere, either. */
};

/* What to forget.  All conditions that are given must hold. */
struct fdb_filter {
    uint16_t vlan; /* FDB_ANY_VLAN: of every VLAN but that one. */
    uint32_t port; /* FDB_NONE: of every port. */
    bool statics;
    bool learned;
};

/* Called for an entry. */
typedef void fdb_each_fn(void *context, const struct fdb_entry *entry);

/* Returns a new, empty table without ageing.  'engine' tells the time and
 * outlives it; NULL: there is no time.  End with fdb_destroy(). */
struct fdb *fdb_create(struct engine *engine);

/* Frees 'fdb'.  Accepts NULL. */
void fdb_destroy(struct fdb *fdb);

/* Returns whether 'mac' fits in 48 bits; whether it is a group address. */
bool fdb_mac_is_valid(uint64_t mac);
bool fdb_mac_is_group(uint64_t mac);

/* Sets or replaces an entry by a copy of '*entry'.  Returns false, and sets
 * nothing, if there are FDB_MAX_ENTRIES others; those for every VLAN, which
 * are few, are set nevertheless. */
bool fdb_set(struct fdb *fdb, const struct fdb_entry *entry);

/* Notes that a frame came from the address of 'entry', which fdb_find() has
 * just returned. */
void fdb_touch(struct fdb *fdb, const struct fdb_entry *entry);

/* Removes an entry.  Returns whether there was one. */
bool fdb_remove(struct fdb *fdb, uint16_t vlan, uint64_t mac);

/* Removes all entries for 'port', those for every VLAN included. */
void fdb_forget_port(struct fdb *fdb, uint32_t port);

/* Returns a number that is another after every change. */
uint64_t fdb_generation(const struct fdb *fdb);

/* Returns an entry, or NULL.  Borrowed until the table changes. */
const struct fdb_entry *fdb_find(const struct fdb *fdb, uint16_t vlan,
                                 uint64_t mac);

/* Sets after what time learned entries go, 0: never; there is an engine.  All
 * of them count as touched now.  Each that goes is told to 'aged' (may be
 * NULL) just before; it must not change the table. */
void fdb_set_ageing(struct fdb *fdb, int64_t ageing_ps, fdb_each_fn *aged,
                    void *context);

/* Removes the entries that match, and tells each to 'gone' (may be NULL) just
 * before.  Returns their number. */
size_t fdb_flush(struct fdb *fdb, const struct fdb_filter *filter,
                 fdb_each_fn *gone, void *context);

/* Calls 'each' for all entries, in the order in which they were made, and
 * returns their number.  'each' may be NULL. */
size_t fdb_each(const struct fdb *fdb, const struct fdb_filter *filter,
                fdb_each_fn *each, void *context);

#endif /* twin/forwarding/fdb.h */
