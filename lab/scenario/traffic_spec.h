/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_TRAFFIC_SPEC_H
#define ORCHD_LAB_SCENARIO_TRAFFIC_SPEC_H

/* The 'traffic' and 'faults' of a scenario.
 *
 * Each item of 'traffic' has a kind, its first key: 'rc' (messages over queue
 * pairs), 'tcp' (messages over TCP connections), 'ping' (request and echo over
 * either) or 'raw' (frames of one size at a given rate).  Its pattern says
 * which hosts send to which:
 *
 *     pairs        host i of 'from' to host i of 'to'
 *     permutation  each host of 'from' to another, each receives once; random
 *     incast       each host of 'from' to the one of 'to'
 *     fan_in       'n' random hosts of 'from' to each host of 'to', starting at
 *                  the same time
 *     all_to_all   each host of 'from' to each other one of 'to'
 *     loopback     each host of 'from' to itself, through its adapter only
 *
 * In the others 'n' takes the first n of 'from' (and, of pairs, of 'to').
 *
 * An item 'pingmesh' becomes items of kind 'ping', one for each transport,
 * scope and phase, with a scope instead of a pattern: each host of 'from' sends
 * to 'peers' random ones that are as near as the scope says, the same in all
 * phases and over each transport.
 *
 * An item 'disk' becomes items of kind 'su_rdma' or 'tcp', one for each kind of
 * messages that I/Os need, whose messages lab/exec/run_disk.c posts.
 *
 * lab/builder/flows.h makes the flows. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/scenario/host_spec.h"
#include "lab/scenario/quantity.h"

#define TRAFFIC_KINDS(X)                                                       \
    X(RC, "rc")                                                                \
    X(PING, "ping")                                                            \
    X(RAW, "raw")                                                              \
    X(TCP, "tcp")                                                              \
    X(SRD, "srd")                                                              \
    X(SU_RDMA, "su_rdma")                                                      \
    X(SK_RDMA, "sk_rdma")                                                      \
    X(PINGMESH, "pingmesh")                                                    \
    X(DISK, "disk")

enum traffic_kind {
#define X(member, name) TRAFFIC_##member,
    TRAFFIC_KINDS(X)
#undef X
};

#define TRAFFIC_PATTERNS(X)                                                    \
    X(PAIRS, "pairs")                                                          \
    X(PERMUTATION, "permutation")                                              \
    X(INCAST, "incast")                                                        \
    X(ALL_TO_ALL, "all_to_all")                                                \
    X(LOOPBACK, "loopback")                                                    \
    X(FAN_IN, "fan_in")

enum traffic_pattern {
#define X(member, name) TRAFFIC_PATTERN_##member,
    TRAFFIC_PATTERNS(X)
#undef X
};

/* What carries a ping. */
#define TRAFFIC_TRANSPORTS(X)                                                  \
    X(RDMA, "rdma")                                                            \
    X(TCP, "tcp")

enum traffic_transport {
#define X(member, name) TRAFFIC_TRANSPORT_##member,
    TRAFFIC_TRANSPORTS(X)
#undef X
};

/* How near the hosts of a probe are to each other: the tier at which their ways
 * meet (lab/builder/nearness.h). */
#define TRAFFIC_SCOPES(X)                                                      \
    X(T0, "t0")                                                                \
    X(PODSET, "podset")                                                        \
    X(DC, "dc")                                                                \
    X(REGION, "region")

enum traffic_scope {
#define X(member, name) TRAFFIC_SCOPE_##member,
    TRAFFIC_SCOPES(X)
#undef X
};

/* What the barrier of a bulk-synchronous job costs: nothing, or messages. */
#define TRAFFIC_BARRIERS(X)                                                    \
    X(FREE, "free")                                                            \
    X(DISSEMINATION, "dissemination")

enum traffic_barrier {
#define X(member, name) TRAFFIC_BARRIER_##member,
    TRAFFIC_BARRIERS(X)
#undef X
};

#define TRAFFIC_VERBS(X)                                                       \
    X(WRITE, "write")                                                          \
    X(SEND, "send")                                                            \
    X(READ, "read")                                                            \
    X(WRITE_IMM, "write_imm")

enum traffic_verb {
#define X(member, name) TRAFFIC_VERB_##member,
    TRAFFIC_VERBS(X)
#undef X
};

/* How sU-RDMA moves a chunk, in the order of lab/storage/su_rdma.h. */
#define TRAFFIC_SU_MODES(X)                                                    \
    X(AUTO, "auto")                                                            \
    X(SEND, "send")                                                            \
    X(WRITE, "write")                                                          \
    X(READ, "read")

enum traffic_su_mode {
#define X(member, name) TRAFFIC_SU_MODE_##member,
    TRAFFIC_SU_MODES(X)
#undef X
        TRAFFIC_N_SU_MODES
};

/* How connections change between RDMA and TCP (lab/storage/failover.h). */
struct failover_spec {
    bool enabled;
    int64_t at_ps;   /* To TCP from then on; INFINITE: after failures only. */
    int64_t back_ps; /* To RDMA; INFINITE: not by plan. */
    int64_t every_ps;
    struct ratio share; /* Of all connections, in each period. */
    struct ratio most;  /* Over TCP by plan. */
    int64_t setup_ps;   /* From the end of one transport to the start of the
                         * other. */
    int64_t timeout_ps; /* Of a message over RDMA: then its connection has
                         * failed. */
    int64_t heal_ps;    /* Without a failure, until connections go back. */
    struct ratio hold;  /* Cores that are busier convert nothing. */
    int64_t priority;   /* Of TCP: 0..7. */
};

/* A connection of sU-RDMA (lab/storage/su_rdma.h). */
struct su_rdma_spec {
    int mode; /* enum traffic_su_mode */
    int64_t small_bytes, medium_bytes;
    int64_t chunk_bytes; /* 0: a message is not divided. */
    int64_t credits, slots;
    struct failover_spec failover;
};

/* Where bits of data flip, in the order of the places that a disk write passes
 * (lab/storage/integrity.h). */
#define TRAFFIC_FLIP_PLACES(X)                                                 \
    X(CLIENT_MEMORY, "client_memory")                                          \
    X(CLIENT_NIC, "client_nic")                                                \
    X(SWITCH, "switch")                                                        \
    X(SERVER_NIC, "server_nic")                                                \
    X(SERVER_MEMORY, "server_memory")

enum traffic_flip_place {
#define X(member, name) TRAFFIC_FLIP_##member,
    TRAFFIC_FLIP_PLACES(X)
#undef X
        TRAFFIC_N_FLIP_PLACES
};

/* A connection of sK-RDMA (lab/storage/sk_rdma.h). */
struct sk_rdma_spec {
    struct ratio reads; /* Disk reads, of all I/Os. */
    int64_t credits;
    int64_t disk_ps; /* How long the disk needs for each I/O. */
    bool crc;        /* I/Os have data, whose CRCs are compared. */
    struct ratio flips[TRAFFIC_N_FLIP_PLACES]; /* I/Os with one, of all. */
};

/* X(member, name): the messages of I/Os, in the order of lab/storage/io.h. */
#define DISK_MESSAGES(X)                                                       \
    X(REQUEST, "request")                                                      \
    X(COMMAND, "command")                                                      \
    X(COPY, "copy")                                                            \
    X(STORED, "stored")                                                        \
    X(ANSWER, "answer")                                                        \
    X(REPLY, "reply")

enum disk_message {
#define X(member, name) DISK_##member,
    DISK_MESSAGES(X)
#undef X
        DISK_N_MESSAGES
};

enum disk_verb { DISK_READ, DISK_WRITE };

/* Disks of virtual machines in a storage cluster, one at each client. */
struct disk_spec {
    const char *name; /* Of the item. */
    int verb;         /* enum disk_verb */
    struct selector clients, servers, nodes;
    int64_t size_bytes;   /* Of an I/O. */
    int64_t header_bytes; /* Of each message, before the data. */
    int64_t copies;       /* Of a write. */
    int64_t repeat;       /* I/Os of each client; INFINITE: until 'stop'. */
    int64_t every_ps;     /* Between their starts; 0: when one ends. */
    int64_t depth;        /* I/Os outstanding at a time, if 'every' is 0. */
    int64_t start_ps, stop_ps, jitter_ps;
    int front, back; /* enum traffic_transport: client to server, the others. */
    int64_t back_priority, tcp_priority;
    int64_t client_work_ps, server_work_ps, node_work_ps; /* Of each I/O. */
    struct scenario_place place;
};

struct traffic_spec {
    const char *name; /* Unique; "rc-0" if the file has none. */
    enum traffic_kind kind;

    int pattern; /* enum traffic_pattern */
    struct selector from, to;
    int64_t n;      /* QUANTITY_INFINITE: all. */
    bool both_ways; /* Also from 'to' to 'from'. */

    int64_t start_ps;
    int64_t stop_ps;   /* QUANTITY_INFINITE: at the end of the run. */
    int64_t jitter_ps; /* Each flow starts up to this later, at random. */
    int64_t priority;  /* 0..7 */
    int64_t dscp;      /* 0..63 */

    /* RC, TCP and PING. */
    int64_t qps;        /* Or connections: per pair of hosts. */
    int transport;      /* enum traffic_transport, of all three. */
    int verb;           /* enum traffic_verb */
    int64_t size_bytes; /* Of a message; INFINITE: one that never ends. */
    int64_t repeat;     /* Messages per QP; INFINITE: until 'stop'. */
    int64_t every_ps;   /* Between posts; 0: when the one before completes. */
    int64_t depth;      /* Messages outstanding at a time, if 'every' is 0. */
    bool registers;     /* RC: a fast registration precedes each message. */
    int64_t compute_ps; /* TCP and SRD: a message of each flow is posted this
                         * long after those of all flows of the item have
                         * ended; INFINITE: they do not wait. */
    int barrier;        /* enum traffic_barrier, of 'compute'. */
    int64_t timeout_ps; /* PING: an echo that comes later counts as lost. */
    struct su_rdma_spec su;
    struct sk_rdma_spec sk;

    /* Of an item 'disk'; NULL: it has flows of its own. */
    const struct disk_spec *disk;
    enum disk_message message;

    /* PING of a pingmesh. */
    int64_t peers;        /* Of each host; 0: 'pattern' counts, no scope. */
    int scope;            /* enum traffic_scope */
    bool is_of_any_scope; /* It may be that nobody is as near. */

    /* RAW. */
    int64_t frame_bytes; /* With FCS. */
    int64_t rate_bps;    /* On the wire; 0: that of the host's link. */
    int64_t frames;      /* INFINITE: until 'stop'. */

    struct scenario_place place;
};

static inline bool
traffic_is_tcp(const struct traffic_spec *traffic)
{
    return traffic->transport == TRAFFIC_TRANSPORT_TCP;
}

/* Returns whether completions at the receiver end the messages of 'traffic':
 * the sender of a stream does not wait for acknowledgements. */
static inline bool
traffic_is_stream(const struct traffic_spec *traffic)
{
    return traffic->kind == TRAFFIC_TCP || traffic->kind == TRAFFIC_SRD;
}

/* Returns whether 'traffic' uses reliable connections of RDMA. */
static inline bool
traffic_is_rc(const struct traffic_spec *traffic)
{
    return traffic->kind != TRAFFIC_RAW && traffic->kind != TRAFFIC_SRD &&
           !traffic_is_tcp(traffic);
}

static inline bool
traffic_is_endless(const struct traffic_spec *traffic)
{
    return traffic->size_bytes == QUANTITY_INFINITE;
}

#define FAULT_KINDS(X)                                                         \
    X(DOWN, "down")                                                            \
    X(LOSS, "loss")                                                            \
    X(DROP_EVERY, "drop_every")                                                \
    X(STALL, "stall")                                                          \
    X(STORM, "storm")                                                          \
    X(CORRUPT, "corrupt")                                                      \
    X(CLEAR_CE, "clear_ce")                                                    \
    X(DELAY, "delay")                                                          \
    X(FLAP, "flap")

enum fault_kind {
#define X(member, name) FAULT_##member,
    FAULT_KINDS(X)
#undef X
        FAULT_N_KINDS
};

/* Which packets of a link are hit. */
#define FAULT_DIRECTIONS(X)                                                    \
    X(BOTH, "both")                                                            \
    X(FORWARD, "forward")                                                      \
    X(BACKWARD, "backward")

enum fault_direction {
#define X(member, name) FAULT_##member,
    FAULT_DIRECTIONS(X)
#undef X
};

struct fault_spec {
    enum fault_kind kind;
    const char *link; /* "t0-1.t1-0", and ".n" for parallel link n. */
    int direction;    /* enum fault_direction; forward: from the first end.
                       * STALL and STORM: of the first end. */
    int64_t at_ps;
    int64_t for_ps;    /* QUANTITY_INFINITE: to the end of the run. */
    struct ratio loss; /* Of LOSS and CORRUPT. */
    int64_t every;     /* Of DROP_EVERY: packet n, 2n, ... is dropped. */
    uint32_t storm;    /* Of STORM: a bit per priority that the port pauses. */
    int64_t time_ps;   /* Of DELAY: how much later frames arrive.  Of FLAP: how
                        * long the link is down, then up, then down, ... */
    int64_t jitter_ps; /* It begins up to this later, at random. */
    struct scenario_place place;
};

/* X(member, name).  What a switch keeps while its control plane starts
 * again. */
#define RESTART_KINDS(X)                                                       \
    X(COLD, "cold") /* Nothing: its ports are down all the time. */            \
    X(FAST, "fast") /* Nothing, but that is only at the end of the time. */    \
    X(WARM, "warm") /* All of it: it goes on forwarding. */

enum restart_kind {
#define X(member, name) RESTART_##member,
    RESTART_KINDS(X)
#undef X
};

/* A switch whose control plane starts again. */
struct restart_spec {
    const char *node;
    int kind; /* enum restart_kind */
    int64_t at_ps;
    int64_t for_ps;   /* How long there is no control plane. */
    int64_t blink_ps; /* FAST: how long before its end the chip is initialized,
                       * with all ports down; below 'for_ps'. */
    int64_t jitter_ps;
    struct scenario_place place;
};

/* X(member, name).  When the driver of an adapter is unloaded. */
#define REPAIR_UNLOADS(X)                                                      \
    X(CLOSED, "closed") /* When all that programs have of it is closed. */     \
    X(FORCED, "forced") /* At once. */

enum repair_unload {
#define X(member, name) REPAIR_UNLOAD_##member,
    REPAIR_UNLOADS(X)
#undef X
};

/* X(member, name).  What the ports of an adapter are without its driver. */
#define REPAIR_PORTS(X)                                                        \
    X(DOWN, "down")                                                            \
    X(UP, "up")

enum repair_port {
#define X(member, name) REPAIR_PORT_##member,
    REPAIR_PORTS(X)
#undef X
};

/* Hosts whose adapters are repaired (lab/storage/repair.h). */
struct repair_spec {
    struct selector hosts;
    struct ratio share; /* Of 'hosts', drawn by the seed; at least one. */
    int unload;         /* enum repair_unload */
    int port;           /* enum repair_port */
    int64_t at_ps;
    int64_t jitter_ps; /* Each begins up to this later. */
    int64_t every_ps;  /* From one connection that is asked to close to the
                        * next; 0: all at once. */
    int64_t reload_ps; /* How long there is no driver. */
    struct scenario_place place;
};

/* Values that drift, and the audit that looks for them. */
struct drift_spec {
    int64_t switches; /* How many have one value that drifts; 0: none has. */
    int64_t at_ps;
    int64_t audit_ps; /* When all switches are audited; 0: never. */
    struct scenario_place place;
};

#endif /* lab/scenario/traffic_spec.h */
