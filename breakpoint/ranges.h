/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_RANGES_H
#define ORCHD_BREAKPOINT_RANGES_H

/* The comparisons of a claim: "==", ">", ">=", "<", "<=", "in", "margin".
 *
 * All given comparisons have to hold, so the passing values form a range.
 * 'margin' widens each comparison by that much on either side. */

#include <stdint.h>

#include "base/status.h"
#include "breakpoint/loader.h"

/* Values and margins are limited so that adding them cannot overflow 64
 * bits. */
#define RANGES_VALUE_MAX  (INT64_C(1) << 61)
#define RANGES_MARGIN_MAX (INT64_C(1) << 60)

/* The comparisons as written in a scenario. */
struct range_yaml {
    int64_t equal, above, least, below, most, margin;
    struct fy_node *in;
    /* "increasing", "stable", "decreasing": the sign of a difference. */
    int trend; /* -1: not given. */
};

/* No comparison given. */
#define RANGES_NONE                                                            \
    {                                                                          \
        .trend = -1                                                            \
    }

extern const char *const ranges_trends[];

/* The first RANGES_N_KEYS keys of a struct that has a struct range_yaml as
 * 'member'; they must be the first of its table. */
#define RANGES_KEY(type, key, kind, member, min, max, words)                   \
    {                                                                          \
        key, MAP_KEY_##kind, false, offsetof(type, member), min, max, words    \
    }
#define RANGES_VALUE(type, key, member)                                        \
    RANGES_KEY(type, key, NUMBER, member, -RANGES_VALUE_MAX, RANGES_VALUE_MAX, \
               NULL)
#define RANGES_KEYS(type, member)                                              \
    RANGES_VALUE(type, "==", member.equal),                                    \
        RANGES_VALUE(type, ">", member.above),                                 \
        RANGES_VALUE(type, ">=", member.least),                                \
        RANGES_VALUE(type, "<", member.below),                                 \
        RANGES_VALUE(type, "<=", member.most),                                 \
        RANGES_KEY(type, "in", NODE, member.in, 0, 0, NULL),                   \
        RANGES_KEY(type, "trend", WORD, member.trend, 0, 0, ranges_trends),    \
        RANGES_KEY(type, "margin", NUMBER, member.margin, 0,                   \
                   RANGES_MARGIN_MAX, NULL)
#define RANGES_N_KEYS 8

/* The bits of the keys that compare: all but "margin". */
#define RANGES_COMPARISONS ((UINT64_C(1) << (RANGES_N_KEYS - 1)) - 1)

/* Turns the comparisons in 'form', of which 'seen' were given, into '*range'.
 * ST_INVALID if there is none. */
enum st ranges_load(struct loader *loader, struct fy_node *node,
                    const struct range_yaml *form, uint64_t seen,
                    struct range *range) ST_WARN_UNUSED;

#endif /* breakpoint/ranges.h */
