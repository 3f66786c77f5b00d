/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_STORAGE_SU_RDMA_H
#define ORCHD_LAB_STORAGE_SU_RDMA_H

/* sU-RDMA, "storage in user space": messages between programs of storage
 * servers, over a queue pair of the reliable connection service.  (sK-RDMA is
 * storage in the kernel.)
 *
 * This is one end of a connection, a state machine without queue pair, clock
 * and memory.  The caller posts messages to it, takes the work requests that it
 * wants to post with su_next(), and says which of them have completed and what
 * has arrived.  Work requests must complete in the order of su_next(), and what
 * is sent must arrive in order, as the service guarantees.
 *
 * Modes.  A message is sent as one chunk, or as chunks of fixed size of which
 * one at a time is in flight.  By its size a chunk goes
 *     small   in one SEND, which needs a receive buffer at the peer and a copy
 *             out of it;
 *     medium  as a WRITE into a slot that the peer has lent, and a SEND that
 *             says so;
 *     large   as a SEND with the description of the sender's buffer; the peer
 *             READs it and says "done" with a SEND.
 * A mode can be forced.  A chunk that is sent by SEND although it is larger
 * than a receive buffer takes several.
 *
 * Credits.  A credit is a receive buffer that the peer has posted for us; a
 * SEND takes one.  So no SEND meets an empty receive queue (RNR).  Each SEND
 * returns the credits and slots that the peer may use again; if half of them
 * wait for that, an update is sent.  The last credit is kept for a SEND that
 * returns some, else both ends could wait for each other.
 *
 * Order.  Messages are delivered in the order in which they were posted, as by
 * a socket: a small one behind a large one waits for the READ of that.
 *
 * Source: "Empowering Azure Storage with RDMA" (NSDI 2023), section 4.1, which
 * gives the modes, credits from the receiver and one chunk in flight.  Ours:
 * sizes, the header, credits that travel on all SENDs and the kept one (as in
 * SMB Direct, MS-SMBD 3.1.5.1). */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/storage/slab_pool.h"

enum {
    SU_HEADER_BYTES = 32, /* Of each SEND, before data. */
    SU_MIN_CREDITS = 3,
    SU_MAX_CREDITS = 4096,
    SU_MAX_SLOTS = 1024,
    SU_MAX_READS = 16, /* That are outstanding at an end. */
    SU_MAX_DEPTH = 4096,
};

#define SU_MAX_MESSAGE_BYTES UINT32_C(0x7fffffff)

/* X(member, name) */
#define SU_MODES(X)                                                            \
    X(AUTO, "auto") /* By the size of a chunk. */                              \
    X(SEND, "send")                                                            \
    X(WRITE, "write")                                                          \
    X(READ, "read")

enum su_mode {
#define X(member, name) SU_MODE_##member,
    SU_MODES(X)
#undef X
        SU_N_MODES
};

/* Of both ends of a connection alike. */
struct su_config {
    enum su_mode mode;
    uint32_t small_bytes;  /* Data of a receive buffer: 1..1 MiB. */
    uint32_t medium_bytes; /* Of a slot: not below 'small_bytes'. */
    uint32_t chunk_bytes;  /* 0: a message is one chunk. */
    uint32_t credits;      /* SU_MIN_CREDITS..SU_MAX_CREDITS. */
    uint32_t slots;        /* 1..SU_MAX_SLOTS */
    uint32_t depth;        /* Messages that are posted at most:
                            * 1..SU_MAX_DEPTH. */
};

enum su_operation { SU_OP_SEND, SU_OP_WRITE, SU_OP_READ };

/* What a SEND says. */
enum su_kind {
    SU_DATA,        /* It carries data. */
    SU_WRITTEN,     /* Data are in a slot. */
    SU_DESCRIPTION, /* Data can be READ. */
    SU_DONE,        /* They were. */
    SU_UPDATE,      /* Nothing but credits. */
};

struct su_control {
    enum su_kind kind;
    uint32_t bytes;          /* Of data that are sent, written or described. */
    bool ends;               /* They end a message. */
    uint32_t credits, slots; /* That are returned. */
};

/* A work request. */
struct su_work {
    enum su_operation operation;
    uint32_t bytes;            /* On the wire, with the header of a SEND. */
    struct su_control control; /* Of a SEND: what the peer must get. */
    uint32_t registrations;    /* Of memory, before it can be posted. */
};

/* What was done at one end. */
struct su_stats {
    uint64_t sent[SU_N_MODES];                      /* Chunks, by mode. */
    uint64_t updates;                               /* SENDs of credits only. */
    uint64_t waits_for_credit, waits_for_slot;      /* Of data. */
    uint64_t in_flight_bytes, in_flight_peak_bytes; /* Of chunks. */
    uint64_t delivered_bytes;
    uint64_t copied_bytes; /* Of them, out of receive buffers. */
};

struct su;

/* Returns ST_OK, or ST_INVALID and the reason in '*err' (may be NULL). */
enum st su_config_check(const struct su_config *config,
                        struct err *err) ST_WARN_UNUSED;

/* Returns the bytes of memory that an end lends its peer: receive buffers and
 * slots. */
uint64_t su_lent_bytes(const struct su_config *config);

/* Returns how many work requests can be outstanding at an end. */
uint32_t su_most_work(const struct su_config *config);

/* Stores an end in '*su'.  It has posted 'credits' receive buffers and lent
 * 'slots' slots, and so has the peer.  'pool', borrowed, is where it takes
 * memory for these, for READs and for messages that it sends; NULL: all is
 * registered already.  ST_INVALID as su_config_check().  End with su_destroy(),
 * which accepts NULL. */
enum st su_create(const struct su_config *config, struct slab_pool *pool,
                  struct su **su) ST_WARN_UNUSED;
void su_destroy(struct su *su);

/* Posts a message of 'bytes', not 0 and at most SU_MAX_MESSAGE_BYTES.
 * ST_NO_RESOURCE: 'depth' are posted. */
enum st su_post(struct su *su, uint32_t bytes) ST_WARN_UNUSED;

/* Takes the next work request.  Returns false if there is none. */
bool su_next(struct su *su, struct su_work *work);

/* Notes that the oldest work request has completed. */
void su_completed(struct su *su);

/* Notes that a SEND with 'control' has arrived. Its receive buffer is posted
 * again when su_take_receives() says so. */
void su_received(struct su *su, const struct su_control *control);

/* Returns how many receive buffers were freed and must be posted again, since
 * the last call. */
uint32_t su_take_receives(struct su *su);

/* Return how many messages have been sent completely, and delivered, up to now;
 * both in the order in which they were posted. */
uint64_t su_n_sent(const struct su *su);
uint64_t su_n_delivered(const struct su *su);

void su_get_stats(const struct su *su, struct su_stats *stats);

/* Returns NULL if all invariants hold, else a sentence about one that does not.
 * For tests. */
const char *su_check(const struct su *su);

#endif /* lab/storage/su_rdma.h */
