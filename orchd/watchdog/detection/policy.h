/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_POLICY_H
#define ORCHD_WATCHDOG_DETECTION_POLICY_H

/* Which queues are to be watched, and how: what rows say of it.
 *
 *   PFC_WD|GLOBAL       how often to poll; the big red switch
 *   PFC_WD|<port>       times and action
 *   PORT_QOS_MAP|...    pfcwd_sw_enable: which queues
 *   FLEX_COUNTER_TABLE|PFCWD   disabled: none, but for the big red switch
 *
 * Level-triggered: rows are handed in as they are, in any order, and only ports
 * about which something has changed are told of. */

#include <stdbool.h>
#include <stdint.h>

#include <uthash.h>

#include "base/status.h"
#include "orchd/intent/intent.h"

#define POLICY_POLL_NS (INT64_C(100) * 1000 * 1000)

/* X(member, word).  What is done about a storm, as in PFC_WD. */
#define POLICY_ACTION_LIST(X)                                                  \
    X(DROP, "drop")       /* What goes to the queue is lost. */                \
    X(FORWARD, "forward") /* It goes on in spite of the pause. */              \
    X(ALERT, "alert")     /* It is told, and nothing is done. */

enum policy_action {
#define X(member, word) POLICY_##member,
    POLICY_ACTION_LIST(X)
#undef X
        N_POLICY_ACTIONS
};

/* Returns the word for 'action'. */
const char *policy_action_word(enum policy_action action);

struct policy_vote;

/* What is said of a port.  For reading. */
struct policy_port {
    char *name;
    bool configured;        /* It has a row PFC_WD. */
    int64_t detection_ns;   /* If so. */
    int64_t restoration_ns; /* 0: never. */
    enum policy_action action;
    bool keeps_history;
    uint8_t queues; /* A bit for each queue that is to be watched. */
    bool idle;      /* There would be some if polling were not disabled. */
    bool lossless;  /* pfc_enable names a queue. */

    /* The module's own. */
    struct policy_vote *votes; /* Rows PORT_QOS_MAP that name the port. */
    bool changed;
    struct policy_port *next_changed;
    UT_hash_handle hh;
};

struct policy_row;

struct policy {
    int64_t poll_ns;
    bool big_red_switch;
    bool disabled; /* Nothing is to be polled. */

    struct policy_port *ports;
    struct policy_row *rows; /* Of PORT_QOS_MAP. */
    struct policy_port *first_changed;
};

/* Makes '*policy' one that watches nothing. */
void policy_init(struct policy *policy);
void policy_fini(struct policy *policy);

/* Takes in 'row'; those of other tables are ignored. */
void policy_put_row(struct policy *policy, const struct row *row);

/* Returns the next port that is not what it was when last returned, NULL if
 * there is none.  It lives as long as the policy. */
const struct policy_port *policy_take(struct policy *policy);

/* Returns what is said of 'name', or NULL. */
const struct policy_port *policy_find(const struct policy *policy,
                                      const char *name);

/* Says in 'err' why 'port', which is configured, is not watched.  Returns false
 * if it is. */
bool policy_explain(const struct policy_port *port, struct err *err);

#endif /* orchd/watchdog/detection/policy.h */
