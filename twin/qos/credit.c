/* SPDX-License-Identifier: Apache-2.0 */

/* The arithmetic of credit-based flow control: see credit.h. */

#include <config.h>

#include "twin/qos/credit.h"

#include <stddef.h>

#include "base/ethernet.h"

enum { N_PAIRS = CREDIT_MAX_VCS / CREDIT_CF_VCS };

static bool
is_unit_valid(const struct credit_unit *unit)
{
    return unit->size_bytes >= CREDIT_MIN_SIZE &&
           unit->size_bytes <= CREDIT_MAX_SIZE &&
           unit->overhead_bytes >= CREDIT_MIN_OVERHEAD &&
           unit->overhead_bytes <= CREDIT_MAX_OVERHEAD;
}

uint32_t
credit_cost(const struct credit_unit *unit, uint32_t length_bytes)
{
    const int64_t bytes =
        (int64_t)length_bytes + ETHERNET_FCS_BYTES + unit->overhead_bytes;

    return bytes > 0
               ? (uint32_t)((bytes + unit->size_bytes - 1) / unit->size_bytes)
               : 1;
}

static uint32_t
plus(uint32_t a, uint32_t b)
{
    return (a + b) & (CREDIT_MODULUS - 1);
}

/* The sender ----------------------------------------------------------- */

void
credit_sender_init(struct credit_sender *sender)
{
    *sender =
        (struct credit_sender){.unit = {.size_bytes = CREDIT_DEFAULT_SIZE}};
}

bool
credit_sender_set_unit(struct credit_sender *sender,
                       const struct credit_unit *unit)
{
    if (sender->used || !is_unit_valid(unit)) {
        return false;
    }
    sender->unit = *unit;
    return true;
}

bool
credit_sender_set_limit(struct credit_sender *sender, uint32_t limit)
{
    if (limit > CREDIT_MAX) {
        return false;
    }
    sender->limit = limit;
    return true;
}

bool
credit_sender_set_pool(struct credit_sender *sender, unsigned int pool,
                       uint32_t size)
{
    if (pool >= CREDIT_MAX_POOLS || size > CREDIT_MAX ||
        size < sender->reserved[pool]) {
        return false;
    }
    sender->pool_size[pool] = size;
    return true;
}

/* Returns whether the members of 'profile' are within their ranges. */
static bool
is_profile_valid(const struct credit_profile *profile)
{
    return profile->pool <= CREDIT_POOL_NONE &&
           profile->reserved <= CREDIT_MAX &&
           profile->static_limit <= CREDIT_MAX &&
           profile->dynamic_exponent >= CREDIT_MIN_DYNAMIC &&
           profile->dynamic_exponent <= CREDIT_MAX_DYNAMIC;
}

/* Returns what 'vc' has reserved in pool 'pool'. */
static uint32_t
reserved_in(const struct credit_vc *vc, unsigned int pool)
{
    return vc->has_profile && vc->profile.pool == pool ? vc->profile.reserved
                                                       : 0;
}

bool
credit_sender_set_profile(struct credit_sender *sender, unsigned int id,
                          const struct credit_profile *profile)
{
    struct credit_vc *vc;
    unsigned int pool;

    if (id >= CREDIT_MAX_VCS || credit_sender_used(sender, id) ||
        (profile && !is_profile_valid(profile))) {
        return false;
    }
    vc = &sender->vcs[id];
    pool = profile ? profile->pool : CREDIT_POOL_NONE;
    if (pool != CREDIT_POOL_NONE &&
        sender->reserved[pool] - reserved_in(vc, pool) + profile->reserved >
            sender->pool_size[pool]) {
        return false;
    }
    if (vc->has_profile && vc->profile.pool != CREDIT_POOL_NONE) {
        sender->reserved[vc->profile.pool] -= vc->profile.reserved;
    }
    vc->has_profile = profile != NULL;
    if (profile) {
        vc->profile = *profile;
    }
    if (pool != CREDIT_POOL_NONE) {
        sender->reserved[pool] += profile->reserved;
    }
    return true;
}

/* Returns what 'used' credits of 'vc' take from its pool. */
static uint32_t
share_of(const struct credit_vc *vc, uint32_t used)
{
    const uint32_t reserved = vc->profile.reserved;

    return vc->profile.pool != CREDIT_POOL_NONE && used > reserved
               ? used - reserved
               : 0;
}

/* Returns what is free in pool 'pool' for all. */
static uint32_t
pool_free(const struct credit_sender *sender, unsigned int pool)
{
    const uint32_t size = sender->pool_size[pool] - sender->reserved[pool];

    return size > sender->shared[pool] ? size - sender->shared[pool] : 0;
}

/* Returns 2^'exponent' of 'free', rounded down. */
static uint32_t
scale(uint32_t free, int exponent)
{
    return exponent >= 0 ? free << exponent : free >> -exponent;
}

/* Returns how much more of its pool 'vc', which has 'share' of it, may take. */
static uint32_t
share_room(const struct credit_sender *sender, const struct credit_vc *vc,
           uint32_t share)
{
    const struct credit_profile *profile = &vc->profile;
    uint32_t free, limit;

    if (profile->pool == CREDIT_POOL_NONE) {
        return 0;
    }
    free = pool_free(sender, profile->pool);
    limit = share + free;
    if (profile->mode == CREDIT_THRESHOLD_DYNAMIC) {
        limit = scale(free, profile->dynamic_exponent);
    } else if (profile->mode == CREDIT_THRESHOLD_STATIC &&
               profile->static_limit) {
        limit = profile->static_limit;
    }
    limit = limit > share ? limit - share : 0;
    return limit < free ? limit : free;
}

uint32_t
credit_sender_room(const struct credit_sender *sender, unsigned int id)
{
    const struct credit_vc *vc = &sender->vcs[id];
    const uint32_t used = credit_sender_used(sender, id);
    const uint32_t reserved = vc->profile.reserved;
    uint32_t room;

    room = share_room(sender, vc, share_of(vc, used)) +
           (reserved > used ? reserved - used : 0);
    /* The difference of the counters must stay unambiguous. */
    room = room < CREDIT_MAX - used ? room : CREDIT_MAX - used;
    if (sender->limit) {
        const uint32_t left =
            sender->limit > sender->used ? sender->limit - sender->used : 0;

        room = room < left ? room : left;
    }
    return room;
}

bool
credit_sender_may_send(const struct credit_sender *sender, unsigned int vc,
                       uint32_t length_bytes)
{
    return !sender->vcs[vc].has_profile ||
           credit_cost(&sender->unit, length_bytes) <=
               credit_sender_room(sender, vc);
}

/* Makes 'used' what 'vc' uses, which was 'before', for the sums. */
static void
recount(struct credit_sender *sender, struct credit_vc *vc, uint32_t before,
        uint32_t used)
{
    if (vc->profile.pool != CREDIT_POOL_NONE) {
        uint32_t *shared = &sender->shared[vc->profile.pool];

        *shared = *shared - share_of(vc, before) + share_of(vc, used);
    }
    sender->used = sender->used - before + used;
    if (used > vc->used_watermark) {
        vc->used_watermark = used;
    }
    if (sender->used > sender->used_watermark) {
        sender->used_watermark = sender->used;
    }
}

void
credit_sender_charge(struct credit_sender *sender, unsigned int id,
                     uint32_t length_bytes)
{
    struct credit_vc *vc = &sender->vcs[id];
    const uint32_t before = credit_sender_used(sender, id);

    if (vc->has_profile) {
        vc->consumed =
            plus(vc->consumed, credit_cost(&sender->unit, length_bytes));
        recount(sender, vc, before, credit_sender_used(sender, id));
    }
}

bool
credit_sender_update(struct credit_sender *sender, unsigned int id,
                     uint32_t freed)
{
    struct credit_vc *vc = &sender->vcs[id];
    const uint32_t before = credit_sender_used(sender, id);

    if (!vc->has_profile || credit_minus(freed, vc->freed) > before) {
        return false;
    }
    vc->freed = freed & (CREDIT_MODULUS - 1);
    recount(sender, vc, before, credit_sender_used(sender, id));
    return true;
}

void
credit_sender_reset(struct credit_sender *sender, unsigned int id)
{
    struct credit_vc *vc = &sender->vcs[id];

    recount(sender, vc, credit_sender_used(sender, id), 0);
    vc->consumed = 0;
    vc->freed = 0;
    vc->used_watermark = 0;
}

/* The receiver --------------------------------------------------------- */

/* Returns a bit per pair of VCs of which one is enabled. */
static uint32_t
enabled_pairs(const struct credit_receiver *receiver)
{
    uint32_t pairs = 0;

    for (unsigned int i = 0; i < CREDIT_MAX_VCS; i++) {
        pairs |= (uint32_t)receiver->vcs[i].is_enabled << i / CREDIT_CF_VCS;
    }
    return pairs;
}

void
credit_receiver_enable(struct credit_receiver *receiver, unsigned int vc,
                       bool is_enabled)
{
    receiver->vcs[vc].consumed = 0;
    receiver->vcs[vc].freed = 0;
    receiver->vcs[vc].is_enabled = is_enabled;
    receiver->untold &= enabled_pairs(receiver);
}

void
credit_receiver_store(struct credit_receiver *receiver, unsigned int vc,
                      uint32_t credits)
{
    if (receiver->vcs[vc].is_enabled) {
        receiver->vcs[vc].consumed = plus(receiver->vcs[vc].consumed, credits);
    }
}

/* Frees 'credits' of 'vc'. */
static void
release(struct credit_receiver *receiver, unsigned int vc, uint32_t credits)
{
    receiver->vcs[vc].freed = plus(receiver->vcs[vc].freed, credits);
    if (credits) {
        receiver->untold |= 1u << vc / CREDIT_CF_VCS;
    }
}

void
credit_receiver_free(struct credit_receiver *receiver, unsigned int vc,
                     uint32_t credits)
{
    if (receiver->vcs[vc].is_enabled) {
        release(receiver, vc, credits);
    }
}

uint32_t
credit_receiver_correct(struct credit_receiver *receiver, unsigned int vc,
                        uint32_t consumed)
{
    uint32_t lost;

    if (!receiver->vcs[vc].is_enabled) {
        return 0;
    }
    lost = credit_minus(consumed, receiver->vcs[vc].consumed);
    if (lost >= CREDIT_MODULUS / 2) {
        lost = 0;
    }
    receiver->vcs[vc].consumed = consumed & (CREDIT_MODULUS - 1);
    release(receiver, vc, lost);
    return lost;
}

bool
credit_receiver_next(struct credit_receiver *receiver, struct credit_cf *cf)
{
    uint32_t pairs = receiver->untold & enabled_pairs(receiver);
    unsigned int pair = receiver->next_pair;

    if (!pairs) {
        pairs = enabled_pairs(receiver);
    }
    if (!pairs) {
        return false;
    }
    while (!(pairs >> pair & 1)) {
        pair = (pair + 1) % N_PAIRS;
    }
    receiver->next_pair = (pair + 1) % N_PAIRS;
    receiver->untold &= ~(1u << pair);
    cf->pair = (uint8_t)pair;
    for (unsigned int i = 0; i < CREDIT_CF_VCS; i++) {
        cf->freed[i] = receiver->vcs[pair * CREDIT_CF_VCS + i].freed;
    }
    return true;
}
