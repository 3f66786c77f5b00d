/* SPDX-License-Identifier: Apache-2.0 */

/* Turns the comparisons of a claim into a range. */

#include <config.h>

#include "breakpoint/ranges.h"

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

#define NO_BOUND INT64_MAX

/* The comparisons with one value, in the order of RANGES_KEYS, and what each
 * adds to the value to get the lowest and the highest value that passes, if it
 * bounds them. */
static const struct bound {
    const char *key;
    size_t offset;
    int64_t low, high;
} bounds[] = {
    {"==", offsetof(struct range_yaml, equal), 0, 0},
    {">", offsetof(struct range_yaml, above), 1, NO_BOUND},
    {">=", offsetof(struct range_yaml, least), 0, NO_BOUND},
    {"<", offsetof(struct range_yaml, below), NO_BOUND, -1},
    {"<=", offsetof(struct range_yaml, most), NO_BOUND, 0},
};

enum {
    N_BOUNDS = sizeof bounds / sizeof bounds[0],
    FORM_IN = N_BOUNDS,
    FORM_TREND,
};

const char *const ranges_trends[] = {"stable", "increasing", "decreasing",
                                     NULL};

/* Narrows 'range' to 'low'..'high', widened by 'margin'. */
static void
range_narrow(struct range *range, int64_t low, int64_t high, int64_t margin)
{
    if (low != INT64_MIN && low - margin > range->low) {
        range->low = low - margin;
    }
    if (high != INT64_MAX && high + margin < range->high) {
        range->high = high + margin;
    }
}

/* Adds "in: [a, b]" or "in: a..b" to 'range' and 'words'. */
static enum st
load_interval(struct loader *loader, struct fy_node *node, int64_t margin,
              struct range *range, struct text *words)
{
    bool is_sequence = node && fy_node_is_sequence(node) &&
                       fy_node_sequence_item_count(node) == 2;
    int64_t ends[2] = {0, 0};
    bool is_range = false;
    enum st st = values_range(loader->values, node, "in", &ends[0], &ends[1],
                              &is_range, loader->err);

    if (!st && !is_range && !is_sequence) {
        st = document_fail(loader->document, node, loader->err,
                           "expected in to be [lowest, highest] or "
                           "lowest..highest");
    }
    for (int i = 0; !st && is_sequence && i < 2; i++) {
        st = values_number(
            loader->values, fy_node_sequence_get_by_index(node, i), "in",
            -RANGES_VALUE_MAX, RANGES_VALUE_MAX, &ends[i], loader->err);
    }
    if (!st && (ends[0] > ends[1] || ends[0] < -RANGES_VALUE_MAX ||
                ends[1] > RANGES_VALUE_MAX)) {
        st = document_fail(
            loader->document, node, loader->err,
            "expected in to be [lowest, highest], found [%lld, %lld]",
            (long long)ends[0], (long long)ends[1]);
    }
    if (!st) {
        range_narrow(range, ends[0], ends[1], margin);
        text_addf(words, "%sin [%lld, %lld]", words->length ? " and " : "",
                  (long long)ends[0], (long long)ends[1]);
    }
    return st;
}

/* Adds a trend to 'range' and 'words'. */
static void
load_trend(int trend, int64_t margin, struct range *range, struct text *words)
{
    range_narrow(range,
                 trend == 0   ? 0
                 : trend == 1 ? 1
                              : INT64_MIN,
                 trend == 0   ? 0
                 : trend == 1 ? INT64_MAX
                              : -1,
                 margin);
    text_addf(words, "%s%s", words->length ? " and " : "",
              ranges_trends[trend]);
}

enum st
ranges_load(struct loader *loader, struct fy_node *node,
            const struct range_yaml *form, uint64_t seen, struct range *range)
{
    struct text words = {0};
    enum st st = ST_OK;

    range->low = INT64_MIN;
    range->high = INT64_MAX;
    for (size_t i = 0; i < N_BOUNDS; i++) {
        const struct bound *bound = &bounds[i];
        int64_t value;

        if (!(seen & (UINT64_C(1) << i))) {
            continue;
        }
        memcpy(&value, (const char *)form + bound->offset, sizeof value);
        range_narrow(range,
                     bound->low == NO_BOUND ? INT64_MIN : value + bound->low,
                     bound->high == NO_BOUND ? INT64_MAX : value + bound->high,
                     form->margin);
        text_addf(&words, "%s%s %lld", words.length ? " and " : "", bound->key,
                  (long long)value);
    }
    if (seen & (UINT64_C(1) << FORM_IN)) {
        st = load_interval(loader, form->in, form->margin, range, &words);
    }
    if (!st && (seen & (UINT64_C(1) << FORM_TREND))) {
        load_trend(form->trend, form->margin, range, &words);
    }
    if (!st && !words.length) {
        st = document_fail(loader->document, node, loader->err,
                           "a claim needs one of: ==, >, >=, <, <=, in, trend");
    }
    if (form->margin) {
        text_addf(&words, " +-%lld", (long long)form->margin);
    }
    range->text = arena_strdup(loader->arena, text_string(&words));
    text_fini(&words);
    return st;
}
