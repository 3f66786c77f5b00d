/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_BRIDGE_H
#define ORCHD_TWIN_FORWARDING_BRIDGE_H

/* Where frames go: VLANs, their members, and what was learned.
 *
 * A frame belongs to the VLAN of its tag, or to the VLAN of the port that it
 * came from if it has none.  In that VLAN it goes to the port of the entry for
 * its destination, else to all other members.  Its source is learned where
 * port and VLAN allow, never against a static entry; what was learned may age
 * (fdb.h).
 *
 * Entries for FDB_ANY_VLAN are the tester's: they hold in every VLAN and ask
 * for no membership.
 *
 * VLAN 1 is always there; a port that is added becomes an untagged member of
 * it, is active, and does not learn.  A port that is not active is in no
 * VLAN's flood, and nothing that it receives is forwarded or learned, but for
 * the tester's entries.
 *
 * VLANs and ports count what they carry, but for the tester's frames.  A frame
 * counts as it comes in at the port, with its tag, and once more at each port
 * by which it leaves, when it is taken out of its queue.
 *
 * Not modelled: spanning tree, limits of learned addresses.
 *
 * Reference: IEEE 802.1Q-2018 clauses 8.6 to 8.8. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/forwarding/fdb.h"
#include "twin/forwarding/frame.h"

enum {
    BRIDGE_DEFAULT_VLAN = 1,
    BRIDGE_MAX_VLAN = SIM_MAX_VLAN,
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

/* What a VLAN or a port of the bridge has carried in one direction. */
struct bridge_flow {
    uint64_t octets;
    uint64_t unicast_packets;
    uint64_t other_packets;
    uint64_t discards; /* Of them, those that the bridge sent nowhere. */
};

struct bridge_stats {
    struct bridge_flow in;
    struct bridge_flow out;
};

/* Called when an address was learned or, with 'from' no longer FDB_NONE, has
 * moved from that port.  Must not change the bridge. */
typedef void bridge_learned_fn(void *context, const struct fdb_entry *entry,
                               uint32_t from);

/* Who wants to hear of entries that come and go by themselves; any function
 * may be NULL. */
struct bridge_listener {
    bridge_learned_fn *learned;
    fdb_each_fn *aged; /* Just before it goes; must not change the bridge. */
    void *context;
};

struct bridge;

/* Returns a new bridge for ports 0..n_ports-1, none of which is there yet.
 * 'engine' tells the time and outlives it; NULL: nothing can age.
 * '*listener' is copied.  End with bridge_destroy(). */
struct bridge *bridge_create(uint32_t n_ports, struct engine *engine,
                             const struct bridge_listener *listener);

/* Frees 'bridge'.  Accepts NULL. */
void bridge_destroy(struct bridge *bridge);

/* The entries.  Whoever changes them keeps to VLANs and ports that exist. */
struct fdb *bridge_fdb(struct bridge *bridge);

/* Sets after what time without a frame from it what was learned of an address
 * is forgotten, from now on; 0: never. */
void bridge_set_ageing(struct bridge *bridge, int64_t ageing_ps);

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

/* Returns the ports of the members of 'vlan' in ascending order, and their
 * number in '*n'; none if there is no such VLAN.  Borrowed; valid until the
 * next change of a membership. */
const uint16_t *bridge_members(const struct bridge *bridge, uint16_t vlan,
                               uint32_t *n);

/* Decides on a frame from port 'in' with addresses 'src' and 'dst', and tag
 * 'tag' (0: none), and learns.  Returns a port, BRIDGE_FLOOD or
 * BRIDGE_DISCARD; '*vlan' is the VLAN of the frame, 0 if it goes by an entry
 * of the tester.  Whether the port found is up is not known here. */
uint32_t bridge_decide(struct bridge *bridge, uint32_t in, uint64_t src,
                       uint64_t dst, uint16_t tag, uint16_t *vlan);

/* Count a frame that came in by 'port', or leaves by it, unless it is in no
 * VLAN. */
void bridge_count_in(struct bridge *bridge, uint32_t port,
                     const struct sim_frame *frame, bool discarded);
void bridge_count_out(struct bridge *bridge, uint32_t port,
                      const struct sim_frame *frame);

/* Return what was counted for a VLAN, which exists, since it was added, and
 * for a port since that was. */
const struct bridge_stats *bridge_vlan_stats(const struct bridge *bridge,
                                             uint16_t vlan);
const struct bridge_stats *bridge_port_stats(const struct bridge *bridge,
                                             uint32_t port);

/* Returns what all have counted together. */
const struct bridge_stats *bridge_stats(const struct bridge *bridge);

/* Returns whether 'port' takes part in the flooding of 'vlan'. */
bool bridge_floods(const struct bridge *bridge, uint16_t vlan, uint32_t port);

#endif /* twin/forwarding/bridge.h */
