/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_FDB_H
#define ORCHD_TWIN_FORWARDING_FDB_H

/* Forwarding entries: from VLAN and MAC address to port.
 *
 * Addresses are the low 48 bits of a number; ports are opaque numbers.  VLAN 0
 * holds entries that are valid in every VLAN; callers look these up separately.
 * Cost: a hash table.
 *
 * Learned entries age (IEEE 802.1Q-2018 clause 8.8.3): an entry that was not
 * touched for the ageing time is removed exactly when that time is over.  A
 * touch is one store.  Each entry has an event that looks at the time of the
 * last touch when the entry might be too old, and is scheduled again if it is
 * not.  So an entry costs one event per ageing time regardless of traffic, and
 * nothing without ageing. Static entries do not age. */

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
    bool discards;  /* Frames to the address are discarded. */
    uint32_t port;  /* FDB_NONE: discarded, too. */
};

/* Selects the entries that meet all given conditions. */
struct fdb_filter {
    uint16_t vlan; /* FDB_ANY_VLAN: every VLAN except that one. */
    uint32_t port; /* FDB_NONE: every port. */
    bool statics;
    bool learned;
};

/* Called for an entry. */
typedef void fdb_each_fn(void *context, const struct fdb_entry *entry);

/* Returns a new, empty table without ageing.  'engine' provides the time and
 * must outlive the table; NULL: ageing is not available.  'entity' is that of
 * the switch in the order of events (twin/event/event.h).  End with
 * fdb_destroy(). */
struct fdb *fdb_create(struct engine *engine, uint32_t entity);

/* Frees 'fdb'.  Accepts NULL. */
void fdb_destroy(struct fdb *fdb);

/* The address of all stations. */
#define FDB_BROADCAST UINT64_C(0xffffffffffff)

/* Returns whether 'mac' fits in 48 bits. */
bool fdb_mac_is_valid(uint64_t mac);

/* Returns whether 'mac' is a group address. */
static inline bool
fdb_mac_is_group(uint64_t mac)
{
    return mac >> 40 & 1;
}

/* Adds or replaces an entry with a copy of '*entry'.  Returns false, and
 * changes nothing, if there are FDB_MAX_ENTRIES others; the limit does not
 * apply to FDB_ANY_VLAN. */
bool fdb_set(struct fdb *fdb, const struct fdb_entry *entry);

/* Records that a frame came from the address of 'entry', which fdb_find() has
 * just returned. */
void fdb_touch(struct fdb *fdb, const struct fdb_entry *entry);

/* Removes an entry.  Returns whether there was one. */
bool fdb_remove(struct fdb *fdb, uint16_t vlan, uint64_t mac);

/* Removes all entries for 'port', those for every VLAN included. */
void fdb_forget_port(struct fdb *fdb, uint32_t port);

/* Makes 'fdb' add 1 to '*changes', which is borrowed, whenever an entry is
 * replaced or removed, and at every change for FDB_ANY_VLAN.  New entries do
 * not count: they change nothing for addresses that were known. */
void fdb_watch(struct fdb *fdb, uint32_t *changes);

/* Returns a number that changes with every change of the table. */
uint64_t fdb_generation(const struct fdb *fdb);

/* Returns an entry, or NULL.  Borrowed until the table changes. */
const struct fdb_entry *fdb_find(const struct fdb *fdb, uint16_t vlan,
                                 uint64_t mac);

/* Sets the ageing time of learned entries, 0: none.  The table must have an
 * engine.  All entries count as touched now.  'aged' (may be NULL) is called
 * for each aged entry just before its removal; it must not change the table. */
void fdb_set_ageing(struct fdb *fdb, int64_t ageing_ps, fdb_each_fn *aged,
                    void *context);

/* Removes the entries that match 'filter', after calling 'gone' (may be NULL)
 * for each.  Returns their number. */
size_t fdb_flush(struct fdb *fdb, const struct fdb_filter *filter,
                 fdb_each_fn *gone, void *context);

/* Calls 'each' for all entries that match, oldest first, and returns their
 * number.  'each' may be NULL. */
size_t fdb_each(const struct fdb *fdb, const struct fdb_filter *filter,
                fdb_each_fn *each, void *context);

#endif /* twin/forwarding/fdb.h */
