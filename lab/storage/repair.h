/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_STORAGE_REPAIR_H
#define ORCHD_LAB_STORAGE_REPAIR_H

/* The repair of an adapter: its driver is unloaded and loaded again, with
 * another version of itself or of the firmware.
 *
 * A driver is safe to unload when no program uses the adapter: a queue pair
 * that exists then dies under its program, and memory that is registered stays
 * open to an adapter that forgets about it.  So programs are asked to give both
 * back first, and the driver counts what they have:
 *
 *     READY      programs create queue pairs and register memory;
 *     CLOSING    they are asked to give all back, and get no new queue pair;
 *     UNLOADED   there is no driver;
 *     RETURNING  the driver is loaded again, and programs come back.
 *
 * From CLOSING the driver is unloaded when both counts are 0.  A forced repair
 * does not wait, from READY or CLOSING; what is open then is counted.  Programs
 * give it back later, which is harmless: only they still know of it.
 *
 * Not here: how programs close (lab/storage/failover.h), and time.
 *
 * Source: "Empowering Azure Storage with RDMA" (NSDI 2023), section 8.1: the
 * driver can be unloaded safely only after all resources of the adapter are
 * released; consumers are signalled, close RDMA, and use TCP.  The states are
 * ours. */

#include <stdbool.h>
#include <stdint.h>

enum repair_state {
    REPAIR_READY,
    REPAIR_CLOSING,
    REPAIR_UNLOADED,
    REPAIR_RETURNING,
};

struct repair {
    enum repair_state state;
    uint32_t n_qps;     /* That programs have. */
    uint32_t n_regions; /* Of memory, that they have registered. */
    uint32_t n_unloads;
    /* What was open when the driver was unloaded; not 0 only by force. */
    uint32_t qps_left, regions_left;
    uint32_t n_all; /* The most queue pairs so far. */
};

/* Begins READY, without queue pairs. */
void repair_init(struct repair *repair);

/* Returns whether programs may create queue pairs. */
bool repair_allows(const struct repair *repair);

/* Note that a program has created a queue pair, which is allowed, or given one
 * back. */
void repair_open(struct repair *repair);
void repair_close(struct repair *repair);

/* Notes that programs have 'n' regions now. */
void repair_set_regions(struct repair *repair, uint32_t n);

/* Asks programs to close: from READY. */
void repair_begin(struct repair *repair);

/* Returns whether the driver can be unloaded safely. */
bool repair_is_closed(const struct repair *repair);

/* Note that the driver is unloaded, by force unless repair_is_closed(); and
 * that it is loaded again. */
void repair_unload(struct repair *repair);
void repair_load(struct repair *repair);

/* Returns whether the driver is loaded again, and programs have as many queue
 * pairs as they had at most. */
bool repair_is_over(const struct repair *repair);

#endif /* lab/storage/repair.h */
