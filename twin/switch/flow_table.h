/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_FLOW_TABLE_H
#define ORCHD_TWIN_SWITCH_FLOW_TABLE_H

/* What a switch has decided for the flows that pass it.
 *
 * Motivation: forwarding, classification and the choice among equal paths give
 * the same result for every frame of a flow as long as nothing is configured.
 * So the first frame of a flow takes the full path through traps, router and
 * bridge, and leaves an entry: all that the path found, compiled into the
 * fields to compare and the fields to write.  The following frames need one
 * cache line.
 *
 * Key.  A flow is known by the number of its payload (twin/forwarding/frame.h)
 * and its ingress port.  What else the decision depended on is compared:
 * addresses, tag, headers of classification; TTL and length only have limits.
 *
 * Validity.  The switch counts changes of everything that the full path reads;
 * an entry is valid as long as this count is the same.  The full path is the
 * reference; sim_set_check() makes a switch take it for every frame and
 * compare.
 *
 * Access lists.  The rules that a frame matches depend on its headers, which
 * are the same for all frames of a flow but for TTL, ECN and length.  So an
 * entry is made unless a rule looks at these, or does what the entry cannot
 * repeat: copy, meter, change the DSCP, or count more than twice.  The counters
 * of rules are not deferred: they belong to others, who may free them with the
 * next change.
 *
 * Counts.  An entry counts the frames that it was used for, so that a frame
 * touches no counter of bridge and router.  The owner of the table moves the
 * counts there before they are read, and before the entry ends.
 *
 * The table is direct-mapped with two places per key, and grows while entries
 * displace each other, up to a limit: then flows that share a place take the
 * full path more often, but no result changes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct acl_trail;
struct fdb_entry;
struct line_pool;

enum {
    FLOW_TABLE_MIN_BITS = 3,
    FLOW_TABLE_MAX_BITS = 12, /* 4,096 flows, 256 KB. */
};

/* Properties of an entry. */
enum {
    FLOW_IS_ROUTED = 1 << 0,
    FLOW_LEAVES_PORT = 1 << 1, /* As in struct sim_frame. */
    FLOW_TAKES_TTL = 1 << 2,   /* The TTL is decremented. */
    FLOW_HAS_SOURCE = 1 << 3,  /* The source address matters. */
    FLOW_COUNTS = 1 << 4,      /* Rules of access lists count it. */
};

/* One flow: a cache line.  An address shares its 64 bits with a number of 16
 * bits, the higher ones. */
struct flow_entry {
    uint32_t number;    /* Of its payload; 0: the entry is empty. */
    uint32_t interface; /* If it is routed: the egress interface ... */

    /* Compared. */
    uint64_t dst_and_tag;
    uint64_t src_and_in; /* With the ingress port; the source address is 0
                          * unless it matters. */

    /* Written. */
    uint64_t dst_and_vlan;
    uint64_t src_and_out; /* With the egress port. */

    uint32_t in_interface; /* ... and the ingress interface. */
    uint32_t queue;        /* Of the MMU. */
    uint16_t pg;           /* Of the MMU. */
    uint16_t max_bytes;    /* Longer frames take the full path. */
    uint16_t headers;      /* Compared: see sim_flow_headers__(). */
    uint16_t in_vlan;      /* In which the bridge counts it; 0: none. */
    uint8_t tc;
    uint8_t color : 2;
    uint8_t flags : 6;

    /* Counted here; not full (see flow_entry_is_full()). */
    uint16_t n_frames;
    uint32_t octets;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct flow_entry) == 64, "an entry is a cache line");

struct flow_table;

/* Called with an entry of 'table' whose counts end, if it has counted frames.
 */
typedef void flow_table_end_fn(const struct flow_table *table,
                               const struct flow_entry *entry);

/* Empty if all but 'memory' and 'end' is 0. */
struct flow_table {
    struct flow_entry *entries; /* Of 'memory'; 2^bits of them. */

    /* By entry: the address that the frames of the flow touch, or NULL.
     * Apart, because only ageing needs it. */
    const struct fdb_entry **touches;
    uint32_t bits;
    uint32_t displaced;       /* Since the table has grown. */
    uint32_t changes;         /* Of the switch, when the entries were made. */
    bool counts;              /* Some entry may have counted frames. */
    bool has_trails;          /* Some entry may have FLOW_COUNTS: behind
                               * 'touches' are the counters, by entry. */
    struct line_pool *memory; /* Borrowed. */
    flow_table_end_fn *end;
};

/* Calls 'end' of 'table' with all entries that have counted frames, and resets
 * their counts. */
void flow_table_report(struct flow_table *table);

/* Returns whether 'entry' must be reported before it counts another frame: it
 * counts up to 2^16 - 1 frames of up to 2^16 - 1 octets. */
static inline bool
flow_entry_is_full(const struct flow_entry *entry)
{
    return entry->n_frames == UINT16_MAX;
}

/* Frees what 'table' owns, and leaves it empty. */
void flow_table_fini(struct flow_table *table);

/* Removes all entries. */
void flow_table_clear(struct flow_table *table, uint32_t changes);

/* Returns the entry for a flow, to be filled; it may have been that of another
 * one.  Sets '*at' to its position. */
struct flow_entry *flow_table_add(struct flow_table *table, uint32_t number,
                                  uint32_t in, uint32_t *at);

/* Returns the counters of the rules of an entry with FLOW_COUNTS. */
struct acl_trail *flow_table_trail(const struct flow_table *table,
                                   const struct flow_entry *entry);

/* Sets those of the entry at 'at'. */
void flow_table_set_trail(struct flow_table *table, uint32_t at,
                          const struct acl_trail *trail);

/* Returns the first place of a flow; the other one is its neighbor. */
static inline uint32_t
flow_table_place__(const struct flow_table *table, uint32_t number, uint32_t in)
{
    /* Multiplication by an odd number near 2^32 divided by the golden ratio
     * spreads consecutive numbers evenly over the highest bits. */
    return ((number + (in << 20)) * UINT32_C(0x9e3779b1)) >> (32 - table->bits);
}

/* Returns whether 'entry' is that of flow 'number' from port 'in'. */
static inline bool
flow_entry_is__(const struct flow_entry *entry, uint32_t number, uint32_t in)
{
    return entry->number == number && entry->src_and_in >> 48 == in;
}

/* Returns the entry of a flow (whose number is not 0), NULL if there is none.
 */
static inline struct flow_entry *
flow_table_find(const struct flow_table *table, uint32_t number, uint32_t in)
{
    uint32_t place;

    if (!table->entries) {
        return NULL;
    }
    place = flow_table_place__(table, number, in);
    if (flow_entry_is__(&table->entries[place], number, in)) {
        return &table->entries[place];
    }
    place ^= 1;
    return flow_entry_is__(&table->entries[place], number, in)
               ? &table->entries[place]
               : NULL;
}

#endif /* twin/switch/flow_table.h */
