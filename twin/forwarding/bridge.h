/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_BRIDGE_H
#define ORCHD_TWIN_FORWARDING_BRIDGE_H

/* A VLAN bridge: VLANs, their members, and learned addresses.
 *
 * A frame belongs to the VLAN of its tag or, without a tag, to the VLAN of the
 * port at which it arrived.  In that VLAN the bridge sends it to the port of
 * the entry for its destination, else to all other members.  The bridge learns
 * the source if port and VLAN allow, but never overrides a static entry.
 * Learned entries may age (fdb.h).
 *
 * Entries for FDB_ANY_VLAN are for tests: they apply in every VLAN and
 * regardless of membership.
 *
 * VLAN 1 always exists.  A new port is an untagged member of it, is active, and
 * does not learn.  The bridge does not flood to a port that is not active, and
 * neither forwards nor learns from frames that it receives, except by test
 * entries.
 *
 * VLANs and ports count the frames they carry, except those forwarded by test
 * entries.  A frame counts with its tag when it arrives at a port, and once for
 * each port by which it leaves, when it is taken out of the queue.
 *
 * Not simulated: spanning tree, limits of learned addresses.
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

/* Decisions other than a port: flood to all other members, discard. */
#define BRIDGE_FLOOD   UINT32_MAX
#define BRIDGE_DISCARD (UINT32_MAX - 1)

enum bridge_membership {
    BRIDGE_OUTSIDE,
    BRIDGE_UNTAGGED, /* Frames leave without a tag. */
    BRIDGE_TAGGED,
};

struct bridge_port {
    uint16_t vlan; /* Of untagged frames; 0: they are discarded. */
    bool is_active;
    bool learns;
    bool filters; /* Discards frames of VLANs of which it is not a member. */
};

/* What a VLAN or a port of the bridge has carried in one direction. */
struct bridge_flow {
    uint64_t octets;
    uint64_t unicast_packets;
    uint64_t other_packets;
    uint64_t discards; /* Of these, the frames that the bridge discarded. */
};

struct bridge_stats {
    struct bridge_flow in;
    struct bridge_flow out;
};

/* Called when an address was learned ('from' is FDB_NONE), or has moved from
 * port 'from'.  Must not change the bridge. */
typedef void bridge_learned_fn(void *context, const struct fdb_entry *entry,
                               uint32_t from);

/* The listener for entries that the bridge itself learns and ages out.  Any
 * function may be NULL. */
struct bridge_listener {
    bridge_learned_fn *learned;
    fdb_each_fn *aged; /* Just before the entry is removed; must not change the
                        * bridge. */
    void *context;
};

struct bridge;

/* Returns a new bridge for ports 0..n_ports-1, none of which exists yet.
 * 'engine' provides the time and must outlive the bridge; NULL: no ageing.
 * 'entity' is that of the switch (twin/event/event.h).  '*listener' is copied.
 * End with bridge_destroy(). */
struct bridge *bridge_create(uint32_t n_ports, struct engine *engine,
                             uint32_t entity,
                             const struct bridge_listener *listener);

/* Frees 'bridge'.  Accepts NULL. */
void bridge_destroy(struct bridge *bridge);

/* Makes 'bridge' add 1 to '*changes', which is borrowed, whenever something
 * changes by which it decides, or by which it learned an address: so that its
 * user can remember decisions.  A new entry for an address that was unknown
 * does not count. */
void bridge_watch(struct bridge *bridge, uint32_t *changes);

/* Returns the forwarding entries.  Callers that change them must use VLANs and
 * ports that exist. */
struct fdb *bridge_fdb(struct bridge *bridge);

/* Sets the ageing time: a learned entry is removed when no frame has come from
 * its address for that time.  0: never. */
void bridge_set_ageing(struct bridge *bridge, int64_t ageing_ps);

/* Add a port; remove it, also from all VLANs and entries. */
void bridge_port_add(struct bridge *bridge, uint32_t port);
void bridge_port_remove(struct bridge *bridge, uint32_t port);

/* Returns the properties of 'port', which the caller may change at once, but
 * not later. */
struct bridge_port *bridge_port(struct bridge *bridge, uint32_t port);

/* Add VLAN 'vlan' (1..BRIDGE_MAX_VLAN) without members, if it does not exist;
 * remove it with its entries. */
void bridge_vlan_add(struct bridge *bridge, uint16_t vlan);
void bridge_vlan_remove(struct bridge *bridge, uint16_t vlan);
bool bridge_vlan_exists(const struct bridge *bridge, uint16_t vlan);

/* Sets whether the bridge learns in 'vlan', which must exist. */
void bridge_vlan_set_learning(struct bridge *bridge, uint16_t vlan,
                              bool learns);

/* Set and return the membership of 'port' in 'vlan', which must exist. */
void bridge_member_set(struct bridge *bridge, uint16_t vlan, uint32_t port,
                       enum bridge_membership membership);
enum bridge_membership bridge_member(const struct bridge *bridge, uint16_t vlan,
                                     uint32_t port);

/* Returns the ports of the members of 'vlan' in ascending order, and their
 * number in '*n'; none if there is no such VLAN.  Borrowed; valid until the
 * next change of a membership. */
const uint16_t *bridge_members(const struct bridge *bridge, uint16_t vlan,
                               uint32_t *n);

/* Decides where to send a frame from port 'in' with addresses 'src' and 'dst'
 * and tag 'tag' (0: none), and learns the source.  Returns a port, BRIDGE_FLOOD
 * or BRIDGE_DISCARD; '*vlan' is the VLAN of the frame, 0 if a test entry
 * decided.  The bridge does not know whether the port is up. */
uint32_t bridge_decide(struct bridge *bridge, uint32_t in, uint64_t src,
                       uint64_t dst, uint16_t tag, uint16_t *vlan);

/* Returns whether the bridge would not learn address 'src' of a frame from port
 * 'in' with 'tag', because it knows it or does not learn there.  '*entry' is
 * the learned entry that such a frame touches, or NULL. */
bool bridge_knows(const struct bridge *bridge, uint32_t in, uint64_t src,
                  uint16_t tag, const struct fdb_entry **entry);

/* Counts 'n' unicast frames of 'vlan', which must exist, of 'octets' together,
 * that arrived at 'port'. */
void bridge_note_in(struct bridge *bridge, uint16_t vlan, uint32_t port,
                    uint64_t n, uint64_t octets);

/* Count a frame that arrived at 'port', or leaves by it, unless it is in no
 * VLAN. */
void bridge_count_in(struct bridge *bridge, uint32_t port,
                     const struct sim_frame *frame, bool discarded);
void bridge_count_out(struct bridge *bridge, uint32_t port,
                      const struct sim_frame *frame);

/* Return the counters of a VLAN, which must exist, and of a port, since it was
 * added. */
const struct bridge_stats *bridge_vlan_stats(const struct bridge *bridge,
                                             uint16_t vlan);
const struct bridge_stats *bridge_port_stats(const struct bridge *bridge,
                                             uint32_t port);

/* Returns the sum over all ports. */
const struct bridge_stats *bridge_stats(const struct bridge *bridge);

/* Returns whether the bridge floods frames of 'vlan' to 'port'. */
bool bridge_floods(const struct bridge *bridge, uint16_t vlan, uint32_t port);

#endif /* twin/forwarding/bridge.h */
