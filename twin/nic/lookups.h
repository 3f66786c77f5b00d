/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_NIC_LOOKUPS_H
#define ORCHD_TWIN_NIC_LOOKUPS_H

/* What an adapter has to look up before it can write a packet into the memory
 * of its host, and what it finds in its caches.
 *
 * Contexts.  Each packet needs the context of its queue pair (QP): one entry of
 * the first cache.  Those of SRD need that of the peer, which all queue pairs
 * share, and datagrams that of their queue pair as well (the caller asks for
 * each); their translations are not simulated.
 *
 * Translations.  The payload of a SEND, WRITE or READ response is written to a
 * virtual address.  The memory translation table (MTT) has an entry for each
 * page of the registered memory; a packet needs those of all pages that it
 * touches.  Hosts register 'region_bytes', in pages of 'page_bytes'.
 *
 * Addresses.  A message begins at a multiple of 4 KiB of the region: a random
 * one, each with the same probability, or with 'is_sequential' the one behind
 * the last message of any QP.  Its packets follow each other, and go on at the
 * start of the region behind its end.  A packet that is sent again counts as
 * the next one of its message.
 *
 * Each lookup that misses costs one read of the host's memory over PCIe; those
 * of one packet follow each other, because the context says which table to
 * read.  How long they take is up to the caller (twin/nic/rx_fifo.h).
 *
 * Random numbers are those of 'seed', the entity, and RANDOM_ADDRESS, drawn in
 * the order in which messages arrive at this adapter.
 *
 * Not simulated: lookups of what the adapter sends, prefetching, entries that
 * software invalidates. */

#include <stdbool.h>
#include <stdint.h>

enum { LOOKUPS_ALIGN_BYTES = 4096 };

struct lookups_config {
    uint32_t contexts;     /* Entries of the cache; 0: all fit. */
    uint32_t translations; /* Likewise. */
    uint32_t page_bytes;   /* A multiple of 4 KiB. */
    uint64_t region_bytes; /* A multiple of the page, at least one. */
    bool is_sequential;
    uint64_t seed;
};

/* How often the caches were used. */
struct lookups_stats {
    uint64_t context_hits, context_misses;
    uint64_t translation_hits, translation_misses;
};

struct lookups;

/* Returns whether the members of 'config' are within their ranges; those of a
 * cache that is not there do not count. */
bool lookups_are_valid(const struct lookups_config *config);

bool lookups_are_equal(const struct lookups_config *a,
                       const struct lookups_config *b);

/* Returns the caches of the adapter 'entity', empty; NULL if everything fits.
 * End with lookups_destroy(). */
struct lookups *lookups_create(const struct lookups_config *config,
                               uint32_t entity);
void lookups_destroy(struct lookups *lookups);

/* Looks up what a packet for QP 'qp' needs.  'payload_bytes' are those that are
 * written to memory; 'begins': it is the first of its message.  Returns how
 * many reads of the host's memory that costs. */
uint32_t lookups_find(struct lookups *lookups, uint32_t qp,
                      uint32_t payload_bytes, bool begins);

/* Looks up context 'entry' alone.  Returns how many reads that costs. */
uint32_t lookups_find_context(struct lookups *lookups, uint64_t entry);

void lookups_get(const struct lookups *lookups, struct lookups_stats *stats);

#endif /* twin/nic/lookups.h */
