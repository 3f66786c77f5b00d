/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_TOPOLOGY_H
#define ORCHD_LAB_BUILDER_TOPOLOGY_H

/* The nodes and links of a fabric, with their names, numbers and addresses.
 *
 * Canonical order.  Whatever depends on numbers (entities of events, random
 * streams, results) has to be equal for equal fabrics, so numbers follow from
 * names, not from the order of a file.  Nodes: switches by tier from the top
 * (RH, T2, T1, T0; a graph without tiers: all alike), then hosts; within that
 * by name, where runs of digits compare as numbers ("t0-2" before "t0-10").
 * Ports of a node: by the number of the peer, then by rate, length and number
 * of the parallel link.  Links: by the numbers of their first and then of their
 * second end; the first end is the node with the greater number, the lower one
 * in the tree.
 *
 * Names.  Presets use the indices that they need: t0-DC-PODSET-I,
 * t1-DC-PODSET-I, t2-DC-I, rh-I and h-DC-PODSET-T0-I in a region; without DC in
 * podsets and fat trees (t2-I); t0-I, t1-I and h-T0-I in a Clos network; t0-0
 * and h-0-I in a star.  A link is "LOWER.UPPER", or with its ends exchanged;
 * parallel ones have a number behind, "t0-0.t1-0.1", which is 0 if it is
 * missing.
 *
 * Entities.  A host has one; a switch has 'room' of them, one for each of its
 * ports in the order of the ports.  They are numbered from 1 in canonical order
 * and are below 2^28.
 *
 * Addresses.  10.0.0.0/8 is divided into fields of whole bits for DC, podset,
 * T0 and host, each as wide as its number needs, so that the hosts of a DC, of
 * a podset and of a T0 each have a prefix.  The host field of a T0 has room for
 * its network address (0), the T0 itself (1) and the hosts (from 2).  In a
 * graph each switch with hosts is a T0 of one podset.  Both ends of a link
 * between switches have an address of 100.64.0.0/10, 2 * link and 2 * link + 1.
 * MAC addresses are 02:00:00:xx:xx:xx for hosts and 02:01:00:xx:xx:xx for
 * switches, with the number of the node.
 *
 * Pure.  Cost: O(n log n) of nodes and links. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/scenario/fabric_spec.h"

struct arena;
struct name_index;

/* No node, port or link. */
#define TOPOLOGY_NONE UINT32_MAX

enum { TOPOLOGY_HOST_TIER = -1 };

/* An IPv4 prefix in host byte order; bits behind it are 0. */
struct prefix {
    uint32_t address;
    uint8_t length; /* 0..32 */
};

struct topology_port {
    uint32_t link;
    uint32_t peer;      /* A node. */
    uint32_t peer_port; /* Its port number. */
};

struct topology_node {
    const char *name;
    const char *role; /* "t0", "t1", "t2", "rh", "host", or as a graph says. */
    bool is_host;
    /* 0 (T0) to 3 (RH); all switches of a graph without tiers have 0.
     * TOPOLOGY_HOST_TIER for a host. */
    int8_t tier;
    uint32_t n_ports;
    uint32_t first_port; /* Port p of it is 'ports[first_port + p]'. */
    uint32_t entity;     /* Of port 0. */
    uint32_t room;       /* Entities from there; at least 'n_ports'. */
    uint32_t address;   /* Of a host, or of a switch towards its hosts; 0: none.
                         * IPv4, host byte order. */
    struct prefix rack; /* Of the hosts of a T0; length 0: it has none. */
    uint64_t mac;       /* 48 bits. */
    /* The place in a preset; -1: none. */
    int16_t dc, podset, index;
    struct scenario_place place; /* Of a graph. */
};

struct topology_link {
    uint32_t node[2]; /* The first has the greater number. */
    uint32_t port[2];
    uint32_t address[2]; /* Between switches; else 0. */
    uint16_t parallel;   /* 0.. among the links of the same two nodes. */
    uint64_t rate_bps;
    uint64_t length_mm; /* 5 ps each, base/cable.h. */
    /* MACsec of the link; NULL: none.  'node[is_swapped]' is its first end. */
    const struct macsec_spec *macsec;
    bool is_swapped;
    const struct credit_spec *credits; /* NULL: none. */
    struct error_spec errors;
};

struct topology {
    struct topology_node *nodes;
    uint32_t n_nodes;
    uint32_t n_switches; /* They come first. */
    uint32_t n_hosts;
    struct topology_port *ports;
    uint32_t n_ports;
    struct topology_link *links;
    uint32_t n_links;
    uint32_t n_entities; /* Entities are below this. */
    bool has_tiers;
    /* The prefixes of a DC and of a podset by their numbers; NULL: none.
     * Podset p of DC d is number d * podsets of a DC + p. */
    struct prefix *dc_prefixes;
    uint32_t n_dcs;
    struct prefix *podset_prefixes;
    uint32_t n_podsets;
    struct name_index *names; /* Of topology_find(). */
};

/* Builds '*topology' of 'spec', in 'arena'.  'file' names it in messages.
 * ST_INVALID fills 'err': unknown or duplicate names of a graph, a link of a
 * node with itself, a host without or with several links, switches with too
 * many ports, more hosts than there are addresses. */
enum st topology_build(const struct fabric_spec *spec, const char *file,
                       struct arena *arena, struct topology *topology,
                       struct err *err) ST_WARN_UNUSED;

/* Returns how many entities switch 'node' needs: at least as many as its chip
 * has ports, and as it has links. */
typedef uint32_t topology_room_fn(void *context, uint32_t node);

/* Numbers the entities again, with the room that 'room' returns for each
 * switch.  For who knows the chips, which a scenario need not say; before
 * anything uses the numbers. */
void topology_set_rooms(struct topology *topology, topology_room_fn *room,
                        void *context);

/* Returns the number of the node called 'name', or TOPOLOGY_NONE. */
uint32_t topology_find(const struct topology *topology, const char *name);

/* Returns the number of the link called 'name' and stores in '*end' which of
 * its ends (0 or 1) is named first ('end' may be NULL); TOPOLOGY_NONE: there is
 * none. */
uint32_t topology_find_link(const struct topology *topology, const char *name,
                            unsigned int *end);

/* Returns port 'port' of 'node'. */
const struct topology_port *topology_port(const struct topology *topology,
                                          uint32_t node, uint32_t port);

/* Returns the entity of port 'port' of 'node'. */
uint32_t topology_entity(const struct topology *topology, uint32_t node,
                         uint32_t port);

/* Returns a digest of everything, equal for equal fabrics. */
uint64_t topology_digest(const struct topology *topology);

/* Asserts what the comments above promise. */
void topology_check(const struct topology *topology);

#endif /* lab/builder/topology.h */
