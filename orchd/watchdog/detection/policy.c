/* SPDX-License-Identifier: Apache-2.0 */

/* Rows, the ports that they name, and which row decides for a port. */

#include <config.h>

#include "orchd/watchdog/detection/policy.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/pfc.h"

#define NS_PER_MS (INT64_C(1000) * 1000)

/* A row PORT_QOS_MAP. */
struct policy_row {
    char *key;
    uint8_t queues;
    bool lossless;
    size_t n_ports;
    struct policy_vote *votes; /* One for each port. */
    UT_hash_handle hh;
};

/* A row names a port. */
struct policy_vote {
    struct policy_row *row;
    struct policy_port *port;
    struct policy_vote *next; /* In the port's list. */
};

static const char *const action_words[] = {
#define X(member, word) word,
    POLICY_ACTION_LIST(X)
#undef X
};

const char *
policy_action_word(enum policy_action action)
{
    return action_words[action];
}

void
policy_init(struct policy *policy)
{
    *policy = (struct policy){.poll_ns = POLICY_POLL_NS};
}

static void
row_free(struct policy_row *row)
{
    free(row->key);
    free(row->votes);
    free(row);
}

static void
port_free(struct policy_port *port)
{
    free(port->name);
    free(port);
}

void
policy_fini(struct policy *policy)
{
    struct policy_port *port, *next_port;
    struct policy_row *row, *next_row;

    HASH_ITER(hh, policy->rows, row, next_row)
    {
        HASH_DEL(policy->rows, row);
        row_free(row);
    }
    HASH_ITER(hh, policy->ports, port, next_port)
    {
        HASH_DEL(policy->ports, port);
        port_free(port);
    }
}

static void
mark(struct policy *policy, struct policy_port *port)
{
    if (!port->changed) {
        port->changed = true;
        port->next_changed = policy->first_changed;
        policy->first_changed = port;
    }
}

const struct policy_port *
policy_find(const struct policy *policy, const char *name)
{
    struct policy_port *port;

    HASH_FIND_STR(policy->ports, name, port);
    return port;
}

static struct policy_port *
port_make(struct policy *policy, const char *name)
{
    struct policy_port *port;

    HASH_FIND_STR(policy->ports, name, port);
    if (!port) {
        port = check_calloc(1, sizeof *port);
        port->name = check_strdup(name);
        HASH_ADD_KEYPTR(hh, policy->ports, port->name, strlen(port->name),
                        port);
    }
    return port;
}

/* Returns a field in milliseconds as ns. */
static int64_t
time_field(const struct row *row, const char *name, int64_t otherwise_ns)
{
    const char *text = row_field(row, name);
    int64_t ms;

    return text && !parse_s64(text, 0, INT32_MAX, &ms) ? ms * NS_PER_MS
                                                       : otherwise_ns;
}

static bool
is_enabled(const struct row *row, const char *name)
{
    const char *text = row_field(row, name);

    return text && !strcmp(text, "enable");
}

static bool
in_force(const struct row *row)
{
    return row->present && row->effective;
}

/* Applies the most specific of the rows that name the port, as the reconciler
 * does: the one with the fewest ports, then the smallest key. */
static void
count_votes(struct policy *policy, struct policy_port *port)
{
    const struct policy_row *best = NULL;

    for (const struct policy_vote *vote = port->votes; vote;
         vote = vote->next) {
        const struct policy_row *row = vote->row;

        if (!best || row->n_ports < best->n_ports ||
            (row->n_ports == best->n_ports &&
             strcmp(row->key, best->key) < 0)) {
            best = row;
        }
    }
    port->queues = best ? best->queues : 0;
    port->idle = port->queues && policy->disabled && !policy->big_red_switch;
    if (port->idle) {
        port->queues = 0;
    }
    port->lossless = best && best->lossless;
    mark(policy, port);
}

static void
count_all(struct policy *policy)
{
    struct policy_port *port, *next;

    HASH_ITER(hh, policy->ports, port, next)
    {
        count_votes(policy, port);
    }
}

/* Affects every port. */
static void
put_global(struct policy *policy, const struct row *row)
{
    bool there = in_force(row);

    policy->poll_ns = there ? time_field(row, "POLL_INTERVAL", POLICY_POLL_NS)
                            : POLICY_POLL_NS;
    policy->big_red_switch = there && is_enabled(row, "BIG_RED_SWITCH");
    count_all(policy);
}

/* Affects every port.  By default queues are polled. */
static void
put_polling(struct policy *policy, const struct row *row)
{
    const char *status = row_field(row, "FLEX_COUNTER_STATUS");

    policy->disabled = in_force(row) && status && !strcmp(status, "disable");
    count_all(policy);
}

static void
put_port(struct policy *policy, const struct row *row)
{
    struct policy_port *port = port_make(policy, row->key);
    const char *action = row_field(row, "action");

    policy->n_configured -= port->configured;
    port->configured = in_force(row);
    policy->n_configured += port->configured;
    port->detection_ns = time_field(row, "detection_time", 0);
    port->restoration_ns = time_field(row, "restoration_time", 0);
    port->keeps_history = is_enabled(row, "pfc_stat_history");
    port->action = POLICY_DROP;
    for (int i = 0; action && i < N_POLICY_ACTIONS; i++) {
        if (!strcmp(action, action_words[i])) {
            port->action = (enum policy_action)i;
        }
    }
    mark(policy, port);
}

/* Returns the queues in a comma-separated list as bits. */
static uint8_t
read_queues(const char *text)
{
    const char *cursor = text && *text ? text : NULL;
    const char *item;
    size_t length;
    unsigned int queues = 0;

    while (parse_list_next(&cursor, &item, &length)) {
        if (length == 1 && *item >= '0' && *item < '0' + PFC_N_PRIORITIES) {
            queues |= 1u << (*item - '0');
        }
    }
    return (uint8_t)queues;
}

static void
remove_votes(struct policy *policy, struct policy_row *row)
{
    for (size_t i = 0; i < row->n_ports; i++) {
        struct policy_port *port = row->votes[i].port;
        struct policy_vote **link = &port->votes;

        while (*link != &row->votes[i]) {
            link = &(*link)->next;
        }
        *link = row->votes[i].next;
        count_votes(policy, port);
    }
    row->n_ports = 0;
}

static void
add_votes(struct policy *policy, struct policy_row *policy_row,
          const struct row *row)
{
    policy_row->n_ports = row->n_ports;
    free(policy_row->votes);
    policy_row->votes =
        check_calloc(row->n_ports + 1, sizeof *policy_row->votes);
    for (size_t i = 0; i < row->n_ports; i++) {
        struct policy_vote *vote = &policy_row->votes[i];

        vote->row = policy_row;
        vote->port = port_make(policy, row->ports[i]);
        vote->next = vote->port->votes;
        vote->port->votes = vote;
        count_votes(policy, vote->port);
    }
}

static void
put_map(struct policy *policy, const struct row *row)
{
    struct policy_row *policy_row;

    HASH_FIND_STR(policy->rows, row->key, policy_row);
    if (policy_row) {
        remove_votes(policy, policy_row);
    }
    if (!in_force(row) || !row->ports) {
        if (policy_row) {
            HASH_DEL(policy->rows, policy_row);
            row_free(policy_row);
        }
        return;
    }
    if (!policy_row) {
        policy_row = check_calloc(1, sizeof *policy_row);
        policy_row->key = check_strdup(row->key);
        HASH_ADD_KEYPTR(hh, policy->rows, policy_row->key,
                        strlen(policy_row->key), policy_row);
    }
    policy_row->queues = read_queues(row_field(row, "pfcwd_sw_enable"));
    policy_row->lossless = read_queues(row_field(row, "pfc_enable")) != 0;
    add_votes(policy, policy_row, row);
}

void
policy_put_row(struct policy *policy, const struct row *row)
{
    if (row->table == TABLE_PORT) {
        struct policy_port *port = port_make(policy, row->key);

        port->exists = in_force(row);
        mark(policy, port);
    } else if (row->table == TABLE_PORT_QOS_MAP) {
        put_map(policy, row);
    } else if (row->table == TABLE_PFC_WD && !strcmp(row->key, "GLOBAL")) {
        put_global(policy, row);
    } else if (row->table == TABLE_PFC_WD) {
        put_port(policy, row);
    } else if (row->table == TABLE_FLEX_COUNTER_TABLE &&
               !strcmp(row->key, "PFCWD")) {
        put_polling(policy, row);
    }
}

const struct policy_port *
policy_take(struct policy *policy)
{
    struct policy_port *port = policy->first_changed;

    if (port) {
        policy->first_changed = port->next_changed;
        port->changed = false;
    }
    return port;
}

bool
policy_explain(const struct policy_port *port, struct err *err)
{
    if (port->queues || !port->exists) {
        return false;
    }
    if (port->idle) {
        err_set(err, ST_NOT_FOUND, "polling-disabled",
                "the queues of %s are not watched, because "
                "FLEX_COUNTER_TABLE|PFCWD disables polling",
                port->name);
        err_set_field(err, "FLEX_COUNTER_STATUS", "disable", "enable");
        err_set_remedy(err, "set FLEX_COUNTER_STATUS of "
                            "FLEX_COUNTER_TABLE|PFCWD to enable, or delete "
                            "that row");
        return true;
    }
    err_set(err, ST_NOT_FOUND, "no-queues",
            "no queue of %s is watched: its row PORT_QOS_MAP selects none in "
            "pfcwd_sw_enable%s",
            port->name,
            port->lossless ? " (pfc_enable alone selects none)" : "");
    err_set_field(err, "pfcwd_sw_enable", "", "0..7, comma-separated");
    err_set_remedy(err,
                   "set pfcwd_sw_enable of PORT_QOS_MAP|%s to the queues to "
                   "watch, normally those of pfc_enable",
                   port->name);
    return true;
}
