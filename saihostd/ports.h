/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_PORTS_H
#define ORCHD_SAIHOSTD_PORTS_H

/* The ports of softasic as network interfaces, and its time as that of a real
 * clock.
 *
 * Each port that the switch has gets its interface when it is made, and loses
 * it with the port: the one that was given for its name, else a TAP of that
 * name, if there are to be TAPs.  What SAI says of the port (ADMIN_STATE, MTU,
 * SPEED) is brought to the interface, and its link to SAI (netdev/netdev.h).
 *
 * Frames are received at the speed of the port: whoever sends faster finds his
 * interface full, since no more is read from it than the port could have taken.
 *
 * The switch is run up to the present, and PORTS_LEAD_NS beyond, which spares a
 * system call for each frame: what would happen within that time happens now.
 *
 * Whatever changes the switch takes effect after all frames that were delivered
 * to its interfaces before: see ports_enter(). */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "saihostd/ports_options.h"

struct event_base;
struct log;
struct ports;
struct softasic_front;

#define PORTS_LEAD_NS (INT64_C(50) * 1000)

/* Gives the switch of 'front' its clock and, if there are to be TAPs or
 * interfaces were given, its ports (others have no link then); there is no
 * switch yet.  'options' and what it
 * refers to, 'base' and 'log' are borrowed.  ST_UNSUPPORTED: 'front' is NULL.
 * Other outcomes as of names_read(), ports_options_check(), netdev_make_tap()
 * and netdev_bind(): whether there can be TAPs, and whether there are the bound
 * interfaces, is tried out. */
enum st ports_create(struct event_base *base, struct log *log,
                     const struct softasic_front *front,
                     const struct ports_options *options, struct ports **ports,
                     struct err *err) ST_WARN_UNUSED;

/* Closes all interfaces.  Accepts NULL. */
void ports_destroy(struct ports *ports);

/* A call of the library is about to be made: the switch is brought to the
 * present, and if the call 'writes', to what has been delivered. */
void ports_enter(struct ports *ports, bool writes);

/* A turn of the loop is over: the switch is brought to the present, and the
 * next turn to when something happens there. */
void ports_turn(struct ports *ports);

#endif /* saihostd/ports.h */
