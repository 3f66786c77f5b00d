/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DROPS_H
#define ORCHD_DAEMON_DROPS_H

/* Why the twin drops packets, for those who publish it. */

struct drop_source;
struct softasic_ops;

/* Fills in a source (orchd/publish/port_watch.h) that asks 'ops', borrowed; one
 * without reasons if that is NULL, because the libsai is another one. */
void drops_source(const struct softasic_ops *ops, struct drop_source *source);

#endif /* orchd/daemon/drops.h */
