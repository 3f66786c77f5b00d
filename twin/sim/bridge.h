/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SIM_BRIDGE_H
#define ORCHD_TWIN_SIM_BRIDGE_H

/* Where frames go: VLANs, their members, and what was learned.
 *
 * A frame belongs to the VLAN of its tag, or to the VLAN of the port that it
 * came from if it has none.  In that VLAN it goes to the port of the entry for
 * its destination, else to all other members.  Its source is learned where
 * port and VLAN allow, never against a static entry.
 *
 * Entries for FDB_ANY_VLAN are the tester's: they hold in every VLAN and ask
 * for no membership.
 *
 * VLAN 1 is always there; a port that is added becomes an untagged member of
 * it, is active, and does not learn.  A port that is not active is in no
 * VLAN's flood, and nothing that it receives is forwarded or learned, but for
 * the tester's entries.
 *
 * Not modelled: ageing, spanning tree, limits of learned addresses.
 *
 * Reference: IEEE 802.1Q-2018 clauses 8.6 to 8.8. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/sim/fdb.h"

enum {
    BRIDGE_DEFAULT_VLAN = 1,
    BRIDGE_MAX_VLAN = 4094,
};

/* Decisions that are no port: to all other members, to nobody. */
#define BRIDGE_FLOOD   UINT32_MAX
#define BRIDGE_DISCARD (UINT32_MAX - 1)

enum bridge_membership {
    BRIDGE_OUTSIDE,
    BRIDGE_UNTAGGED, /* Frames leave without a tag. */
    BRIDGE_TAGGED,
};

struct bridge_port {
    uint16_t vlan; /* Of frames without a tag; 0: these are discarded. */
    bool is_active;
    bool learns;
    bool filters; /* Frames of VLANs that it is no member of are discarded. */
};

/* Called when an address was learned or, with 'from' no longer FDB_NONE, has
 * moved from that port.  Must not change the bridge. */
typedef void bridge_learned_fn(void *context, const struct fdb_entry *entry,
                               uint32_t from);

struct bridge;

/* Returns a new bridge for ports 0..n_ports-1, none of which is there yet.
 * 'learned' may be NULL.  End with bridge_destroy(). */
struct bridge *bridge_create(uint32_t n_ports, bridge_learned_fn *learned,
                             void *context);

/* Frees 'bridge'.  Accepts NULL. */
void bridge_destroy(struct bridge *bridge);

/* The entries.  Whoever changes them keeps to VLANs and ports that exist. */
struct fdb *bridge_fdb(struct bridge *bridge);

/* A port comes; or goes, out of all VLANs and entries. */
void bridge_port_add(struct bridge *bridge, uint32_t port);
void bridge_port_remove(struct bridge *bridge, uint32_t port);

/* The properties of 'port', to be read and changed. */
struct bridge_port *bridge_port(struct bridge *bridge, uint32_t port);

/* Add VLAN 'vlan' (1..BRIDGE_MAX_VLAN) without members, if it does not exist;
 * remove it with its entries. */
void bridge_vlan_add(struct bridge *bridge, uint16_t vlan);
void bridge_vlan_remove(struct bridge *bridge, uint16_t vlan);
bool bridge_vlan_exists(const struct bridge *bridge, uint16_t vlan);

/* Sets whether sources are learned in 'vlan', which exists. */
void bridge_vlan_set_learning(struct bridge *bridge, uint16_t vlan,
                              bool learns);

/* Set and return how 'port' belongs to 'vlan', which exists. */
void bridge_member_set(struct bridge *bridge, uint16_t vlan, uint32_t port,
                       enum bridge_membership membership);
enum bridge_membership bridge_member(const struct bridge *bridge, uint16_t vlan,
                                     uint32_t port);

/* Decides on a frame from port 'in' with addresses 'src' and 'dst', and tag
 * 'tag' (0: none), and learns.  Returns a port, BRIDGE_FLOOD or
 * BRIDGE_DISCARD; '*vlan' is the VLAN of the frame, 0 if it goes by an entry
 * of the tester.  Whether the port found is up is not known here. */
uint32_t bridge_decide(struct bridge *bridge, uint32_t in, uint64_t src,
                       uint64_t dst, uint16_t tag, uint16_t *vlan);

/* Returns whether 'port' takes part in the flooding of 'vlan'. */
bool bridge_floods(const struct bridge *bridge, uint16_t vlan, uint32_t port);

#endif /* twin/sim/bridge.h */
