/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ESTATS_GROUPS_H
#define ORCHD_LAB_ESTATS_GROUPS_H

/* Times of operations of RDMA, in histograms by connection, operation and
 * status.
 *
 * An operation is a work request.  Its times:
 *
 *     T1  the program posts it                          host clock
 *     T2  the adapter has it                            only a model knows
 *     T3  its last packet was sent, the last time       only a model knows
 *     T4  the response that completes it has arrived    only a model knows
 *     T5  the adapter makes its completion              clock of the adapter
 *     T6  the program polls that                        host clock
 *
 * A receive has T5 and T6 only.  Hosts can compute T6 - T1, what the program
 * waits for, T5 - T1, what the adapter and the network need (after conversion
 * of T5, lab/estats/clock.h), and T6 - T5, what the completion waits for the
 * program.  Each has a histogram; the parts between the times of the model are
 * only summed up.
 *
 * A collection holds the groups of one interval, or of a whole run: merging is
 * adding, in any order.  A group takes 46 KB.  Pure; memory from malloc().
 *
 * Source: "Empowering Azure Storage with RDMA" (NSDI 2023), section 5. */

#include <stdint.h>

#include "base/histogram.h"

/* X(member, name). */
#define ESTATS_OPERATIONS(X)                                                   \
    X(SEND, "send")                                                            \
    X(WRITE, "write")                                                          \
    X(WRITE_IMMEDIATE, "write_imm")                                            \
    X(READ, "read")                                                            \
    X(RECEIVE, "receive")

enum estats_operation {
#define X(member, name) ESTATS_##member,
    ESTATS_OPERATIONS(X)
#undef X
};

/* X(member, name).  The parts of an operation in a model: from each time to the
 * next. */
#define ESTATS_PARTS(X)                                                        \
    X(POST, "post")       /* T1 to T2: the host. */                            \
    X(SEND, "send")       /* T2 to T3: the adapter, its pacer and link. */     \
    X(NETWORK, "network") /* T3 to T4: both ways, and the other adapter. */    \
    X(FINISH, "finish")   /* T4 to T5: the receive FIFO of the adapter. */     \
    X(POLL, "poll")       /* T5 to T6: the host. */

enum estats_part {
#define X(member, name) ESTATS_PART_##member,
    ESTATS_PARTS(X)
#undef X
        ESTATS_N_PARTS,
};

/* What a group has in common.  All bytes are compared: zero-initialise it. */
struct estats_key {
    uint32_t connection;
    uint8_t end;       /* That has posted it: 0, 1. */
    uint8_t operation; /* enum estats_operation */
    uint8_t status;    /* Of the completion; 0: success. */
    uint8_t unused;
};

/* One operation; T1 of a receive is that of T5. */
struct estats_times {
    int64_t total_ps; /* T6 - T1. */
    int64_t nic_ps;   /* T5 - T1, converted; counts as 0 if it is negative. */
    int64_t poll_ps;  /* T6 - T5; likewise. */
    uint64_t bytes;
    int64_t parts_ps[ESTATS_N_PARTS];
};

struct estats_group {
    struct estats_key key;
    uint64_t bytes;
    int64_t parts_ps[ESTATS_N_PARTS]; /* Sums. */
    struct histogram total, nic, poll;
};

struct estats_groups;

/* Returns an empty collection.  The caller destroys it; NULL is accepted. */
struct estats_groups *estats_groups_create(void);
void estats_groups_destroy(struct estats_groups *groups);

/* Adds an operation, or all of 'other'. */
void estats_groups_add(struct estats_groups *groups,
                       const struct estats_key *key,
                       const struct estats_times *times);
void estats_groups_merge(struct estats_groups *groups,
                         const struct estats_groups *other);

/* Calls 'fn' for each group, in the order of connection, end, operation and
 * status. */
typedef void estats_group_fn(void *context, const struct estats_group *group);
void estats_groups_each(struct estats_groups *groups, estats_group_fn *fn,
                        void *context);

/* Empties 'groups'. */
void estats_groups_clear(struct estats_groups *groups);

const char *estats_operation_name(enum estats_operation operation);

#endif /* lab/estats/groups.h */
