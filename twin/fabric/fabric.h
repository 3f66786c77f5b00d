/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FABRIC_FABRIC_H
#define ORCHD_TWIN_FABRIC_FABRIC_H

/* Switches and hosts, connected by links, on one clock.
 *
 * A fabric owns an engine and everything that runs on it.  A run depends on
 * what was built and on the seed: the same calls give the same bits.  It also
 * depends on the entities (twin/event/event.h) of ports and hosts.  The code
 * that builds a fabric can give them, so that the order of building does not
 * matter; otherwise switches and hosts are numbered in the order in which they
 * are added.  Each random flow has a seed of its own, so adding traffic
 * elsewhere does not change it.
 *
 * Both ends of a link have the same speed.  The speed of a connected port must
 * not be changed. */

#include <stdint.h>

#include "base/status.h"
#include "twin/event/engine.h"
#include "twin/host/host.h"
#include "twin/link/link.h"
#include "twin/switch/sim.h"

struct fabric;

/* Returns a new, empty fabric.  End with fabric_destroy(). */
struct fabric *fabric_create(uint64_t seed);

/* Frees 'fabric' with its switches, hosts, links and engine.  Accepts NULL. */
void fabric_destroy(struct fabric *fabric);

struct engine *fabric_engine(struct fabric *fabric);

/* Makes 'engine', which is not that of a fabric, handle the events of switches
 * and hosts: for a caller that connects hosts to a switch by other means. */
void fabric_serve(struct engine *engine);

/* Adds a switch with the buffer of 'chip', which must outlive the fabric.
 * Returns it; the fabric owns it. */
struct sim *fabric_add_switch(struct fabric *fabric, const struct chip *chip);

/* Does the same for a switch whose first port is entity 'entity'.  A fabric
 * either numbers all its switches and hosts, or none. */
struct sim *fabric_add_switch_at(struct fabric *fabric, const struct chip *chip,
                                 uint32_t entity);

/* Adds a host and stores it in '*host'; the fabric owns it, and numbers it if
 * its entity is 0.  Fails as host_create(). */
enum st fabric_add_host(struct fabric *fabric, const struct host_config *config,
                        struct host **host) ST_WARN_UNUSED;

/* One end of a link: a host, or a port of a switch. */
struct fabric_end {
    struct host *host; /* NULL: a port. */
    struct sim *sim;
    uint32_t port;
};

/* Connects two ends by 'length_m' metres of cable for frames up to 'mtu_bytes'.
 * Stores the link, which the fabric owns, in '*link' unless 'link' is NULL.
 * ST_NOT_FOUND: there is no such port.  ST_INVALID: the speeds differ. */
enum st fabric_connect(struct fabric *fabric, const struct fabric_end ends[2],
                       uint32_t length_m, uint32_t mtu_bytes,
                       struct link **link) ST_WARN_UNUSED;

/* Returns the seed for item 'number' of this fabric, for example a flow. */
uint64_t fabric_seed(const struct fabric *fabric, uint64_t number);

#endif /* twin/fabric/fabric.h */
