/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_SWITCH_SETUP_H
#define ORCHD_TESTS_SUPPORT_SWITCH_SETUP_H

/* Switches as lossless networks have them, for tests and benchmarks of fabrics,
 * and a star of adapters around one of them.
 *
 * TC is the upper three bits of the DSCP; it is the PG and the queue.  TC 3 is
 * lossless and marks ECN.  TC 6 is strict.  One ingress pool has what the
 * headroom of the ports leaves of the buffer; the egress pool has all. */

#include <stdint.h>

#include "twin/fabric/fabric.h"

enum {
    SWITCH_SETUP_LOSSLESS = 3,
    SWITCH_SETUP_LOSSY = 1, /* Of TCP. */
    SWITCH_SETUP_STRICT = 6,
    SWITCH_SETUP_MTU = 9216,
};

struct switch_setup {
    const struct chip *chip;
    uint32_t n_ports;
    uint32_t speed_mbps;
    uint32_t time_step_ps; /* Of all ports (twin/switch/sim.h). */
    int dynamic_th;        /* Of lossless PGs. */
    uint64_t reserved_bytes;
    uint64_t headroom_bytes;
    uint64_t xon_offset_bytes;
    const struct wred_profile *wred; /* Borrowed. */
    uint64_t xon_bytes;
    bool uses_all; /* The ingress pool has the size of the buffer: the chip
                    * takes off what ports need.  Else headroom and a part that
                    * stays unused are taken off here, because partitions have
                    * unequal numbers of ports. */
};

/* Configures 'sim', whose pause frames come from 'mac'.  Failures stop the
 * process. */
void switch_setup_apply(const struct switch_setup *setup, struct sim *sim,
                        uint64_t mac);

/* A star: host i at port i. */
struct star {
    struct fabric *fabric;
    struct sim *sim;
    struct nic **nics;
    struct link **links;
    uint32_t n_hosts;
};

/* Builds '*star' of as many hosts as 'setup' has ports.  'nic' is the
 * configuration of each host; the address is filled in.  'order' as in
 * fat_tree.h.  End with star_fini(). */
void star_init(struct star *star, const struct switch_setup *setup,
               const struct nic_config *nic, uint32_t length_m, uint64_t seed);
void star_fini(struct star *star);

/* Returns the address of 'host'. */
uint64_t star_mac(uint32_t host);

/* Connections -------------------------------------------------------------- */

/* The headers of the frames of a connection, by end. */
struct connection {
    struct sim_payload *headers[2];
    uint32_t qps[2];
};

/* One end of a connection. */
struct connection_end {
    struct nic *nic;
    uint64_t mac;
    uint32_t address; /* IPv4; 0: none. */
    uint64_t gateway; /* To which MAC address it sends; 0: to the peer. */
};

/* Connects two QPs, as 'config' says, of TC 3.  'entropy' is the UDP source
 * port.  Failures stop the process. */
void connection_init(struct connection *connection,
                     const struct connection_end ends[2],
                     const struct nic_qp_config *config, uint16_t entropy);
void connection_fini(struct connection *connection);

#endif /* tests/support/switch_setup.h */
