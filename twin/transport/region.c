/* SPDX-License-Identifier: Apache-2.0 */

/* Memory regions for remote access, in an array sorted by key. */

#include <config.h>

#include "twin/transport/region.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

struct regions {
    struct region *items; /* Owned. */
    size_t n;
    size_t capacity;
};

struct regions *
regions_create(void)
{
    return check_calloc(1, sizeof(struct regions));
}

void
regions_destroy(struct regions *regions)
{
    if (regions) {
        free(regions->items);
        free(regions);
    }
}

/* Returns the index of the first region whose key is not below 'rkey'. */
static size_t
find(const struct regions *regions, uint32_t rkey)
{
    size_t low = 0;
    size_t high = regions->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (regions->items[middle].rkey < rkey) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool
is_at(const struct regions *regions, size_t i, uint32_t rkey)
{
    return i < regions->n && regions->items[i].rkey == rkey;
}

enum st
regions_add(struct regions *regions, const struct region *region)
{
    const size_t i = find(regions, region->rkey);

    if (region_wraps(region)) {
        return ST_INVALID;
    }
    if (is_at(regions, i, region->rkey)) {
        return ST_EXISTS;
    }
    if (regions->n == regions->capacity) {
        regions->capacity = regions->capacity ? regions->capacity * 2 : 4;
        regions->items = check_realloc(
            regions->items, regions->capacity * sizeof regions->items[0]);
    }
    memmove(&regions->items[i + 1], &regions->items[i],
            (regions->n - i) * sizeof regions->items[0]);
    regions->items[i] = *region;
    regions->n++;
    return ST_OK;
}

enum st
regions_remove(struct regions *regions, uint32_t rkey)
{
    const size_t i = find(regions, rkey);

    if (!is_at(regions, i, rkey)) {
        return ST_NOT_FOUND;
    }
    regions->n--;
    memmove(&regions->items[i], &regions->items[i + 1],
            (regions->n - i) * sizeof regions->items[0]);
    return ST_OK;
}

enum st
regions_replace(struct regions *regions, const struct region *region)
{
    const size_t i = find(regions, region->rkey);

    if (is_at(regions, i, region->rkey) && !region_wraps(region)) {
        regions->items[i] = *region;
        return ST_OK;
    }
    return regions_add(regions, region);
}

bool
regions_have(const struct regions *regions, uint32_t rkey)
{
    return is_at(regions, find(regions, rkey), rkey);
}

bool
regions_allow(const struct regions *regions, uint32_t rkey, uint32_t access,
              uint64_t address, uint64_t length)
{
    const size_t i = find(regions, rkey);
    const struct region *region;

    if (length == 0) {
        return true;
    }
    if (!is_at(regions, i, rkey)) {
        return false;
    }
    region = &regions->items[i];
    return (region->access & access) == access && length <= region->length &&
           address >= region->address &&
           address - region->address <= region->length - length;
}
