/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_LINT_BUFFER_H
#define ORCHD_LINT_LINT_BUFFER_H

/* The chip's buffer with the pools, profiles and attachments of the switch, to
 * be asked what it would do.
 *
 * The answers come from the MMU of the twin itself, by filling it: what is
 * carved out of a pool, how thresholds are rounded and when PFC fires is the
 * chip's business, and known in one place. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/lint/lint_input.h"

struct chip;
struct lint_buffer;

/* Returns the buffer of 'chip' with what 'input' say, both borrowed; NULL if
 * the chip does not have room for it (more ports, pools or profiles than it
 * can have, or reservations beyond its memory).  End with
 * lint_buffer_destroy(), which accepts NULL. */
struct lint_buffer *lint_buffer_create(const struct chip *chip,
                                       const struct lint_input *input);
void lint_buffer_destroy(struct lint_buffer *buffer);

/* Returns what ingress can admit into 'pool' altogether: what its groups may
 * share, in all partitions, their guarantees, and their headroom. */
uint64_t lint_buffer_ingress_bytes(const struct lint_buffer *buffer,
                                   const struct lint_pool *pool);

/* Returns the most that one priority group, or one queue, with 'profile' can
 * hold while nothing else does, without headroom; UINT64_MAX: no limit. */
uint64_t lint_buffer_alone_bytes(const struct lint_buffer *buffer,
                                 const struct lint_profile *profile);

/* Returns about how much a lossless group with 'profile' holds when it pauses
 * its sender while 'n' groups of the profile fill up together, each on a port
 * of its own as far as there are ports (about: filled in steps of 1/32768 of
 * the memory at most).  0 if there are not so many groups in one partition. */
uint64_t lint_buffer_pfc_bytes(struct lint_buffer *buffer,
                               const struct lint_profile *profile, size_t n);

/* Returns how many groups with 'profile' there are in the partition that has
 * the most of them. */
size_t lint_buffer_n_groups(const struct lint_buffer *buffer,
                            const struct lint_profile *profile);

/* Returns how many partitions the memory has. */
uint32_t lint_buffer_partitions(const struct lint_buffer *buffer);

#endif /* orchd/lint/lint_buffer.h */
