/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SHOW_TRIMMING_H
#define ORCHD_CONTROL_SHOW_TRIMMING_H

/* "show trimming": what became of trimmed packets, of the switch, of ports, and
 * of queues that have trimmed some.  A queue counts the packets that it has
 * refused, wherever what is left of them goes. */

struct call;

void show_trimming(struct call *call);

#endif /* orchd/control/show_trimming.h */
