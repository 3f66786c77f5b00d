/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_LINT_BUFFER_H
#define ORCHD_LINT_LINT_BUFFER_H

/* The chip's buffer with the pools, profiles and bindings of the switch, to
 * find out what it would do.
 *
 * The results come from the MMU of the twin itself, by filling it: only the MMU
 * knows what is carved out of a pool, how thresholds are rounded and when PFC
 * starts on a chip. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/lint/lint_input.h"

struct chip;
struct lint_buffer;

/* Returns the buffer of 'chip' configured from 'input', both borrowed; NULL if
 * the chip does not have room for it (more ports, pools or profiles than it
 * supports, or reservations beyond its memory). End with lint_buffer_destroy(),
 * which accepts NULL. */
struct lint_buffer *lint_buffer_create(const struct chip *chip,
                                       const struct lint_input *input);
void lint_buffer_destroy(struct lint_buffer *buffer);

/* Returns the total that ingress can admit into 'pool': what its groups may
 * share, in all partitions, their guarantees, and their headroom. */
uint64_t lint_buffer_ingress_bytes(const struct lint_buffer *buffer,
                                   const struct lint_pool *pool);

/* Returns the most that one priority group or queue with 'profile' can hold
 * while all others are empty, without headroom; UINT64_MAX: no limit. */
uint64_t lint_buffer_alone_bytes(const struct lint_buffer *buffer,
                                 const struct lint_profile *profile);

/* Returns approximately how much a lossless group with 'profile' holds when it
 * pauses its sender while 'n' groups of the profile fill up together, each on a
 * separate port as far as there are ports. The error is the step of filling, at
 * most 1/32768 of the memory.  Returns 0 if no partition has so many groups. */
uint64_t lint_buffer_pfc_bytes(struct lint_buffer *buffer,
                               const struct lint_profile *profile, size_t n);

/* Returns the number of groups with 'profile' in the partition that has the
 * most of them. */
size_t lint_buffer_n_groups(const struct lint_buffer *buffer,
                            const struct lint_profile *profile);

#endif /* orchd/lint/lint_buffer.h */
