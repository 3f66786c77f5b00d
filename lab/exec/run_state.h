/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_STATE_H
#define ORCHD_LAB_EXEC_RUN_STATE_H

/* What a run consists of, for its own files only.
 *
 *   run.c           creates, drives and destroys it
 *   run_switches.c  switches: configurations, images, instances, routes
 *   run_ranks.c     parts of the fabric on other ranks
 *   run_relay.c     what ranks and lanes report
 *   run_lanes.c     parts of the fabric that take turns
 *   run_apart.c     flows between such parts
 *   run_shared.c    what such parts cannot have
 *   run_hosts.c     adapters
 *   run_pcie.c      PCIe switches of hosts
 *   run_traffic.c   messages, completions
 *   run_queue_pairs.c  queue pairs of flows (run_queue_pairs.h)
 *   run_software.c  what messages cost at hosts
 *   run_srd.c       contexts and queue pairs of SRD
 *   run_sk_rdma.c   connections of sK-RDMA (run_storage.h)
 *   run_su_rdma.c   connections of sU-RDMA (run_storage.h)
 *   run_failover.c  such connections that change between RDMA and TCP
 *   run_disk.c      I/Os of disks, which are messages of flows
 *   run_steps.c     flows that wait for each other: bulk-synchronous jobs
 *   run_barrier.c   such jobs whose barrier consists of messages
 *   run_faults.c    links that fail, and routes that follow
 *   run_restart.c   switches whose control plane starts again
 *   run_repair.c    adapters whose driver is loaded again (run_storage.h)
 *   run_drift.c     values that drift, and the audit that finds them
 *   run_rollout.c   a configuration that switches get step by step
 *   run_planned.c   what has to happen before the run is over
 *   run_gaps.c      how long flows get nothing
 *   run_estats.c    times of operations, as hosts see them (run_estats_state.h)
 *   run_watchdogs.c watchdogs of PFC, and the storms that they find
 *   run_card.c      the watchdog of a card in front of a host
 *   run_affected.c  how many hosts a fault affects
 *   run_vlans.c     VLANs of hosts, whose addresses age
 *   run_deadlock.c  queues that wait for each other
 *   run_dependency.c  what the switches could wait for
 *   run_set.c       changes while it stands still
 *   run_observe.c   drops, marks and pauses, of switches, adapters, links
 *   run_balance.c   whether every frame is accounted for
 *   run_series.c    samples
 *   run_capture.c   frames as bytes in files
 *   run_report.c    what is recorded before and after the run
 *   run_llr.c       bit errors and link-level retry of links
 *   run_oracles.c   what theory says of flows
 *   run_predict.c   what it says of a buffer that fills
 *
 * Each of the functions below belongs to the file in whose section it is. */

#include <signal.h>

#include "base/arena.h"
#include "base/cable.h"
#include "base/histogram.h"
#include "lab/builder/dependency.h"
#include "lab/builder/experiment.h"
#include "lab/builder/references.h"
#include "lab/builder/routes.h"
#include "lab/builder/switch_image.h"
#include "lab/builder/switch_routes.h"
#include "lab/builder/topology.h"
#include "lab/exec/run_parts.h"
#include "lab/exec/run_progress.h"
#include "lab/exec/run_settings.h"
#include "lab/measure/sink.h"
#include "lab/oracle/delay.h"
#include "lab/scenario/scenario.h"
#include "twin/fabric/fabric.h"
#include "twin/host/processor.h"
#include "twin/nic/nic.h"
#include "twin/transport/dcqcn.h"
#include "twin/transport/message.h"
#include "twin/transport/rc.h"
#include "twin/transport/srd.h"
#include "twin/transport/tcp.h"

struct fdb_entry;
struct results;
struct run_affected;      /* run_affected.c */
struct run_capture;       /* run_capture.c */
struct run_card;          /* run_card.c */
struct run_deadlock;      /* run_deadlock.c */
struct run_drift;         /* run_drift.c */
struct run_estats;        /* run_estats.c */
struct run_estats_flow;   /* run_estats.c */
struct run_gaps;          /* run_gaps.c */
struct run_job;           /* run_barrier.c */
struct run_member;        /* run_barrier.c */
struct run_ranks;         /* run_ranks.c */
struct run_lanes;         /* run_lanes.c */
struct run_repair;        /* run_repair.c */
struct run_restart;       /* run_restart.c */
struct run_rollout;       /* run_rollout.c */
struct run_software;      /* run_software.c */
struct run_sk_rdma;       /* run_sk_rdma.c */
struct run_su_rdma;       /* run_su_rdma.c */
struct slab_pool;         /* lab/storage/slab_pool.h */
struct run_failover;      /* run_failover.c */
struct run_failover_flow; /* run_failover.c */
struct run_disk;          /* run_disk.c */
struct run_disk_flow;     /* run_disk.c */
struct ssd;               /* lab/storage/ssd.h */
struct sim_frame;

enum {
    RUN_PRIORITIES = 8,
    RUN_HOPS_MAX = 16,
    RUN_MTU_BYTES = 9216, /* Of links, without FCS. */
};

/* An egress port on the path of a flow. */
struct run_hop {
    uint32_t node, port;
};

/* A pause of one priority that a port asks for, while it lasts. */
struct run_pause {
    uint64_t id;    /* SINK_NO_PAUSE: none. */
    bool is_defect; /* A fault makes the port ask for it. */
    struct sink_pause report;
};

/* A switch of the fabric. */
struct run_switch {
    struct run *run;
    uint32_t node;
    struct switch_instance *instance;
    struct switch_routes *routes;
    uint32_t *slots;                  /* Of each port of the topology. */
    uint32_t *ports;                  /* Of each slot; SINK_NONE: none. */
    uint32_t n_slots;                 /* Of 'ports'. */
    struct run_pause *pauses;         /* By port and priority. */
    struct switch_watchdog *watchdog; /* NULL: none. */
    struct switch_vlan *vlan;         /* NULL: none. */
    bool is_headless;                 /* It has no control plane. */
    uint32_t n_restarts;              /* That are over, ... */
    struct switch_restart found;      /* ... and what they have found. */
};

/* Whether the ends of a flow are in different parts of the fabric. */
enum run_apart {
    RUN_APART_UNKNOWN = 0, /* Nobody has asked. */
    RUN_APART_NO,
    RUN_APART_LANES, /* Of this rank. */
    RUN_APART_RANKS,
};

/* A queue pair of a host. */
struct run_qp {
    uint32_t flow;
    bool is_source;
    bool is_stream; /* Of TCP, beside those of the flow (run_failover.c). */
    uint8_t apart;  /* enum run_apart */
};

/* A host of the fabric. */
struct run_host {
    struct run *run;
    uint32_t node;
    struct nic *nic;
    const struct run_profile *profile;
    struct run_qp *qps; /* By number. */
    uint32_t n_qps;
    uint32_t qps_size;
    struct run_pause *pauses; /* By priority; NULL: it never asks for one. */
    struct run_card *card;    /* NULL: none. */
    struct run_context *contexts;   /* Of SRD: a list. */
    struct run_endpoint *endpoints; /* Likewise. */
    struct processor *processor;    /* NULL: messages cost nothing. */
    struct slab_pool *memory;       /* NULL: all of it is registered. */
    struct random_stream delays;    /* Of its system. */
    struct ssd *ssd;                /* NULL: accesses take no time. */
    struct random_stream accesses;  /* Latencies of its disk. */
    struct run_repair *repair;      /* NULL: there is none. */
    struct run_host *loop; /* The loop of its adapter, with QPs of its own;
                            * NULL: none. */
};

/* A link, for its listener. */
struct run_link {
    struct run *run;
    uint32_t number;
    uint32_t holds; /* How many faults and restarts hold it down. */
    uint64_t downs; /* How often it went down. */
    /* Of each end: frames that it has sent and that have arrived with a wrong
     * FCS, or not at all although nothing was down. */
    uint64_t corrupt[2], missing[2];
};

/* What adapters with equal settings share. */
struct run_profile {
    const struct host_spec *spec;
    uint32_t speed_mbps;
    struct nic_config nic;
    struct transport_framing framing;
    struct rc_config rc;
    struct tcp_config tcp;
    struct srd_config srd;
    struct message_config messages;
    struct dcqcn dcqcn;
};

/* A flow while the run goes on. */
struct run_flow {
    struct run *run;
    uint32_t number;
    const struct traffic_spec *traffic;
    uint32_t source, destination; /* Nodes. */
    uint32_t qp, peer_qp;
    uint32_t process; /* Number among the flows of the two hosts. */
    uint64_t n_steps; /* That it has ended, of its item. */
    /* With a barrier of messages: the hosts as members of the job (else NULL),
     * how many messages it may have posted so far, and in which round it has
     * signals. */
    struct run_member *from_member, *to_member;
    uint64_t n_allowed;
    bool is_signalling;
    uint8_t round;
    struct run_software *source_end, *destination_end; /* NULL: none. */
    struct run_su_rdma *su;  /* NULL: it has no connection of sU-RDMA. */
    struct run_sk_rdma *sk;  /* Likewise, of sK-RDMA. */
    struct regions *regions; /* Of its source; NULL: they are not looked at. */
    struct run_failover_flow *failover; /* NULL: it stays over RDMA. */
    /* Of a disk, which says how many messages it may have posted so far
     * ('n_allowed'); NULL: it posts by itself. */
    struct run_disk_flow *disk;
    uint16_t source_port;
    struct sim_payload *headers[2]; /* Of the source, of the destination. */
    struct rc_config *rc;
    struct event timer; /* The start, or the next post. */
    int64_t start_ps;   /* Of the first post; -1: not yet. */
    int64_t end_ps;     /* Of the last completion. */
    uint64_t posted, completed;
    uint64_t acknowledged; /* Requests of pings. */
    uint64_t judged;       /* Messages that are completed or lost, from 0 on. */
    uint64_t skipped;      /* Messages of 'every' that were not posted, because
                            * too many were outstanding. */
    uint64_t lost;         /* See struct sink_flow. */
    uint64_t owed;         /* Echoes that wait for room in the send queue. */
    struct event overdue;  /* The timeout of the oldest ping. */
    uint64_t bytes;        /* Of completed messages. */
    int64_t *posted_ps;    /* Of each message outstanding, by number modulo
                            * 'depth'. */
    uint32_t depth;        /* Messages outstanding at most. */
    uint8_t error;         /* enum rc_status. */
    bool is_done;          /* Reported. */
    uint8_t n_hops;
    struct run_hop *hops; /* RUN_HOPS_MAX, if paths are recorded. */
    uint32_t message_bytes;
    struct run_estats_flow *estats; /* NULL: not recorded. */
};

/* A storm that a watchdog has found and that lasts. */
struct run_storm {
    struct run_storm *next;
    struct sink_storm report;
};

/* A fault, at its start and at its end. */
struct run_fault {
    struct run_fault *next; /* In the list of 'set_faults'. */
    struct run *run;
    const struct fault_spec *spec;
    uint32_t link;
    unsigned int end; /* That is named first. */
    int64_t start_ps;
    struct event timer;
    struct event convergence;
    struct event flap; /* Of FLAP: the link goes down or up. */
    bool is_on;
    bool is_down; /* The link; of DOWN and FLAP. */
};

/* All links of a node, which something takes down together. */
struct run_outage {
    struct run *run;
    uint32_t node;
    struct event convergence;
};

/* A list of series with one interval. */
struct run_sampler {
    struct run *run;
    const struct series_spec *spec;
    struct event timer;
    struct run_series *series;
    size_t n;
    size_t size;
};

struct run {
    struct experiment *experiment;
    const struct scenario *scenario;
    const struct topology *topology;
    struct run_options options;
    uint64_t seed;
    const struct sink *sink;
    struct arena *arena;

    struct run_ranks *ranks; /* NULL: it has one rank, which has all nodes. */
    struct run_lanes *lanes; /* NULL: the fabric is not divided. */
    const uint32_t *owners;  /* By node: its rank. */
    uint32_t rank;           /* The own one, from 0. */

    struct fabric *fabric;
    struct engine *engine;
    struct switch_images *images;
    const struct switch_image **image_of; /* By switch. */
    struct run_switch *switches;          /* By node. */
    struct run_host *hosts;               /* By node - n_switches. */
    struct link **links;                  /* By link. */
    struct run_link *observed;            /* By link. */
    bool *is_down;                        /* By link, in run_imagine(). */
    struct routes *routes;
    uint32_t *host_by_address; /* Nodes of hosts, by address. */

    struct run_profile **profiles;
    size_t n_profiles;

    struct run_flow *flows;
    uint32_t n_flows;
    uint32_t n_done;
    uint32_t n_finite;

    struct run_fault *faults;
    struct run_fault *set_faults; /* A list: those of run_set(). */
    uint32_t n_changes;           /* By run_set(). */
    uint32_t n_notes;             /* By run_note(). */
    struct run_sampler *samplers;
    uint32_t n_series;
    bool has_macsec;  /* A link has it: the theory here does not know it. */
    bool has_credits; /* Likewise. */
    bool has_loops;   /* A host sends to itself: likewise. */
    struct run_affected *affected;  /* NULL: not recorded. */
    struct run_deadlock *deadlock;  /* NULL: nobody looks for one. */
    struct run_gaps *gaps;          /* NULL: not recorded. */
    struct run_estats *estats;      /* NULL: not recorded. */
    struct run_step *steps;         /* By item of 'traffic'. */
    struct run_job **jobs;          /* Likewise; NULL: no barrier. */
    struct run_restart *restarts;   /* By number in the scenario. */
    struct run_repair *repairs;     /* A list. */
    struct run_rollout *rollout;    /* NULL: there is none. */
    struct run_drift *drift;        /* NULL: nothing drifts. */
    struct run_failover *failovers; /* Likewise; NULL: there is none. */
    struct run_disk *disks;         /* Likewise. */

    struct run_storm *storms;      /* That last. */
    struct run_storm *free_storms; /* To be used again. */

    struct run_capture *captures;
    size_t n_captures;

    uint64_t n_drops, n_pauses, n_marks;
    uint64_t n_skipped, n_lost; /* Messages, of all flows. */
    uint64_t n_ios;             /* That have started. */
    struct fabric_amount dropped[SINK_N_DROP_REASONS]; /* Without pauses. */
    uint64_t last_pause;
    uint32_t n_lasting; /* Pauses. */

    struct histogram *fct, *message, *pause, *depth;

    struct run_break *breaks; /* Not met yet. */
    size_t n_breaks, breaks_size;
    char reason[160]; /* Of the break that was met; "" none. */
    bool is_broken;
    struct err failure; /* Of a change while it ran. */
    bool has_failed;
    /* Shared memory, which is not in images of the process: a signal that comes
     * while one is made does not interrupt the run that goes on from it. */
    volatile sig_atomic_t *signalled;
    bool is_interrupted; /* With ranks: as all have agreed. */
};

static inline bool
run_is_host(const struct run *run, uint32_t node)
{
    return node >= run->topology->n_switches;
}

static inline struct run_host *
run_host(const struct run *run, uint32_t node)
{
    return &run->hosts[node - run->topology->n_switches];
}

/* Returns whether 'node' is part of the fabric of this rank.  Of other nodes
 * there is neither switch nor adapter. */
static inline bool
run_owns(const struct run *run, uint32_t node)
{
    return !run->owners || run->owners[node] == run->rank;
}

/* Returns the propagation of 'link'. */
static inline int64_t
run_link_delay_ps(const struct topology_link *link)
{
    return (int64_t)link->length_mm * CABLE_PS_PER_METRE / 1000;
}

/* Returns the link at port 'port' of 'node'. */
static inline const struct topology_link *
run_link_at(const struct run *run, uint32_t node, uint32_t port)
{
    return &run->topology
                ->links[topology_port(run->topology, node, port)->link];
}

/* run_break.c */

/* Notes that a break of 'kind' (of 'flow') may hold, with a sentence. */
void run_meet(struct run *run, enum run_break_kind kind, uint32_t flow,
              const char *format, ...) ST_PRINTF(4, 5);

/* run.c */

/* Records the formatted text in the list of changes. */
void run_note(struct run *run, const char *format, ...) ST_PRINTF(2, 3);

/* Returns the end of the next piece of 'run': the first time at which it can
 * end, if it 'is_done', or goes on at 'next_ps'. */
int64_t run_next_end_ps(const struct run *run, bool is_done, int64_t next_ps);

/* Returns how 'run' stands after all events up to now, with 'is_done' as above;
 * takes up an interruption. */
enum run_state run_state_of(struct run *run, bool is_done);

/* run_get_progress() of this rank only. */
void run_measure_progress(const struct run *run, struct run_progress *progress);

/* run_switches.c */

/* Creates the switches, or fails with the reason. */
enum st run_switches_create(struct run *run, struct err *err) ST_WARN_UNUSED;
void run_switches_destroy(struct run *run);

/* Applies the 'n' changes at 'sets' to the configuration of switch 'node', as
 * switch_instance_set().  ST_BUSY: it restarts. */
enum st run_switch_set(struct run *run, uint32_t node,
                       const struct switch_set *sets, size_t n,
                       struct err *err) ST_WARN_UNUSED;

/* Programs the routes of all switches (all links up). */
enum st run_routes_program(struct run *run, struct err *err) ST_WARN_UNUSED;

/* Programs the routes of all switches again, after a change of links; of those
 * with a control plane. */
enum st run_routes_update(struct run *run, struct err *err) ST_WARN_UNUSED;

/* Programs the routes of 'sw', which has a control plane again: what has
 * changed meanwhile. */
enum st run_routes_catch_up(struct run_switch *sw,
                            struct err *err) ST_WARN_UNUSED;

/* run_hosts.c */

enum st run_hosts_create(struct run *run, struct err *err) ST_WARN_UNUSED;

/* Changes 'key' of 'hosts' (a name or a pattern) to 'value', as in a scenario.
 * ST_INVALID: 'err' says why. */
enum st run_hosts_set(struct run *run, const char *hosts, const char *key,
                      const char *value, struct err *err) ST_WARN_UNUSED;

/* Returns the PCIe of an adapter, or of a link, from that of a scenario. */
struct nic_pcie_config run_pcie_of(const struct pcie_spec *spec);

/* Gives the adapter of 'host' a loop, unless it has one.  ST_NO_RESOURCE: there
 * are too many entities. */
enum st run_host_loop(struct run_host *host) ST_WARN_UNUSED;

/* Remembers what QP 'qp' of 'host' is for. */
void run_host_note_qp(struct run_host *host, uint32_t qp, uint32_t flow,
                      bool is_source);

/* run_pcie.c */

/* Puts the PCIe switches of the scenario between adapters, which exist, and
 * memory. */
enum st run_pcie_create(struct run *run, struct err *err) ST_WARN_UNUSED;

/* run_traffic.c */

enum st run_traffic_create(struct run *run, struct err *err) ST_WARN_UNUSED;
void run_traffic_destroy(struct run *run);

/* Handles a completion at one end of 'flow', whose program gets it now. */
void run_traffic_complete(struct run_flow *flow, bool is_source,
                          const struct rc_completion *completion,
                          int64_t now_ps);

/* Returns whether 'flow' ends by itself. */
bool run_flow_is_finite(const struct run_flow *flow);

/* Passes the report of a flow on. */
void run_flow_emit(struct run *run, const struct sink_flow *report);

/* Notes that 'flow' passes port 'port' of 'node', unless it is known. */
void run_flow_add_hop(struct run_flow *flow, uint32_t node, uint32_t port);

/* Reports the flows that still run. */
void run_traffic_finish(struct run *run);

/* Returns the flow of which 'frame' is a packet, SINK_NONE if it is of none. */
uint32_t run_flow_of(const struct run *run, const struct sim_frame *frame);

/* Returns the payload that the destination of 'flow' has received, and when it
 * received the last packet (-1: none yet). */
uint64_t run_flow_bytes(const struct run_flow *flow);

/* Returns the congestion window of 'flow' at its source; 0: it is not TCP. */
int64_t run_flow_cwnd(const struct run_flow *flow);
int64_t run_flow_last_ps(const struct run_flow *flow);

/* run_software.c */

/* Gives 'host', which has an adapter, its processor, if it has one. */
void run_software_add_processor(struct run_host *host);

/* Stores the software at both ends of 'flow', which has its queue pairs, in it:
 * NULL at a host without a processor.  End with run_software_destroy(), which
 * accepts NULL. */
void run_software_create(struct run_flow *flow);
void run_software_destroy(struct run_software *end);

/* The same for a TCP connection beside the queue pairs of 'flow', with queue
 * pairs 'qps' at its source and destination: 'ends'.  What completes for
 * programs is for run_failover_complete(). */
void run_software_create_streams(struct run_flow *flow, const uint32_t qps[2],
                                 struct run_software *ends[2]);

/* Returns in how many pieces a message of 'bytes' over TCP is posted to the
 * adapter of 'host'. */
uint32_t run_software_pieces(const struct run_host *host, uint32_t bytes);

/* Posts a message of the flow with 'operation' at 'end' (enum rc_operation),
 * which takes any number of them. */
void run_software_post(struct run_software *end, uint8_t operation);

/* Notes that a datagram of SRD for 'end' has arrived, or has been sent. */
void run_software_datagram(struct run_software *end, uint32_t bytes,
                           bool is_receive, int64_t now_ps);

/* Handles a completion of the adapter for 'end': run_traffic_complete() follows
 * when its program has it. */
void run_software_complete(struct run_software *end,
                           const struct rc_completion *completion,
                           int64_t now_ps);

/* Gives work of 'cost_ps' to core 'core' of 'host', and returns when it is
 * done; and draws how much later a program gets a completion of RDMA. */
int64_t run_software_work(const struct run_host *host, uint32_t core,
                          int64_t now_ps, int64_t cost_ps);
int64_t run_software_delay(const struct run_host *host);

/* What a thread has done: jobs, and how long they took, with waiting. */
struct run_load {
    uint64_t n_jobs;
    int64_t jobs_ps;
};

/* Returns what the thread of 'end' (NULL: nothing) has done so far, with what
 * it is posting. */
struct run_load run_software_load(const struct run_software *end);

/* Returns how long the cores of 'host', which has some, have worked up to
 * now. */
int64_t run_software_busy_ps(const struct run_host *host);

/* Adds what processors have done to 'results'. */
void run_software_report(struct run *run, struct results *results);

/* Posts what 'flow' may have outstanding. */
void run_flow_fill(struct run_flow *flow);

/* run_srd.c */

/* Adds the queue pairs of 'flow', which is SRD, and the context of its hosts.
 */
enum st run_srd_add_flow(struct run_flow *flow, struct err *err) ST_WARN_UNUSED;

/* Frees what the contexts of 'host', whose adapter is gone, have used; 'host'
 * may be NULL. */
void run_srd_destroy(struct run_host *host);

/* Returns how many timeouts the context of 'flow' has had at its source. */
uint64_t run_srd_timeouts(const struct run_flow *flow);

/* Adds what the contexts have counted to 'results'. */
void run_srd_describe(const struct run *run, struct results *results);

/* run_steps.c */

/* Prepares the items whose flows wait for each other. */
void run_steps_create(struct run *run);
void run_steps_destroy(struct run *run);

/* Returns whether 'flow' has posted all that it may in the present step. */
bool run_steps_hold(const struct run_flow *flow);

/* Notes that 'n' messages of 'flow' are over. */
void run_steps_note(struct run_flow *flow, uint64_t n, int64_t now_ps);

/* Adds how many steps there were, and how long they took, to 'results'. */
void run_steps_describe(const struct run *run, struct results *results);

/* run_barrier.c */

/* Makes jobs of the items that have a barrier of messages, or fails with the
 * reason. */
enum st run_barrier_create(struct run *run, struct err *err) ST_WARN_UNUSED;
void run_barrier_destroy(struct run *run);

/* Returns whether message 'number' of 'flow' is a signal of a barrier; which
 * one it is among those that are as it; its bytes; and how many messages a flow
 * with 'repeat' has.  Other flows have no signals. */
bool run_barrier_is_signal(const struct run_flow *flow, uint64_t number);
uint64_t run_barrier_step(const struct run_flow *flow, uint64_t number);
uint32_t run_barrier_bytes(const struct run_flow *flow, uint64_t number);
uint64_t run_barrier_messages(const struct run_flow *flow);

/* Notes that message 'number' of 'flow' has arrived. */
void run_barrier_note(struct run_flow *flow, uint64_t number,
                      int64_t latency_ps, int64_t now_ps);

/* Adds the steps of jobs and their times to 'results'. */
void run_barrier_describe(const struct run *run, struct results *results);

/* run_faults.c */

enum st run_faults_create(struct run *run, struct err *err) ST_WARN_UNUSED;

/* Begin the fault 'spec', of which only kind, direction and value count, on
 * 'link' now, and until run_fault_end() ends it; a lossy one replaces others of
 * the link.  ST_EXISTS: the link is down already; or it has no fault of that
 * kind ('loss' and 'drop_every' are one). */
enum st run_fault_begin(struct run *run, uint32_t link,
                        const struct fault_spec *spec,
                        struct err *err) ST_WARN_UNUSED;
enum st run_fault_end(struct run *run, uint32_t link, enum fault_kind kind,
                      struct err *err) ST_WARN_UNUSED;

/* Takes 'link' down or up now; routes follow after the convergence time. */
enum st run_link_set(struct run *run, uint32_t link, bool up,
                     struct err *err) ST_WARN_UNUSED;

/* Holds 'link' down, or no longer: it is up when nothing holds it. */
enum st run_link_hold(struct run *run, uint32_t link, bool is_down,
                      struct err *err) ST_WARN_UNUSED;

/* Prepares '*outage' of 'node', whose event has 'entity' and 'number'; holds
 * its links down, or no longer; routes follow after the convergence time. */
void run_outage_init(struct run_outage *outage, struct run *run, uint32_t node,
                     uint32_t entity, uint32_t number);
enum st run_outage_set(struct run_outage *outage, bool is_down,
                       struct err *err) ST_WARN_UNUSED;

/* run_restart.c */

/* Plans the restarts of the scenario. */
enum st run_restarts_create(struct run *run, struct err *err) ST_WARN_UNUSED;

/* Returns a restart that is not over, NULL if all are. */
const struct restart_spec *run_restarts_pending(const struct run *run);

/* Adds what control planes have found when they started to 'results'. */
void run_restarts_report(const struct run *run, struct results *results);

/* run_rollout.c */

/* Plans the rollout, if the scenario has one. */
enum st run_rollout_create(struct run *run, struct err *err) ST_WARN_UNUSED;

/* Note for its guard that a message of 'flow' was answered after 'latency_ps',
 * or 'lost'; and that a frame was dropped for 'reason'. */
void run_rollout_note_message(const struct run_flow *flow, int64_t latency_ps,
                              bool lost);
void run_rollout_note_drop(const struct run *run, enum sink_drop_reason reason);

/* Returns whether steps are left that the guard has neither judged nor
 * prevented. */
bool run_rollout_is_pending(const struct run *run);

/* Adds how far it came. */
void run_rollout_report(const struct run *run, struct results *results);

/* run_planned.c */

/* Checks that all faults have begun, all restarts, repairs and the rollout are
 * over, and the audit has looked.  ST_INVALID: 'err' says which of them not,
 * where it is in the scenario, and the remedy. */
enum st run_planned_check(const struct run *run,
                          struct err *err) ST_WARN_UNUSED;

/* run_drift.c */

/* Plans drift and audit, if the scenario says so. */
void run_drift_create(struct run *run);

/* Adds how many values have drifted, and how many were found. */
void run_drift_report(const struct run *run, struct results *results);

/* run_gaps.c */

/* Looks for gaps, if the scenario says so. */
void run_gaps_create(struct run *run);

/* Adds the longest of each host and their distribution to 'results', also those
 * that last; before run_traffic_finish(). */
void run_gaps_report(const struct run *run, struct results *results);

/* run_estats.c, run_estats_report.c */

/* Records estats, if the scenario says so; when the flows exist. */
void run_estats_create(struct run *run);
void run_estats_destroy(struct run *run);

/* For flows with 'estats': one end posts an operation (enum rc_operation) of
 * 'bytes', its adapter takes the next one posted, a completion is made, and the
 * program has it. */
void run_estats_post(struct run_flow *flow, bool is_source, uint8_t operation,
                     uint32_t bytes);
void run_estats_take(struct run_flow *flow, bool is_source);
void run_estats_complete(struct run_flow *flow, bool is_source,
                         const struct rc_completion *completion,
                         int64_t now_ps);
void run_estats_poll(struct run_flow *flow, bool is_source,
                     const struct rc_completion *completion, int64_t now_ps);

/* Notes that 'pause' 'begins', or ends. */
void run_estats_note_pause(struct run *run, const struct sink_pause *pause,
                           bool begins, int64_t now_ps);

/* Reports the last interval and the whole run to the sink, and the errors of
 * clocks as counters to 'results'. */
void run_estats_report(struct run *run, struct results *results);

/* run_observe.c */

/* Listen to 'sw', to 'host', whose profile is set, and to link 'number'. */
void run_observe(struct run_switch *sw);
void run_observe_host(struct run_host *host);
void run_observe_link(struct run *run, uint32_t number);

/* Ends listening to links, which lose what is on them when a switch ends. */
void run_observe_end(struct run *run);

/* Ends the pauses that last, at the end of the run. */
void run_observe_finish(struct run *run);

/* Writes the name of a port, "t0-1.t1-0", with '|' and a priority below
 * RUN_PRIORITIES behind it, into 'name'; returns it. */
const char *run_name_port(const struct run *run, uint32_t node, uint32_t port,
                          uint32_t priority, char *name, size_t size);

/* Returns the pause that port 'port' of 'node' has to obey for 'priority', or
 * had to if its 'id' is SINK_NO_PAUSE; NULL if its peer never asks for one, or
 * is on another rank. */
const struct run_pause *run_pause_at(const struct run *run, uint32_t node,
                                     uint32_t port, uint8_t priority);

/* run_watchdogs.c */

/* Makes orchd watch switches whose role says so, and cards their hosts. */
enum st run_watchdogs_create(struct run *run, struct err *err) ST_WARN_UNUSED;

/* The same for the switch 'sw', whose orchd starts; and its end. */
enum st run_watchdog_start(struct run_switch *sw,
                           struct err *err) ST_WARN_UNUSED;
void run_watchdog_stop(struct run_switch *sw);
void run_watchdogs_destroy(struct run *run);

/* Reports the storms that last. */
void run_watchdogs_finish(struct run *run);

/* Notes that 'watchdog' at 'port' of 'node' acts from now on against a storm of
 * 'priority' that began with 'pause' (NULL: now); and that it ends that, when
 * the last pause had ended at 'quiet_ps' (-1: unknown). */
void run_storm_begin(struct run *run, enum sink_watchdog watchdog,
                     uint32_t node, uint32_t port, uint8_t priority,
                     const struct run_pause *pause);
void run_storm_end(struct run *run, enum sink_watchdog watchdog, uint32_t node,
                   uint32_t port, uint8_t priority, int64_t quiet_ps);

/* A nic_watchdog_fn of a host. */
void run_watchdogs_note_adapter(void *host, bool trips, int64_t now_ps);

/* run_vlans.c */

/* Puts the hosts of switches whose role says so into a VLAN. */
enum st run_vlans_create(struct run *run, struct err *err) ST_WARN_UNUSED;
void run_vlans_destroy(struct run *run);

/* A sim_learned_fn and a sim_aged_fn of a switch. */
void run_vlans_note_learned(void *sw, const struct fdb_entry *entry,
                            uint32_t from);
void run_vlans_note_aged(void *sw, const struct fdb_entry *entry);

/* run_card.c */

/* Puts a card with the watchdog 'spec' in front of 'host'. */
struct run_card *run_card_create(struct run_host *host,
                                 const struct watchdog_spec *spec);
void run_card_destroy(struct run_card *card);

/* Returns whether the card, NULL: none, drops packets of 'priority' now. */
bool run_card_drops(const struct run_card *card, uint8_t priority);

/* A nic_xoff_fn of a host; without a card it does nothing.  The card sees that
 * a pause begins by its frame, unless it stops these frames. */
void run_card_note(void *host, uint8_t xoff, int64_t now_ps);

/* Notes that a frame that pauses 'priority' crosses 'card' (NULL: none). */
void run_card_note_frame(struct run_card *card, uint8_t priority,
                         int64_t now_ps);

/* run_affected.c */

/* Counts the hosts that a fault affects, at the interval of 'spec', as samples
 * of 'series'.  ST_INVALID: it is recorded already, there is no fault, or one
 * begins at 0. */
enum st run_affected_create(struct run *run, const struct series_spec *spec,
                            uint32_t series, struct err *err) ST_WARN_UNUSED;

/* Adds the last count, if there was one, to 'results'. */
void run_affected_report(const struct run *run, struct results *results);

/* run_deadlock.c */

/* Looks for deadlocks, if the scenario says so. */
void run_deadlock_create(struct run *run);

/* Adds how many there were, and how many last, to 'results'. */
void run_deadlock_report(const struct run *run, struct results *results);

/* Reports the one that lasts. */
void run_deadlock_finish(struct run *run);

/* run_balance.c */

/* Checks that every frame and byte that adapters have sent was received, was
 * reported as dropped, or is on its way.  ST_DEVICE: something is lost or was
 * duplicated without a report; 'err' has the figures. */
enum st run_balance_check(const struct run *run,
                          struct err *err) ST_WARN_UNUSED;

/* Adds the figures to 'results', unless that is NULL.  Both are collective. */
void run_balance_describe(const struct run *run, struct results *results);

/* run_series.c */

enum st run_series_create(struct run *run, struct err *err) ST_WARN_UNUSED;

/* Registers the series in 'results'. */
void run_series_describe(const struct run *run, struct results *results);

/* run_capture.c */

/* Opens the captures of the scenario, if its caller wants any.  ST_IO: a file
 * cannot be written. */
enum st run_captures_create(struct run *run, struct err *err) ST_WARN_UNUSED;

/* Drops what is on the way, because 'link' goes down now. */
void run_captures_link_down(struct run *run, uint32_t link);

/* Writes what has left or arrived up to now, and records how many packets there
 * are. */
void run_captures_finish(struct run *run, struct results *results);

/* run_predict.c */

/* Adds to 'results' what theory says of this scenario before it runs. */
void run_oracles_predict(const struct run *run, struct results *results);

/* run_credits.c */

/* Lets the ports at both ends of link 'i' send and receive by credits, if its
 * specification says so.  ST_INVALID: a switch cannot. */
enum st run_credits_join(struct run *run, uint32_t i,
                         struct err *err) ST_WARN_UNUSED;

/* Records what end 'end' of link 'i' has done by credits. */
void run_credits_report(const struct run *run, uint32_t i, unsigned int end,
                        struct results *results);

/* run_llr.c */

/* Gives link 'i' its bit errors and its link-level retry. */
void run_llr_join(struct run *run, uint32_t i);

/* Records the counters of end 'end' of link 'i'. */
void run_llr_report(const struct run *run, uint32_t i, unsigned int end,
                    struct results *results);

/* Records how many frames the link of the only host that sends delivers in
 * theory: raw frames at full speed. */
void run_llr_describe(const struct run *run, struct results *results);

/* run_oracles.c */

/* The same of what needs the paths of flows, after the run. */
void run_oracles_describe(const struct run *run, struct results *results);

/* Fills 'hops', and the numbers of their links and directions, with the path of
 * 'flow', which is recorded; returns their number. */
uint32_t run_oracle_path(const struct run *run, const struct run_flow *flow,
                         struct delay_hop hops[RUN_HOPS_MAX + 1],
                         uint32_t links[RUN_HOPS_MAX + 1]);

/* Returns what a packet of 'opcode' has on the wire. */
uint32_t run_oracle_wire_bytes(const struct run_profile *profile,
                               uint8_t opcode, uint32_t payload);

/* run_fence.c */

/* Records the goodput of 'flow' in theory, if it registers memory. */
void run_fence_describe(const struct run *run, const struct run_flow *flow,
                        struct results *results);

#endif /* lab/exec/run_state.h */
