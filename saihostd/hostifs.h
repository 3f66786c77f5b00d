/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_HOSTIFS_H
#define ORCHD_SAIHOSTD_HOSTIFS_H

/* The host interfaces of softasic as TAP devices.  The network stack of the
 * machine behind them answers ARP, pings and routing protocols for the virtual
 * routers of the switch.
 *
 * Each TAP has the name of its SAI object, the MAC address of the switch, and a
 * carrier if its OPER_STATUS is up.  It is removed with its SAI object. */

#include <stdint.h>

#include "base/status.h"

struct hostifs;
struct log;
struct privileged;
struct softasic_front;
struct softasic_hostif;

/* Creates an empty set whose TAPs will be in 'namespace' (as of "ip netns";
 * NULL: that of the process), borrowed as 'log',
 * 'front' and 'privileged' (netdev/netdev.h) are.  ST_NOT_FOUND:
 * there is no such namespace.  ST_IO. */
enum st hostifs_create(struct log *log, const struct softasic_front *front,
                       struct privileged *privileged, const char *namespace,
                       struct hostifs **hostifs,
                       struct err *err) ST_WARN_UNUSED;

/* Closes all.  Accepts NULL. */
void hostifs_destroy(struct hostifs *hostifs);

/* Returns the descriptor; readable while there is something to do. */
int hostifs_fd(const struct hostifs *hostifs);

/* Pass frames from the host interfaces to the switch: some of them, or all that
 * were sent before the call. */
void hostifs_poll(struct hostifs *hostifs);
void hostifs_drain(struct hostifs *hostifs);

/* Callbacks of the listener of vendors/softasic/front_panel.h. */
void hostifs_changed(struct hostifs *hostifs,
                     const struct softasic_hostif *hostif);
void hostifs_removed(struct hostifs *hostifs, uint32_t slot);
void hostifs_deliver(struct hostifs *hostifs, uint32_t slot,
                     const uint8_t *bytes, uint32_t n);

#endif /* saihostd/hostifs.h */
