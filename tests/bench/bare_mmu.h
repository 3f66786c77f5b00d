/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_BENCH_BARE_MMU_H
#define ORCHD_TESTS_BENCH_BARE_MMU_H

/* The yardstick of the buffer: arrays, and no features.
 *
 * It admits a packet at ingress (guarantee and dynamic threshold, headroom, one
 * XOFF per PG) and at egress (dynamic threshold, one marking curve), keeps
 * watermarks and counters, links it into its queue, and takes the packet of the
 * highest priority out again.  There are no ports that come and go, no
 * profiles that change, no partitions, static or port's thresholds, copies,
 * colors, guarantees apart from the shared part, nor anything else that a
 * real chip has.  So it is about the least that such a thing can cost here. */

#include <stdint.h>

/* What is offered, to any subject of bench_mmu. */
struct offer {
    uint32_t in;
    uint32_t out;
    uint32_t priority;
    uint32_t length_bytes;
};

struct bare_mmu;

/* Returns a buffer of 'cells' cells for 'ports' ports, two pools in each
 * direction, with room for 'packets' packets. */
struct bare_mmu *bare_mmu_create(uint32_t ports, uint32_t cells,
                                 uint32_t packets);
void bare_mmu_destroy(struct bare_mmu *mmu);

/* Offers the first 'n' of 'offers', a ring of 'ring' (a power of 2), and takes
 * nothing out.  Returns how many were admitted. */
uint64_t bare_mmu_fill(struct bare_mmu *mmu, const struct offer *offers,
                       uint32_t ring, uint64_t n);

/* The same, and takes one out at the destination after each. */
uint64_t bare_mmu_run(struct bare_mmu *mmu, const struct offer *offers,
                      uint32_t ring, uint64_t n);

#endif /* tests/bench/bare_mmu.h */
