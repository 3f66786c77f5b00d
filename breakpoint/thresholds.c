/* SPDX-License-Identifier: Apache-2.0 */

/* Computes thresholds. */

#include <config.h>

#include "breakpoint/thresholds.h"

#include <stdlib.h>
#include <string.h>

#include "breakpoint/bench.h"

static uint64_t
round_up(uint64_t value, uint64_t by)
{
    return value / by + (value % by != 0);
}

static uint64_t
less(uint64_t value, uint64_t by)
{
    return value > by ? value - by : 0;
}

/* --- The chip ------------------------------------------------------------ */

/* Stores a numeric chip parameter. */
static enum st
fact_number(struct bench *bench, const char *name, uint64_t *value,
            struct err *err)
{
    const char *text;
    enum st st = bench->ops->chip_fact(bench, name, &text, err);

    if (!st) {
        *value = strtoull(text, NULL, 10);
    }
    return st;
}

/* Stores whether a chip parameter has the value 'word'. */
static enum st
fact_is(struct bench *bench, const char *name, const char *word, bool *value,
        struct err *err)
{
    const char *text;
    enum st st = bench->ops->chip_fact(bench, name, &text, err);

    if (!st) {
        *value = !strcmp(text, word);
    }
    return st;
}

enum st
thresholds_chip_read(struct bench *bench, struct thresholds_chip *chip,
                     struct err *err)
{
    const struct {
        const char *name;
        uint64_t *value;
    } numbers[] = {
        {"cell_bytes", &chip->unit_bytes},
        {"packet_overhead_bytes", &chip->overhead_bytes},
        {"packet_round_bytes", &chip->round_bytes},
        {"partitions", &chip->partitions},
        {"headroom_overhead_cells", &chip->headroom_overhead},
        {"egress_lag_cells", &chip->egress_lag},
    };
    const struct {
        const char *name, *word;
        bool *value;
    } words[] = {
        {"pg_guarantee", "none", &chip->guarantees}, /* Negated below. */
        {"pg_guarantee", "size_minus_xoff", &chip->size_minus_xoff},
        {"headroom", "per_port_share", &chip->port_share},
        {"threshold", "charge_then_check", &chip->charges_first},
        {"egress_threshold", "charge_then_check", &chip->charges_first_out},
        {"xoff", "before_headroom", &chip->pauses_early},
        {"xon", "absolute", &chip->xon_absolute},
    };
    enum st st = ST_OK;

    memset(chip, 0, sizeof *chip);
    for (size_t i = 0; !st && i < sizeof numbers / sizeof numbers[0]; i++) {
        st = fact_number(bench, numbers[i].name, numbers[i].value, err);
    }
    for (size_t i = 0; !st && i < sizeof words / sizeof words[0]; i++) {
        st = fact_is(bench, words[i].name, words[i].word, words[i].value, err);
    }
    chip->guarantees = !chip->guarantees;
    chip->unit_bytes = chip->unit_bytes ? chip->unit_bytes : 1;
    chip->round_bytes = chip->round_bytes ? chip->round_bytes : 1;
    return st;
}

uint64_t
thresholds_packet(const struct thresholds_chip *chip, uint32_t bytes)
{
    const uint64_t stored =
        round_up(bytes + chip->overhead_bytes, chip->round_bytes) *
        chip->round_bytes;

    return round_up(stored, chip->unit_bytes);
}

/* --- Thresholds ---------------------------------------------------------- */

/* Returns how much of 'free' may be used without crossing the limit. */
static uint64_t
most(const struct thresholds_limit *limit, uint64_t free, bool charges_first,
     uint64_t unit_bytes)
{
    const int th = limit->dynamic_th;
    /* alpha = up / down */
    const uint64_t up = th > 0 ? UINT64_C(1) << th : 1;
    const uint64_t down = th < 0 ? UINT64_C(1) << -th : 1;

    if (limit->is_static) {
        return limit->static_th_bytes / unit_bytes - charges_first;
    }
    if (!charges_first) {
        return up * free / (up + down);
    }
    /* The greatest u with u + 1 <= alpha (free - u). */
    return less(up * free, down) / (up + down);
}

/* Returns the limit that holds while 'free' is left. */
static uint64_t
limit_at(const struct thresholds_limit *limit, uint64_t free,
         uint64_t unit_bytes)
{
    const int th = limit->dynamic_th;

    return limit->is_static ? limit->static_th_bytes / unit_bytes
           : th < 0         ? free >> -th
                            : free << th;
}

/* Returns the guarantee.  On some chips the size of a profile includes the
 * headroom if there is no shared headroom pool. */
static uint64_t
guarantee_of(const struct thresholds_chip *chip,
             const struct thresholds_group *group)
{
    const bool contains =
        chip->port_share ? !group->pool_xoff_bytes : chip->size_minus_xoff;
    const uint64_t bytes = contains ? less(group->size_bytes, group->xoff_bytes)
                                    : group->size_bytes;

    return chip->guarantees ? round_up(bytes, chip->unit_bytes) : 0;
}

/* Returns the headroom that a group can use while the others use none. */
static uint64_t
headroom_of(const struct thresholds_chip *chip,
            const struct thresholds_group *group)
{
    const uint64_t unit = chip->unit_bytes;
    const uint64_t pool = group->pool_xoff_bytes / unit / chip->partitions;
    uint64_t mine = round_up(group->xoff_bytes, unit);

    if (!group->pool_xoff_bytes) {
        return less(mine, chip->headroom_overhead);
    }
    if (chip->port_share) {
        mine = round_up(group->port_headroom_bytes, unit);
    }
    return mine < pool ? mine : pool;
}

void
thresholds_of_group(const struct thresholds_chip *chip,
                    const struct thresholds_group *group, uint32_t packet_bytes,
                    struct thresholds_result *thresholds)
{
    const uint64_t unit = chip->unit_bytes;
    const uint64_t packet = thresholds_packet(chip, packet_bytes);
    const uint64_t guarantee = guarantee_of(chip, group);
    const uint64_t headroom = headroom_of(chip, group);
    /* Packets that need no headroom. */
    const uint64_t fit = (guarantee + most(&group->limit, group->shared,
                                           chip->charges_first, unit)) /
                         packet;
    const bool early = !chip->charges_first && chip->pauses_early && fit > 0;
    const uint64_t pause_at = fit + !early;
    /* The packet that crosses the threshold is charged to shared memory or is
     * the first one in headroom. */
    const uint64_t in_headroom = chip->charges_first || early ? 0 : packet;
    const uint64_t used = less(pause_at * packet - in_headroom, guarantee);
    const uint64_t limit =
        guarantee + limit_at(&group->limit, less(group->shared, used), unit);
    uint64_t resume =
        chip->xon_absolute
            ? 0
            : less(limit, round_up(group->xon_offset_bytes, unit));
    uint64_t keep;

    resume =
        resume > group->xon_bytes / unit ? resume : group->xon_bytes / unit;
    keep = resume / packet;
    *thresholds = (struct thresholds_result){
        .packet = packet,
        .guarantee = guarantee,
        .pause_at = pause_at,
        .headroom = less(headroom, in_headroom),
        .in_headroom = in_headroom,
        .drop_at = pause_at + less(headroom, in_headroom) / packet + 1,
        .leave = keep < pause_at ? pause_at - keep : 1,
    };
}

uint64_t
thresholds_queue_drop(const struct thresholds_chip *chip, uint64_t size_bytes,
                      const struct thresholds_limit *limit, uint64_t shared,
                      uint32_t packet_bytes)
{
    const uint64_t unit = chip->unit_bytes;
    const bool first = chip->charges_first_out;
    const uint64_t admitted =
        round_up(size_bytes, unit) +
        most(limit, shared + chip->egress_lag, first, unit);

    /* On chips that charge first, another packet of any size is admitted while
     * the level is below the threshold. */
    return admitted / thresholds_packet(chip, packet_bytes) + first + 1;
}
