/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_TRACE_H
#define ORCHD_BREAKPOINT_TRACE_H

/* What happens on the switch of a scenario between two steps: each change, at
 * its simulated time, in the order in which it happens.
 *
 * A bench that has a sink (breakpoint/bench.h) reports to it. */

#include <stdbool.h>
#include <stdint.h>

#include "breakpoint/target.h"

/* X(member, word).  What happens, with the words of trace files. */
#define TRACE_KINDS(X)                                                         \
    X(LEVEL, "level")         /* A PG, queue or pool holds another amount, or  \
                               * its threshold has changed. */                 \
    X(XOFF, "xoff")           /* A PG asks for a pause, ... */                 \
    X(XON, "xon")             /* ... and no longer. */                         \
    X(TX_PAUSE, "tx_pause")   /* A port pauses its peer, ... */                \
    X(TX_RESUME, "tx_resume") /* ... and no longer. */                         \
    X(RX_PAUSE, "rx_pause")   /* A port is paused by its peer, ... */          \
    X(RX_RESUME, "rx_resume") /* ... and no longer. */                         \
    X(MARK, "mark")           /* A queue marks a frame. */                     \
    X(DROP, "drop")           /* A PG or a queue drops a frame. */             \
    X(STORM, "storm")         /* The PFC watchdog finds a queue in a storm, */ \
    X(RESTORED, "restored")   /* and restores it. */                           \
    X(DEADLOCK, "deadlock")   /* The switch itself finds a queue in a */       \
    X(RECOVERED, "recovered") /* deadlock, and it has recovered. */            \
    X(END, "end")             /* The scenario has ended. */

enum trace_kind {
#define X(member, word) TRACE_##member,
    TRACE_KINDS(X)
#undef X
        N_TRACE_KINDS
};

/* No threshold; no priority; all priorities (802.3x). */
#define TRACE_NO_LIMIT     UINT64_MAX
#define TRACE_NO_PRIORITY  (-1)
#define TRACE_ALL_PRIORITY (-2)

struct trace_event {
    enum trace_kind kind;
    int64_t now_ps;
    struct target_object object; /* Its name is borrowed; NULL for END. */
    int priority;                /* Of pauses, else TRACE_NO_PRIORITY. */

    /* LEVEL.  The thresholds are those of 'shared' and of 'headroom'. */
    uint64_t reserved_bytes, shared_bytes, headroom_bytes;
    uint64_t threshold_bytes, headroom_limit_bytes;

    uint32_t frame_bytes; /* MARK, DROP. */
    const char *reason;   /* DROP: why; STORM: the action; else "". */
};

/* A frame that has left the switch, or a pause frame that has arrived. */
struct trace_frame {
    int64_t now_ps;
    uint32_t length_bytes; /* Without FCS. */

    /* Its first bytes; NULL: only what follows is known. */
    const uint8_t *bytes;
    uint32_t n_bytes;

    uint64_t source_mac, destination_mac; /* The low 48 bits. */
    int8_t dscp;                          /* Negative: not IP. */
    uint8_t ecn, ttl;
    uint16_t ip_id;
    bool has_tag;
    uint16_t vlan;
    uint8_t pcp;
    uint16_t source_port; /* Of UDP. */
};

/* Either function may be NULL. */
struct trace_sink {
    void (*event)(void *context, const struct trace_event *event);
    void (*frame)(void *context, const struct trace_frame *frame);
    void *context;
};

/* Returns the word for 'kind', for example "level". */
const char *trace_kind_word(enum trace_kind kind);

#endif /* breakpoint/trace.h */
