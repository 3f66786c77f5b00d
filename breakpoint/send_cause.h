/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_SEND_CAUSE_H
#define ORCHD_BREAKPOINT_SEND_CAUSE_H

/* Says what became of packets that did not have the effect that a test waited
 * for: the class they were in, and what dropped them. */

#include <stdint.h>

struct target;
struct target_send;
struct target_sent;
struct text;

/* Appends, for example, "DSCP 3 -> TC 0 -> PG Ethernet0|0, lossy; queue
 * Ethernet4|0 dropped 999038 packets, all by WRED".  Reads counters; what the
 * target does not know is left out. */
void send_cause_add(struct target *target, const struct target_send *send,
                    const struct target_sent *sent, struct text *text);

/* Returns how many packets WRED has dropped at queue 'index' of 'port' since
 * the switch was created; 0 if the target does not know. */
uint64_t send_cause_wred(struct target *target, const char *port,
                         unsigned int index);

#endif /* breakpoint/send_cause.h */
