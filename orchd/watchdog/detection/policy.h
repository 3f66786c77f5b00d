/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_POLICY_H
#define ORCHD_WATCHDOG_DETECTION_POLICY_H

/* Which queues are watched, and how, according to the rows:
 *
 *   PORT|<port>         there is such a port
 *   PFC_WD|GLOBAL       poll interval; big red switch
 *   PFC_WD|<port>       times and action
 *   PORT_QOS_MAP|...    pfcwd_sw_enable: which queues
 *   FLEX_COUNTER_TABLE|PFCWD   disable: none, except for the big red switch
 *
 * Level-triggered: rows may arrive in any order, and only ports for which
 * something has changed are returned. */

#include <stdbool.h>
#include <stdint.h>

#include <uthash.h>

#include "base/status.h"
#include "orchd/intent/intent.h"

#define POLICY_POLL_NS (INT64_C(100) * 1000 * 1000)

/* X(member, word).  The action in a storm, as in PFC_WD. */
#define POLICY_ACTION_LIST(X)                                                  \
    X(DROP, "drop")       /* Drop packets to the queue. */                     \
    X(FORWARD, "forward") /* Ignore the pauses, and go on sending. */          \
    X(ALERT, "alert")     /* Only report the storm. */

enum policy_action {
#define X(member, word) POLICY_##member,
    POLICY_ACTION_LIST(X)
#undef X
        N_POLICY_ACTIONS
};

/* Returns the word for 'action'. */
const char *policy_action_word(enum policy_action action);

struct policy_vote;

/* The policy for a port.  For reading. */
struct policy_port {
    char *name;
    bool exists;            /* It has a row PORT. */
    bool configured;        /* It has a row PFC_WD. */
    int64_t detection_ns;   /* If so. */
    int64_t restoration_ns; /* 0: never. */
    enum policy_action action;
    bool keeps_history;
    uint8_t queues; /* A bit for each watched queue. */
    bool idle;      /* Queues would be watched if polling were enabled. */
    bool lossless;  /* pfc_enable names a queue. */

    /* Private. */
    struct policy_vote *votes; /* Rows PORT_QOS_MAP that name the port. */
    bool changed;
    struct policy_port *next_changed;
    UT_hash_handle hh;
};

struct policy_row;

struct policy {
    int64_t poll_ns;
    bool big_red_switch;
    bool disabled; /* Polling is disabled. */

    struct policy_port *ports;
    size_t n_configured;     /* Ports that have a row of PFC_WD. */
    struct policy_row *rows; /* Of PORT_QOS_MAP. */
    struct policy_port *first_changed;
};

/* Initialises '*policy', which watches nothing. */
void policy_init(struct policy *policy);
void policy_fini(struct policy *policy);

/* Takes in 'row'; ignores rows of other tables. */
void policy_put_row(struct policy *policy, const struct row *row);

/* Returns the next port whose policy has changed since it was last returned,
 * NULL if there is none.  Valid as long as the policy. */
const struct policy_port *policy_take(struct policy *policy);

/* Returns the policy for 'name', or NULL. */
const struct policy_port *policy_find(const struct policy *policy,
                                      const char *name);

/* Sets 'err' to the reason why 'port', which is configured, is not watched.
 * Returns false if it is watched, or does not exist: then the reconciler says
 * so. */
bool policy_explain(const struct policy_port *port, struct err *err);

#endif /* orchd/watchdog/detection/policy.h */
