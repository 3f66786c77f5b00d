/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_POOL_WARNINGS_H
#define ORCHD_RECONCILE_POOL_WARNINGS_H

/* Warnings about pools that the ASIC accepts although they cannot work.
 *
 * SAI takes the size of a pool as a limit, and most switches accept any number.
 * orchd does not refuse what the ASIC holds, but the status of the row says
 * that the memory cannot back it:
 *
 *   size-exceeds-memory           no packet can ever reach the limit
 *   xoff-exceeds-size             more headroom than there is to share
 *   size-and-xoff-exceed-memory   on chips that take both from the memory:
 *                                 guarantees will be refused
 *   size-0-with-lossless-groups   lossless traffic has nothing to share
 *
 * config lint has the same rules with reasons and remedies. */

struct source;
struct text;

/* Appends the warnings about 'source', an applied row of BUFFER_POOL, to the
 * comma list 'warnings'. */
void pool_warnings_add(const struct source *source, struct text *warnings);

#endif /* orchd/reconcile/pool_warnings.h */
