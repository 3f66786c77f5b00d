/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_VLAN_H
#define ORCHD_LAB_BUILDER_SWITCH_VLAN_H

/* The hosts of a T0 in a VLAN: two tables that age.
 *
 * A packet to a host in a VLAN needs two look-ups.  The *neighbor* table (ARP)
 * gives the MAC address for the IP address; it is kept by software, for hours.
 * The *forwarding* table gives the port for the MAC address; the switch learns
 * it from what the host sends, and forgets it after minutes.  A host that is
 * dead, or only silent, is therefore known by its MAC address but not by its
 * port for the time between: its ARP entry is *incomplete*, and the switch
 * floods its packets to all ports of the VLAN, lossless ones as well
 * ("RDMA over Commodity Ethernet at Scale", SIGCOMM 2016, section 4.2).
 *
 * This module programs such a VLAN through SAI and does what the software of a
 * switch does about these tables:
 *
 *   - the ports of hosts are in the default VLAN, and learn; all others leave
 *     it, as SONiC has them leave it;
 *   - except 'routers': switches that are neighbors in the same VLAN, so that
 *     floods reach them, too.  Their addresses do not age;
 *   - the VLAN has a router interface and the route to its prefix;
 *   - every host has a neighbor and a learned address at first, as if it had
 *     just answered;
 *   - learned addresses age (SAI_SWITCH_ATTR_FDB_AGING_TIME);
 *   - a neighbor is removed 'arp_ageing_ps' after the host was last heard, and
 *     added again when the switch learns its address.  Until then a host whose
 *     port is known counts as one that answers ARP requests, which are not
 *     simulated;
 *   - with 'drops', packets of these classes to a host whose entry is
 *     incomplete are dropped by an access list, which is the remedy of the
 *     paper.  Its entries follow the forwarding table without delay.
 *
 * The owner of the switch passes on what the switch reports
 * (twin/switch/sim.h); changes follow later in the same instant. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/forwarding/address.h"

struct engine;
struct switch_instance;
struct switch_vlan;

/* A host, or a router. */
struct switch_vlan_host {
    uint32_t slot; /* The port where it is. */
    struct address address;
    uint64_t mac;
};

/* Called when the switch has refused a change at a later time. */
typedef void switch_vlan_failed_fn(void *context, const struct err *err);

struct switch_vlan_config {
    struct engine *engine; /* Of the instance. */
    uint32_t entity;       /* The first of the switch. */
    const struct switch_vlan_host *hosts;
    size_t n_hosts;
    const struct switch_vlan_host *routers;
    size_t n_routers;
    /* Of the hosts. */
    struct address prefix;
    unsigned int length;
    uint32_t mac_ageing_s; /* 0: never. */
    int64_t arp_ageing_ps;
    uint8_t drops; /* A bit per class. */
    switch_vlan_failed_fn *failed;
    void *context;
};

/* Programs the VLAN, and begins to follow its tables.  'config' is copied,
 * except what 'context' points to.  Fails as the switch does. */
enum st switch_vlan_create(struct switch_instance *instance,
                           const struct switch_vlan_config *config,
                           struct switch_vlan **vlan,
                           struct err *err) ST_WARN_UNUSED;

/* Ends it, before the instance; what is programmed stays.  Accepts NULL. */
void switch_vlan_destroy(struct switch_vlan *vlan);

/* Returns the router interface of the VLAN, for neighbors and next hops in
 * it. */
uint64_t switch_vlan_interface(const struct switch_vlan *vlan);

/* Note that the switch has learned 'mac', and that it removes it because it is
 * too old.  Others than those of hosts are ignored. */
void switch_vlan_note_learned(struct switch_vlan *vlan, uint64_t mac);
void switch_vlan_note_aged(struct switch_vlan *vlan, uint64_t mac);

/* Makes the switch forget the ports of all hosts now, as if each had been
 * silent for the ageing time.  Does nothing if addresses do not age. */
enum st switch_vlan_forget(struct switch_vlan *vlan,
                           struct err *err) ST_WARN_UNUSED;

/* Takes all ports of a switch without such a VLAN out of the default VLAN, so
 * that the switch drops what it does not route. */
enum st switch_vlan_leave(struct switch_instance *instance,
                          struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/switch_vlan.h */
