/* SPDX-License-Identifier: Apache-2.0 */

/* Credits of a link that loses frames and updates: what the receiver holds is
 * never more than what the sender has charged, no limit is exceeded, the sums
 * are those of the VCs, and once updates arrive again nothing stays charged.
 *
 * Usage: test_credit [SEED [STEPS]]. */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/random.h"
#include "twin/qos/credit.h"

enum { MAX_WAY = 64, MAX_STORED = 1024, N_POOLS = 2, POOL_SIZE = 400 };

/* On the way to the receiver, in order. */
struct item {
    bool is_cc;
    unsigned int vc; /* Of a frame; the first of a CC update. */
    uint32_t length;
    uint32_t consumed[CREDIT_CC_VCS];
};

struct link {
    struct random random;
    struct credit_sender sender;
    struct credit_receiver receiver;
    struct item way[MAX_WAY];
    struct item stored[MAX_STORED];
    struct credit_cf back[MAX_WAY];
    unsigned int n_way, n_stored, n_back;
    uint32_t held[CREDIT_MAX_VCS]; /* Credits of what is stored. */
    unsigned int loss;             /* Of 100. */
    uint64_t n_sent, n_waited, n_lost, n_freed_by_cc;
};

static uint32_t
below(struct link *l, uint32_t n)
{
    return (uint32_t)(random_u64(&l->random) % n);
}

static bool
is_lost(struct link *l)
{
    const bool lost = below(l, 100) < l->loss;

    l->n_lost += lost;
    return lost;
}

/* Gives each VC a profile at random, some of them none. */
static void
configure(struct link *l)
{
    const struct credit_unit unit = {.size_bytes = 32 + below(l, 200),
                                     .overhead_bytes = (int32_t)below(l, 144) +
                                                       CREDIT_MIN_OVERHEAD};

    credit_sender_init(&l->sender);
    orch_assert(credit_sender_set_unit(&l->sender, &unit));
    l->receiver = (struct credit_receiver){0};
    for (unsigned int i = 0; i < N_POOLS; i++) {
        orch_assert(credit_sender_set_pool(&l->sender, i, POOL_SIZE));
    }
    orch_assert(
        credit_sender_set_limit(&l->sender, below(l, 2) * below(l, 2000)));
    for (unsigned int i = 0; i < CREDIT_MAX_VCS; i++) {
        const struct credit_profile profile = {
            .pool = (uint8_t)(below(l, 3) == 0 ? CREDIT_POOL_NONE
                                               : below(l, N_POOLS)),
            .reserved = below(l, 24),
            .mode = (enum credit_threshold)below(l, 3),
            .dynamic_exponent = (int8_t)((int)below(l, 7) - 3),
            .static_limit = below(l, 200),
        };

        if (below(l, 8) && credit_sender_set_profile(&l->sender, i, &profile)) {
            credit_receiver_enable(&l->receiver, i, true);
        }
    }
}

static void
send_frame(struct link *l)
{
    const unsigned int vc = below(l, CREDIT_MAX_VCS);
    const uint32_t length = 60 + below(l, 1455);

    if (l->n_way == MAX_WAY) {
        return;
    }
    if (!credit_sender_may_send(&l->sender, vc, length)) {
        l->n_waited++;
        return;
    }
    credit_sender_charge(&l->sender, vc, length);
    l->way[l->n_way++] = (struct item){.vc = vc, .length = length};
    l->n_sent++;
}

static void
send_cc(struct link *l, unsigned int first)
{
    if (l->n_way < MAX_WAY) {
        struct item *item = &l->way[l->n_way++];

        *item = (struct item){.is_cc = true, .vc = first};
        for (unsigned int i = 0; i < CREDIT_CC_VCS; i++) {
            item->consumed[i] = l->sender.vcs[first + i].consumed;
        }
    }
}

static uint32_t
cost(const struct link *l, const struct item *item)
{
    return credit_cost(&l->sender.unit, item->length);
}

/* The oldest item arrives, or is lost. */
static void
arrive(struct link *l)
{
    const struct item item = l->way[0];

    if (!l->n_way) {
        return;
    }
    l->n_way--;
    for (unsigned int i = 0; i < l->n_way; i++) {
        l->way[i] = l->way[i + 1];
    }
    if (is_lost(l)) {
        return;
    }
    if (item.is_cc) {
        for (unsigned int i = 0; i < CREDIT_CC_VCS; i++) {
            l->n_freed_by_cc += credit_receiver_correct(
                &l->receiver, item.vc + i, item.consumed[i]);
        }
        return;
    }
    credit_receiver_store(&l->receiver, item.vc, cost(l, &item));
    if (l->n_stored == MAX_STORED) {
        credit_receiver_free(&l->receiver, item.vc, cost(l, &item));
        return;
    }
    l->stored[l->n_stored++] = item;
    l->held[item.vc] += cost(l, &item);
}

/* Some frame leaves the receiver. */
static void
leave(struct link *l)
{
    if (l->n_stored) {
        struct item *item = &l->stored[below(l, l->n_stored)];

        credit_receiver_free(&l->receiver, item->vc, cost(l, item));
        l->held[item->vc] -= cost(l, item);
        *item = l->stored[--l->n_stored];
    }
}

static void
send_cf(struct link *l)
{
    if (l->n_back < MAX_WAY &&
        credit_receiver_next(&l->receiver, &l->back[l->n_back])) {
        l->n_back++;
    }
}

/* The oldest CF update arrives, or is lost. */
static void
take_cf(struct link *l)
{
    const struct credit_cf cf = l->back[0];

    if (!l->n_back) {
        return;
    }
    l->n_back--;
    for (unsigned int i = 0; i < l->n_back; i++) {
        l->back[i] = l->back[i + 1];
    }
    if (is_lost(l)) {
        return;
    }
    for (unsigned int i = 0; i < CREDIT_CF_VCS; i++) {
        const unsigned int vc = cf.pair * CREDIT_CF_VCS + i;

        /* In order, none frees more than was charged. */
        orch_assert(credit_sender_update(&l->sender, vc, cf.freed[i]) ==
                    l->sender.vcs[vc].has_profile);
    }
}

static void
check(const struct link *l)
{
    uint32_t used = 0, shared[N_POOLS] = {0};

    for (unsigned int i = 0; i < CREDIT_MAX_VCS; i++) {
        const struct credit_vc *vc = &l->sender.vcs[i];
        const uint32_t of_vc = credit_sender_used(&l->sender, i);

        orch_assert(!vc->has_profile || l->held[i] <= of_vc);
        orch_assert(of_vc <= vc->used_watermark);
        used += of_vc;
        if (!vc->has_profile) {
            orch_assert(of_vc == 0);
        } else if (vc->profile.pool == CREDIT_POOL_NONE) {
            orch_assert(of_vc <= vc->profile.reserved);
        } else if (of_vc > vc->profile.reserved) {
            const uint32_t share = of_vc - vc->profile.reserved;

            shared[vc->profile.pool] += share;
            orch_assert(vc->profile.mode != CREDIT_THRESHOLD_STATIC ||
                        !vc->profile.static_limit ||
                        share <= vc->profile.static_limit);
        }
    }
    orch_assert(used == l->sender.used);
    orch_assert(!l->sender.limit || used <= l->sender.limit);
    for (unsigned int i = 0; i < N_POOLS; i++) {
        orch_assert(shared[i] == l->sender.shared[i]);
        orch_assert(shared[i] + l->sender.reserved[i] <= POOL_SIZE);
    }
}

static void
step(struct link *l)
{
    static void (*const acts[])(struct link *) = {
        send_frame, send_frame, send_frame, arrive,  arrive,
        arrive,     leave,      leave,      send_cf, take_cf,
    };

    if (below(l, 100) == 0) {
        send_cc(l, below(l, 2) * CREDIT_CC_VCS);
    } else {
        acts[below(l, sizeof acts / sizeof acts[0])](l);
    }
    check(l);
}

/* All that is stored leaves, and nothing is lost any more. */
static void
heal(struct link *l)
{
    l->loss = 0;
    while (l->n_way) {
        arrive(l);
    }
    send_cc(l, 0);
    send_cc(l, CREDIT_CC_VCS);
    while (l->n_way) {
        arrive(l);
    }
    while (l->n_stored) {
        leave(l);
    }
    while (l->n_back) {
        take_cf(l);
    }
    /* First the pairs with news, then all in turn: the last update of a pair
     * without news may have been lost. */
    for (unsigned int i = 0; i < CREDIT_MAX_VCS; i++) {
        send_cf(l);
        take_cf(l);
    }
    check(l);
    orch_assert(l->sender.used == 0);
    orch_assert(!credit_receiver_has_news(&l->receiver));
}

int
main(int argc, char **argv)
{
    uint64_t seed = 1, steps = 4000;
    uint64_t sent = 0, waited = 0, lost = 0, freed = 0;
    enum { LINKS = 60 };

    if (argc > 3 ||
        (argc > 1 && parse_u64(argv[1], 0, UINT32_MAX, &seed) != ST_OK) ||
        (argc > 2 && parse_u64(argv[2], 1, UINT32_MAX, &steps) != ST_OK)) {
        fprintf(stderr, "usage: test_credit [SEED [STEPS]]\n");
        return 2;
    }
    for (uint64_t i = 0; i < LINKS; i++) {
        struct link *l = calloc(1, sizeof *l);

        orch_assert(l);
        random_init(&l->random, seed * LINKS + i);
        configure(l);
        l->loss = i % 4 ? below(l, 30) : 0;
        for (uint64_t j = 0; j < steps; j++) {
            step(l);
        }
        heal(l);
        sent += l->n_sent;
        waited += l->n_waited;
        lost += l->n_lost;
        freed += l->n_freed_by_cc;
        free(l);
    }
    printf("%" PRIu64 " frames sent, %" PRIu64 " had to wait, %" PRIu64
           " frames and updates lost, %" PRIu64 " credits freed by CC\n",
           sent, waited, lost, freed);
    /* The paths that the claims are about were taken. */
    return sent && waited && lost && freed ? 0 : 1;
}
