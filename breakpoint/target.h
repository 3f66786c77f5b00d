/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_TARGET_H
#define ORCHD_BREAKPOINT_TARGET_H

/* The switch that a breakpoint scenario is run against, as few verbs as
 * possible.
 *
 * The runner knows scenarios and nothing of switches; a provider knows one way
 * to reach a switch.  Providers: the daemon behind its control socket (live),
 * and a switch in the same process.  A test gives a fake.
 *
 * Counters.  An object is read as a list of named numbers.  The names are the
 * tails of the SAI statistics in lower case ("SAI_INGRESS_PRIORITY_GROUP_STAT_
 * SHARED_WATERMARK_BYTES" is "shared_watermark_bytes"), so a provider needs no
 * table of its own and a scenario can use every counter that the switch has.
 * What SAI has no counter for is told as well: "pfc_3_xoff" of a port and
 * "xoff" of a PG are 1 while the switch asks its peer to pause, else 0; of a PG
 * or queue "reserved_bytes", "shared_bytes", "headroom_bytes" (PG) and
 * "dropped" (packets).
 *
 * Errors.  ST_IO: the switch cannot be reached.  ST_INVALID: it does not
 * understand the request.  Others: it says no.  All fill 'err'. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct arena;

/* X(member, word, indexed).  What can be looked at; the words are those of the
 * scenario language. */
#define TARGET_KIND_LIST(X)                                                    \
    X(PORT, "port", false)                                                     \
    X(PG, "pg", true)                                                          \
    X(QUEUE, "queue", true)                                                    \
    X(POOL, "pool", false)

enum target_kind {
#define X(member, word, indexed) TARGET_##member,
    TARGET_KIND_LIST(X)
#undef X
        N_TARGET_KINDS
};

/* An object by its name: "pg Ethernet0.3" is {TARGET_PG, "Ethernet0", 3}. */
struct target_object {
    enum target_kind kind;
    const char *name;   /* Of the port or of the pool. */
    unsigned int index; /* Position of the PG or queue in its port; else 0. */
};

/* Returns the word for 'kind', for example "queue". */
const char *target_kind_word(enum target_kind kind);

/* Finds the kind of the word that is the first 'length' bytes of 'word'.
 * Returns false and leaves '*kind' alone if there is none. */
bool target_kind_find(const char *word, size_t length, enum target_kind *kind);

/* Returns whether objects of 'kind' have an index. */
bool target_kind_indexed(enum target_kind kind);

/* Writes the name of 'object' as a scenario has it, for example "pg
 * Ethernet0.3", into 'buffer' of 'size' bytes. */
void target_object_text(const struct target_object *object, char *buffer,
                        size_t size);

/* One counter of one object. */
struct target_stat {
    const char *name;
    uint64_t value;
};

/* All counters of one object. */
struct target_reading {
    size_t n;
    const struct target_stat *stats;
};

/* Finds the counter 'name' in 'reading'; NULL if the object has none. */
const struct target_stat *
target_reading_find(const struct target_reading *reading, const char *name);

/* X(member, word).  What ends a send. */
#define TARGET_UNTIL_LIST(X)                                                   \
    X(COUNT, "count") /* All are sent. */                                      \
    X(XOFF, "xoff")   /* The priority's PG at the source asks for a pause. */  \
    X(DROP, "drop")   /* A packet was dropped. */

enum target_until {
#define X(member, word) TARGET_UNTIL_##member,
    TARGET_UNTIL_LIST(X)
#undef X
        N_TARGET_UNTIL
};

/* Returns the word for 'until', for example "xoff". */
const char *target_until_word(enum target_until until);

/* Packets to send: one after another, each processed before the next. */
struct target_send {
    const char *from; /* The port that they enter. */
    const char *to;   /* The port that they leave by. */
    enum target_until until;
    uint64_t count; /* How many; with XOFF and DROP, how many at most. */
    uint32_t size_bytes;
    uint8_t dscp; /* 0..63 */
    uint8_t ecn;  /* 0..3: the two bits; 2 is ECT(0). */
};

/* What became of them by the time the last was processed. */
struct target_sent {
    uint64_t sent;            /* Including the one that ended it. */
    uint64_t dropped_ingress; /* Of these. */
    uint64_t dropped_egress;
    bool reached; /* Whether the condition came; true for COUNT. */
    bool xoff;    /* Whether the PG they entered asks for a pause now. */
    unsigned int pg, queue; /* Where they went, by index. */
};

/* Frames that left a port, by what they look like. */
struct target_frames {
    uint8_t dscp;
    uint8_t queue; /* The index of the queue that they left. */
    bool ce;       /* Marked "congestion experienced". */
    uint64_t frames;
};

struct target;

struct target_ops {
    /* Stops ('blocked') or resumes transmission of 'port'.  Takes effect after
     * all frames that were already delivered to the switch. */
    enum st (*block)(struct target *target, const char *port, bool blocked,
                     struct err *err);

    /* Sends packets and fills '*sent'.  ST_OK also if 'until' never came:
     * then 'sent->reached' is false. */
    enum st (*send)(struct target *target, const struct target_send *send,
                    struct target_sent *sent, struct err *err);

    /* Lets everything that is in motion come to rest: frames on the wire are
     * processed and unblocked queues are empty. */
    enum st (*settle)(struct target *target, struct err *err);

    /* Lets 'ns' nanoseconds of the switch's time pass. */
    enum st (*run)(struct target *target, uint64_t ns, struct err *err);

    /* Reads all counters of 'n' objects at one moment into 'readings', in
     * their order; clears nothing.  The counters and their names are
     * allocated from 'arena'. */
    enum st (*read)(struct target *target, const struct target_object *objects,
                    size_t n, struct arena *arena,
                    struct target_reading *readings, struct err *err);

    /* Makes the watermarks of 'n' objects start anew at what they hold. */
    enum st (*clear)(struct target *target, const struct target_object *objects,
                     size_t n, struct err *err);

    /* Tells which frames have left 'port' since this was last asked: '*rows',
     * '*n' of them, allocated from 'arena'. */
    enum st (*received)(struct target *target, const char *port,
                        struct arena *arena, const struct target_frames **rows,
                        size_t *n, struct err *err);
};

/* A provider embeds this as its first member. */
struct target {
    const struct target_ops *ops;
};

#endif /* breakpoint/target.h */
