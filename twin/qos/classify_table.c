/* SPDX-License-Identifier: Apache-2.0 */

/* Compiles classification, and shares the tables.
 *
 * Merged rules hold for each header the map of the port, or else that of the
 * switch, so two ports have equal tables exactly if their merged rules are
 * equal.  A switch has few different ones: a list is enough. */

#include <config.h>

#include "twin/qos/classify_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

struct classify_tables {
    struct classify_table *first;
    uint32_t n_pgs;
    uint32_t n_queues;
};

static const struct classify_rules no_rules;

/* Returns 'port' with what it has none of taken from 'base', as far as it
 * matters for tables. */
static struct classify_rules
merge(const struct classify_rules *base, const struct classify_rules *port)
{
#define MAP(name) .name = port->name ? port->name : base->name
    return (struct classify_rules){
        MAP(dscp_to_tc),   MAP(dscp_to_color), MAP(exp_to_tc),
        MAP(exp_to_color), MAP(dot1p_to_tc),   MAP(dot1p_to_color),
        MAP(tc_to_pg),     MAP(tc_to_queue),   MAP(default_tc),
    };
#undef MAP
}

static bool
are_equal(const struct classify_rules *a, const struct classify_rules *b)
{
    return a->dscp_to_tc == b->dscp_to_tc &&
           a->dscp_to_color == b->dscp_to_color &&
           a->exp_to_tc == b->exp_to_tc && a->exp_to_color == b->exp_to_color &&
           a->dot1p_to_tc == b->dot1p_to_tc &&
           a->dot1p_to_color == b->dot1p_to_color &&
           a->tc_to_pg == b->tc_to_pg && a->tc_to_queue == b->tc_to_queue &&
           a->default_tc == b->default_tc;
}

/* Returns whether one header decides both TC and color of every frame: there
 * are maps for both for the same headers, or for one of the two only. */
static bool
is_joint(const struct classify_rules *rules)
{
    const unsigned int tc = (rules->dscp_to_tc ? 1u : 0u) |
                            (rules->exp_to_tc ? 2u : 0u) |
                            (rules->dot1p_to_tc ? 4u : 0u);
    const unsigned int color = (rules->dscp_to_color ? 1u : 0u) |
                               (rules->exp_to_color ? 2u : 0u) |
                               (rules->dot1p_to_color ? 4u : 0u);

    return tc == color || tc == 0 || color == 0;
}

/* Returns the headers that select entry 'input' of a table. */
static struct classify_headers
headers_of(uint32_t input)
{
    struct classify_headers headers = {-1, -1, -1};

    if (input < CLASSIFY_AT_EXP) {
        headers.dscp = (int8_t)input;
    } else if (input < CLASSIFY_AT_DOT1P) {
        headers.exp = (int8_t)(input - CLASSIFY_AT_EXP);
    } else if (input < CLASSIFY_AT_NONE) {
        headers.dot1p = (int8_t)(input - CLASSIFY_AT_DOT1P);
    }
    return headers;
}

/* Returns the class of 'headers' by 'rules', whose PG is one of 'n_pgs'. */
static struct classify_class
class_of(const struct classify_rules *rules, uint32_t n_pgs,
         const struct classify_headers *headers)
{
    const struct classify_verdict verdict =
        classify_frame(&no_rules, rules, headers);
    const uint8_t pg = classify_pg(&no_rules, rules, verdict.tc);

    return (struct classify_class){
        .tc = verdict.tc, .color = verdict.color, .pg = pg < n_pgs ? pg : 0};
}

struct classify_class
classify_split__(const struct classify_table *table,
                 const struct classify_headers *headers)
{
    return class_of(&table->rules, table->n_pgs, headers);
}

/* Fills 'table' from its rules. */
static void
compile(const struct classify_tables *tables, struct classify_table *table)
{
    const struct classify_rules *rules = &table->rules;

    table->n_pgs = tables->n_pgs;
    table->by_dscp = rules->dscp_to_tc || rules->dscp_to_color;
    table->by_exp = rules->exp_to_tc || rules->exp_to_color;
    table->by_dot1p = rules->dot1p_to_tc || rules->dot1p_to_color;
    table->is_split = !is_joint(rules);
    for (uint32_t i = 0; i < CLASSIFY_INPUTS; i++) {
        const struct classify_headers headers = headers_of(i);

        table->classes[i] = class_of(rules, tables->n_pgs, &headers);
    }
    for (uint32_t tc = 0; tc < CLASSIFY_TCS; tc++) {
        const uint8_t queue = classify_queue(&no_rules, rules, (uint8_t)tc);

        table->queues[tc] = queue < tables->n_queues ? queue : 0;
    }
}

struct classify_tables *
classify_tables_create(uint32_t n_pgs, uint32_t n_queues)
{
    struct classify_tables *tables = check_calloc(1, sizeof *tables);

    tables->n_pgs = n_pgs;
    tables->n_queues = n_queues;
    return tables;
}

void
classify_tables_destroy(struct classify_tables *tables)
{
    struct classify_table *next;

    if (!tables) {
        return;
    }
    for (struct classify_table *t = tables->first; t; t = next) {
        next = t->next;
        free(t);
    }
    free(tables);
}

const struct classify_table *
classify_tables_get(struct classify_tables *tables,
                    const struct classify_rules *base,
                    const struct classify_rules *port)
{
    const struct classify_rules rules = merge(base, port);
    struct classify_table *table = tables->first;

    while (table && !are_equal(&table->rules, &rules)) {
        table = table->next;
    }
    if (!table) {
        table = check_calloc(1, sizeof *table);
        table->rules = rules;
        compile(tables, table);
        table->next = tables->first;
        tables->first = table;
    }
    table->n_users++;
    return table;
}

void
classify_tables_put(struct classify_tables *tables,
                    const struct classify_table *table)
{
    struct classify_table **link = &tables->first;

    if (!table) {
        return;
    }
    while (*link != table) {
        orch_assert(*link);
        link = &(*link)->next;
    }
    if (--(*link)->n_users == 0) {
        struct classify_table *unused = *link;

        *link = unused->next;
        free(unused);
    }
}

void
classify_tables_refresh(struct classify_tables *tables)
{
    for (struct classify_table *t = tables->first; t; t = t->next) {
        compile(tables, t);
    }
}

uint32_t
classify_tables_count(const struct classify_tables *tables)
{
    uint32_t n = 0;

    for (const struct classify_table *t = tables->first; t; t = t->next) {
        n++;
    }
    return n;
}
