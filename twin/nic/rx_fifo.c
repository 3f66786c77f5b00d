/* SPDX-License-Identifier: Apache-2.0 */

/* The receive FIFO of an adapter, and the PCIe bus that drains it.
 *
 * The times of a packet are known when it arrives, so the FIFO needs no event
 * but the end of its first packet. */

#include <config.h>

#include "twin/nic/rx_fifo.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/picoseconds.h"

enum { FIRST_ROOM = 16 };

struct entry {
    int64_t done_ps;
    struct rx_fifo_work work;
    uint32_t packet;
    uint32_t bytes;
    uint8_t priority;
};

struct rx_fifo {
    struct rx_fifo_config config;
    struct entry *entries; /* A ring; 'room' is a power of two. */
    uint32_t room;
    uint32_t first;
    uint32_t n;
    uint8_t xoff; /* A bit per priority. */
    uint64_t bytes;
    uint64_t peak_bytes;
    uint64_t held[PFC_N_PRIORITIES];

    int64_t done_ps; /* When the last packet that was added is done. */
    int64_t bus_free_ps;
    uint64_t rest; /* Of 'bus_free_ps', in ps * bit/s. */

    int64_t *dones; /* When the last 'outstanding' packets are done: a ring. */
    uint32_t n_added; /* Modulo 'outstanding'. */

    int64_t *ends;   /* Of the reads of the last 'lookups' packets: a ring. */
    uint32_t n_read; /* Modulo 'lookups'. */
    int64_t ready_ps;
    struct rx_fifo_work work; /* For packets that have left. */
};

struct rx_fifo *
rx_fifo_create(const struct rx_fifo_config *config)
{
    struct rx_fifo *fifo = check_calloc(1, sizeof *fifo);

    fifo->config = *config;
    fifo->dones = check_calloc(config->outstanding, sizeof *fifo->dones);
    fifo->ends = check_calloc(config->lookups + 1, sizeof *fifo->ends);
    return fifo;
}

void
rx_fifo_destroy(struct rx_fifo *fifo)
{
    if (fifo) {
        free(fifo->entries);
        free(fifo->dones);
        free(fifo->ends);
        free(fifo);
    }
}

/* Follows the marks of 'priority'. */
static void
review(struct rx_fifo *fifo, unsigned int priority)
{
    const struct rx_fifo_config *config = &fifo->config;
    const uint8_t bit = (uint8_t)(1u << priority);
    const uint32_t mark = config->xoff_bytes[priority];

    if (mark && (config->lossless & bit) && fifo->held[priority] > mark) {
        fifo->xoff |= bit;
    }
    if (!mark || !(config->lossless & bit) ||
        fifo->held[priority] <= config->xon_bytes[priority]) {
        fifo->xoff &= (uint8_t)~bit;
    }
}

void
rx_fifo_configure(struct rx_fifo *fifo, const struct rx_fifo_config *config)
{
    const uint32_t outstanding = fifo->config.outstanding;
    const uint32_t lookups = fifo->config.lookups;

    if (config->bits_per_s != fifo->config.bits_per_s) {
        fifo->rest = 0;
    }
    fifo->config = *config;
    fifo->config.outstanding = outstanding;
    fifo->config.lookups = lookups;
    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        review(fifo, i);
    }
}

/* Doubles the ring. */
static void
grow(struct rx_fifo *fifo)
{
    const uint32_t room = fifo->room ? 2 * fifo->room : FIRST_ROOM;
    struct entry *entries = check_malloc(room * sizeof *entries);

    for (uint32_t i = 0; i < fifo->n; i++) {
        entries[i] = fifo->entries[(fifo->first + i) & (fifo->room - 1)];
    }
    free(fifo->entries);
    fifo->entries = entries;
    fifo->room = room;
    fifo->first = 0;
}

/* Returns when a packet that arrives at 'now_ps' is ready for the bus, after
 * reads that take 'time_ps'. */
static int64_t
look_up(struct rx_fifo *fifo, int64_t time_ps, int64_t now_ps)
{
    if (time_ps) {
        int64_t *end = &fifo->ends[fifo->n_read];

        fifo->n_read = (fifo->n_read + 1) % fifo->config.lookups;
        *end = (*end > now_ps ? *end : now_ps) + time_ps;
        if (*end > fifo->ready_ps) {
            fifo->ready_ps = *end;
        }
    }
    return fifo->ready_ps > now_ps ? fifo->ready_ps : now_ps;
}

/* Transfers the packet of 'entry', which is ready at 'ready_ps'. */
static void
transfer(struct rx_fifo *fifo, struct entry *entry, int64_t ready_ps)
{
    const unsigned __int128 work =
        (unsigned __int128)entry->bytes * 8 * (uint64_t)PS_PER_S + fifo->rest;
    int64_t *slot = &fifo->dones[fifo->n_added];
    int64_t start_ps = fifo->bus_free_ps;

    fifo->n_added = (fifo->n_added + 1) % fifo->config.outstanding;
    if (start_ps < ready_ps || start_ps < *slot) {
        start_ps = ready_ps > *slot ? ready_ps : *slot;
    }
    fifo->bus_free_ps =
        start_ps + (int64_t)(uint64_t)(work / fifo->config.bits_per_s);
    fifo->rest = (uint64_t)(work % fifo->config.bits_per_s);
    entry->work.bus_ps = fifo->bus_free_ps - start_ps;
    *slot = fifo->bus_free_ps + fifo->config.latency_ps;
    if (*slot < fifo->done_ps) {
        *slot = fifo->done_ps; /* The latency has become shorter. */
    }
    fifo->done_ps = *slot;
    entry->done_ps = *slot;
}

bool
rx_fifo_admits(const struct rx_fifo *fifo, uint32_t bytes, uint8_t priority)
{
    const struct rx_fifo_config *config = &fifo->config;
    const uint8_t bit = (uint8_t)(1u << priority);
    const uint32_t mark = config->xoff_bytes[priority];

    return (!config->size_bytes || fifo->bytes + bytes <= config->size_bytes) &&
           (config->lossless & bit || !mark || fifo->held[priority] <= mark);
}

void
rx_fifo_add(struct rx_fifo *fifo, uint32_t packet, uint32_t bytes,
            uint8_t priority, uint32_t n_reads, int64_t now_ps)
{
    const struct rx_fifo_config *config = &fifo->config;
    const uint8_t bit = (uint8_t)(1u << priority);
    const uint32_t mark = config->xoff_bytes[priority];
    const int64_t lookup_ps = n_reads * fifo->config.lookup_ps;
    struct entry *entry;

    if (fifo->n == fifo->room) {
        grow(fifo);
    }
    entry = &fifo->entries[(fifo->first + fifo->n++) & (fifo->room - 1)];
    *entry = (struct entry){.packet = packet,
                            .bytes = bytes,
                            .priority = priority,
                            .work.lookup_ps = lookup_ps};
    transfer(fifo, entry, look_up(fifo, lookup_ps, now_ps));
    fifo->bytes += bytes;
    fifo->held[priority] += bytes;
    if (fifo->bytes > fifo->peak_bytes) {
        fifo->peak_bytes = fifo->bytes;
    }
    if (mark && (config->lossless & bit) && fifo->held[priority] > mark) {
        fifo->xoff |= bit;
    }
}

void
rx_fifo_restart(struct rx_fifo *fifo, int64_t now_ps)
{
    memset(fifo->dones, 0, fifo->config.outstanding * sizeof *fifo->dones);
    fifo->bus_free_ps = now_ps;
    fifo->done_ps = now_ps;
    fifo->rest = 0;
    for (uint32_t i = 0; i < fifo->n; i++) {
        struct entry *entry =
            &fifo->entries[(fifo->first + i) & (fifo->room - 1)];

        transfer(fifo, entry, now_ps);
    }
}

int64_t
rx_fifo_next_ps(const struct rx_fifo *fifo)
{
    return fifo->n ? fifo->entries[fifo->first].done_ps : INT64_MAX;
}

void
rx_fifo_first(const struct rx_fifo *fifo, uint32_t *packet, uint32_t *bytes)
{
    const struct entry *entry = &fifo->entries[fifo->first];

    *packet = entry->packet;
    *bytes = entry->bytes;
}

uint32_t
rx_fifo_take(struct rx_fifo *fifo)
{
    const struct entry entry = fifo->entries[fifo->first];

    fifo->first = (fifo->first + 1) & (fifo->room - 1);
    fifo->n--;
    fifo->bytes -= entry.bytes;
    fifo->work.bus_ps += entry.work.bus_ps;
    fifo->work.lookup_ps += entry.work.lookup_ps;
    fifo->held[entry.priority] -= entry.bytes;
    if (fifo->held[entry.priority] <= fifo->config.xon_bytes[entry.priority]) {
        fifo->xoff &= (uint8_t) ~(1u << entry.priority);
    }
    return entry.packet;
}

uint8_t
rx_fifo_xoff(const struct rx_fifo *fifo)
{
    return fifo->xoff;
}

uint32_t
rx_fifo_packets(const struct rx_fifo *fifo)
{
    return fifo->n;
}

uint64_t
rx_fifo_bytes(const struct rx_fifo *fifo)
{
    return fifo->bytes;
}

uint64_t
rx_fifo_peak_bytes(const struct rx_fifo *fifo)
{
    return fifo->peak_bytes;
}

void
rx_fifo_get_work(const struct rx_fifo *fifo, struct rx_fifo_work *work)
{
    *work = fifo->work;
}

uint64_t
rx_fifo_pcie_rate(uint32_t lanes, uint32_t mega_transfers_per_s,
                  uint32_t max_payload_bytes)
{
    const unsigned __int128 rate = (unsigned __int128)lanes *
                                   mega_transfers_per_s * 1000000 * 128 *
                                   max_payload_bytes;

    return (uint64_t)(rate / (130 * ((uint64_t)max_payload_bytes + 26)));
}
