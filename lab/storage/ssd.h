/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_STORAGE_SSD_H
#define ORCHD_LAB_STORAGE_SSD_H

/* A solid-state disk: accesses that wait for flash, and then for a bus.
 *
 * An access takes one of 'channels' for a latency that its caller draws; it
 * waits in order of arrival if none is free.  Then its data pass the bus, which
 * all share, at the rate of the disk.  So the disk does at most channels /
 * latency accesses, and rate / 8 bytes, a second; both limits are those of data
 * sheets.
 *
 * Not simulated: caches, erasing, wear, and what reads and writes do to each
 * other beyond sharing channels and bus. */

#include <stdint.h>

enum { SSD_CHANNELS_MAX = 256 };

struct ssd {
    uint32_t n_channels;
    int64_t free_ps[SSD_CHANNELS_MAX]; /* When each is free. */
    int64_t bus_free_ps;
    uint64_t n_accesses, bytes;
    int64_t longest_wait_ps; /* For a channel. */
};

/* Initialises a disk with 1..SSD_CHANNELS_MAX channels that does nothing. */
void ssd_init(struct ssd *ssd, uint32_t n_channels);

/* Starts an access at 'now_ps', not before earlier calls, that takes
 * 'latency_ps' in its channel.  Returns when that is over: call ssd_transfer()
 * then. */
int64_t ssd_access(struct ssd *ssd, int64_t now_ps, int64_t latency_ps);

/* Passes the 'bytes' of an access over the bus, at 'rate_bps' (0: at once).
 * Returns when they have passed. */
int64_t ssd_transfer(struct ssd *ssd, int64_t now_ps, uint64_t bytes,
                     uint64_t rate_bps);

#endif /* lab/storage/ssd.h */
