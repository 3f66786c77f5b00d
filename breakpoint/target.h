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
 * "dropped" (packets).  A flow is what flow_start() began, by its name; a peer
 * is the host behind a port, by the name of that.
 *
 * What a provider cannot do has a NULL pointer in its operations, or answers
 * ST_UNSUPPORTED.
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
    X(POOL, "pool", false)                                                     \
    X(FLOW, "flow", false)                                                     \
    X(PEER, "peer", false)

enum target_kind {
#define X(member, word, indexed) TARGET_##member,
    TARGET_KIND_LIST(X)
#undef X
        N_TARGET_KINDS
};

/* An object by its name: "pg Ethernet0.3" is {TARGET_PG, "Ethernet0", 3}. */
struct target_object {
    enum target_kind kind;
    const char *name;   /* Of the port, of the pool, or of the flow. */
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
    X(DROP, "drop")   /* A packet was dropped. */                              \
    X(XON, "xon")     /* That PG does not ask for a pause (any more). */

enum target_until {
#define X(member, word) TARGET_UNTIL_##member,
    TARGET_UNTIL_LIST(X)
#undef X
        N_TARGET_UNTIL
};

/* Returns the word for 'until', for example "xoff". */
const char *target_until_word(enum target_until until);

/* The value of 'ecn' that means "congestion experienced". */
#define TARGET_ECN_CE 3

/* A header that a frame may have besides DSCP and ECN. */
struct target_header {
    bool has_tag;
    uint16_t vlan; /* 0: the tag is for its priority only. */
    uint8_t pcp;   /* 0..7 */
    uint8_t ttl;
    uint16_t ip_id;
    bool is_not_ip; /* Then DSCP, ECN, TTL and id do not count. */
};

/* Packets to send: one after another, each processed before the next. */
struct target_send {
    const char *from; /* The port that they enter. */
    const char *to;   /* The port that they leave by. */
    enum target_until until;
    uint64_t count; /* How many; with XOFF and DROP, how many at most. */
    uint32_t size_bytes;
    uint8_t dscp; /* 0..63 */
    uint8_t ecn;  /* 0..3: the two bits; 2 is ECT(0). */
    struct target_header header;
    uint32_t flows; /* At least 1; told apart by their UDP source ports. */
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

/* Frames that left a port one after another and look the same. */
struct target_frames {
    uint8_t dscp;  /* 0 of what is not IP. */
    uint8_t queue; /* The index of the queue that they left. */
    uint8_t ecn;   /* 3: marked "congestion experienced". */
    uint8_t pcp;
    uint16_t vlan; /* 0: without a tag. */
    uint16_t ip_id;
    uint32_t size_bytes;
    uint64_t frames;
};

/* X(member, word).  Ways to keep a port from transmitting. */
#define TARGET_BLOCK_LIST(X)                                                   \
    X(TX_ENABLE, "tx_enable")             /* SAI_PORT_ATTR_PKT_TX_ENABLE */    \
    X(PORT_SCHEDULER, "port_scheduler")   /* Least rate, of the port, */       \
    X(QUEUE_SCHEDULER, "queue_scheduler") /* of queues, */                     \
    X(QUEUE_PIR, "queue_pir")             /* of queues, maximum only. */

enum target_block_way {
#define X(member, word) TARGET_BLOCK_##member,
    TARGET_BLOCK_LIST(X)
#undef X
        N_TARGET_BLOCKS
};

/* Returns the word for 'way', for example "queue_pir". */
const char *target_block_word(enum target_block_way way);

/* What to block or to unblock. */
struct target_block {
    const char *port;
    enum target_block_way way;
    uint32_t queues; /* A bit for each, of the ways that are about queues. */
};

/* A row of CONFIG_DB to be written. */
struct target_field {
    const char *name;
    const char *value; /* NULL: it is to go, where the target has the rest. */
};

struct target_row {
    const char *key; /* "BUFFER_POOL|ingress_lossless_pool" */
    const struct target_field *fields;
    size_t n_fields;
    bool removed; /* There is to be no such row. */
};

/* What became of a row, "" where a member does not apply. */
struct target_answer {
    const char *state; /* "applied", "rejected", ..., as orchd publishes it. */
    const char *code;
    const char *reason;
};

/* Pause frames that a peer sends, the first one at once. */
struct target_storm {
    const char *port;
    bool is_global;     /* 802.3x; else PFC. */
    uint8_t priorities; /* The class-enable vector. */
    uint16_t quanta;
    uint64_t interval_ns; /* From one to the next; not 0. */
    uint64_t count;       /* 0: until it is stopped. */
    bool zero_source;     /* From the address 00:00:00:00:00:00. */
};

/* X(member, word).  When the frames of a flow become due. */
#define TARGET_PATTERN_LIST(X)                                                 \
    X(CONSTANT, "constant")                                                    \
    X(BURST, "burst")                                                          \
    X(ON_OFF, "on_off")                                                        \
    X(POISSON, "poisson")

enum target_pattern {
#define X(member, word) TARGET_PATTERN_##member,
    TARGET_PATTERN_LIST(X)
#undef X
        N_TARGET_PATTERNS
};

/* Returns the word for 'pattern', for example "burst". */
const char *target_pattern_word(enum target_pattern pattern);

/* A flow that the peer of 'from' sends to that of 'to' while time passes. */
struct target_flow {
    const char *name;
    const char *from, *to;
    enum target_pattern pattern;
    uint64_t rate_ppm; /* Of the wire's speed; 0: 'rate_bps' counts. */
    uint64_t rate_bps; /* On the wire; 0: as fast as the wire takes it. */
    uint64_t count;    /* Frames; 0: until it is stopped. */
    uint64_t delay_ns; /* From now to the first. */
    uint64_t burst;    /* Frames of a burst. */
    uint64_t on_ns;    /* Of on_off; 'off_ns' also is a burst's period. */
    uint64_t off_ns;
    uint32_t size_bytes;
    uint8_t dscp, ecn;
    uint8_t priority; /* That a pause of stops it. */
    struct target_header header;
};

enum { TARGET_HOSTS_MAX = 64 };

/* How the peer of a port is. */
struct target_peer {
    const char *port;
    uint32_t cable_m;
    uint8_t obeys;     /* Priorities whose pauses it obeys. */
    bool obeys_global; /* Those of 802.3x. */
    uint64_t response_ns;
    uint32_t n_hosts; /* It is a switch with so many hosts, called PORT.1, ...;
                       * 0: it is a host itself. */
};

struct target;

struct target_ops {
    /* Stops ('blocked') or resumes transmission.  Takes effect after all frames
     * that were already delivered to the switch. */
    enum st (*block)(struct target *target, const struct target_block *block,
                     bool blocked, struct err *err);

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

    /* Begins to note the order and all headers of what leaves 'port'; without
     * it, received() may tell frames of the same DSCP, queue and mark together,
     * and not tell other headers. */
    enum st (*trace)(struct target *target, const char *port, struct err *err);

    /* Tells which frames have left 'port' since this was last asked: '*rows',
     * '*n' of them, allocated from 'arena'. */
    enum st (*received)(struct target *target, const char *port,
                        struct arena *arena, const struct target_frames **rows,
                        size_t *n, struct err *err);

    /* Writes 'n' rows of CONFIG_DB and lets them take effect; 'answers' tells
     * what became of each, in texts from 'arena'. */
    enum st (*configure)(struct target *target, const struct target_row *rows,
                         size_t n, struct arena *arena,
                         struct target_answer *answers, struct err *err);

    /* Ends the control plane and begins it anew with the same configuration, on
     * the switch as it is meanwhile; no time of the switch passes. */
    enum st (*restart)(struct target *target, struct err *err);

    /* Sets one SAI attribute of 'object'; 'attribute' is the tail of its name
     * ("PKT_TX_ENABLE"), 'value' is written as "orchctl sai" does. */
    enum st (*set)(struct target *target, const struct target_object *object,
                   const char *attribute, const char *value, struct err *err);

    /* Sets how the peer of a port is; by default it is at the other end of no
     * cable and obeys nothing. */
    enum st (*peer)(struct target *target, const struct target_peer *peer,
                    struct err *err);

    /* Begins a flow, a storm; ends the flow 'name', the storms of a port. */
    enum st (*flow_start)(struct target *target, const struct target_flow *flow,
                          struct err *err);
    enum st (*flow_stop)(struct target *target, const char *name,
                         struct err *err);
    enum st (*storm_start)(struct target *target,
                           const struct target_storm *storm, struct err *err);
    enum st (*storm_stop)(struct target *target, const char *port,
                          struct err *err);

    /* Makes the counters of 'n' objects count from 0, and their watermarks
     * start at what they hold, as on a new switch; for as long as the scenario
     * runs. Objects that are not there (yet) are passed over.  NULL: the switch
     * is new. */
    enum st (*start)(struct target *target, const struct target_object *objects,
                     size_t n, struct err *err);

    /* Leaves the switch as it was found: rows and attributes are what they were
     * before, nothing is blocked, no generator runs, and the buffer is as empty
     * as that lets it be.  Called after the last step, however it ended.  NULL:
     * the switch ends with the scenario. */
    enum st (*restore)(struct target *target, struct err *err);
};

/* A provider embeds this as its first member. */
struct target {
    const struct target_ops *ops;
};

#endif /* breakpoint/target.h */
