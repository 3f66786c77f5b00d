/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ESTATS_SIDE_H
#define ORCHD_LAB_ESTATS_SIDE_H

/* Which side makes the operations of a connection slow: the sender of the
 * payload, the network, or its receiver.
 *
 * Problem.  T1, T5 and T6 of an operation say how long its host and how long
 * everything else needed, but not what 'everything else' is.  The rule below
 * divides it by counters that hosts have: those of adapters (pauses in both
 * directions and their time, CNPs, NAKs, retransmissions, bytes, time of PCIe
 * and lookups, drops of the receive FIFO) and those of the scheduler (work and
 * waiting per job of the thread).  It uses nothing of switches, and nothing
 * that only a simulation knows.
 *
 * Rule.  All times are means per operation in an interval; the requester has
 * posted it (of a READ it is the receiver of the payload).
 *
 *  1. poll = T6 - T5 belongs to the requester: its program was slow.
 *  2. post = (work + wait) / jobs of the requester's thread (at least one), for
 * each post that was waiting for it at T1, at most T5 - T1: what its core
 * needed to give the operation to the adapter.
 *  3. deliver = T6 - T5 of the receives at the other end, if there are any,
 *     belongs to the receiver.
 *  4. ideal = base + backlog / line rate, with base the smallest T5 - T1 of the
 *     two hosts (without the bytes of the operation), and backlog what the
 *     connection had outstanding at T1, itself included.
 *  5. excess = (T5 - T1) - post - ideal is divided, in this order, each time by
 *     the share of the interval for which the counter is an explanation:
 *     a. receiver: time for which its adapter asked for pauses, waits after RNR
 *        NAKs, and losses if its FIFO has dropped something.  First, as the
 *        pauses of a slow receiver reach the switches, which then mark packets
 *        and pause the sender, while nothing in the network makes a receiver
 *        ask for pauses.
 *     b. network: time for which the sender was paused beyond that; losses
 *        (timeouts, unless they only repeated what had arrived; a NAK costs a
 *        round trip and the recovery of the adapter); a CNP explains the
 * ESTATS_CNP_PS that follow, as DCQCN needs about that long to recover.  CNPs
 * of an interval in which the adapter of the receiver was overloaded are of the
 * receiver: it asked the switch for pauses, whose queue grew until packets were
 * marked. c. what a probe sees.  Operations of one packet that found nothing
 * else in their queue need T5 - T1 = the round trip at that time, without the
 *        pacer of a busy queue.  The smaller median of the two directions
 *        counts: a slow sender delays only its own.  What it has grown from
 *        'base' counts for each round trip of an operation, at most
 *        ideal / base (more would be needed if the window were smaller than the
 *        path holds, which is slow without any fault), and is for the adapter
 *        whose PCIe is busy (receiver first), else for the network.
 *     d. the rest: for the receiver if its PCIe or its lookups are busy; for
 *        the sender if its own are, or its link is full; for the network if
 *        the link of the receiver is full; else for the sender: nothing held it
 *        up, and it did not send.
 *
 * An adapter is overloaded ("its PCIe is busy") if it asks for pauses for 1 %
 * of the interval, or if PCIe or lookups work for 90 % of it while its link is
 * not full.
 *
 * The side with the largest part is named, if total and deliver are more than
 * 5/4 of the ideal and HEALTHY_HOST_PS: the connection may be as slow as its
 * path otherwise.
 *
 * What it cannot know: a delay of the network that has been there from the
 * start is part of 'base'.  Without operations of one packet between two hosts,
 * a delay without marks, losses or pauses looks like a slow sender; so does a
 * queue in one direction only that neither marks nor pauses, and is not that of
 * the link of the receiver.
 *
 * Pure. */

#include <stdbool.h>
#include <stdint.h>

/* X(member, name). */
#define ESTATS_SIDES(X)                                                        \
    X(NONE, "none") /* Nothing is slow. */                                     \
    X(SENDER, "sender")                                                        \
    X(NETWORK, "network")                                                      \
    X(RECEIVER, "receiver")

enum estats_side {
#define X(member, name) ESTATS_SIDE_##member,
    ESTATS_SIDES(X)
#undef X
        ESTATS_N_SIDES,
};

/* X(member, text).  What has contributed most to the side that is named; the
 * text follows its name in a sentence. */
#define ESTATS_REASONS(X)                                                      \
    X(NONE, "nothing is slow")                                                 \
    X(POST, "its processor was slow to post")                                  \
    X(POLL, "its program was slow to poll completions")                        \
    X(IDLE_LINK, "its adapter did not send, although nothing held it up")      \
    X(FULL_LINK, "its link was full")                                          \
    X(OWN_PCIE, "its PCIe was busy with what it received")                     \
    X(DELIVER, "its program was slow to take messages")                        \
    X(PAUSES, "its adapter asked for pauses")                                  \
    X(RECEIVES, "it had no receive posted")                                    \
    X(DROPS, "its adapter dropped packets")                                    \
    X(PCIE, "its PCIe or its lookups were busy")                               \
    X(RECOVERY, "its adapter had asked for pauses, and the sender has not "    \
                "recovered")                                                   \
    X(CONGESTION, "congestion: marked packets and pauses")                     \
    X(LOSS, "packets were lost")                                               \
    X(DELAY, "round trips were longer")

enum estats_reason {
#define X(member, text) ESTATS_REASON_##member,
    ESTATS_REASONS(X)
#undef X
        ESTATS_N_REASONS,
};

/* What the counters of a host say of an interval. */
struct estats_host {
    /* Of the thread that posts and polls: jobs that have ended, and how long it
     * has worked and waited for its core. */
    uint64_t jobs;
    int64_t jobs_ps;
    int64_t asked_ps;  /* For how long its adapter asked for pauses, ... */
    int64_t obeyed_ps; /* ... and was paused, in the priority of the data. */
    int64_t bus_ps;    /* For how long PCIe or lookups were busy: the larger. */
    int64_t sent_ps, received_ps; /* What all its packets take on the link. */
    uint64_t fifo_drops;
    int64_t probe_ps; /* The median of its operations of one packet that were
                       * alone, to the other; -1: none. */
};

/* What is known of a connection in an interval. */
struct estats_evidence {
    int64_t interval_ps;
    bool is_read;
    uint64_t n; /* Operations of the requester that completed, and sums. */
    int64_t total_ps, nic_ps, poll_ps;
    uint64_t backlog_bytes;
    uint64_t n_posts;    /* Posts that waited for the thread, with their own. */
    uint64_t n_received; /* Receives at the other end. */
    int64_t deliver_ps;
    struct estats_host requester, responder;
    uint64_t cnps, naks, timeouts, rnr_naks;
    uint64_t duplicates; /* Packets that the responder had already. */
    int64_t cnp_ps;      /* See estats_explain_cnps(). */
    bool cnps_are_of_receiver;
    /* Constants of the adapters: how long a timeout, an RNR NAK, and the
     * recovery after a NAK take. */
    int64_t timeout_ps, rnr_ps, recovery_ps;
    int64_t base_ps;  /* Of the two hosts; INT64_MAX: unknown. */
    int64_t clock_ps; /* The largest bound on the error of T5. */
    uint64_t line_bps;
};

struct estats_finding {
    enum estats_side side;
    enum estats_reason reason;
    /* By side; that of NONE is the ideal.  Means per operation. */
    int64_t parts_ps[ESTATS_N_SIDES];
};

/* How long a CNP can explain that a sender is slow: with the constants of the
 * DCQCN paper fast recovery takes 5 * 55 us, and additive increase of 40 Mb/s
 * each 55 us needs 5 ms for 3.6 Gb/s. */
#define ESTATS_CNP_PS INT64_C(5000000000)

/* What earlier CNPs of a connection still explain.  Zero-initialise it. */
struct estats_cnps {
    int64_t left_ps;
    bool are_of_receiver;
};

/* Stores in 'evidence', whose counters are complete, for how long of its
 * interval CNPs explain that the sender is slow, and whether the receiver has
 * caused them; 'cnps' is what earlier intervals have left. */
void estats_explain_cnps(struct estats_cnps *cnps,
                         struct estats_evidence *evidence);

/* Return the end that sends, or receives, the payload. */
const struct estats_host *estats_sender(const struct estats_evidence *evidence);
const struct estats_host *
estats_receiver(const struct estats_evidence *evidence);

/* Stores what the rule says of 'evidence'. */
void estats_find(const struct estats_evidence *evidence,
                 struct estats_finding *finding);

/* What several intervals of a connection say together.  Zero-initialise it. */
struct estats_summary {
    uint64_t n;
    int64_t parts_ps[ESTATS_N_SIDES]; /* Sums over operations. */
    /* By side, of the intervals that name it: its part, the largest of one, and
     * the reason there. */
    int64_t named_ps[ESTATS_N_SIDES], largest_ps[ESTATS_N_SIDES];
    enum estats_reason reasons[ESTATS_N_SIDES];
};

/* Adds 'finding' of an interval in which 'n' operations completed. */
void estats_summary_add(struct estats_summary *summary,
                        const struct estats_finding *finding, uint64_t n);

/* Stores the finding for all intervals: the side that has taken most time in
 * those that name it. */
void estats_summary_get(const struct estats_summary *summary,
                        struct estats_finding *finding);

const char *estats_side_name(enum estats_side side);
const char *estats_reason_text(enum estats_reason reason);

#endif /* lab/estats/side.h */
