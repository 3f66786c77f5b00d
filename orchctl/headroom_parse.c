/* SPDX-License-Identifier: Apache-2.0 */

/* Parses numbers with units strictly. */

#include <config.h>

#include "orchctl/headroom_parse.h"

#include <string.h>

#include "base/parse.h"
#include "base/text.h"

enum {
    PART_SIZE = 32,
    LANES_MAX = 16,

    /* A number without a unit is one of Mb/s as in CONFIG_DB, unless it may be
     * meant as one of Gb/s. */
    UNITLESS_MAX = HEADROOM_SPEED_MAX_MBPS / 1000,
};

/* A suffix and its factor. */
struct unit {
    const char *suffix;
    uint64_t factor;
};

/* Longer suffixes first: "km" ends in "m". */
static const struct unit speed_units[] = {
    {"T", 1000000}, {"G", 1000}, {"M", 1}, {"", 1}};
static const struct unit length_units[] = {{"km", 1000}, {"m", 1}};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static enum st
refuse(const char *group, const char *field, const char *part,
       const char *allowed, struct err *err)
{
    err_set(err, ST_INVALID, "usage", "%s: the %s must be %s, not '%s'", group,
            field, allowed, part);
    err_set_field(err, field, part, allowed);
    err_set_remedy(err,
                   "write a speed and a cable like 100G@300m; headroom plan "
                   "also takes groups like 32x100G@300m and 4x400G/8@40km");
    return ST_INVALID;
}

/* Parses 'text' as a number with one of 'n' 'units', at most 'max' after
 * multiplication. */
static enum st
read_quantity(const char *text, const struct unit *units, size_t n,
              uint64_t max, uint64_t *value)
{
    char digits[PART_SIZE];
    size_t length = strlen(text);

    for (size_t i = 0; i < n; i++) {
        size_t suffix = strlen(units[i].suffix);

        if (length < suffix || length - suffix >= sizeof digits ||
            strcmp(text + length - suffix, units[i].suffix)) {
            continue;
        }
        memcpy(digits, text, length - suffix);
        digits[length - suffix] = '\0';
        if (parse_u64(digits, 0, max / units[i].factor, value)) {
            return ST_INVALID;
        }
        *value *= units[i].factor;
        return ST_OK;
    }
    return ST_INVALID;
}

/* Cuts 'text' at 'separator' and returns the part after it, or NULL if there is
 * no separator. */
static char *
cut_after(char *text, char separator)
{
    char *at = strchr(text, separator);

    if (at) {
        *at++ = '\0';
    }
    return at;
}

static bool
ends_in_digit(const char *text)
{
    const size_t length = strlen(text);

    return length > 0 && text[length - 1] >= '0' && text[length - 1] <= '9';
}

enum st
headroom_parse_group(const char *text, struct plan_group *group,
                     struct err *err)
{
    char parts[PART_SIZE * 3];
    char *count = parts, *speed, *lanes, *cable;
    uint64_t n_ports = 1, mbps, n_lanes = group->port.lanes, metres;

    if (!text_copy(parts, sizeof parts, text) || !strchr(parts, '@')) {
        return refuse(text, "group", text, "[Nx]SPEED[/LANES]@LENGTH", err);
    }
    cable = cut_after(parts, '@');
    lanes = cut_after(parts, '/');
    speed = cut_after(parts, 'x');
    if (!speed) {
        speed = count;
    } else if (parse_u64(count, 1, PLAN_PORTS_MAX, &n_ports)) {
        return refuse(text, "number of ports", count, "1..4096", err);
    }
    if (read_quantity(speed, speed_units, N_OF(speed_units),
                      HEADROOM_SPEED_MAX_MBPS, &mbps) ||
        mbps == 0) {
        return refuse(text, "speed", speed,
                      "a number of Mb/s up to 1600000, or like 100G", err);
    }
    if (ends_in_digit(speed) && mbps <= UNITLESS_MAX) {
        err_set(err, ST_INVALID, "usage",
                "%s: the speed %s has no unit (did you mean %sG?)", text, speed,
                speed);
        err_set_field(err, "speed", speed, "like 100G or 100M");
        err_set_remedy(err, "write %sG for Gb/s, or %sM for Mb/s", speed,
                       speed);
        return ST_INVALID;
    }
    if (lanes && parse_u64(lanes, 1, LANES_MAX, &n_lanes)) {
        return refuse(text, "number of lanes", lanes, "1..16", err);
    }
    if (read_quantity(cable, length_units, N_OF(length_units),
                      HEADROOM_CABLE_MAX_M, &metres)) {
        return refuse(text, "cable", cable,
                      "a length like 5m or 40km, up to 1000km", err);
    }
    group->n_ports = (uint32_t)n_ports;
    group->port.speed_mbps = (uint32_t)mbps;
    group->port.lanes = (uint32_t)n_lanes;
    group->port.cable_m = (uint32_t)metres;
    return ST_OK;
}

enum st
headroom_parse_priorities(const char *text, uint32_t *mask, struct err *err)
{
    const char *cursor = text;
    const char *item;
    size_t length;
    uint32_t bits = 0;

    while (parse_list_next(&cursor, &item, &length)) {
        uint32_t bit = length == 1 && *item >= '0' && *item <= '7'
                           ? UINT32_C(1) << (*item - '0')
                           : 0;

        if (!bit || bits & bit) {
            return err_set(err, ST_INVALID, "usage",
                           "--priorities must be a list like 3,4 of different "
                           "numbers in 0..7, not '%s'",
                           text);
        }
        bits |= bit;
    }
    *mask = bits;
    return ST_OK;
}
