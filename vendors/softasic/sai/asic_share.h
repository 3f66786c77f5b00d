/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_ASIC_SHARE_H
#define ORCHD_SOFTASIC_SAI_ASIC_SHARE_H

/* Further switches with the state of an existing one, the image.
 *
 * The objects of such a switch share those of the image, copy on write
 * (vendors/objects/objects.h).  Its twin is its own: it is programmed again
 * from the objects, by the same functions that programmed the image.  The
 * alternative, to clone the twin, would save part of a millisecond per switch,
 * and every structure of the twin would need a second way to come into being.
 *
 * The handles of ports, queues, priority groups and scheduler groups follow
 * from their positions, so the children of the image keep theirs.  All other
 * objects get new ones.
 *
 * An image has what the configuration of a switch without routing needs: ports
 * and their children, pools, profiles, QoS maps, schedulers and WRED profiles.
 * Everything else is created per switch. */

#include <stdint.h>

#include "base/status.h"

struct asic;
struct engine;

/* Makes 'asic', which has seen no traffic, an image: nothing may change it from
 * now on.  ST_UNSUPPORTED if it has objects that an image must not have. */
enum st asic_freeze(struct asic *asic, struct err *err) ST_WARN_UNUSED;

struct asic_share_options {
    struct engine *engine; /* Shared with other switches; borrowed. */
    uint32_t entity;       /* Of the port in slot 0 (sim_create_on()). */
    uint64_t mac;          /* Of the switch; 0: that of the image. */
    bool has_ecmp_seed;
    uint32_t ecmp_seed; /* For next-hop groups, instead of the image's. */
};

/* Creates a switch with the state of 'image', which must outlive it, in
 * '*asic'.  It keeps no list of the frames that it sends (softasic_ops
 * received() returns none).  ST_INVALID: the MAC address.  End with
 * asic_destroy(). */
enum st asic_share(const struct asic *image,
                   const struct asic_share_options *options, struct asic **asic,
                   struct err *err) ST_WARN_UNUSED;

/* Returns the bytes of SAI state that 'asic' has allocated for itself: its
 * objects, entries and slots, without the twin and without the overhead of the
 * allocator. */
size_t asic_bytes(const struct asic *asic);

#endif /* vendors/softasic/sai/asic_share.h */
