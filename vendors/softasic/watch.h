/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_WATCH_H
#define ORCHD_SOFTASIC_WATCH_H

/* Watches the buffer of softasic: each change, at the simulated time at which
 * it happens.
 *
 * softasic_ops (vendors/softasic/softasic.h) tells the state between two calls.
 * A watcher is called during them: for each change of what a priority group, a
 * queue or a pool holds, or of the threshold of one that holds something, and
 * for each XOFF, pause, mark and drop.  The library exports it by a symbol of
 * its own, as a callback cannot be an operation of a switch in another process.
 *
 * Without a watcher there is no cost.  With one, every packet takes the slow
 * path of the buffer, with the same result. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "vendors/softasic/softasic.h"

/* The name of the exported symbol, for dlsym(). */
#define SOFTASIC_WATCH_SYMBOL "softasic_watch"

enum softasic_change_kind {
    /* What a PG, queue or pool holds, or its threshold. */
    SOFTASIC_CHANGE_PG,
    SOFTASIC_CHANGE_QUEUE,
    SOFTASIC_CHANGE_POOL,
    /* 'begins': a PG asserts XOFF; else it releases it. */
    SOFTASIC_CHANGE_XOFF,
    /* The port asks its peer to pause a priority, or is paused itself; XOFF
     * becomes a pause only where PFC is enabled. */
    SOFTASIC_CHANGE_PAUSE_SENT,
    SOFTASIC_CHANGE_PAUSE_RECEIVED,
    /* A frame is marked "congestion experienced" in a queue. */
    SOFTASIC_CHANGE_MARK,
    /* A frame, or a copy of one, is dropped: at the queue if the egress port
     * counts it, else at the PG. */
    SOFTASIC_CHANGE_DROP,
    /* The switch itself detects a deadlock of a queue, or its end. */
    SOFTASIC_CHANGE_DEADLOCK,
};

/* The 'index' of a pause of the whole port (802.3x). */
#define SOFTASIC_PRIORITY_ALL SOFTASIC_N_PRIORITIES

struct softasic_change {
    enum softasic_change_kind kind;
    int64_t now_ps;
    sai_object_id_t object; /* The pool; of all others, the port. */
    uint32_t index;         /* Of the PG, the queue, or the priority. */
    bool begins;            /* XOFF, pauses, deadlocks. */

    /* PG, QUEUE, POOL.  The limits are those of 'shared' and of 'headroom' now;
     * SOFTASIC_NO_LIMIT: none. */
    uint64_t reserved_bytes, shared_bytes, headroom_bytes;
    uint64_t limit_bytes, headroom_limit_bytes;

    /* MARK, DROP. */
    uint32_t frame_bytes;

    /* DROP. */
    enum softasic_drop why;
    bool is_egress; /* 'index' is a queue, else a PG. */
};

/* A frame at a port, without FCS: data and pause frames of the switch when
 * their last bit has left, and pause frames of peers when it has arrived. */
struct softasic_frame {
    int64_t now_ps;
    sai_object_id_t port;
    bool received;
    uint32_t length_bytes;

    /* Its first bytes; NULL: only what follows is known. */
    const uint8_t *bytes;
    uint32_t n_bytes;

    uint64_t source_mac, destination_mac; /* The low 48 bits. */
    int8_t dscp;                          /* Negative: not IP. */
    uint8_t ecn;
    uint8_t ttl;
    uint16_t ip_id;
    bool has_tag;
    uint16_t vlan; /* 0: a priority tag. */
    uint8_t pcp;
    uint16_t source_port; /* Of UDP, if known; else 0. */
};

/* Any function may be NULL.  None may call the library; arguments are borrowed
 * for the call. */
struct softasic_watcher {
    void (*change)(void *context, const struct softasic_change *change);
    void (*frame)(void *context, const struct softasic_frame *frame);
    void *context;
};

/* Watches the switch of this process until it is removed, by a copy of
 * 'watcher' (NULL: ends it).  SAI_STATUS_UNINITIALIZED: no switch has been
 * created. SAI_STATUS_NOT_SUPPORTED: it is in another process. */
sai_status_t softasic_watch(const struct softasic_watcher *watcher);

typedef sai_status_t softasic_watch_fn(const struct softasic_watcher *watcher);

#endif /* vendors/softasic/watch.h */
