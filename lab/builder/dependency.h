/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_DEPENDENCY_H
#define ORCHD_LAB_BUILDER_DEPENDENCY_H

/* Whether the switches of a fabric could wait for each other in a cycle: the
 * channel dependency graph.
 *
 * Problem: a deadlock of PFC needs the load that closes its cycle, so a run
 * without one proves nothing.
 *
 * Idea: a *channel* is a direction of a link between two switches, in one
 * lossless priority.  A channel *depends* on another one if a packet that came
 * over the first may leave by the second: while the second is paused, the
 * buffer behind the first may fill, and the first is paused as well.  If this
 * graph has no cycle there is no load that leads to a deadlock; if it has one,
 * there may be (Dally and Seitz, "Deadlock-free message routing in
 * multiprocessor interconnection networks", IEEE Transactions on Computers,
 * 1987).
 *
 * What the switches do with packets is not known here: a function says by which
 * ports a packet may leave.  It is asked only for packets that can be there, on
 * their way from any switch with hosts to a destination, so dependencies that
 * no packet has are no part of the graph.
 *
 * Pure.  Cost: for each destination and priority, every channel once. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dependency;
struct topology;

/* A packet at a switch. */
struct dependency_packet {
    uint32_t node, port; /* Where it has arrived. */
    uint32_t host;       /* To which it goes, a node. */
    uint8_t priority;
    bool is_copy; /* A switch has flooded it: it is addressed to the host
                   * itself, not to 'node'. */
};

/* Called for each port by which a packet may leave: as a copy, if it is
 * flooded. */
typedef void dependency_leave_fn(void *visitor, uint32_t port, bool is_copy);

/* Calls 'leave' with 'visitor' for each port by which 'packet' may leave. */
typedef void dependency_forward_fn(void *context,
                                   const struct dependency_packet *packet,
                                   dependency_leave_fn *leave, void *visitor);

/* Returns the graph of packets to the 'n' 'hosts', in each of 'priorities' (a
 * bit each).  'topology' is borrowed.  End with dependency_destroy(). */
struct dependency *dependency_create(const struct topology *topology,
                                     const uint32_t *hosts, size_t n,
                                     uint8_t priorities,
                                     dependency_forward_fn *forward,
                                     void *context);

/* Frees 'dependency'.  Accepts NULL. */
void dependency_destroy(struct dependency *dependency);

/* A channel of a cycle: the egress port of a switch. */
struct dependency_channel {
    uint32_t node, port;
    uint8_t priority;
    uint32_t host; /* A packet to this one leads from here to the next
                    * channel. */
};

/* Stores the channels of a shortest cycle in '*channels', borrowed until
 * dependency_destroy(), and returns how many there are; 0: no cycle.  The last
 * leads to the first. */
size_t dependency_find_cycle(struct dependency *dependency,
                             const struct dependency_channel **channels);

/* Returns how many channels packets may use, and how many dependencies there
 * are among them. */
size_t dependency_n_channels(const struct dependency *dependency);
size_t dependency_n_edges(struct dependency *dependency);

#endif /* lab/builder/dependency.h */
