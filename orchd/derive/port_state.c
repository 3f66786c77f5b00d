/* SPDX-License-Identifier: Apache-2.0 */

/* Small decisions about one port. */

#include <config.h>

#include "orchd/derive/port_state.h"

#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "orchd/derive/headroom.h"

enum {
    DIGITS_SIZE = 16,
    EIGHT_LANES = 8,
};

/* Returns the highest speed of a comma list; an invalid item counts as 0. */
static uint32_t
highest_speed(const char *list)
{
    const char *cursor = list;
    const char *item;
    size_t length;
    uint64_t highest = 0;

    while (cursor && parse_list_next(&cursor, &item, &length)) {
        char digits[DIGITS_SIZE];
        uint64_t speed;

        if (length >= sizeof digits) {
            continue;
        }
        memcpy(digits, item, length);
        digits[length] = '\0';
        if (!parse_u64(digits, 0, HEADROOM_SPEED_MAX_MBPS, &speed) &&
            speed > highest) {
            highest = speed;
        }
    }
    return (uint32_t)highest;
}

uint32_t
port_effective_speed(bool autoneg, uint32_t speed_mbps, const char *adv_speeds,
                     const char *supported_speeds)
{
    uint32_t advertised;

    if (!autoneg) {
        return speed_mbps;
    }
    advertised = highest_speed(adv_speeds);
    return advertised ? advertised : highest_speed(supported_speeds);
}

const char *
profile_label_name(const struct profile_label *label, char *buffer)
{
    char mtu[24] = "", alpha[24] = "";

    if (label->mtu != PORT_DEFAULT_MTU) {
        text_format(mtu, sizeof mtu, "_mtu%u", label->mtu);
    }
    if (label->own_alpha) {
        text_format(alpha, sizeof alpha, "_th%d", label->alpha);
    }
    text_format(buffer, PROFILE_NAME_SIZE,
                "pg_lossless_%u_%um%s%s%s%s%s_profile", label->speed_mbps,
                label->cable_m, mtu, alpha, label->gearbox ? "_" : "",
                label->gearbox ? label->gearbox : "",
                label->eight_lanes ? "_8lane" : "");
    return buffer;
}

bool
port_names_eight_lanes(uint32_t model_number, uint32_t lanes,
                       uint32_t speed_mbps)
{
    /* Series of models, and the speed at which all their ports have 8 lanes. */
    static const struct {
        uint32_t series;
        uint32_t speed_mbps;
    } rows[] = {{4, 400000}, {5, 800000}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (model_number / 1000 == rows[i].series) {
            return lanes == EIGHT_LANES && speed_mbps != rows[i].speed_mbps;
        }
    }
    return false;
}

size_t
runs_of_mask(uint64_t mask, struct run *runs)
{
    size_t n = 0;

    for (unsigned int i = 0; i < 64; i++) {
        if (!(mask >> i & 1)) {
            continue;
        }
        if (i > 0 && mask >> (i - 1) & 1) {
            runs[n - 1].last = i;
        } else {
            runs[n++] = (struct run){i, i};
        }
    }
    return n;
}
