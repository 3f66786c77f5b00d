/* SPDX-License-Identifier: Apache-2.0 */

/* Flow hash, and weighted choice. */

#include <config.h>

#include "twin/forwarding/ecmp.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/forwarding/packet.h"

/* Odd numbers with well-mixed bits (the finaliser of MurmurHash3). */
#define MIX_1 UINT64_C(0xff51afd7ed558ccd)
#define MIX_2 UINT64_C(0xc4ceb9fe1a85ec53)

static uint64_t
mix(uint64_t hash, uint64_t word)
{
    hash ^= word;
    hash ^= hash >> 33;
    hash *= MIX_1;
    hash ^= hash >> 33;
    hash *= MIX_2;
    return hash ^ hash >> 33;
}

static uint64_t
mix_address(uint64_t hash, const struct address *address)
{
    uint64_t words[2];

    memcpy(words, address->bytes, sizeof words);
    return mix(mix(hash, words[0]), words[1]);
}

uint32_t
ecmp_hash(const struct packet *packet, uint32_t seed)
{
    uint64_t hash = mix(MIX_2, seed);

    if (packet->src.family == ADDRESS_NONE) {
        hash = mix(mix(hash, packet->dst_mac), packet->src_mac);
        hash = mix(hash, packet->type);
    } else {
        hash = mix_address(mix_address(hash, &packet->src), &packet->dst);
        hash =
            mix(hash, (uint64_t)packet->protocol << 32 |
                          (uint64_t)packet->src_port << 16 | packet->dst_port);
    }
    return (uint32_t)(hash >> 32);
}

void
ecmp_fini(struct ecmp *ecmp)
{
    free(ecmp->members);
    *ecmp = (struct ecmp){0};
}

/* Returns the position of 'key', or where to insert it. */
static uint32_t
find(const struct ecmp *ecmp, uint64_t key)
{
    uint32_t i = 0;

    while (i < ecmp->n && ecmp->members[i].key < key) {
        i++;
    }
    return i;
}

/* Recomputes the ranges from member 'i' on. */
static void
add_up(struct ecmp *ecmp, uint32_t i)
{
    for (; i < ecmp->n; i++) {
        ecmp->members[i].end =
            (i ? ecmp->members[i - 1].end : 0) + ecmp->members[i].weight;
    }
}

void
ecmp_set(struct ecmp *ecmp, uint64_t key, uint32_t target, uint32_t weight)
{
    const uint32_t at = find(ecmp, key);

    if (at == ecmp->n || ecmp->members[at].key != key) {
        if (ecmp->n == ecmp->size) {
            ecmp->size = ecmp->size ? 2 * ecmp->size : 4;
            ecmp->members = check_realloc(ecmp->members,
                                          ecmp->size * sizeof *ecmp->members);
        }
        memmove(&ecmp->members[at + 1], &ecmp->members[at],
                (ecmp->n - at) * sizeof *ecmp->members);
        ecmp->n++;
    }
    ecmp->members[at] =
        (struct ecmp_member){.key = key, .target = target, .weight = weight};
    add_up(ecmp, at);
}

bool
ecmp_remove(struct ecmp *ecmp, uint64_t key)
{
    const uint32_t at = find(ecmp, key);

    if (at == ecmp->n || ecmp->members[at].key != key) {
        return false;
    }
    ecmp->n--;
    memmove(&ecmp->members[at], &ecmp->members[at + 1],
            (ecmp->n - at) * sizeof *ecmp->members);
    add_up(ecmp, at);
    return true;
}

uint32_t
ecmp_choose(const struct ecmp *ecmp, uint32_t hash)
{
    const uint64_t total = ecmp->n ? ecmp->members[ecmp->n - 1].end : 0;
    const uint64_t step = total >> 32;
    uint64_t point;
    uint32_t low = 0;
    uint32_t high = ecmp->n;

    if (total == 0) {
        return ECMP_NONE;
    }
    /* Scales 'hash' to the range without a wider product. */
    point = step * hash + ((total & UINT32_MAX) * hash >> 32);
    while (low + 1 < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (ecmp->members[middle - 1].end <= point) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return ecmp->members[low].target;
}
