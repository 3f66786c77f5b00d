/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_PORTS_H
#define ORCHD_SAIHOSTD_PORTS_H

/* Connects the ports of softasic to network interfaces, and its time to a real
 * clock.
 *
 * Each port of the switch gets an interface when it is created, and loses it
 * when it is removed: the one that an option binds to its name, else, with
 * --tap, a TAP of that name.  The port's ADMIN_STATE, MTU and SPEED are set on
 * the interface, and the link of the interface is passed to SAI
 * (netdev/netdev.h).
 *
 * A port receives frames at its speed.  The queue of the interface fills if a
 * sender is faster, since no more frames are read than the port could have
 * received.
 *
 * The switch runs up to the present plus PORTS_LEAD_NS: events within that time
 * happen early, which saves a system call for each frame.
 *
 * A call finds all frames received that were delivered to the interfaces before
 * it, whether it reads or changes: see ports_enter(). */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "saihostd/ports_options.h"

struct event_base;
struct log;
struct ports;
struct privileged;
struct softasic_front;

#define PORTS_LEAD_NS (INT64_C(50) * 1000)

/* Connects the switch of 'front', which does not exist yet, to a clock and,
 * with --tap or --bind, its ports to interfaces (ports without one then have no
 * link).  'privileged' opens interfaces (saihostd/interface_helper.h); it may
 * be NULL without --tap and --bind.  All pointers, and what 'options' refers
 * to, are borrowed. ST_UNSUPPORTED: 'front' is NULL.  Other outcomes as of
 * names_read(), ports_options_check(), netdev_make_tap() and netdev_bind(): the
 * function tries whether it can create TAPs and whether the bound interfaces
 * exist. */
enum st ports_create(struct event_base *base, struct log *log,
                     const struct softasic_front *front,
                     const struct ports_options *options,
                     struct privileged *privileged, struct ports **ports,
                     struct err *err) ST_WARN_UNUSED;

/* Closes all interfaces.  Accepts NULL. */
void ports_destroy(struct ports *ports);

/* Call before each call of the library: runs the switch up to the present, and
 * on until all frames have arrived that were delivered to the interfaces. */
void ports_enter(struct ports *ports);

/* Call after each turn of the loop: runs the switch up to the present, and sets
 * the timer to its next event. */
void ports_turn(struct ports *ports);

#endif /* saihostd/ports.h */
