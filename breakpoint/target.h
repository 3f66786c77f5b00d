/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_TARGET_H
#define ORCHD_BREAKPOINT_TARGET_H

/* The switch that a breakpoint scenario runs against, with as few operations as
 * possible.
 *
 * The runner knows scenarios but not switches; a provider knows one way to
 * reach a switch.  Providers: the daemon behind its control socket (live), and
 * a switch in the same process (offline).  Tests use a fake.
 *
 * Counters.  An object is read as a list of named numbers.  The names are the
 * tails of the SAI statistics in lower case ("SAI_INGRESS_PRIORITY_GROUP_STAT_
 * SHARED_WATERMARK_BYTES" is "shared_watermark_bytes"), so a provider needs no
 * table of its own and a scenario can use every counter that the switch has.
 * Some counters have no SAI statistic: "pfc_3_xoff" of a port and "xoff" of a
 * PG are 1 while the switch asks its peer to pause, else 0; PGs and queues have
 * "reserved_bytes", "shared_bytes", "headroom_bytes" (PG) and "dropped"
 * (packets).  A flow is one that flow_start() has started, by its name; a peer
 * is the other end of a port's link, by the name of the port.
 *
 * An operation that a provider does not support is a NULL pointer, or returns
 * ST_UNSUPPORTED.
 *
 * Errors.  ST_IO: the switch cannot be reached.  ST_INVALID: it does not
 * understand the request.  Others: it refuses the request.  All fill 'err'. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct arena;

/* X(member, word, indexed).  The kinds of objects that can be read, with their
 * words in the scenario language. */
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

/* An object by its name: "pg Ethernet0|3" is {TARGET_PG, "Ethernet0", 3}. */
struct target_object {
    enum target_kind kind;
    const char *name;   /* Of the port, of the pool, or of the flow. */
    unsigned int index; /* Of the PG or queue in its port; else 0. */
};

/* Returns the word for 'kind', for example "queue". */
const char *target_kind_word(enum target_kind kind);

/* Finds the kind whose word is the first 'length' bytes of 'word'.  Returns
 * false and leaves '*kind' alone if there is none. */
bool target_kind_find(const char *word, size_t length, enum target_kind *kind);

/* Returns whether objects of 'kind' have an index. */
bool target_kind_indexed(enum target_kind kind);

/* Writes the name of 'object' as in scenarios, for example "pg Ethernet0|3",
 * into 'buffer' of 'size' bytes. */
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

/* Returns the counter 'name' in 'reading', or NULL if the object has none. */
const struct target_stat *
target_reading_find(const struct target_reading *reading, const char *name);

/* X(member, word).  What ends a send. */
#define TARGET_UNTIL_LIST(X)                                                   \
    X(COUNT, "count") /* All are sent. */                                      \
    X(XOFF, "xoff")   /* The PG of the packets asks for a pause. */            \
    X(DROP, "drop")   /* A packet was dropped. */                              \
    X(XON, "xon")     /* That PG does not ask for a pause. */

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

/* The header fields of a frame besides DSCP and ECN. */
struct target_header {
    bool has_tag;
    uint16_t vlan; /* 0: a priority tag (IEEE 802.1Q). */
    uint8_t pcp;   /* 0..7 */
    uint8_t ttl;
    uint16_t ip_id;
    bool is_not_ip; /* DSCP, ECN, TTL and id are ignored. */
};

/* The arguments of requests.
 *
 * A client of orchd sends the arguments of an operation as members of a JSON
 * object ("breakpoint ..." of the control protocol).  A list TARGET_..._MEMBERS
 * follows each structure of arguments.  orchctl/live_bench.c writes them from
 * it, and orchd/control/breakpoint_commands.c checks and reads them:
 *
 *   A_TEXT(key, member)               a text that is not empty
 *   A_WORD(key, member, type, word)    a word of 'type', by target_WORD_word()
 *   A_NUMBER(key, member, type, min, max, otherwise)
 *                                     a number; 'otherwise' if it is missing
 *   A_FLAG(key, member)               a boolean; false if it is missing
 *   A_OBJECT(key, member)             a struct target_object
 *
 * A is the prefix of the user's macros. */

/* The most frames of one send, the most time of one run, and the longest time
 * of flows and storms (eleven days). */
#define TARGET_REQUEST_FRAMES_MAX INT64_C(1000000)
#define TARGET_REQUEST_NS_MAX     (INT64_C(100) * 1000 * 1000)
#define TARGET_NS_MAX             (INT64_C(1000000) * 1000 * 1000 * 1000)

/* The sizes of frames that softasic accepts. */
#define TARGET_FRAME_BYTES_MIN 60
#define TARGET_FRAME_BYTES_MAX 16379

/* The properties of frames, of a struct with these members. */
#define TARGET_FRAME_MEMBERS(A)                                                \
    A##_NUMBER("size", size_bytes, uint32_t, TARGET_FRAME_BYTES_MIN,           \
               TARGET_FRAME_BYTES_MAX, 64)                                     \
        A##_NUMBER("dscp", dscp, uint8_t, 0, 63, 0)                            \
            A##_NUMBER("ecn", ecn, uint8_t, 0, 3, 0)                           \
                A##_FLAG("tag", header.has_tag)                                \
                    A##_NUMBER("vlan", header.vlan, uint16_t, 0, 4094, 0)      \
                        A##_NUMBER("pcp", header.pcp, uint8_t, 0, 7, 0)        \
                            A##_NUMBER("ttl", header.ttl, uint8_t, 0, 255, 64) \
                                A##_NUMBER("ip_id", header.ip_id, uint16_t, 0, \
                                           UINT16_MAX, 0)                      \
                                    A##_FLAG("not_ip", header.is_not_ip)

/* Packets to send one after another; the switch processes each before the
 * next. */
struct target_send {
    const char *from; /* The port that they enter. */
    const char *to;   /* The port that they leave by. */
    enum target_until until;
    uint64_t count; /* Exact; for an 'until' other than COUNT the maximum. */
    uint32_t size_bytes;
    uint8_t dscp; /* 0..63 */
    uint8_t ecn;  /* 0..3: the two bits; 2 is ECT(0). */
    struct target_header header;
    uint32_t flows; /* At least 1; they differ in the UDP source port. */
};

#define TARGET_SEND_MEMBERS(A)                                                 \
    A##_TEXT("from", from) A##_TEXT("to", to)                                  \
        A##_WORD("until", until, enum target_until, until)                     \
            A##_NUMBER("count", count, uint64_t, 0, TARGET_REQUEST_FRAMES_MAX, \
                       0) A##_NUMBER("flows", flows, uint32_t, 1, 16384, 1)    \
                TARGET_FRAME_MEMBERS(A)

/* The result of a send, after the last packet was processed. */
struct target_sent {
    uint64_t sent;            /* Including the packet that met the condition. */
    uint64_t dropped_ingress; /* Of these. */
    uint64_t dropped_egress;
    bool reached; /* Whether the condition was met; true for COUNT. */
    bool xoff;    /* Whether the PG they entered asks for a pause now. */
    unsigned int tc, pg, queue; /* That the packets used, by index. */
};

/* Equal frames that left a port one after another. */
struct target_frames {
    uint8_t dscp;  /* 0 if the frame is not IP. */
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
    X(PORT_SCHEDULER, "port_scheduler")   /* Minimum rate at the port, */      \
    X(QUEUE_SCHEDULER, "queue_scheduler") /* at queues, */                     \
    X(QUEUE_PIR, "queue_pir")             /* at queues as a maximum only. */

enum target_block_way {
#define X(member, word) TARGET_BLOCK_##member,
    TARGET_BLOCK_LIST(X)
#undef X
        N_TARGET_BLOCKS
};

/* Returns the word for 'way', for example "queue_pir". */
const char *target_block_word(enum target_block_way way);

/* A port to block or to unblock. */
struct target_block {
    const char *port;
    enum target_block_way way;
    uint32_t queues; /* Bit mask, for the ways that block queues. */
    bool blocked;    /* false: unblock it. */
};

#define TARGET_BLOCK_MEMBERS(A)                                                \
    A##_TEXT("port", port) A##_WORD("way", way, enum target_block_way, block)  \
        A##_NUMBER("queues", queues, uint32_t, 0, UINT32_MAX, 0)               \
            A##_FLAG("blocked", blocked)

/* A SAI attribute to set. */
struct target_set {
    struct target_object object;
    const char *attribute; /* The tail of its name: "PKT_TX_ENABLE". */
    const char *value;     /* In the format of "orchctl sai". */
};

#define TARGET_SET_MEMBERS(A)                                                  \
    A##_OBJECT("object", object) A##_TEXT("attribute", attribute)              \
        A##_TEXT("value", value)

/* The access list of a port: one rule for what arrives there. */
struct target_acl {
    const char *port;
    /* "NAME=VALUE", where SAI_ACL_ENTRY_ATTR_FIELD_NAME has a VALUE in the
     * format of "orchctl sai" ("DSCP=5&mask:0x3f"); or "any". */
    const char *match;
    const char *action; /* The same of ACTION_NAME; "none": there is no rule any
                         * more. */
};

#define TARGET_ACL_MEMBERS(A)                                                  \
    A##_TEXT("port", port) A##_TEXT("match", match) A##_TEXT("action", action)

/* A field of a row of CONFIG_DB to write. */
struct target_field {
    const char *name;
    const char *value; /* NULL: remove the field. */
};

struct target_row {
    const char *key; /* "BUFFER_POOL|ingress_lossless_pool" */
    const struct target_field *fields;
    size_t n_fields;
    bool removed; /* Remove the row. */
};

/* The answer to a row; members that do not apply are "". */
struct target_answer {
    const char *state; /* "applied", "rejected", ..., as orchd publishes it. */
    const char *code;
    const char *reason;
};

/* Pause frames that a peer sends, the first one immediately. */
struct target_storm {
    const char *port;
    bool is_global;     /* 802.3x; else PFC. */
    uint8_t priorities; /* The class-enable vector. */
    uint16_t quanta;
    uint64_t interval_ns; /* Between two frames; not 0. */
    uint64_t count;       /* 0: until it is stopped. */
    bool zero_source;     /* From the address 00:00:00:00:00:00. */
};

#define TARGET_STORM_MEMBERS(A)                                                \
    A##_TEXT("port", port) A##_FLAG("global", is_global)                       \
        A##_NUMBER("priorities", priorities, uint8_t, 0, UINT8_MAX, 0)         \
            A##_NUMBER("quanta", quanta, uint16_t, 0, UINT16_MAX, UINT16_MAX)  \
                A##_NUMBER("interval_ns", interval_ns, uint64_t, 1,            \
                           TARGET_NS_MAX, 10000)                               \
                    A##_NUMBER("count", count, uint64_t, 0, INT64_MAX, 0)      \
                        A##_FLAG("zero_src_mac", zero_source)

/* X(member, word).  The traffic pattern of a flow. */
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

/* A flow that the peer of 'from' sends to the peer of 'to' while time
 * passes. */
struct target_flow {
    const char *name;
    const char *from, *to;
    enum target_pattern pattern;
    uint64_t rate_ppm; /* Of the link's speed; 0: use 'rate_bps'. */
    uint64_t rate_bps; /* On the link; 0: line rate. */
    uint64_t count;    /* Frames; 0: until it is stopped. */
    uint64_t delay_ns; /* Until the first frame. */
    uint64_t burst;    /* Frames per burst. */
    uint64_t on_ns;    /* For on_off; 'off_ns' is also the period of bursts. */
    uint64_t off_ns;
    uint32_t size_bytes;
    uint8_t dscp, ecn;
    uint8_t priority; /* A pause of this priority stops the flow. */
    struct target_header header;
};

#define TARGET_FLOW_MEMBERS(A)                                                 \
    A##_TEXT("name", name) A##_TEXT("from", from) A##_TEXT("to", to) A##_WORD( \
        "pattern", pattern, enum target_pattern,                               \
        pattern) A##_NUMBER("rate_ppm", rate_ppm, uint64_t, 0, 1000000, 0)     \
        A##_NUMBER("rate_bps", rate_bps, uint64_t, 0, INT64_MAX,               \
                   0) A##_NUMBER("count", count, uint64_t, 0, INT64_MAX, 0)    \
            A##_NUMBER("delay_ns", delay_ns, uint64_t, 0, TARGET_NS_MAX, 0)    \
                A##_NUMBER("burst", burst, uint64_t, 0, INT64_MAX, 0)          \
                    A##_NUMBER("on_ns", on_ns, uint64_t, 0, TARGET_NS_MAX,     \
                               0) A##_NUMBER("off_ns", off_ns, uint64_t, 0,    \
                                             TARGET_NS_MAX, 0)                 \
                        A##_NUMBER("prio", priority, uint8_t, 0, UINT8_MAX, 0) \
                            TARGET_FRAME_MEMBERS(A)

enum { TARGET_HOSTS_MAX = 64 };

/* The properties of the peer of a port. */
struct target_peer {
    const char *port;
    uint32_t cable_m;
    uint8_t obeys;     /* Mask of priorities whose pauses it obeys. */
    bool obeys_global; /* Whether it obeys 802.3x pauses. */
    uint64_t response_ns;
    uint32_t n_hosts; /* The peer is a switch with this many hosts, called
                       * PORT.1, ...; 0: it is a host. */
};

#define TARGET_PEER_MEMBERS(A)                                                 \
    A##_TEXT("port", port) A##_NUMBER("cable", cable_m, uint32_t, 0, 1000000,  \
                                      0)                                       \
        A##_NUMBER("obeys", obeys, uint8_t, 0, UINT8_MAX, 0)                   \
            A##_FLAG("obeys_global", obeys_global) A##_NUMBER(                 \
                "response_ns", response_ns, uint64_t, 0, TARGET_NS_MAX, 0)     \
                A##_NUMBER("hosts", n_hosts, uint32_t, 0, TARGET_HOSTS_MAX, 0)

/* X(member, operation, name, verb).  The operations that are also steps of
 * scenarios: a step "verb" holds 'struct target_name name', and runs
 * 'operation' with it. */
#define TARGET_STEP_LIST(X)                                                    \
    X(SAI, set, set, "sai")                                                    \
    X(ACL, acl, acl, "acl")                                                    \
    X(PEER, peer, peer, "peer")                                                \
    X(FLOW, flow_start, flow, "flow")                                          \
    X(STORM, storm_start, storm, "storm")

/* The operations that return only a status, by their arguments.  'verb' is the
 * request "breakpoint verb".
 *
 * X(operation, verb, type, MEMBERS): 'type' with 'MEMBERS'. */
#define TARGET_STRUCT_OPERATION_LIST(X)                                        \
    X(block, "block", struct target_block, TARGET_BLOCK_MEMBERS)               \
    X(set, "set", struct target_set, TARGET_SET_MEMBERS)                       \
    X(acl, "acl", struct target_acl, TARGET_ACL_MEMBERS)                       \
    X(peer, "peer", struct target_peer, TARGET_PEER_MEMBERS)                   \
    X(flow_start, "flow", struct target_flow, TARGET_FLOW_MEMBERS)             \
    X(storm_start, "storm", struct target_storm, TARGET_STORM_MEMBERS)

/* X(operation, verb, key): one text, called 'key'. */
#define TARGET_TEXT_OPERATION_LIST(X)                                          \
    X(flow_stop, "flow_stop", "name")                                          \
    X(storm_stop, "storm_stop", "port")                                        \
    X(trace, "trace", "port")

/* X(operation, verb): a list of objects, "objects". */
#define TARGET_OBJECTS_OPERATION_LIST(X)                                       \
    X(clear, "clear")                                                          \
    X(start, "start")

struct target;

struct target_ops {
    /* Stops or resumes transmission, after all frames that were already
     * delivered to the switch are processed. */
    enum st (*block)(struct target *target, const struct target_block *block,
                     struct err *err);

    /* Sends packets and fills '*sent'.  Returns ST_OK also if the condition
     * 'until' was not met; 'sent->reached' is then false. */
    enum st (*send)(struct target *target, const struct target_send *send,
                    struct target_sent *sent, struct err *err);

    /* Lets the switch settle: all frames on links are processed and unblocked
     * queues are empty. */
    enum st (*settle)(struct target *target, struct err *err);

    /* Lets 'ns' nanoseconds of the switch's time pass. */
    enum st (*run)(struct target *target, uint64_t ns, struct err *err);

    /* Reads all counters of 'n' objects at one moment into 'readings', in
     * their order; clears nothing.  The counters and their names are
     * allocated from 'arena'. */
    enum st (*read)(struct target *target, const struct target_object *objects,
                    size_t n, struct arena *arena,
                    struct target_reading *readings, struct err *err);

    /* Resets the watermarks of 'n' objects to their current levels. */
    enum st (*clear)(struct target *target, const struct target_object *objects,
                     size_t n, struct err *err);

    /* Starts recording the order and all headers of the frames that leave
     * 'port'.  Otherwise received() may merge frames with the same DSCP, queue
     * and ECN mark, and may not report other headers. */
    enum st (*trace)(struct target *target, const char *port, struct err *err);

    /* Stores the frames that have left 'port' since the last call: '*n'
     * '*rows', allocated from 'arena'. */
    enum st (*received)(struct target *target, const char *port,
                        struct arena *arena, const struct target_frames **rows,
                        size_t *n, struct err *err);

    /* Writes 'n' rows of CONFIG_DB, lets them take effect, and stores the
     * answer to each in 'answers', with texts from 'arena'. */
    enum st (*configure)(struct target *target, const struct target_row *rows,
                         size_t n, struct arena *arena,
                         struct target_answer *answers, struct err *err);

    /* Restarts the control plane with the same configuration while the switch
     * keeps its state (warm restart).  No time of the switch passes. */
    enum st (*restart)(struct target *target, struct err *err);

    /* Sets one SAI attribute of an object. */
    enum st (*set)(struct target *target, const struct target_set *set,
                   struct err *err);

    /* Replaces the access list of a port. */
    enum st (*acl)(struct target *target, const struct target_acl *acl,
                   struct err *err);

    /* Sets the properties of the peer of a port.  By default its cable has
     * length 0 and it obeys no pauses. */
    enum st (*peer)(struct target *target, const struct target_peer *peer,
                    struct err *err);

    /* Start a flow or a storm; stop the flow 'name' or the storms of a port. */
    enum st (*flow_start)(struct target *target, const struct target_flow *flow,
                          struct err *err);
    enum st (*flow_stop)(struct target *target, const char *name,
                         struct err *err);
    enum st (*storm_start)(struct target *target,
                           const struct target_storm *storm, struct err *err);
    enum st (*storm_stop)(struct target *target, const char *port,
                          struct err *err);

    /* Makes the counters of 'n' objects count from 0 and their watermarks start
     * at their current levels, as on a new switch, while the scenario runs.
     * Skips objects that do not exist (yet).  NULL: the switch is new. */
    enum st (*start)(struct target *target, const struct target_object *objects,
                     size_t n, struct err *err);

    /* Restores the switch: rows and attributes have their former values, no
     * port is blocked, no generator runs, and the buffer has drained as far as
     * these allow.  Called after the last step, also if it failed.  NULL: the
     * switch is destroyed after the scenario. */
    enum st (*restore)(struct target *target, struct err *err);
};

/* A provider embeds this as its first member. */
struct target {
    const struct target_ops *ops;
};

#endif /* breakpoint/target.h */
