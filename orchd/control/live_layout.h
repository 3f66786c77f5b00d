/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_LIVE_LAYOUT_H
#define ORCHD_CONTROL_LIVE_LAYOUT_H

/* The objects that "show live" reads, in the order of its rows; for its own
 * files only. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

struct agent;

#define LIVE_PRIORITIES 8

/* The counters of a port. */
enum live_port_counter {
    LIVE_RX_BYTES,
    LIVE_TX_BYTES,
    LIVE_RX_DROPS,
    LIVE_TX_DROPS,
    LIVE_QUEUED,
    LIVE_PFC_RX, /* Of priority 0; then the others. */
    LIVE_N_PORT_COUNTERS = LIVE_PFC_RX + LIVE_PRIORITIES,
};

/* A port. */
struct live_port {
    char *name;
    sai_object_id_t oid;
    size_t pg, n_pgs;       /* Its first priority group, and how many. */
    size_t queue, n_queues; /* The same for queues. */
    uint64_t counters[LIVE_N_PORT_COUNTERS];
    bool busy;   /* Read its priority groups and queues. */
    bool paused; /* It has received pause frames since the last reading. */
};

/* A priority group or queue. */
struct live_place {
    size_t port; /* Its position. */
    unsigned int index;
    sai_object_id_t oid;
    size_t profile; /* Its position. */
};

/* A profile that priority groups or queues have. */
struct live_profile {
    char *name;
    uint64_t headroom; /* Bytes; 0: it is lossy. */
};

struct live_pool {
    char *name;
    bool is_ingress;
    sai_object_id_t oid;
};

struct live_layout {
    struct live_port *ports;
    struct live_place *pgs, *queues;
    struct live_profile *profiles;
    struct live_pool *pools;
    size_t n_ports, n_pgs, n_queues, n_profiles, n_pools;
};

/* Fills in the objects that 'agent' has on the ASIC now, of the 'n' ports
 * 'only', or of all if that is 0.  End with live_layout_fini(). */
void live_layout_make(struct live_layout *layout, const struct agent *agent,
                      char *const *only, size_t n);
void live_layout_fini(struct live_layout *layout);

/* Returns the names as a new object. */
json_t *live_layout_names(const struct live_layout *layout, uint64_t number);

#endif /* orchd/control/live_layout.h */
