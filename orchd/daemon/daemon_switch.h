/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_SWITCH_H
#define ORCHD_DAEMON_DAEMON_SWITCH_H

/* The switch behind SAI, created when it is known which one it is.
 *
 * A libsai wants to know the model before anything else: from its profile
 * (SOFTASIC_MODEL), or from SONIC_HWSKU, which is the hwsku of
 * DEVICE_METADATA|localhost.  So orchd waits for a row that tells: one with a
 * hwsku at best; ports alone, if nothing else arrives for
 * DAEMON_SWITCH_QUIET_NS, will do. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/table.h"
#include "sai/loader/loader.h"

#define DAEMON_SWITCH_QUIET_NS (INT64_C(200) * 1000 * 1000)

/* Between attempts to load a library that does not want to: at first, doubled
 * with each of them, and in the end; where there is only no host, which costs
 * nothing to find out. */
#define DAEMON_SWITCH_RETRY_MIN_NS     (INT64_C(100) * 1000 * 1000)
#define DAEMON_SWITCH_RETRY_MAX_NS     (INT64_C(5) * 1000 * 1000 * 1000)
#define DAEMON_SWITCH_RETRY_NO_HOST_NS (INT64_C(500) * 1000 * 1000)

struct daemon_switch;
struct chip;
struct intent;
struct log;
struct loop;

/* Prepares to load the library that 'options' names; its strings and arrays,
 * and all else, are borrowed. */
struct daemon_switch *
daemon_switch_create(struct loop *loop, struct log *log,
                     const struct intent *intent,
                     const struct loader_options *options);

/* Closes the library.  Accepts NULL. */
void daemon_switch_destroy(struct daemon_switch *asic);

/* A row of 'table' is there. */
void daemon_switch_row(struct daemon_switch *asic, enum table table);

/* A complete reading of CONFIG_DB has begun, or ended. */
void daemon_switch_reading(struct daemon_switch *asic, bool ended);

/* Returns the hwsku that the switch was created for, "" if for none, and NULL
 * if it is not there or its model does not depend on that. */
const char *daemon_switch_hwsku(const struct daemon_switch *asic);

/* Returns whether the switch is about to be created, unless more rows arrive or
 * the library refuses. */
bool daemon_switch_is_coming(const struct daemon_switch *asic);

/* Returns why the last attempt to create the switch failed, NULL if none did or
 * the switch is there. */
const struct err *daemon_switch_trouble(const struct daemon_switch *asic);

/* Returns why there is no switch, for those who ask for it:
 * daemon_switch_trouble(), or that nothing in CONFIG_DB says which one it is;
 * NULL if it is there or is coming. */
const struct err *daemon_switch_absence(const struct daemon_switch *asic);

/* Finds the description of the chip, once the switch is there; see
 * switch_create_chip(). */
enum st daemon_switch_chip(const struct daemon_switch *asic, struct chip **chip,
                           struct err *err) ST_WARN_UNUSED;

/* To be called once per turn: creates the switch if it is time.  Returns the
 * loader when the switch was created in this call, else NULL. */
struct loader *daemon_switch_turn(struct daemon_switch *asic);

#endif /* orchd/daemon/daemon_switch.h */
