/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_SWITCH_H
#define ORCHD_DAEMON_DAEMON_SWITCH_H

/* The switch behind SAI, created as soon as its model is known.
 *
 * A libsai needs the model first: from its profile (SOFTASIC_MODEL), or from
 * SONIC_HWSKU, which is the hwsku of DEVICE_METADATA|localhost.  So orchd waits
 * for that row.  It creates the switch without a hwsku if there are PORT rows
 * and nothing else arrives for DAEMON_SWITCH_QUIET_NS. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/table.h"
#include "sai/loader/loader.h"

#define DAEMON_SWITCH_QUIET_NS (INT64_C(200) * 1000 * 1000)

/* ... or until this long after the first of them: writers that never stop must
 * not keep the switch from being created. */
#define DAEMON_SWITCH_PATIENCE_NS (INT64_C(5) * 1000 * 1000 * 1000)

/* The pause after a failed attempt to create the switch: it starts at the
 * minimum and doubles up to the maximum.  The maximum is lower if only the SAI
 * host is missing, because checking that is cheap. */
#define DAEMON_SWITCH_RETRY_MIN_NS     (INT64_C(100) * 1000 * 1000)
#define DAEMON_SWITCH_RETRY_MAX_NS     (INT64_C(5) * 1000 * 1000 * 1000)
#define DAEMON_SWITCH_RETRY_NO_HOST_NS (INT64_C(500) * 1000 * 1000)

struct daemon_switch;
struct chip;
struct intent;
struct log;
struct loop;
struct switch_identity;

/* Prepares to load the library that 'options' names; its strings and arrays,
 * and all else, are borrowed. */
struct daemon_switch *
daemon_switch_create(struct loop *loop, struct log *log,
                     const struct intent *intent,
                     const struct loader_options *options);

/* Closes the library.  Accepts NULL. */
void daemon_switch_destroy(struct daemon_switch *asic);

/* Notes that a row of 'table' exists. */
void daemon_switch_row(struct daemon_switch *asic, enum table table);

/* Notes that a complete reading of CONFIG_DB has begun or 'ended'. */
void daemon_switch_reading(struct daemon_switch *asic, bool ended);

/* Returns the hwsku that the switch was created with, "" if it has none, and
 * NULL if there is no switch or its model does not depend on the hwsku. */
const char *daemon_switch_hwsku(const struct daemon_switch *asic);

/* Returns whether the switch will be created soon, unless more rows arrive or
 * the library refuses. */
bool daemon_switch_is_coming(const struct daemon_switch *asic);

/* Returns why the last attempt to create the switch failed, NULL if none failed
 * or the switch exists. */
const struct err *daemon_switch_trouble(const struct daemon_switch *asic);

/* Returns why there is no switch, for the status of rows:
 * daemon_switch_trouble(), or that CONFIG_DB does not say which switch it is;
 * NULL if the switch exists or will be created soon. */
const struct err *daemon_switch_absence(const struct daemon_switch *asic);

/* Finds the description of the chip, once the switch exists; see
 * switch_create_chip(). */
enum st daemon_switch_chip(const struct daemon_switch *asic, struct chip **chip,
                           struct err *err) ST_WARN_UNUSED;

/* Describes the switch; 'chip' is its description, NULL if unknown. */
void daemon_switch_identify(const struct daemon_switch *asic,
                            struct loader *loader, const struct chip *chip,
                            struct switch_identity *identity);

/* Creates the switch if it is time; call it once per turn.  Returns the loader
 * if this call has created the switch, else NULL. */
struct loader *daemon_switch_turn(struct daemon_switch *asic);

#endif /* orchd/daemon/daemon_switch.h */
