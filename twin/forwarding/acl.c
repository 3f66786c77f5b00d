/* SPDX-License-Identifier: Apache-2.0 */

/* Tuple space search: a hash table per mask. */

#include <config.h>

#include "twin/forwarding/acl.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/forwarding/acl_filter.h"

enum { MIN_BITS = 3, MAX_BITS = 24 };

/* Rules of a group whose hashes begin with the same bits. */
struct place {
    struct acl_rule *first; /* The best one. */
    uint64_t filter;        /* Bit h % 64 is set if one has hash h, so that few
                             * rules are read that do not match. */
};

/* The rules with one mask. */
struct group {
    uint64_t best; /* The rank of its best rule. */
    union acl_key mask;
    uint64_t masks[ACL_WORDS]; /* Its words that are not 0, ... */
    uint8_t used[ACL_WORDS];   /* ... and where they are. */
    uint32_t n_used;
    uint32_t n_rules;
    uint32_t bits;
    uint32_t slot;        /* In the filter; ACL_FILTER_SLOTS: none. */
    struct place *places; /* 2^bits of them. */
};

struct acl_table {
    struct group **groups; /* The one with the best rule first. */
    union acl_key reads;   /* The bits that a rule looks at; some of them may
                            * be those of rules that were removed since there
                            * was another mask. */
    uint32_t n_groups;
    uint32_t room;
    uint32_t n_rules;
    uint32_t n_unfiltered; /* Groups without a slot. */
    struct group *slots[ACL_FILTER_SLOTS];
    struct acl_filter filter;
};

/* Odd numbers, from the fractions of square roots of primes. */
static const uint64_t factors[ACL_WORDS] = {
    UINT64_C(0x6a09e667f3bcc909), UINT64_C(0xbb67ae8584caa73b),
    UINT64_C(0x3c6ef372fe94f82b), UINT64_C(0xa54ff53a5f1d36f1),
    UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
    UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
    UINT64_C(0xcbbb9d5dc1059ed9)};

/* Returns the place of 'rule' in the order of a table: the larger wins. */
static inline uint64_t
rank_of(const struct acl_rule *rule)
{
    return (uint64_t)rule->priority << 32 | (UINT32_MAX - rule->number);
}

/* Returns the hash of the bits of 'key' under the mask of 'group'.  The
 * products do not depend on each other. */
static inline uint32_t
hash_of(const struct group *group, const union acl_key *key)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < group->n_used; i++) {
        const uint32_t w = group->used[i];

        sum += (key->words[w] & group->masks[i]) * factors[w];
    }
    return (uint32_t)((sum ^ sum >> 29) * factors[0] >> 32);
}

static inline struct place *
place_of(const struct group *group, uint32_t hash)
{
    return &group->places[hash >> (32 - group->bits)];
}

static inline uint64_t
bit_of(uint32_t hash)
{
    return UINT64_C(1) << (hash & 63);
}

/* Rules --------------------------------------------------------------- */

void
acl_rule_require(struct acl_rule *rule, size_t offset, size_t size,
                 const void *value, const void *mask)
{
    uint8_t *values = (uint8_t *)&rule->value + offset;
    uint8_t *masks = (uint8_t *)&rule->mask + offset;
    const uint8_t *v = value;
    const uint8_t *m = mask;
    unsigned int differs = 0;

    orch_assert(offset + size <= sizeof(struct acl_fields));
    for (size_t i = 0; i < size; i++) {
        differs |= (values[i] ^ v[i]) & masks[i] & m[i];
        values[i] |= v[i] & m[i];
        masks[i] |= m[i];
    }
    if (differs) {
        rule->value.fields.is |= ACL_IMPOSSIBLE;
        rule->mask.fields.is |= ACL_IMPOSSIBLE;
    }
}

void
acl_rule_require_is(struct acl_rule *rule, uint16_t value, uint16_t mask)
{
    acl_rule_require(rule, offsetof(struct acl_fields, is), sizeof value,
                     &value, &mask);
}

/* Returns whether the ranges and the ports of 'rule' fit 'fields'. */
static bool
fits(const struct acl_rule *rule, const struct acl_fields *fields)
{
    const uint32_t numbers[] = {
        [ACL_SRC_PORT] = fields->src_port,
        [ACL_DST_PORT] = fields->dst_port,
        [ACL_VLAN] = fields->vlan,
        [ACL_LENGTH] = fields->length_bytes,
    };
    const uint32_t port = fields->in_port;

    if (rule->ports &&
        (port >= rule->n_ports || !(rule->ports[port / 64] >> port % 64 & 1))) {
        return false;
    }
    for (uint32_t i = 0; i < rule->n_ranges; i++) {
        const struct acl_range *range = &rule->ranges[i];

        if (numbers[range->of] < range->min ||
            numbers[range->of] > range->max) {
            return false;
        }
    }
    return true;
}

/* Groups -------------------------------------------------------------- */

static struct group *
group_create(const union acl_key *mask)
{
    struct group *group = check_calloc(1, sizeof *group);

    group->mask = *mask;
    for (uint8_t i = 0; i < ACL_WORDS; i++) {
        if (mask->words[i]) {
            group->masks[group->n_used] = mask->words[i];
            group->used[group->n_used++] = i;
        }
    }
    group->bits = MIN_BITS;
    group->places = check_calloc((size_t)1 << MIN_BITS, sizeof(struct place));
    return group;
}

static void
group_destroy(struct group *group)
{
    free(group->places);
    free(group);
}

/* Puts 'rule', whose hash is known, in its place. */
static void
insert(struct group *group, struct acl_rule *rule)
{
    struct place *place = place_of(group, rule->hash);
    struct acl_rule **at = &place->first;

    place->filter |= bit_of(rule->hash);
    while (*at && rank_of(*at) > rank_of(rule)) {
        at = &(*at)->next;
    }
    rule->next = *at;
    *at = rule;
}

/* Doubles the places of 'group'. */
static void
grow(struct group *group)
{
    struct place *old = group->places;
    const size_t n_old = (size_t)1 << group->bits;

    group->bits++;
    group->places = check_calloc(n_old * 2, sizeof(struct place));
    for (size_t i = 0; i < n_old; i++) {
        struct acl_rule *rule = old[i].first;

        while (rule) {
            struct acl_rule *next = rule->next;

            insert(group, rule);
            rule = next;
        }
    }
    free(old);
}

static void
group_add(struct group *group, struct acl_rule *rule)
{
    if (group->n_rules >> group->bits && group->bits < MAX_BITS) {
        grow(group);
    }
    rule->hash = hash_of(group, &rule->value);
    insert(group, rule);
    group->n_rules++;
    if (rank_of(rule) > group->best) {
        group->best = rank_of(rule);
    }
}

/* Removes 'rule', and finds the best rule again if that was it. */
static void
group_remove(struct group *group, struct acl_rule *rule)
{
    struct place *place = place_of(group, rule->hash);
    struct acl_rule **at = &place->first;

    while (*at != rule) {
        orch_assert(*at);
        at = &(*at)->next;
    }
    *at = rule->next;
    place->filter = 0;
    for (const struct acl_rule *i = place->first; i; i = i->next) {
        place->filter |= bit_of(i->hash);
    }
    group->n_rules--;
    if (rank_of(rule) != group->best) {
        return;
    }
    group->best = 0;
    for (size_t i = 0; i < (size_t)1 << group->bits; i++) {
        const struct acl_rule *first = group->places[i].first;

        if (first && rank_of(first) > group->best) {
            group->best = rank_of(first);
        }
    }
}

/* Returns the best rule of 'group' for 'key' that is better than 'least', NULL
 * if there is none. */
static inline const struct acl_rule *
group_find(const struct group *group, const union acl_key *key, uint64_t least)
{
    const uint32_t hash = hash_of(group, key);
    const struct place *place = place_of(group, hash);

    if (!(place->filter & bit_of(hash))) {
        return NULL;
    }
    for (const struct acl_rule *rule = place->first;
         rule && rank_of(rule) > least; rule = rule->next) {
        uint64_t differs = rule->hash ^ hash;

        for (uint32_t i = 0; i < group->n_used && !differs; i++) {
            const uint32_t w = group->used[i];

            differs = (key->words[w] & group->masks[i]) ^ rule->value.words[w];
        }
        if (!differs && fits(rule, &key->fields)) {
            return rule;
        }
    }
    return NULL;
}

/* Tables -------------------------------------------------------------- */

struct acl_table *
acl_table_create(void)
{
    return check_calloc(1, sizeof(struct acl_table));
}

void
acl_table_destroy(struct acl_table *table)
{
    for (uint32_t i = 0; i < table->n_groups; i++) {
        group_destroy(table->groups[i]);
    }
    acl_filter_fini(&table->filter);
    free(table->groups);
    free(table);
}

/* Returns the position of the group of 'mask', 'n_groups' if there is none. */
static uint32_t
find_group(const struct acl_table *table, const union acl_key *mask)
{
    uint32_t i = 0;

    while (i < table->n_groups &&
           memcmp(&table->groups[i]->mask, mask, sizeof *mask) != 0) {
        i++;
    }
    return i;
}

/* Moves group 'i', whose best rule has changed, to where it belongs. */
static void
sort(struct acl_table *table, uint32_t i)
{
    struct group *group = table->groups[i];

    for (; i > 0 && table->groups[i - 1]->best < group->best; i--) {
        table->groups[i] = table->groups[i - 1];
    }
    for (; i + 1 < table->n_groups && table->groups[i + 1]->best > group->best;
         i++) {
        table->groups[i] = table->groups[i + 1];
    }
    table->groups[i] = group;
}

/* Adds the bits at which 'rule' looks beside those under its mask. */
static void
note_conditions(const struct acl_rule *rule, union acl_key *reads)
{
    struct acl_fields *fields = &reads->fields;

    fields->in_port |= rule->ports ? UINT16_MAX : 0;
    for (uint32_t i = 0; i < rule->n_ranges; i++) {
        switch (rule->ranges[i].of) {
        case ACL_SRC_PORT:
            fields->src_port = UINT16_MAX;
            break;
        case ACL_DST_PORT:
            fields->dst_port = UINT16_MAX;
            break;
        case ACL_VLAN:
            fields->vlan = UINT16_MAX;
            break;
        case ACL_LENGTH:
            fields->length_bytes = UINT16_MAX;
            break;
        }
    }
}

static void
add_bits(const union acl_key *bits, union acl_key *reads)
{
    for (size_t i = 0; i < ACL_WORDS; i++) {
        reads->words[i] |= bits->words[i];
    }
}

/* Finds again what the rules of 'table' look at. */
static void
note_reads(struct acl_table *table)
{
    table->reads = (union acl_key){0};
    for (uint32_t i = 0; i < table->n_groups; i++) {
        const struct group *group = table->groups[i];

        add_bits(&group->mask, &table->reads);
        for (size_t k = 0; k < (size_t)1 << group->bits; k++) {
            for (const struct acl_rule *rule = group->places[k].first; rule;
                 rule = rule->next) {
                note_conditions(rule, &table->reads);
            }
        }
    }
}

/* Gives 'group' a slot in the filter of 'table', if there is one. */
static void
take_slot(struct acl_table *table, struct group *group)
{
    group->slot = acl_filter_take(&table->filter, ACL_WORDS, group->mask.words);
    if (group->slot < ACL_FILTER_SLOTS) {
        table->slots[group->slot] = group;
    } else {
        table->n_unfiltered++;
    }
}

static void
give_slot(struct acl_table *table, const struct group *group)
{
    if (group->slot < ACL_FILTER_SLOTS) {
        acl_filter_give(&table->filter, group->slot);
    } else {
        table->n_unfiltered--;
    }
}

/* Fills the filter of 'table' again. */
static void
refill(struct acl_table *table)
{
    acl_filter_clear(&table->filter, table->n_rules);
    for (uint32_t i = 0; i < table->n_groups; i++) {
        const struct group *group = table->groups[i];

        if (group->slot == ACL_FILTER_SLOTS) {
            continue;
        }
        for (size_t k = 0; k < (size_t)1 << group->bits; k++) {
            for (const struct acl_rule *rule = group->places[k].first; rule;
                 rule = rule->next) {
                acl_filter_note(&table->filter, group->slot, rule->value.words);
            }
        }
    }
}

void
acl_table_add(struct acl_table *table, struct acl_rule *rule)
{
    const uint32_t i = find_group(table, &rule->mask);
    struct group *group;

    if (i == table->n_groups) {
        if (table->n_groups == table->room) {
            table->room = table->room ? 2 * table->room : 4;
            table->groups = check_realloc(table->groups,
                                          table->room * sizeof(struct group *));
        }
        table->groups[table->n_groups++] = group_create(&rule->mask);
        take_slot(table, table->groups[i]);
    }
    group = table->groups[i];
    group_add(group, rule);
    table->n_rules++;
    sort(table, i);
    if (group->slot < ACL_FILTER_SLOTS) {
        acl_filter_note(&table->filter, group->slot, rule->value.words);
        if (acl_filter_is_full(&table->filter)) {
            refill(table);
        }
    }
    add_bits(&rule->mask, &table->reads);
    note_conditions(rule, &table->reads);
}

void
acl_table_remove(struct acl_table *table, struct acl_rule *rule)
{
    const uint32_t i = find_group(table, &rule->mask);
    struct group *group;

    orch_assert(i < table->n_groups);
    group = table->groups[i];
    group_remove(group, rule);
    table->n_rules--;
    if (group->n_rules) {
        sort(table, i);
        return;
    }
    give_slot(table, group);
    group_destroy(group);
    table->n_groups--;
    memmove(table->groups + i, table->groups + i + 1,
            (table->n_groups - i) * sizeof(struct group *));
    note_reads(table);
}

uint32_t
acl_table_n_masks(const struct acl_table *table)
{
    return table->n_groups;
}

/* Returns a rule that is better than 'best' (NULL: than none) among the groups
 * that the filter does not know, else 'best'. */
static const struct acl_rule *
find_unfiltered(const struct acl_table *table, const union acl_key *key,
                const struct acl_rule *best)
{
    for (uint32_t i = 0; i < table->n_groups; i++) {
        const struct group *group = table->groups[i];
        const uint64_t least = best ? rank_of(best) : 0;
        const struct acl_rule *rule;

        if (group->best < least) {
            break;
        }
        if (group->slot == ACL_FILTER_SLOTS) {
            rule = group_find(group, key, least);
            best = rule ? rule : best;
        }
    }
    return best;
}

/* Returns a rule that is better than 'best' (NULL: than none) among the groups
 * of set 'set' of the filter, else 'best'.  Inline, with 'n_sets' constant
 * where that is most frequent. */
static inline const struct acl_rule *
find_in_set(const struct acl_table *table, const union acl_key *key,
            uint32_t set, uint32_t n_sets, const struct acl_rule *best)
{
    uint64_t least = best ? rank_of(best) : 0;

    for (uint64_t slots =
             acl_filter_search(&table->filter, key->words, set, n_sets);
         slots; slots &= slots - 1) {
        const struct group *group =
            table->slots[set * 64 + (uint32_t)__builtin_ctzll(slots)];
        const struct acl_rule *rule =
            group->best < least ? NULL : group_find(group, key, least);

        if (rule) {
            best = rule;
            least = rank_of(rule);
        }
    }
    return best;
}

const struct acl_rule *
acl_table_find(const struct acl_table *table, const union acl_key *key)
{
    const uint32_t n_sets = table->filter.n_sets;
    const struct acl_rule *best = NULL;

    if (n_sets == 1) {
        return find_in_set(table, key, 0, 1, NULL);
    }
    for (uint32_t set = 0; set < n_sets; set++) {
        best = find_in_set(table, key, set, n_sets, best);
    }
    return table->n_unfiltered ? find_unfiltered(table, key, best) : best;
}

/* Sets ---------------------------------------------------------------- */

/* Adds to '*all' the kinds of actions of 'rule' that it does not have. */
static void
take(const struct acl_rule *rule, struct acl_actions *all)
{
    const struct acl_actions *own = &rule->actions;
    const uint8_t kinds = own->kinds & (uint8_t)~all->kinds;

    all->kinds |= kinds;
    all->action = kinds & ACL_SETS_ACTION ? own->action : all->action;
    all->tc = kinds & ACL_SETS_TC ? own->tc : all->tc;
    all->color = kinds & ACL_SETS_COLOR ? own->color : all->color;
    all->dscp = kinds & ACL_SETS_DSCP ? own->dscp : all->dscp;
    all->policer = kinds & ACL_METERS ? own->policer : all->policer;
}

void
acl_set_apply(const struct acl_set *set, const union acl_key *key,
              struct acl_actions *actions, struct acl_trail *trail)
{
    for (uint32_t i = 0; set && i < set->n; i++) {
        const struct acl_rule *rule = acl_table_find(set->tables[i], key);

        if (!rule) {
            continue;
        }
        if (rule->count) {
            acl_count_add(rule->count, key->fields.length_bytes);
            if (trail->n < ACL_TRAIL_COUNTS) {
                trail->counts[trail->n] = rule->count;
            }
            trail->n++;
        }
        take(rule, actions);
        if (!set->is_parallel) {
            return;
        }
    }
}

bool
acl_set_reads(const struct acl_set *set, const union acl_key *mask)
{
    uint64_t common = 0;

    for (uint32_t i = 0; set && i < set->n; i++) {
        const union acl_key *reads = &set->tables[i]->reads;

        for (size_t w = 0; w < ACL_WORDS; w++) {
            common |= reads->words[w] & mask->words[w];
        }
    }
    return common != 0;
}
