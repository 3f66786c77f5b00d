/* SPDX-License-Identifier: Apache-2.0 */

/* Access lists against a linear scan: tables of random rules, which are added
 * and removed at random, are searched with random keys.
 *
 * Fields have few values and masks are drawn from a few shapes, so that rules
 * overlap, share masks and contradict themselves.  Usage: test_acl [SEED
 * [STEPS]]. */

#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/random.h"
#include "twin/forwarding/acl.h"
#include "twin/forwarding/acl_filter.h"

enum { MAX_RULES = 1500, MAX_PORTS = 70, KEYS_PER_STEP = 4 };

/* One table and what must be in it. */
struct world {
    struct random random;
    struct acl_table *table;
    struct acl_rule rules[MAX_RULES];
    bool is_in[MAX_RULES];
    uint64_t ports[MAX_RULES][2];
    uint32_t n_used;
    uint64_t n_found;
    uint32_t most_masks;
    uint64_t n_read, n_unread; /* Masks at which a rule looked, or none. */
};

static uint32_t
below(struct world *w, uint32_t n)
{
    return (uint32_t)(random_u64(&w->random) % n);
}

/* Fills every field of '*key' with one of few values. */
static void
draw_key(struct world *w, union acl_key *key)
{
    uint8_t *bytes = (uint8_t *)key;

    memset(key, 0, sizeof *key);
    for (size_t i = 0; i < sizeof *key; i++) {
        bytes[i] = (uint8_t)(below(w, 3) << (i % 7));
    }
    key->fields.is &= (uint16_t)~ACL_IMPOSSIBLE;
    key->fields.in_port = (uint16_t)below(w, MAX_PORTS + 5);
    key->fields.src_port = (uint16_t)below(w, 20);
    key->fields.vlan = (uint16_t)below(w, 20);
}

/* Adds conditions that are no masks to 'rule' of index 'i'. */
static void
draw_conditions(struct world *w, struct acl_rule *rule, uint32_t i)
{
    if (below(w, 4) == 0) {
        w->ports[i][0] = random_u64(&w->random);
        w->ports[i][1] = random_u64(&w->random);
        rule->ports = w->ports[i];
        rule->n_ports = MAX_PORTS;
    }
    rule->n_ranges = below(w, 4) == 0 ? 1 + below(w, 2) : 0;
    for (uint32_t r = 0; r < rule->n_ranges; r++) {
        rule->ranges[r].of = below(w, 2) ? ACL_SRC_PORT : ACL_VLAN;
        rule->ranges[r].min = below(w, 20);
        rule->ranges[r].max = rule->ranges[r].min + below(w, 10);
    }
}

/* Makes rule 'i' one of few shapes. */
static void
draw_rule(struct world *w, uint32_t i)
{
    static const struct {
        size_t offset, size;
    } fields[] = {
        {offsetof(struct acl_fields, dst_mac), 8},
        {offsetof(struct acl_fields, src_mac), 8},
        {offsetof(struct acl_fields, src_ip), 4},
        {offsetof(struct acl_fields, dst_ip), 16},
        {offsetof(struct acl_fields, dst_port), 2},
        {offsetof(struct acl_fields, class_byte), 1},
        {offsetof(struct acl_fields, ttl), 1},
        {offsetof(struct acl_fields, is), 2},
    };
    static const uint8_t masks[] = {0xff, 0xff, 0x0f, 0x07, 0x03, 0x01, 0x00};
    struct acl_rule *rule = &w->rules[i];
    union acl_key key;

    *rule = (struct acl_rule){.priority = below(w, 8), .number = i};
    for (uint32_t n = below(w, 4); n > 0; n--) {
        const uint32_t f = below(w, sizeof fields / sizeof fields[0]);
        uint8_t mask[16];

        draw_key(w, &key);
        memset(mask, masks[below(w, sizeof masks)], sizeof mask);
        if (fields[f].offset == offsetof(struct acl_fields, is)) {
            mask[1] &= 0x7f;
        }
        acl_rule_require(rule, fields[f].offset, fields[f].size,
                         (uint8_t *)&key + fields[f].offset, mask);
    }
    draw_conditions(w, rule, i);
}

/* Returns whether 'rule' matches 'key', one byte after another. */
static bool
matches(const struct acl_rule *rule, const union acl_key *key)
{
    const uint8_t *bytes = (const uint8_t *)key;
    const uint8_t *value = (const uint8_t *)&rule->value;
    const uint8_t *mask = (const uint8_t *)&rule->mask;
    const uint32_t port = key->fields.in_port;

    for (size_t i = 0; i < sizeof *key; i++) {
        if ((bytes[i] & mask[i]) != value[i]) {
            return false;
        }
    }
    for (uint32_t r = 0; r < rule->n_ranges; r++) {
        const uint32_t number = rule->ranges[r].of == ACL_VLAN
                                    ? key->fields.vlan
                                    : key->fields.src_port;

        if (number < rule->ranges[r].min || number > rule->ranges[r].max) {
            return false;
        }
    }
    return !rule->ports ||
           (port < MAX_PORTS && (rule->ports[port / 64] >> port % 64 & 1));
}

/* Returns the rule that 'key' must find. */
static const struct acl_rule *
scan(const struct world *w, const union acl_key *key)
{
    const struct acl_rule *best = NULL;

    for (uint32_t i = 0; i < w->n_used; i++) {
        const struct acl_rule *rule = &w->rules[i];

        /* Numbers ascend, so the first of equal ones stays. */
        if (w->is_in[i] && (!best || rule->priority > best->priority) &&
            matches(rule, key)) {
            best = rule;
        }
    }
    return best;
}

/* Adds or removes rule 'i'. */
static void
toggle(struct world *w, uint32_t i)
{
    if (w->is_in[i]) {
        acl_table_remove(w->table, &w->rules[i]);
    } else {
        draw_rule(w, i);
        acl_table_add(w->table, &w->rules[i]);
    }
    w->is_in[i] = !w->is_in[i];
    if (acl_table_n_masks(w->table) > w->most_masks) {
        w->most_masks = acl_table_n_masks(w->table);
    }
}

static void
check(struct world *w)
{
    union acl_key key;

    draw_key(w, &key);
    if (below(w, 2) && w->n_used) { /* Near one of the rules. */
        const struct acl_rule *rule = &w->rules[below(w, w->n_used)];

        for (uint32_t i = 0; i < ACL_WORDS; i++) {
            key.words[i] =
                (key.words[i] & ~rule->mask.words[i]) | rule->value.words[i];
        }
        key.fields.is &= (uint16_t)~ACL_IMPOSSIBLE;
    }
    orch_assert(acl_table_find(w->table, &key) == scan(w, &key));
    w->n_found += scan(w, &key) != NULL;
}

/* Checks that bits at which no rule looks do not decide. */
static void
check_reads(struct world *w)
{
    const struct acl_table *tables[] = {w->table};
    const struct acl_set set = {.n = 1, .tables = tables};
    union acl_key mask = {0}, key, other;

    for (uint32_t n = 1 + below(w, 2); n > 0; n--) {
        mask.words[below(w, ACL_WORDS)] |= random_u64(&w->random) &
                                           random_u64(&w->random) &
                                           random_u64(&w->random);
    }
    draw_key(w, &key);
    draw_key(w, &other);
    for (uint32_t i = 0; i < ACL_WORDS; i++) {
        other.words[i] =
            (key.words[i] & ~mask.words[i]) | (other.words[i] & mask.words[i]);
    }
    if (acl_set_reads(&set, &mask)) {
        w->n_read++;
    } else {
        w->n_unread++;
        orch_assert(acl_table_find(w->table, &key) ==
                    acl_table_find(w->table, &other));
    }
}

/* Changes a table of up to 'n' rules 'steps' times. */
static void
run(struct world *w, uint32_t n, uint64_t steps)
{
    w->table = acl_table_create();
    w->n_used = n;
    memset(w->is_in, 0, sizeof w->is_in);
    for (uint64_t step = 0; step < steps; step++) {
        toggle(w, below(w, n));
        for (int i = 0; i < KEYS_PER_STEP; i++) {
            check(w);
            check_reads(w);
        }
    }
    for (uint32_t i = 0; i < n; i++) { /* All go. */
        if (w->is_in[i]) {
            toggle(w, i);
            check(w);
        }
    }
    orch_assert(acl_table_n_masks(w->table) == 0);
    acl_table_destroy(w->table);
}

/* Searches a table in which each rule has a mask of its own: more groups, and
 * more terms, than the filter knows. */
static void
run_own_masks(struct world *w)
{
    enum { N = ACL_FILTER_SLOTS + 200, KEYS = 3000 };

    w->table = acl_table_create();
    w->n_used = N;
    memset(w->is_in, 0, sizeof w->is_in);
    for (uint32_t i = 0; i < N; i++) {
        const uint64_t mask = i + 1;
        const uint64_t value = random_u64(&w->random);

        w->rules[i] = (struct acl_rule){.priority = below(w, 8), .number = i};
        acl_rule_require(&w->rules[i], offsetof(struct acl_fields, src_mac),
                         sizeof value, &value, &mask);
        acl_table_add(w->table, &w->rules[i]);
        w->is_in[i] = true;
    }
    orch_assert(acl_table_n_masks(w->table) == N);
    for (uint32_t i = 0; i < KEYS; i++) {
        check(w);
    }
    for (uint32_t i = 0; i < N; i++) {
        acl_table_remove(w->table, &w->rules[i]);
        w->is_in[i] = false;
        if (i % 64 == 0) {
            check(w);
        }
    }
    acl_table_destroy(w->table);
}

int
main(int argc, char **argv)
{
    static const uint32_t sizes[] = {1, 2, 5, 30, 300, MAX_RULES};
    static struct world w;
    uint64_t seed = 1;
    uint64_t steps = 4000;

    if (argc > 3 ||
        (argc > 1 && parse_u64(argv[1], 0, UINT64_MAX, &seed) != ST_OK) ||
        (argc > 2 && parse_u64(argv[2], 1, UINT32_MAX, &steps) != ST_OK)) {
        fprintf(stderr, "usage: test_acl [SEED [STEPS]]\n");
        return 2;
    }
    random_init(&w.random, seed);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run(&w, sizes[i], steps);
    }
    run_own_masks(&w);
    printf("%llu of the keys matched a rule\n", (unsigned long long)w.n_found);
    orch_assert(w.n_found > steps);
    /* There were several sets of slots. */
    orch_assert(w.most_masks > 64);
    orch_assert(w.n_read > steps && w.n_unread > steps);
    return 0;
}
