/* SPDX-License-Identifier: Apache-2.0 */

/* Packets leave the buffer: dequeued, discarded, flushed.  See mmu_packet.c. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include "twin/mmu/mmu_fast_path.h"

/* Returns 'cells' of 'account': first headroom, then shared, then reserved
 * cells. */
static __attribute__((noinline)) void
discharge_any(struct mmu *mmu, enum mmu_direction direction,
              struct account *account, uint64_t cells)
{
    const struct account_table *table = &mmu->accounts[direction];
    const uint64_t beyond = sat_sub(account->held, account->guarantee);
    const uint64_t headroom = min_u64(cells, account_headroom(table, account));
    const uint64_t shared = min_u64(cells, beyond) - headroom;

    account->packets--;
    account->held -= cells;
    mmu->parts[account->part].held -= cells;
    if (headroom) {
        account_add_headroom(mmu, table, account, -headroom);
    }
    account_add_shared(mmu, table, account, -shared);
}

/* The same, by the short way if 'account' is live and has none in headroom. */
static inline void
account_discharge(struct mmu *mmu, enum mmu_direction direction,
                  struct account *account, uint64_t cells)
{
    if (mmu->path != MMU_PATH_NONE &&
        !(account->flags & (ACCOUNT_DRAINS | ACCOUNT_HEADROOM))) {
        mmu_fast_discharge(mmu, account, cells, true);
    } else {
        discharge_any(mmu, direction, account, cells);
    }
}

static inline void
desc_give(struct mmu *mmu, uint32_t n)
{
    mmu->descs[n].next = mmu->free_desc;
    mmu->free_desc = n;
}

/* Frees a packet whose last copy has left. */
static inline void
depart(struct mmu *mmu, const struct desc *master)
{
    struct account *in = &mmu->accounts[MMU_INGRESS].items[master->ingress];

    account_discharge(mmu, MMU_INGRESS, in, master->cells - master->absorbed);
    mmu->free_cells += master->cells;
    if (account_is_xoff(in)) {
        mmu_account_try_release__(mmu, in);
    }
    if (in->packets == 0 && !account_is_live(in)) {
        mmu_account_free__(mmu, MMU_INGRESS, master->ingress);
    }
}

/* Takes packet 'n', the oldest of the queue with account 'q', out. */
static __attribute__((noinline)) void
take_any(struct mmu *mmu, struct account *q, uint32_t n,
         struct mmu_departure *departure)
{
    const uint32_t packet = mmu_master(mmu, n);
    struct desc *desc = &mmu->descs[n];
    struct desc *master = &mmu->descs[packet];
    struct account *out = &mmu->accounts[MMU_EGRESS].items[desc->egress];

    mmu->n_slow++;
    mmu_remove_first(q, desc->next);
    account_discharge(mmu, MMU_EGRESS, out, desc->cells);
    if (out->packets == 0 && !account_is_live(out)) {
        mmu_account_free__(mmu, MMU_EGRESS, desc->egress);
    }
    departure->packet = packet;
    departure->user = master->user;
    departure->is_last = --master->copies == 0;
    if (desc != master) {
        desc_give(mmu, n);
    }
    if (departure->is_last) {
        desc_give(mmu, departure->packet);
        depart(mmu, master);
    }
}

/* Takes packet 'n' out as mmu_fast_take() does, if its PG has more cells in
 * headroom than that. */
static inline bool
take_held(struct mmu *mmu, uint32_t egress, uint32_t n)
{
    struct desc *desc = &mmu->descs[n];
    struct account *in = &mmu->accounts[MMU_INGRESS].items[desc->ingress];
    struct account *out = &mmu->accounts[MMU_EGRESS].items[egress];
    const uint64_t charged = desc->cells - desc->absorbed;

    if (desc->copies != 1 || desc->egress != egress ||
        (in->flags & (ACCOUNT_DRAINS | ACCOUNT_HEADROOM)) != ACCOUNT_HEADROOM ||
        mmu_ingress_more(mmu, in)->headroom <= charged) {
        return false;
    }
    in->packets--;
    mmu_move_headroom(mmu, in, -charged);
    mmu_fast_discharge(mmu, out, desc->cells, true);
    mmu_fast_departed(mmu, out, n);
    return true;
}

/* Fills 'departure' for packet 'n', as its only copy. */
static inline void
describe(const struct desc *desc, uint32_t n, struct mmu_departure *departure)
{
    departure->pg = desc->pg;
    departure->length_bytes = desc->length_bytes;
    departure->user = desc->user;
    departure->packet = n;
    departure->is_last = true;
}

/* Clears the bit of queue 'q' in the backlog of its port if it is empty. */
static inline void
update_backlog(struct mmu *mmu, const struct account *q)
{
    mmu->front.backlogs[q->port] &=
        ~((uint64_t)(q->queue.head == NO_DESC) << q->index);
}

/* Counts the packet of 'departure' as one that queue 'q' has sent. */
static inline void
count_departure(const struct mmu *mmu, struct account *q,
                const struct mmu_departure *departure)
{
    q->count++;
    q->bytes += departure->length_bytes;
    /* Prefetches the next descriptor, which is needed when this packet has been
     * sent. */
    __builtin_prefetch(&mmu->descs[q->queue.head]);
}

/* Takes the oldest packet out of 'queue'.  Returns the account of the queue,
 * NULL if it is empty. */
static struct account *
queue_take(struct mmu *mmu, uint32_t queue, struct mmu_departure *departure)
{
    const uint32_t id = mmu->accounts[MMU_EGRESS].live[queue];
    struct account *q = &mmu->accounts[MMU_EGRESS].items[id];
    const uint32_t n = q->queue.head;

    if (n == NO_DESC) {
        return NULL;
    }
    describe(&mmu->descs[n], n, departure);
    if (mmu->path == MMU_PATH_NONE || mmu->descs[n].copies != 1 ||
        (!mmu_fast_take(mmu, id, n, true) && !take_held(mmu, id, n))) {
        take_any(mmu, q, n, departure);
    }
    update_backlog(mmu, q);
    mmu_report(mmu, departure->pg, queue, departure->length_bytes);
    return q;
}

/* mmu_dequeue() by the way that handles all cases. */
static __attribute__((noinline)) bool
dequeue_any(struct mmu *mmu, uint32_t queue, struct mmu_departure *departure)
{
    struct account *q = queue_take(mmu, queue, departure);

    if (q) {
        count_departure(mmu, q, departure);
    }
    return q != NULL;
}

bool
mmu_dequeue(struct mmu *mmu, uint32_t queue, struct mmu_departure *departure)
{
    const uint32_t id = mmu->accounts[MMU_EGRESS].live[queue];
    struct account *q = &mmu->accounts[MMU_EGRESS].items[id];
    const uint32_t n = q->queue.head;

    if (mmu->path < MMU_PATH_OTHERS || !mmu_fast_take(mmu, id, n, false)) {
        return dequeue_any(mmu, queue, departure);
    }
    describe(&mmu->descs[n], n, departure);
    update_backlog(mmu, q);
    count_departure(mmu, q, departure);
    return true;
}

bool
mmu_discard(struct mmu *mmu, uint32_t queue, enum mmu_drop why,
            struct mmu_departure *departure)
{
    if (!queue_take(mmu, queue, departure)) {
        return false;
    }
    mmu_note_queue_drop(mmu, queue, departure->length_bytes, why);
    return true;
}

uint32_t
mmu_queue_head(const struct mmu *mmu, uint32_t queue)
{
    const uint32_t head = live_account(mmu, MMU_EGRESS, queue)->queue.head;

    return head == NO_DESC ? MMU_NONE : mmu_master(mmu, head);
}

void
mmu_queue_count(const struct mmu *mmu, uint32_t queue, uint32_t pg,
                uint64_t *packets, uint64_t *bytes)
{
    const struct account *q = live_account(mmu, MMU_EGRESS, queue);

    for (uint32_t n = q->queue.head; n != NO_DESC; n = mmu->descs[n].next) {
        if (pg == MMU_NONE || mmu->descs[n].pg == pg) {
            ++*packets;
            *bytes += mmu->descs[n].length_bytes;
        }
    }
}

void
mmu_foresee_buffer(const struct mmu *mmu)
{
    for (size_t at = 0; at < offsetof(struct mmu, voq_max); at += 64) {
        __builtin_prefetch((const char *)mmu + at);
    }
}

void
mmu_foresee_places(const struct mmu *mmu, uint32_t pg, uint32_t queue)
{
    if (pg != MMU_NONE) {
        __builtin_prefetch(&mmu->accounts[MMU_INGRESS].live[pg]);
    }
    __builtin_prefetch(&mmu->accounts[MMU_EGRESS].live[queue]);
}

void
mmu_foresee(const struct mmu *mmu, uint32_t pg, uint32_t queue)
{
    if (pg != MMU_NONE) {
        __builtin_prefetch(live_account(mmu, MMU_INGRESS, pg));
    }
    __builtin_prefetch(live_account(mmu, MMU_EGRESS, queue));
}

void
mmu_foresee_charges(const struct mmu *mmu, uint32_t pg, uint32_t queue)
{
    if (pg != MMU_NONE) {
        __builtin_prefetch(
            &mmu->parts[live_account(mmu, MMU_INGRESS, pg)->part]);
    }
    __builtin_prefetch(&mmu->parts[live_account(mmu, MMU_EGRESS, queue)->part]);
}

uint32_t
mmu_next_packet(const struct mmu *mmu)
{
    return mmu->free_desc == NO_DESC ? MMU_NONE : mmu->free_desc;
}

void
mmu_foresee_packet(const struct mmu *mmu, uint32_t packet)
{
    __builtin_prefetch(&mmu->descs[packet]);
}

void
mmu_foresee_departure(const struct mmu *mmu, uint32_t packet)
{
    __builtin_prefetch(
        &mmu->accounts[MMU_INGRESS].items[mmu->descs[packet].ingress]);
}

uint64_t
mmu_queue_flush(struct mmu *mmu, uint32_t queue, enum mmu_drop why)
{
    struct mmu_departure departure;
    uint64_t n = 0;

    while (mmu_discard(mmu, queue, why, &departure)) {
        n++;
    }
    return n;
}

uint64_t
mmu_port_flush(struct mmu *mmu, uint32_t port, enum mmu_drop why)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < mmu->chip->queues_per_port; i++) {
        n += mmu_queue_flush(mmu, mmu_queue_id(mmu, port, i), why);
    }
    return n;
}
