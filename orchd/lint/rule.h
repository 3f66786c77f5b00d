/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_RULE_H
#define ORCHD_LINT_RULE_H

/* The rules of lint as a table: stable codes, levels, and explanations; and the
 * finding that a rule reports. */

#include <stddef.h>

/* X(member, text). */
#define LINT_LEVELS(X)                                                         \
    X(WARNING, "warning") /* Loss or needless pauses are likely. */            \
    X(NOTE, "note")       /* Worth knowing; may be intended. */

#define X(member, text) LINT_##member,
enum lint_level { LINT_LEVELS(X) };
#undef X

/* X(member, code, level, explanation). */
#define LINT_RULES(X)                                                          \
    X(RESERVED, "reserved-exceeds-memory", WARNING,                            \
      "priority groups, queues and headroom reserve more than the chip has: "  \
      "some of it will be missing when it is needed")                          \
    X(POOL_SIZE, "pool-exceeds-memory", WARNING,                               \
      "the size of a pool exceeds the memory of the chip: its thresholds "     \
      "never limit anything")                                                  \
    X(POOL_TAKES_ALL, "pool-leaves-no-guarantees", WARNING,                    \
      "this chip takes the size and the headroom of a pool from its memory, "  \
      "and refuses guarantees that do not fit beside them; a warm restart "    \
      "of software that gives up on a refusal then fails")                     \
    X(POOL_XOFF, "xoff-exceeds-pool", WARNING,                                 \
      "the shared headroom of a pool is larger than the pool")                 \
    X(POOL_EMPTY, "lossless-pool-without-size", WARNING,                       \
      "lossless groups use a pool of size 0: they pause their senders at "     \
      "once, and have only their guarantees and headroom")                     \
    X(NO_HEADROOM, "no-room-for-headroom", WARNING,                            \
      "an ingress pool may fill the memory that is reserved for headroom: "    \
      "the "                                                                   \
      "packets that arrive after a pause frame are lost")                      \
    X(LOSSLESS_EGRESS, "egress-limits-lossless", WARNING,                      \
      "a lossless packet that ingress has admitted may still be dropped at "   \
      "its queue: the pool or threshold there is smaller than the memory")     \
    X(LOSSY_EGRESS, "egress-lossy-above-ingress", WARNING,                     \
      "lossy queues may hold more than the ingress pool, so lossy traffic "    \
      "is dropped, or lossless paused, at ingress first")                      \
    X(LOSSY_INGRESS, "lossy-ingress-limits", WARNING,                          \
      "lossy packets are dropped at ingress, where all flows of a port "       \
      "share, before the congested queue limits its own")                      \
    X(ECN_LATE, "ecn-after-pfc", WARNING,                                      \
      "PFC pauses the sender before ECN tells it to slow down, so "            \
      "congestion spreads instead of being controlled")                        \
    X(ECN_LATE_MANY, "ecn-after-pfc-at-scale", NOTE,                           \
      "with many groups congested at once, each to a queue of its own, PFC "   \
      "pauses senders before ECN tells them to slow down")                     \
    X(HEADROOM_SMALL, "headroom-too-small", WARNING,                           \
      "more may arrive after a pause frame than the headroom holds: cable, "   \
      "speed, largest frame and the peer's response time need more")           \
    X(HEADROOM_TIGHT, "headroom-needs-fast-peer", NOTE,                        \
      "headroom is enough only if the peer stops sooner after a pause frame "  \
      "than the standard requires")                                            \
    X(HEADROOM_SHARED, "headroom-oversubscribed", WARNING,                     \
      "the shared headroom pool holds few of the priority groups that may "    \
      "pause at once; one more, and packets are lost")                         \
    X(PFC_WITHOUT_PG, "pfc-without-lossless-pg", WARNING,                      \
      "PFC is enabled for a priority whose priority group has no headroom, "   \
      "so it drops packets and never pauses its sender")                       \
    X(PG_WITHOUT_PFC, "lossless-pg-without-pfc", WARNING,                      \
      "a priority group reserves headroom, but PFC is not enabled for its "    \
      "priority: it never pauses its sender")                                  \
    X(MIXED_PG, "mixed-pg", WARNING,                                           \
      "traffic classes with and without PFC share a priority group: lossy "    \
      "traffic pauses lossless senders and uses up their headroom")            \
    X(MIXED_QUEUE, "mixed-queue", WARNING,                                     \
      "traffic classes with and without PFC share a queue: what pauses the "   \
      "one delays the other, and one profile cannot suit both")                \
    X(NO_WATCHDOG, "no-watchdog", NOTE,                                        \
      "a peer that never stops pausing blocks a lossless queue permanently, "  \
      "and packets that wait there block others")                              \
    X(WRED_IDLE, "wred-does-nothing", NOTE,                                    \
      "a WRED profile in which no colour is enabled and ECN is off")           \
    X(WRED_DROPS, "wred-drops-lossless", NOTE,                                 \
      "WRED drops packets without ECN of a queue that should be lossless")     \
    X(STATIC_ABOVE, "static-th-above-pool", NOTE,                              \
      "a static threshold above the size of its pool limits nothing")          \
    X(MODE_MISMATCH, "threshold-kind", NOTE,                                   \
      "a profile with a different kind of threshold than its pool's mode: "    \
      "SAI lets the profile decide, some switches do not")                     \
    X(SIZE_BELOW, "size-below-xon", WARNING,                                   \
      "the reserved size is below the level at which traffic resumes, so a "   \
      "group whose pool is full never resumes")                                \
    X(SHARED_LANE, "shared-lane", WARNING,                                     \
      "two ports name the same lane: on most boards only one of them works")   \
    X(LLR_WINDOW, "llr-window-too-small", WARNING,                             \
      "a port with link-level retry may have less outstanding than its "       \
      "cable holds: it waits for acknowledgements instead of sending")         \
    X(TRIM_PAUSED, "trimmed-to-lossless-queue", WARNING,                       \
      "trimmed packets go to a queue that PFC can pause: the news of a loss "  \
      "waits, and competes with lossless traffic")                             \
    X(TRIM_IDLE, "trimming-does-nothing", NOTE,                                \
      "trimming is configured, but no queue has a profile that trims")

#define X(member, code, level, text) LINT_RULE_##member,
enum lint_rule { LINT_RULES(X) N_LINT_RULES };
#undef X

/* One finding.  All strings are valid during the report only, except those of
 * the rule. */
struct lint_finding {
    enum lint_rule rule;
    const char *row;    /* "BUFFER_PG|Ethernet0|3": the first row. */
    size_t n_more;      /* Further rows with the same finding. */
    const char *reason; /* With numbers, one sentence. */
    const char *remedy;
};

/* Return the stable code of a rule, its level, the name of a level ("warning"
 * or "note"), and the explanation of a rule. */
const char *lint_code(enum lint_rule rule);
enum lint_level lint_level(enum lint_rule rule);
const char *lint_level_name(enum lint_level level);
const char *lint_explanation(enum lint_rule rule);

#endif /* orchd/lint/rule.h */
