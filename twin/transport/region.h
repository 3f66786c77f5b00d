/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_REGION_H
#define ORCHD_TWIN_TRANSPORT_REGION_H

/* Memory regions that a host has registered for remote access.  Hosts register
 * and invalidate them while queue pairs use the set.
 *
 * A responder looks up the key of each READ or WRITE, and checks that the
 * region allows the access and contains the whole range.  A refused request is
 * answered with a NAK "remote access error".
 *
 * Reference: InfiniBand Architecture Specification volume 1, section 10.6. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum region_access {
    REGION_REMOTE_READ = 1 << 0,
    REGION_REMOTE_WRITE = 1 << 1,
};

struct region {
    uint32_t rkey;
    uint32_t access;  /* Of enum region_access. */
    uint64_t address; /* The range does not wrap around. */
    uint64_t length;
};

/* Returns whether 'region' wraps around. */
static inline bool
region_wraps(const struct region *region)
{
    return region->length > 0 &&
           region->address > UINT64_MAX - (region->length - 1);
}

/* The regions of a protection domain. */
struct regions;

/* Returns a set without regions.  The caller destroys it. */
struct regions *regions_create(void);
void regions_destroy(struct regions *regions);

/* Adds 'region'.  ST_EXISTS if there is one with its key, ST_INVALID if it
 * wraps around. */
enum st regions_add(struct regions *regions,
                    const struct region *region) ST_WARN_UNUSED;

/* Removes the region of 'rkey'.  ST_NOT_FOUND if there is none. */
enum st regions_remove(struct regions *regions, uint32_t rkey) ST_WARN_UNUSED;

/* Adds 'region' in place of the one that its key has, if any.  ST_INVALID if it
 * wraps around: then nothing has changed. */
enum st regions_replace(struct regions *regions,
                        const struct region *region) ST_WARN_UNUSED;

/* Returns whether there is a region of 'rkey'. */
bool regions_have(const struct regions *regions, uint32_t rkey);

/* Returns whether 'rkey' allows all of 'access' to 'length' bytes at
 * 'address'.  A length of 0 needs no region. */
bool regions_allow(const struct regions *regions, uint32_t rkey,
                   uint32_t access, uint64_t address, uint64_t length);

#endif /* twin/transport/region.h */
