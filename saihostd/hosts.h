/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_HOSTS_H
#define ORCHD_SAIHOSTD_HOSTS_H

/* The host interfaces of softasic as TAP devices: the adapters of the host
 * behind the switch, whose network stack answers ARP, pings and routing
 * protocols for the routers that the switch has.
 *
 * Each has the name that SAI gives it, the MAC address of the switch, and a
 * carrier if its OPER_STATUS says so.  It ends with its SAI object. */

#include <stdint.h>

#include "base/status.h"

struct hosts;
struct log;
struct softasic_front;
struct softasic_hostif;

/* Makes a set without any, whose TAPs will be in 'namespace' (as of "ip netns";
 * NULL: that of the process), borrowed as 'log' and 'front' are.
 * ST_NOT_FOUND: there is no such namespace.  ST_IO. */
enum st hosts_create(struct log *log, const struct softasic_front *front,
                     const char *namespace, struct hosts **hosts,
                     struct err *err) ST_WARN_UNUSED;

/* Closes all.  Accepts NULL. */
void hosts_destroy(struct hosts *hosts);

/* Returns the descriptor; readable while there is something to do. */
int hosts_fd(const struct hosts *hosts);

/* Lets what was sent by the host's interfaces go to the switch: some of it, or
 * all that was sent before. */
void hosts_poll(struct hosts *hosts);
void hosts_drain(struct hosts *hosts);

/* What the listener of vendors/softasic/front_panel.h hears. */
void hostif_frames_changed(struct hosts *hosts,
                           const struct softasic_hostif *host);
void hosts_removed(struct hosts *hosts, uint32_t slot);
void hosts_deliver(struct hosts *hosts, uint32_t slot, const uint8_t *bytes,
                   uint32_t n);

#endif /* saihostd/hosts.h */
