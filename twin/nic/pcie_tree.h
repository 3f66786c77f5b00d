/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_NIC_PCIE_TREE_H
#define ORCHD_TWIN_NIC_PCIE_TREE_H

/* PCIe switches between the adapters of a host and its memory.
 *
 * A tree: the memory is its root, switches are inside, adapters its leaves.
 * Each switch and each adapter has a link to what is above it.  Packets that
 * adapters have received travel upwards, from link to link, to the memory.
 *
 * Links.  A link sends one packet at a time, completely, at its rate, and the
 * packet arrives 'latency_ps' after its end.  The fraction of a picosecond is
 * carried to the next one.
 *
 * Credits.  Each link has a buffer of 'credit_bytes' at its upper end.  It
 * starts a packet only with credits for all of its bytes.  These come back
 * 'latency_ps' after the packet has left the buffer: when the link above has
 * sent it, or at once if the memory is above.  So nothing is ever dropped, and
 * what is held up above holds up what is below.
 *
 * Switches.  What arrives over one link stays in order; links from below take
 * turns, packet by packet.
 *
 * A host without switches needs no tree: the memory is right above its adapter
 * (twin/nic/rx_fifo.h).
 *
 * Not simulated: packets downwards, from device to device, reads.
 *
 * Reference: PCI Express Base Specification, section 2.6 (flow control: credits
 * of posted writes). */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct engine;
struct pcie_tree;

enum {
    PCIE_MEMORY = UINT16_MAX, /* In place of a switch. */
    PCIE_MAX_LINKS = 4096,    /* Switches and adapters. */
};

struct pcie_link_config {
    uint32_t above;      /* A switch that was added before, or PCIE_MEMORY. */
    uint64_t bits_per_s; /* Not 0. */
    int64_t latency_ps;
    uint32_t credit_bytes; /* At least the longest packet. */
};

/* What an adapter is called for.  'left': the packet that it has given to
 * pcie_tree_send() has been sent completely.  'ready': the link may have
 * credits for another one.  'delivered': 'packet' is in memory. */
struct pcie_adapter {
    void (*left)(void *context, int64_t now_ps);
    void (*ready)(void *context, int64_t now_ps);
    void (*delivered)(void *context, uint32_t packet, int64_t now_ps);
    void *context;
};

struct pcie_link_stats {
    uint64_t packets; /* Sent completely. */
    uint64_t bytes;
    int64_t busy_ps; /* Sending them. */
};

/* Returns a tree without switches on 'engine', whose events have entity
 * 'entity'.  End with pcie_tree_destroy(). */
struct pcie_tree *pcie_tree_create(struct engine *engine, uint32_t entity);

/* Frees 'tree', which holds no packets; see pcie_tree_take().  Accepts NULL. */
void pcie_tree_destroy(struct pcie_tree *tree);

/* Adds a switch, or an adapter, with the link to what is above it.  Stores its
 * number in '*link'.  ST_INVALID: a member of 'config' is out of its range.
 * ST_NO_RESOURCE: PCIE_MAX_LINKS. */
enum st pcie_tree_add_switch(struct pcie_tree *tree,
                             const struct pcie_link_config *config,
                             uint32_t *link) ST_WARN_UNUSED;
enum st pcie_tree_add_adapter(struct pcie_tree *tree,
                              const struct pcie_link_config *config,
                              const struct pcie_adapter *adapter,
                              uint32_t *link) ST_WARN_UNUSED;

/* Returns whether the link of an adapter is free and has credits for 'bytes'.
 */
bool pcie_tree_can_send(const struct pcie_tree *tree, uint32_t link,
                        uint32_t bytes);

/* Starts to send 'packet' of 'bytes' over the link of an adapter, which can
 * send it. */
void pcie_tree_send(struct pcie_tree *tree, uint32_t link, uint32_t packet,
                    uint32_t bytes);

/* Removes a packet that is in a switch or on a link, has been sent completely
 * by its adapter, and is not in memory yet; returns false if there is none.
 * Only to be followed by pcie_tree_destroy(). */
bool pcie_tree_take(struct pcie_tree *tree, uint32_t *packet);

void pcie_tree_get_link(const struct pcie_tree *tree, uint32_t link,
                        struct pcie_link_stats *stats);

/* Returns the switch above 'link', or PCIE_MEMORY. */
uint32_t pcie_tree_above(const struct pcie_tree *tree, uint32_t link);

/* Returns how many packets and bytes of the adapter at 'link' the tree holds,
 * without the one that it is sending. */
void pcie_tree_held(const struct pcie_tree *tree, uint32_t link,
                    uint64_t *packets, uint64_t *bytes);

/* Returns NULL if on each link credits, packets and returning credits are its
 * buffer, and if each adapter's bytes are in memory or in the tree; else what
 * is wrong.  For tests. */
const char *pcie_tree_check(const struct pcie_tree *tree);

#endif /* twin/nic/pcie_tree.h */
