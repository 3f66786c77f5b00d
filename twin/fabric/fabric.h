/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FABRIC_FABRIC_H
#define ORCHD_TWIN_FABRIC_FABRIC_H

/* Switches and hosts, joined by links, in one time.
 *
 * A fabric owns an engine and all that is on it.  What happens depends on what
 * was built, in which order, and on the seed: the same calls give the same
 * bits.  Random flows draw from a seed of their own, so that traffic that is
 * added elsewhere does not change them.
 *
 * Ends that are joined have one speed; the speed of a port that is connected
 * must not be changed. */

#include <stdint.h>

#include "base/status.h"
#include "twin/event/engine.h"
#include "twin/host/host.h"
#include "twin/link/link.h"
#include "twin/switch/sim.h"

struct fabric;

/* Returns a new fabric without anything in it.  End with fabric_destroy(). */
struct fabric *fabric_create(uint64_t seed);

/* Frees 'fabric' and all that it owns.  Accepts NULL. */
void fabric_destroy(struct fabric *fabric);

struct engine *fabric_engine(struct fabric *fabric);

/* Returns a new switch of model 'chip', which must outlive the fabric.  The
 * fabric owns it. */
struct sim *fabric_add_switch(struct fabric *fabric, const struct chip *chip);

/* Adds a host; the fabric owns it.  ST_INVALID as host_create(). */
enum st fabric_add_host(struct fabric *fabric, const struct host_config *config,
                        struct host **host) ST_WARN_UNUSED;

/* What is to be at an end of a link: a host, or a port of a switch. */
struct fabric_end {
    struct host *host; /* NULL: a port. */
    struct sim *sim;
    uint32_t port;
};

/* Joins two ends by 'length_m' metres of cable for frames up to 'mtu_bytes'.
 * 'link' may be NULL; the fabric owns it.  ST_NOT_FOUND (no such port),
 * ST_INVALID (different speeds). */
enum st fabric_connect(struct fabric *fabric, const struct fabric_end ends[2],
                       uint32_t length_m, uint32_t mtu_bytes,
                       struct link **link) ST_WARN_UNUSED;

/* Returns the seed for what is known by 'number' in this fabric. */
uint64_t fabric_seed(const struct fabric *fabric, uint64_t number);

#endif /* twin/fabric/fabric.h */
