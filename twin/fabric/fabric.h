/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FABRIC_FABRIC_H
#define ORCHD_TWIN_FABRIC_FABRIC_H

/* Switches and hosts, connected by links, on one clock.
 *
 * A fabric owns an engine and everything that runs on it.  A run depends on
 * what was built and on the seed: the same calls give the same bits.  It also
 * depends on the entities (twin/event/event.h) of ports and hosts.  The code
 * that builds a fabric can give them, so that the order of building does not
 * matter; otherwise switches and hosts are numbered in the order in which they
 * are added.  Each random flow has a seed of its own, so adding traffic
 * elsewhere does not change it.
 *
 * Both ends of a link have the same speed.  The speed of a connected port must
 * not be changed. */

#include <stdint.h>

#include "base/status.h"
#include "twin/event/engine.h"
#include "twin/host/host.h"
#include "twin/link/link.h"
#include "twin/nic/nic.h"
#include "twin/switch/sim.h"

struct fabric;
struct line_pool_source;

/* Returns a new, empty fabric.  End with fabric_destroy(). */
struct fabric *fabric_create(uint64_t seed);

/* Does the same with memory from 'source' (base/line_pool.h), for large
 * fabrics. */
struct fabric *fabric_create_with(const struct line_pool_source *source,
                                  uint64_t seed);

/* Frees 'fabric' with its switches, hosts, links and engine.  Accepts NULL. */
void fabric_destroy(struct fabric *fabric);

struct engine *fabric_engine(struct fabric *fabric);

/* Makes 'engine', which is not that of a fabric, handle the events of switches
 * and hosts: for a caller that connects hosts to a switch by other means. */
void fabric_serve(struct engine *engine);

/* Adds a switch with the buffer of 'chip', which must outlive the fabric.
 * Returns it; the fabric owns it. */
struct sim *fabric_add_switch(struct fabric *fabric, const struct chip *chip);

/* Does the same for a switch whose first port is entity 'entity'.  A fabric
 * either numbers all its switches and hosts, or none. */
struct sim *fabric_add_switch_at(struct fabric *fabric, const struct chip *chip,
                                 uint32_t entity);

/* Adds 'sim', which was created on the engine of the fabric and stays the
 * caller's, to what the fabric counts.  The caller destroys it before the
 * fabric. */
void fabric_adopt_switch(struct fabric *fabric, struct sim *sim);

/* Adds a host and stores it in '*host'; the fabric owns it, and numbers it if
 * its entity is 0.  Fails as host_create(). */
enum st fabric_add_host(struct fabric *fabric, const struct host_config *config,
                        struct host **host) ST_WARN_UNUSED;

/* Adds an adapter of entity 'entity' (0: the fabric numbers it) and stores it
 * in '*nic'; the fabric owns it.  Fails as nic_create(). */
enum st fabric_add_nic(struct fabric *fabric, const struct nic_config *config,
                       uint32_t entity, struct nic **nic) ST_WARN_UNUSED;

/* Adds the loop of 'nic', an adapter of the fabric (twin/nic/nic.h), and stores
 * it in '*loop'; 'entity' as above.  Fails as nic_create_loop(). */
enum st fabric_add_loop(struct fabric *fabric, struct nic *nic, uint32_t entity,
                        struct nic **loop) ST_WARN_UNUSED;

/* Returns a new tree of PCIe switches, without any, whose events have entity
 * 'entity'; the fabric owns it. */
struct pcie_tree *fabric_add_pcie(struct fabric *fabric, uint32_t entity);

/* Lets the engine handle the events of each part of the fabric for as long as
 * no other part can matter (engine_divide(), twin/event/engine.h), which is
 * faster where the whole does not stay in the caches.  All that happens is the
 * same, at the same times.  'n_lanes' is the most parts, 0: what suits the
 * size.  Returns how many there are; 1: it stays undivided, because it is
 * small, or no part of it is far enough from the others.
 *
 * To be called once, when all is built and connected, before anything has been
 * sent.  What is called from within a run, such as listeners, may then neither
 * look at nor change another switch or adapter, unless it is a timer that
 * concerns all.  Fabrics with twin/host, loops or PCIe trees stay undivided;
 * links must not have faults, bit errors or MACsec. */
uint32_t fabric_divide(struct fabric *fabric, uint32_t n_lanes);

/* A place in another simulation, which has another part of the fabric.  What is
 * sent to it is taken by a struct link_tap, and what it sends comes by
 * link_import() (twin/link/link.h). */
struct fabric_remote {
    uint32_t entity;
    bool is_nic; /* An adapter, else a port of a switch. */
    uint32_t speed_mbps;
};

/* One end of a link: a host, an adapter, or a port of a switch. */
struct fabric_end {
    struct host *host; /* NULL: an adapter or a port. */
    struct nic *nic;   /* NULL: a host or a port. */
    struct sim *sim;
    uint32_t port;
    const struct fabric_remote *remote; /* NULL: it is in this fabric. */
};

/* Connects two ends by 'length_m' metres of cable for frames up to 'mtu_bytes'.
 * Stores the link, which the fabric owns, in '*link' unless 'link' is NULL.
 * ST_NOT_FOUND: there is no such port.  ST_INVALID: the speeds differ. */
enum st fabric_connect(struct fabric *fabric, const struct fabric_end ends[2],
                       uint32_t length_m, uint32_t mtu_bytes,
                       struct link **link) ST_WARN_UNUSED;

/* The same with a length in millimetres, below 2^32 metres. */
enum st fabric_connect_mm(struct fabric *fabric,
                          const struct fabric_end ends[2], uint64_t length_mm,
                          uint32_t mtu_bytes,
                          struct link **link) ST_WARN_UNUSED;

/* Where the frames of a fabric are, at one instant, and where they have gone.
 * 'Data' are all frames but pauses. */
struct fabric_census {
    uint64_t hops;      /* Frames that have started to cross a link. */
    uint64_t replayed;  /* Of these, not for the first time. */
    uint64_t lost;      /* Of these, by links. */
    uint64_t in_flight; /* Of these, on links now. */
    uint64_t sent;      /* Data whose transmission adapters have started. */
    uint64_t received;  /* Data that queue pairs have got. */
    uint64_t dropped;   /* Data that RX FIFOs have dropped. */
    uint64_t waiting;   /* Data in RX FIFOs, and answers that wait. */
    uint64_t entered;   /* Data that switches have received. */
    uint64_t copied;    /* Data that switches have made of it: copies beyond
                         * the first, and what trimming leaves. */
    uint64_t left;      /* Data that switches have sent completely. */
    uint64_t discarded; /* Data that switches have dropped or filtered. */
    uint64_t pauses;    /* Pauses that switches and adapters have started. */
    uint64_t frames;    /* Frames that exist now, anywhere. */
};

/* Counts.  'pauses' is exact when no switch is sending, else by up to one frame
 * per port too high.  Takes time in proportion to the fabric. */
void fabric_take_census(const struct fabric *fabric,
                        struct fabric_census *census);

/* Frames and their bytes, without FCS. */
struct fabric_amount {
    uint64_t frames;
    uint64_t bytes;
};

/* Where the data of a fabric is at one instant.  What was reported to the
 * listeners of links, switches and adapters is not in it, so that
 *
 *   sent + copied = received + reported losses + on_links + in_adapters +
 *                   in_switches
 *
 * unless something was lost without a report.  Bytes balance only if no switch
 * adds or removes a tag. */
struct fabric_balance {
    struct fabric_amount sent;     /* By adapters. */
    struct fabric_amount copied;   /* By switches: beyond the first of each. */
    struct fabric_amount received; /* By queue pairs. */
    struct fabric_amount on_links;
    struct fabric_amount in_adapters; /* In RX FIFOs. */
    struct fabric_amount in_switches;
};

/* Counts, by visiting all frames in links and switches: not from the counters
 * that the losses change.  A frame on its way to another simulation counts
 * there, once it is imported. */
void fabric_take_balance(const struct fabric *fabric,
                         struct fabric_balance *balance);

/* Returns NULL if no frame has been lost or duplicated in the books of links,
 * switches and adapters, else a sentence about what is wrong.  Of a fabric
 * without hosts of twin/host, copies and frames of processors:
 *
 *   per link and direction  sent = delivered + lost + in flight
 *   frames = in flight + waiting + entered - discarded - left - starting
 *
 * without those that a link has lost and that would still be on their way, and
 * where 'starting' are the frames that have started to leave a switch, which
 * count as in flight already; at most one per port.  When nothing is in flight
 * and nothing waits, also:
 *
 *   sent = received + dropped + discarded + lost, without lost pauses */
const char *fabric_check(const struct fabric *fabric);

/* Returns the seed for item 'number' of this fabric, for example a flow. */
uint64_t fabric_seed(const struct fabric *fabric, uint64_t number);

#endif /* twin/fabric/fabric.h */
