/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SHOW_COUNTERS_H
#define ORCHD_CONTROL_SHOW_COUNTERS_H

/* "show drops", "pauses", "watermarks" and "watchdog": lists that other parts
 * of the daemon make (struct control_services), of all ports and pools or of
 * one. */

struct call;

void show_drops(struct call *call);
void show_pauses(struct call *call);
void show_watermarks(struct call *call);

/* Lists the queues that the PFC watchdog watches; those that COUNTERS_DB names
 * if it is another program's (struct control_services). */
void show_watchdog(struct call *call);

#endif /* orchd/control/show_counters.h */
