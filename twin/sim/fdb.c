/* SPDX-License-Identifier: Apache-2.0 */

/* A uthash table of entries. */

#include <config.h>

#include "twin/sim/fdb.h"

#include <stdlib.h>

#include <uthash.h>

#include "base/check.h"

#define MAC_BITS  UINT64_C(0xffffffffffff)
#define MAC_GROUP (UINT64_C(1) << 40)

struct entry {
    uint64_t mac;
    uint32_t port;
    UT_hash_handle hh;
};

struct fdb {
    struct entry *entries;
};

struct fdb *
fdb_create(void)
{
    return check_calloc(1, sizeof(struct fdb));
}

static void
drop(struct fdb *fdb, struct entry *entry)
{
    HASH_DEL(fdb->entries, entry);
    free(entry);
}

void
fdb_destroy(struct fdb *fdb)
{
    struct entry *entry;
    struct entry *next;

    if (!fdb) {
        return;
    }
    HASH_ITER(hh, fdb->entries, entry, next)
    {
        drop(fdb, entry);
    }
    free(fdb);
}

bool
fdb_mac_is_valid(uint64_t mac)
{
    return (mac & ~MAC_BITS) == 0;
}

bool
fdb_mac_is_group(uint64_t mac)
{
    return (mac & MAC_GROUP) != 0;
}

static struct entry *
find(const struct fdb *fdb, uint64_t mac)
{
    struct entry *entry;

    HASH_FIND(hh, fdb->entries, &mac, sizeof mac, entry);
    return entry;
}

void
fdb_set(struct fdb *fdb, uint64_t mac, uint32_t port)
{
    struct entry *entry = find(fdb, mac);

    if (!entry) {
        entry = check_calloc(1, sizeof *entry);
        entry->mac = mac;
        HASH_ADD(hh, fdb->entries, mac, sizeof entry->mac, entry);
    }
    entry->port = port;
}

bool
fdb_remove(struct fdb *fdb, uint64_t mac)
{
    struct entry *entry = find(fdb, mac);

    if (entry) {
        drop(fdb, entry);
    }
    return entry != NULL;
}

void
fdb_forget_port(struct fdb *fdb, uint32_t port)
{
    struct entry *entry;
    struct entry *next;

    HASH_ITER(hh, fdb->entries, entry, next)
    {
        if (entry->port == port) {
            drop(fdb, entry);
        }
    }
}

uint32_t
fdb_get(const struct fdb *fdb, uint64_t mac)
{
    const struct entry *entry = find(fdb, mac);

    return entry ? entry->port : FDB_NONE;
}
