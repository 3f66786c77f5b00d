/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_ADAPTERS_H
#define ORCHD_TESTS_SUPPORT_ADAPTERS_H

/* Adapters of 100 Gb/s around a switch, 10 m away: connections of the others
 * with the last one, and what completes on them. */

#include "tests/support/switch_setup.h"
#include "twin/transport/dcqcn.h"
#include "twin/transport/rc.h"
#include "twin/transport/tcp.h"

enum {
    ADAPTERS_SPEED = 100000,
    ADAPTERS_PS_PER_BYTE = 80,
    ADAPTERS_MAX_CONNECTIONS = 16,
};

struct adapters {
    struct chip chip;
    struct star star;
    uint32_t target; /* The last host. */

    /* Of connections that are made from now on; the defaults. */
    struct rc_config rc;
    struct tcp_config tcp;
    struct dcqcn dcqcn; /* Used if it was initialised. */

    struct connection connections[ADAPTERS_MAX_CONNECTIONS];
    uint32_t n_connections;

    /* Completions of all adapters. */
    struct rc_completion last;
    int64_t last_ps;
    uint32_t n_sent, n_received;
};

/* Returns 'n_hosts' adapters, whose lossless queues have 'wred', borrowed. */
struct adapters *adapters_create(uint32_t n_hosts,
                                 const struct wred_profile *wred);

/* Fails the test if the fabric has lost count of a frame. */
void adapters_destroy(struct adapters *adapters);

/* Connects host 'from' to the target by QPs of 'kind', which send up to 'burst'
 * packets at a time.  Returns the QP of 'from'. */
uint32_t adapters_join(struct adapters *adapters, enum nic_kind kind,
                       uint32_t from, uint32_t burst);

/* Posts 'request' to a QP of host 'from'. */
void adapters_post(struct adapters *adapters, uint32_t from, uint32_t qp,
                   const struct rc_request *request);

void adapters_run(struct adapters *adapters, int64_t until_ps);

struct nic_stats adapters_stats(const struct adapters *adapters, uint32_t host);

/* Returns what host 'from' has sent on 'qp'. */
const struct nic_flow *adapters_sent(const struct adapters *adapters,
                                     uint32_t from, uint32_t qp);

/* Returns what the target has received of connection 'i'. */
const struct nic_flow *adapters_arrived(const struct adapters *adapters,
                                        uint32_t i);

/* Returns the time from the first bit sent to the last bit received, over both
 * cables. */
int64_t adapters_way_ps(uint32_t wire_bytes);

#endif /* tests/support/adapters.h */
