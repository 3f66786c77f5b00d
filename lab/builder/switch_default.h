/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_DEFAULT_H
#define ORCHD_LAB_BUILDER_SWITCH_DEFAULT_H

/* Which of the shipped configurations (lab/configs) a switch gets whose
 * scenario names none.
 *
 * The configuration has ports of the right speed, enough of them, and headroom
 * for cables at least as long as the longest one of the switch; among those it
 * is the one with the fewest ports, then with the shortest cables.  If none has
 * headroom for the cable, the one for the longest cables is taken: then frames
 * may be lost, and 'is_short' says so. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct switch_default {
    const char *name; /* Of the file in lab/configs, without ".json". */
    const char *chip;
    uint32_t n_ports;
    uint32_t speed_mbps;
    uint32_t cable_m; /* For which its headroom suffices. */
};

/* Returns all shipped configurations, and stores their number; static. */
const struct switch_default *switch_default_all(size_t *n);

/* Returns the one called 'name', or NULL. */
const struct switch_default *switch_default_find(const char *name);

/* Stores in '*chosen' the one for a switch with 'n_ports' ports of 'speed_mbps'
 * and cables of at most 'cable_m' metres.  ST_NOT_FOUND: none has so many ports
 * of that speed; the message lists the speeds, or the most ports, that there
 * are. */
enum st switch_default_choose(uint32_t n_ports, uint32_t speed_mbps,
                              uint32_t cable_m,
                              const struct switch_default **chosen,
                              bool *is_short, struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/switch_default.h */
