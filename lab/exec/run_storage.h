/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_STORAGE_H
#define ORCHD_LAB_EXEC_RUN_STORAGE_H

/* Storage: I/Os of disks (run_disk.c, lab/storage/io.h); registered memory of
 * hosts (run_memory.c, lab/storage/slab_pool.h); connections: I/Os by
 * sK-RDMA (run_sk_rdma.c, lab/storage/sk_rdma.h), messages by sU-RDMA
 * (run_su_rdma.c, lab/storage/su_rdma.h), and their change between RDMA and TCP
 * (run_failover.c, lab/storage/failover.h); repairs of adapters that make them
 * change (run_repair.c, lab/storage/repair.h).
 *
 * What belongs to a flow is made after its queue pairs and ends before them. */

#include "lab/exec/run_state.h"

/* run_memory.c */

/* Returns the registered memory of 'host', which is made if there is none yet;
 * NULL if all of its memory is registered. */
struct slab_pool *run_memory_of(struct run_host *host);

/* Frees the memory of 'host', of which no flow has any. */
void run_memory_destroy(struct run_host *host);

/* Adds what memory has counted to 'results'. */
void run_memory_describe(const struct run *run, struct results *results);

/* run_su_rdma.c */

/* Stores the connection of 'flow', whose queue pairs are there, in it.
 * ST_INVALID: it cannot be as the scenario says. */
enum st run_su_create(struct run_flow *flow, struct err *err) ST_WARN_UNUSED;
void run_su_destroy(struct run_flow *flow);

/* Return what the queue pairs of 'flow' need: work requests that they have room
 * for; receive requests that are posted, and how many bytes each takes. */
uint32_t run_su_send_depth(const struct run_flow *flow);
uint32_t run_su_receives(const struct run_flow *flow);
uint32_t run_su_receive_bytes(const struct run_flow *flow);

/* Posts a message of 'flow', which has room for it; and gives one to the
 * connection. */
void run_su_post(struct run_flow *flow);
void run_su_give(struct run_flow *flow);

/* Handles a completion of queue pair 'number' of 'flow' at one end:
 * run_traffic_complete(), or what run_failover.c has for it, follows for each
 * message that has ended, or if the queue pair fails. */
void run_su_complete(struct run_flow *flow, bool is_source, uint32_t number,
                     const struct rc_completion *completion, int64_t now_ps);

/* Returns whether programs have polled all that has completed. */
bool run_su_is_polled(const struct run_flow *flow);

/* Returns whether the connection of 'flow' has failed, and gives it new queue
 * pairs.  What was counted goes on. */
bool run_su_has_failed(const struct run_flow *flow);
enum st run_su_renew(struct run_flow *flow, struct err *err) ST_WARN_UNUSED;

/* Gives the queue pairs and the memory of the connection of 'flow', over which
 * no message is outstanding or which has failed, back: it has failed then, and
 * needs run_su_renew(). */
void run_su_give_back(struct run_flow *flow);

/* Ends the connection of 'flow' as if its queue pair had failed. */
void run_su_abandon(struct run_flow *flow, int64_t now_ps);

/* Returns how many bytes of messages of 'flow' were delivered. */
uint64_t run_su_bytes(const struct run_flow *flow);

/* Adds what connections have counted to 'results'. */
void run_su_describe(const struct run *run, struct results *results);

/* run_sk_rdma.c; its functions are like those above.  The regions of 'flow' are
 * there before its queue pairs. */
enum st run_sk_create(struct run_flow *flow, struct err *err) ST_WARN_UNUSED;
void run_sk_destroy(struct run_flow *flow);
uint32_t run_sk_send_depth(const struct run_flow *flow);
uint32_t run_sk_receives(const struct run_flow *flow);
void run_sk_post(struct run_flow *flow);
void run_sk_complete(struct run_flow *flow, bool is_source,
                     const struct rc_completion *completion, int64_t now_ps);
uint64_t run_sk_bytes(const struct run_flow *flow);
void run_sk_describe(const struct run *run, struct results *results);

/* run_failover.c */

/* Prepares the items whose connections change between RDMA and TCP. */
enum st run_failovers_create(struct run *run, struct err *err) ST_WARN_UNUSED;
void run_failovers_destroy(struct run *run);
void run_failover_destroy_flow(struct run_flow *flow);

/* Handle for 'flow', which has one: a message to post; one that the receiver
 * has, and one that the sender knows of, over RDMA; a queue pair that has
 * failed; and a completion of TCP at one end. */
void run_failover_post(struct run_flow *flow);
void run_failover_note_delivered(struct run_flow *flow);
void run_failover_note_done(struct run_flow *flow, int64_t now_ps);
void run_failover_note_failed(struct run_flow *flow, int64_t now_ps);
void run_failover_note_stream(struct run_flow *flow, bool is_source,
                              uint32_t number,
                              const struct rc_completion *completion,
                              int64_t now_ps);

/* Handles what the software of a stream of 'flow' has for its program. */
void run_failover_complete(struct run_flow *flow, bool is_source,
                           const struct rc_completion *completion,
                           int64_t now_ps);

/* Hold the connection of 'flow', which gives its queue pairs and its memory
 * back when it is over TCP, or no longer hold it; and convert it to TCP. */
void run_failover_hold(struct run_flow *flow);
void run_failover_release(struct run_flow *flow);
void run_failover_leave(struct run_flow *flow);

/* Return the bytes of the messages of 'flow' that were executed, and when a
 * packet arrived last, over any transport (-1: none has). */
uint64_t run_failover_bytes(const struct run_flow *flow);
int64_t run_failover_last_ps(const struct run_flow *flow);

/* Counts packets and timeouts of all queue pairs that 'flow' has had in
 * 'report'. */
void run_failover_count(const struct run_flow *flow, struct sink_flow *report);

/* Adds how often connections were converted, and when, to 'results'. */
void run_failovers_describe(const struct run *run, struct results *results);

/* run_repair.c */

/* Plans the repairs of the scenario.  ST_INVALID: they cannot be as it says. */
enum st run_repairs_create(struct run *run, struct err *err) ST_WARN_UNUSED;

/* Note that the connection of 'flow' has given its queue pairs and its memory
 * back, and that it has new ones. */
void run_repair_note_closed(const struct run_flow *flow);
void run_repair_note_opened(const struct run_flow *flow);

/* Returns a repair whose driver is not loaded again, NULL if all are. */
const struct repair_spec *run_repairs_pending(const struct run *run);

/* Adds what was repaired, and when, to 'results'. */
void run_repairs_describe(const struct run *run, struct results *results);

/* run_disk.c */

/* Gives the disks of the scenario their flows, and hosts their SSDs; starts the
 * clients.  ST_INVALID: they cannot be as the scenario says. */
enum st run_disks_create(struct run *run, struct err *err) ST_WARN_UNUSED;
void run_disks_destroy(struct run *run);

/* Handle for 'flow', which is of a disk: the next message has reached its
 * program; its queue pair has failed. */
void run_disk_note_arrived(struct run_flow *flow, int64_t now_ps);
void run_disk_note_failed(struct run_flow *flow);

/* Adds how many I/Os there were, and what disks of hosts did, to 'results'. */
void run_disks_describe(const struct run *run, struct results *results);

#endif /* lab/exec/run_storage.h */
