/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SHOW_PLACES_H
#define ORCHD_CONTROL_SHOW_PLACES_H

/* "show pgs" and "show queues": a walk through the ports, so that priority
 * groups and queues without a row are found too. */

struct call;

void show_pgs(struct call *call);
void show_queues(struct call *call);

#endif /* orchd/control/show_places.h */
