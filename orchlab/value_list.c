/* SPDX-License-Identifier: Apache-2.0 */

/* Lists and ranges of values on the command line. */

#include <config.h>

#include "orchlab/value_list.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

/* Where values go, and what they are. */
struct reading {
    const struct value_list_rule *rule;
    struct arena *arena;
    struct value_list *list;
    struct err *err;
};

static enum st
add(struct reading *reading, const char *text)
{
    struct value_list *list = reading->list;

    if (list->n == VALUE_LIST_MAX) {
        return err_set(reading->err, ST_INVALID, "usage",
                       "--%s has more than %d values", reading->rule->option,
                       VALUE_LIST_MAX);
    }
    list->texts[list->n++] = text;
    return ST_OK;
}

/* Reads one value, which is within the range of the rule. */
static enum st
read_value(struct reading *reading, const char *text, int64_t *value)
{
    const struct value_list_rule *rule = reading->rule;
    struct ratio ratio;
    struct err why;
    enum st st = rule->kind == QUANTITY_RATIO
                     ? quantity_parse_ratio(text, &ratio, &why)
                     : quantity_parse(rule->kind, text, value, &why);

    if (st) {
        return err_set(reading->err, ST_INVALID, "usage", "--%s: %s",
                       rule->option, why.reason);
    }
    if (rule->kind != QUANTITY_RATIO &&
        (*value < rule->least || *value > rule->most)) {
        const char *unit = quantity_base_unit(rule->kind);

        return err_set(reading->err, ST_INVALID, "usage",
                       "--%s: %.40s is not within %" PRId64 "%s..%" PRId64 "%s",
                       rule->option, text, rule->least, unit, rule->most, unit);
    }
    return ST_OK;
}

/* Returns 'value' as text that quantity_parse() reads: a length in the largest
 * unit of which it is a multiple. */
static const char *
text_of(struct reading *reading, int64_t value)
{
    static const struct {
        int64_t mm;
        const char *name;
    } units[] = {{1000000, "km"}, {1000, "m"}, {1, "mm"}};
    struct text text = {0};
    const char *copy;
    size_t i = 0;

    if (reading->rule->kind != QUANTITY_LENGTH) {
        text_addf(&text, "%" PRId64, value);
    } else {
        while (value % units[i].mm) {
            i++;
        }
        text_addf(&text, "%" PRId64 "%s", value / units[i].mm, units[i].name);
    }
    copy = arena_strdup(reading->arena, text_string(&text));
    text_fini(&text);
    return copy;
}

/* Returns what comes after 'value', at most 'last'; 'step' 0: none is given. */
static int64_t
next_value(const struct reading *reading, int64_t value, int64_t last,
           int64_t step)
{
    const int64_t by = step                                     ? step
                       : reading->rule->kind == QUANTITY_LENGTH ? value
                                                                : 1;

    return by > last - value ? last : value + by;
}

/* Reads "first..last" or "first..last:step"; 'dots' is in 'item'. */
static enum st
read_range(struct reading *reading, const char *item, const char *dots)
{
    const char *option = reading->rule->option;
    const char *low =
        arena_strndup(reading->arena, item, (size_t)(dots - item));
    const char *high = dots + 2;
    const char *colon = strchr(high, ':');
    int64_t first = 0, last = 0, step = 0;
    enum st st;

    if (reading->rule->kind == QUANTITY_RATIO) {
        return err_set(reading->err, ST_INVALID, "usage",
                       "--%s: '%.60s' is a range, and ratios have none; give a "
                       "list, such as 0.9,1,1.1",
                       option, item);
    }
    if (colon) {
        high = arena_strndup(reading->arena, high, (size_t)(colon - high));
    }
    st = read_value(reading, low, &first);
    st = st ? st : read_value(reading, high, &last);
    st = st || !colon ? st : read_value(reading, colon + 1, &step);
    if (!st && (first > last || (colon && step == 0) ||
                (!step && reading->rule->kind == QUANTITY_LENGTH && !first))) {
        return err_set(reading->err, ST_INVALID, "usage",
                       "--%s: '%.60s' is not a range from a smaller to a "
                       "larger value; allowed is FIRST..LAST or "
                       "FIRST..LAST:STEP, with a step above 0, which a range "
                       "of lengths from 0 needs",
                       option, item);
    }
    for (int64_t value = first; !st;
         value = next_value(reading, value, last, step)) {
        st = add(reading, text_of(reading, value));
        if (value == last) {
            break;
        }
    }
    return st;
}

enum st
value_list_read(const struct value_list_rule *rule, const char *text,
                struct arena *arena, struct value_list *list, struct err *err)
{
    struct reading reading = {rule, arena, list, err};
    enum st st = ST_OK;

    list->n = 0;
    for (const char *at = text; !st && at;) {
        const char *comma = strchr(at, ',');
        const char *item =
            arena_strndup(arena, at, comma ? (size_t)(comma - at) : strlen(at));
        const char *dots = strstr(item, "..");
        int64_t value = 0;

        if (dots) {
            st = read_range(&reading, item, dots);
        } else {
            st = read_value(&reading, item, &value);
            st = st ? st : add(&reading, item);
        }
        at = comma ? comma + 1 : NULL;
    }
    return st;
}
