/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_ACL_H
#define ORCHD_TWIN_FORWARDING_ACL_H

/* Access lists: tables of rules that match the headers of packets.
 *
 * A rule has a value and a mask over a fixed key, as in a TCAM, and conditions
 * that are no masks: ranges of numbers and a set of ports.  It matches a packet
 * if all bits under the mask and all conditions do.  Of the rules of a table
 * that match, the one with the highest priority wins; of equal ones that with
 * the lowest number.
 *
 * Search.  Rules with the same mask are in a group, which is a hash table of
 * their values.  A filter (acl_filter.h) says which of the first 1,024 groups
 * the packet can match, usually very few; only these are searched, and all
 * further ones.  So the cost grows with the number of different masks of single
 * fields, and a little with that of groups, but not with that of rules.  Among
 * rules that differ only in their conditions it is a linear scan.
 *
 * Sets.  What is bound to a port is a set of tables, in the order of their
 * precedence.  In a sequential set the first table with a match decides; in a
 * parallel one all tables are searched, every rule that matches counts the
 * packet, and of each kind of action that of the first table is taken.
 *
 * Nothing here depends on the rest of a switch.  All pointers are borrowed. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct policer;

/* Bits of 'is': what a packet is and has.  A packet never has ACL_IMPOSSIBLE,
 * so a rule that wants it matches none. */
enum {
    ACL_IS_IP = 1 << 0,
    ACL_IS_V4 = 1 << 1,
    ACL_IS_V6 = 1 << 2,
    ACL_IS_ARP = 1 << 3,
    ACL_IS_ARP_REQUEST = 1 << 4,
    ACL_IS_ARP_REPLY = 1 << 5,
    ACL_IS_ICMP = 1 << 6,
    ACL_IS_ICMPV6 = 1 << 7,
    ACL_IS_TCP = 1 << 8,
    ACL_HAS_PORTS = 1 << 9, /* Of TCP, UDP or SCTP. */
    ACL_HAS_TAG = 1 << 10,  /* Of a VLAN, or of priority only. */
    ACL_IMPOSSIBLE = 1 << 15,
};

/* What can be matched: the headers of a packet as it arrived, and what the
 * switch knows about it.  A header that it does not have is 0.  The port is the
 * one where it is matched: that of its arrival, or at egress the one by which
 * it leaves. */
struct acl_fields {
    uint64_t dst_mac;
    uint64_t src_mac;
    uint8_t src_ip[16];
    uint8_t dst_ip[16];
    uint16_t type; /* After the tags. */
    uint16_t vlan; /* Of the outer tag. */
    uint16_t src_port;
    uint16_t dst_port;
    uint16_t in_port;
    uint16_t in_lag; /* 0: its port is in none. */
    uint8_t protocol;
    uint8_t class_byte; /* DSCP and ECN. */
    uint8_t ttl;
    uint8_t tc;
    uint16_t is; /* ACL_IS_*, ACL_HAS_* */
    uint8_t pcp;
    uint8_t tcp_flags;
    uint8_t icmp_type;
    uint8_t icmp_code;
    uint16_t length_bytes;
};

enum { ACL_WORDS = sizeof(struct acl_fields) / sizeof(uint64_t) };

/* The same for comparison. */
union acl_key {
    struct acl_fields fields;
    uint64_t words[ACL_WORDS];
};

_Static_assert(sizeof(union acl_key) == sizeof(uint64_t[ACL_WORDS]) &&
                   sizeof(struct acl_fields) == 72,
               "a key has no padding");

/* A range of one field, both ends included. */
enum acl_range_of {
    ACL_SRC_PORT,
    ACL_DST_PORT,
    ACL_VLAN,
    ACL_LENGTH,
};

struct acl_range {
    enum acl_range_of of;
    uint32_t min;
    uint32_t max;
};

enum { ACL_MAX_RANGES = 16 };

/* What happens to a packet. */
enum acl_action {
    ACL_DROP = 0,
    ACL_FORWARD = 1 << 0,
    ACL_COPY = 1 << 1, /* To the processor. */
};

/* Kinds of actions. */
enum {
    ACL_SETS_ACTION = 1 << 0,
    ACL_SETS_TC = 1 << 1,
    ACL_SETS_COLOR = 1 << 2,
    ACL_SETS_DSCP = 1 << 3,
    ACL_METERS = 1 << 4,
    ACL_KEEPS_WHOLE = 1 << 5, /* The packet is not trimmed. */
};

/* The actions of a rule, or of all rules that match.  Only members of the kinds
 * in 'kinds' are valid. */
struct acl_actions {
    uint8_t kinds;  /* ACL_SETS_*, ACL_METERS, ACL_KEEPS_WHOLE */
    uint8_t action; /* enum acl_action, combined. */
    uint8_t tc;
    uint8_t color;
    uint8_t dscp;
    struct policer *policer;
};

/* Packets that matched, and their bytes. */
struct acl_count {
    uint64_t packets;
    uint64_t bytes;
};

/* The counters of the rules that matched a packet. */
enum { ACL_TRAIL_COUNTS = 2 };

struct acl_trail {
    uint32_t n; /* May be larger than ACL_TRAIL_COUNTS; 'counts' then has the
                 * first ones only. */
    struct acl_count *counts[ACL_TRAIL_COUNTS];
};

/* One rule.  The caller fills it in, keeps it while it is in a table, and does
 * not change it there except for 'actions' and 'count'. */
struct acl_rule {
    union acl_key value; /* 0 where the mask is. */
    union acl_key mask;
    uint32_t priority; /* The largest wins, ... */
    uint32_t number;   /* ... then the lowest number; unique in a table. */

    const uint64_t *ports; /* A bit per port, of which 'in_port' must be one; */
    uint32_t n_ports;      /* so many.  NULL: any port. */
    uint32_t n_ranges;
    struct acl_range ranges[ACL_MAX_RANGES];

    struct acl_actions actions;
    struct acl_count *count; /* NULL: it is not counted. */

    /* Private. */
    struct acl_rule *next; /* With the same place in its group. */
    uint32_t hash;
};

/* Requires that 'rule' match 'size' bytes of the field at 'offset' (of struct
 * acl_fields) with 'value' under 'mask', beside what it requires already.  A
 * contradiction makes it match nothing. */
void acl_rule_require(struct acl_rule *rule, size_t offset, size_t size,
                      const void *value, const void *mask);

/* The same for bits of 'is': those in 'mask' must be as in 'value'. */
void acl_rule_require_is(struct acl_rule *rule, uint16_t value, uint16_t mask);

struct acl_table;

/* Returns a new, empty table.  End with acl_table_destroy(), which forgets the
 * rules in it. */
struct acl_table *acl_table_create(void);
void acl_table_destroy(struct acl_table *table);

/* Adds 'rule'. */
void acl_table_add(struct acl_table *table, struct acl_rule *rule);

/* Removes 'rule', which is in 'table'. */
void acl_table_remove(struct acl_table *table, struct acl_rule *rule);

/* Returns how many different masks the rules of 'table' have. */
uint32_t acl_table_n_masks(const struct acl_table *table);

/* Returns the rule of 'table' that a packet with 'key' matches, NULL if there
 * is none. */
const struct acl_rule *acl_table_find(const struct acl_table *table,
                                      const union acl_key *key);

/* Tables bound to one place, the first one with the highest precedence. */
struct acl_set {
    bool is_parallel;
    uint32_t n;
    const struct acl_table **tables;
};

/* Searches 'set' (NULL: empty) for a packet with 'key', counts it, and adds to
 * '*actions' the kinds of actions that it does not have yet, and to '*trail'
 * the counters. */
void acl_set_apply(const struct acl_set *set, const union acl_key *key,
                   struct acl_actions *actions, struct acl_trail *trail);

/* Returns whether a rule of 'set' (NULL: empty) may match one of two packets
 * and not the other if their keys differ in bits of 'mask' only. */
bool acl_set_reads(const struct acl_set *set, const union acl_key *mask);

/* Counts a packet of 'length_bytes'. */
static inline void
acl_count_add(struct acl_count *count, uint32_t length_bytes)
{
    count->packets++;
    count->bytes += length_bytes;
}

#endif /* twin/forwarding/acl.h */
