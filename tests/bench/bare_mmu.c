/* SPDX-License-Identifier: Apache-2.0 */

/* A bare shared buffer, all of it in the view of the compiler. */

#include <config.h>

#include "tests/bench/bare_mmu.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/pfc.h"

enum {
    CELL_BYTES = 254,
    PG_MIN = 8,
    PG_ALPHA = 2, /* Sixteenths, as is QUEUE_ALPHA. */
    PG_HEADROOM = 400,
    PG_XON_OFFSET = 10,
    QUEUE_MIN = 8,
    QUEUE_ALPHA = 16,
    KMIN = 100,
    KMAX = 400,
    MARK_STEP = (1 << 24) / 10 / (KMAX - KMIN), /* A tenth at KMAX. */
    IN_HEADROOM = 1 << 30,                      /* Of 'pg' of a packet. */
};

struct pg {
    uint32_t used;
    uint32_t headroom;
    uint32_t watermark;
    uint32_t headroom_watermark;
    uint8_t pool;
    bool is_xoff;
    uint64_t dropped;
};

struct queue {
    uint32_t used;
    uint32_t watermark;
    uint32_t head;
    uint32_t tail;
    uint32_t n;
    uint8_t pool;
    uint64_t packets;
    uint64_t bytes;
    uint64_t dropped;
    uint64_t marked;
};

struct pool {
    uint32_t used;
    uint32_t size;
    uint32_t watermark;
    uint32_t headroom;
    uint32_t headroom_watermark;
};

struct port {
    uint64_t rx_packets;
    uint64_t rx_bytes;
    uint64_t tx_packets;
    uint64_t tx_bytes;
    uint8_t backlog;
    uint8_t paused;
};

struct packet {
    uint32_t next; /* 0: none. */
    uint16_t cells;
    uint16_t length_bytes;
    uint32_t pg;
    uint32_t marked;
    uint64_t user;
};

struct bare_mmu {
    struct pg *pgs;
    struct queue *queues;
    struct port *ports;
    struct packet *packets;
    struct pool in[2];
    struct pool out[2];
    uint32_t free;
    uint64_t random;
    uint64_t pauses;
};

static inline uint32_t
less(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 0;
}

static inline void
raise_to(uint32_t *watermark, uint32_t level)
{
    if (level > *watermark) {
        *watermark = level;
    }
}

static inline uint32_t
draw(struct bare_mmu *m)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (uint32_t)(m->random >> 40);
}

static inline uint32_t
pg_limit(const struct pool *pool)
{
    return PG_MIN + (less(pool->size, pool->used) * PG_ALPHA >> 4);
}

/* Returns whether 'g' takes 'cells', '*to_headroom' where. */
static inline bool
admit_in(struct bare_mmu *m, struct pg *g, struct port *port, uint32_t priority,
         uint32_t cells, bool *to_headroom)
{
    *to_headroom = false;
    if (g->used + cells <= pg_limit(&m->in[g->pool])) {
        return true;
    }
    if (g->headroom + cells > PG_HEADROOM) {
        g->dropped++;
        return false;
    }
    *to_headroom = true;
    if (!g->is_xoff) {
        g->is_xoff = true;
        port->paused |= (uint8_t)(1u << priority);
        m->pauses++;
    }
    return true;
}

static inline bool
judge(struct bare_mmu *m, uint32_t length)
{
    return length > KMIN &&
           (length >= KMAX || draw(m) < (length - KMIN) * MARK_STEP);
}

static inline void
charge_in(struct bare_mmu *m, struct pg *g, uint32_t cells, bool to_headroom)
{
    struct pool *pool = &m->in[g->pool];

    if (to_headroom) {
        g->headroom += cells;
        pool->headroom += cells;
        raise_to(&g->headroom_watermark, g->headroom);
        raise_to(&pool->headroom_watermark, pool->headroom);
    } else {
        g->used += cells;
        pool->used += cells;
        raise_to(&g->watermark, g->used);
        raise_to(&pool->watermark, pool->used);
    }
}

static inline bool
enqueue(struct bare_mmu *m, const struct offer *offer)
{
    const uint32_t pg = offer->in * PFC_N_PRIORITIES + offer->priority;
    const uint32_t bytes = offer->length_bytes;
    const uint32_t cells = (bytes + CELL_BYTES - 1) / CELL_BYTES;
    struct pg *g = &m->pgs[pg];
    struct queue *q =
        &m->queues[offer->out * PFC_N_PRIORITIES + offer->priority];
    struct pool *out = &m->out[q->pool];
    struct port *port = &m->ports[offer->in];
    struct packet *packet = &m->packets[m->free];
    const uint32_t n = m->free;
    bool to_headroom;
    bool marked;

    port->rx_packets++;
    port->rx_bytes += bytes;
    if (!admit_in(m, g, port, offer->priority, cells, &to_headroom)) {
        return false;
    }
    if (q->used + cells >
        QUEUE_MIN + (less(out->size, out->used) * QUEUE_ALPHA >> 4)) {
        q->dropped++;
        return false;
    }
    marked = judge(m, q->used);
    q->marked += marked;
    charge_in(m, g, cells, to_headroom);
    q->used += cells;
    out->used += cells;
    raise_to(&q->watermark, q->used);
    raise_to(&out->watermark, out->used);
    m->free = packet->next;
    packet->next = 0;
    packet->cells = (uint16_t)cells;
    packet->length_bytes = (uint16_t)bytes;
    packet->pg = pg | (to_headroom ? IN_HEADROOM : 0);
    packet->marked = marked;
    if (q->n++) {
        m->packets[q->tail].next = n;
    } else {
        q->head = n;
        m->ports[offer->out].backlog |= (uint8_t)(1u << offer->priority);
    }
    q->tail = n;
    return true;
}

/* Gives back what 'packet' took at ingress. */
static inline void
discharge_in(struct bare_mmu *m, const struct packet *packet)
{
    const uint32_t pg = packet->pg & (IN_HEADROOM - 1);
    struct pg *g = &m->pgs[pg];
    struct pool *pool = &m->in[g->pool];

    if (packet->pg & IN_HEADROOM) {
        g->headroom -= packet->cells;
        pool->headroom -= packet->cells;
    } else {
        g->used -= packet->cells;
        pool->used -= packet->cells;
    }
    if (g->is_xoff && g->headroom == 0 &&
        g->used + PG_XON_OFFSET <= pg_limit(pool)) {
        g->is_xoff = false;
        m->pauses++;
    }
}

static inline void
dequeue(struct bare_mmu *m, uint32_t out)
{
    struct port *port = &m->ports[out];
    uint32_t priority;
    struct packet *packet;
    struct queue *q;
    uint32_t n;

    if (!port->backlog) {
        return;
    }
    priority = 31 - (uint32_t)__builtin_clz(port->backlog);
    q = &m->queues[out * PFC_N_PRIORITIES + priority];
    n = q->head;
    packet = &m->packets[n];
    q->head = packet->next;
    if (--q->n == 0) {
        port->backlog &= (uint8_t) ~(1u << priority);
    }
    q->used -= packet->cells;
    m->out[q->pool].used -= packet->cells;
    q->packets++;
    q->bytes += packet->length_bytes;
    port->tx_packets++;
    port->tx_bytes += packet->length_bytes;
    discharge_in(m, packet);
    packet->next = m->free;
    m->free = n;
}

struct bare_mmu *
bare_mmu_create(uint32_t ports, uint32_t cells, uint32_t packets)
{
    struct bare_mmu *m = check_calloc(1, sizeof *m);

    m->pgs = check_calloc((size_t)ports * PFC_N_PRIORITIES, sizeof *m->pgs);
    m->queues =
        check_calloc((size_t)ports * PFC_N_PRIORITIES, sizeof *m->queues);
    m->ports = check_calloc(ports, sizeof *m->ports);
    m->packets = check_calloc(packets + 2, sizeof *m->packets);
    for (uint32_t i = 0; i < packets; i++) {
        m->packets[i + 1].next = i + 2;
    }
    m->free = 1;
    m->random = 88172645463325252u;
    for (int i = 0; i < 2; i++) {
        m->in[i].size = cells / 2;
        m->out[i].size = cells / 2;
    }
    for (uint32_t i = 0; i < ports * PFC_N_PRIORITIES; i++) {
        const uint32_t priority = i % PFC_N_PRIORITIES;

        m->pgs[i].pool = priority == 3 || priority == 4;
        m->queues[i].pool = m->pgs[i].pool;
    }
    return m;
}

void
bare_mmu_destroy(struct bare_mmu *m)
{
    free(m->packets);
    free(m->ports);
    free(m->queues);
    free(m->pgs);
    free(m);
}

uint64_t
bare_mmu_fill(struct bare_mmu *m, const struct offer *offers, uint32_t ring,
              uint64_t n)
{
    uint64_t admitted = 0;

    for (uint64_t i = 0; i < n; i++) {
        admitted += enqueue(m, &offers[i & (ring - 1)]);
    }
    return admitted;
}

uint64_t
bare_mmu_run(struct bare_mmu *m, const struct offer *offers, uint32_t ring,
             uint64_t n)
{
    uint64_t admitted = 0;

    for (uint64_t i = 0; i < n; i++) {
        const struct offer *offer = &offers[i & (ring - 1)];

        admitted += enqueue(m, offer);
        dequeue(m, offer->out);
    }
    return admitted;
}
