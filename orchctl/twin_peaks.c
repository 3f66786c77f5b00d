/* SPDX-License-Identifier: Apache-2.0 */

/* Looks objects up in the classes of their ports. */

#include <config.h>

#include "orchctl/twin_peaks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchctl/member.h"

/* Returns whether 'list' has the number 'index'. */
static bool
has_number(const json_t *list, json_int_t index)
{
    size_t i;
    const json_t *number;

    json_array_foreach(list, i, number)
    {
        if (json_integer_value(number) == index) {
            return true;
        }
    }
    return false;
}

/* Returns the class of 'port', or NULL. */
static const json_t *
find_class(const json_t *classes, const char *port)
{
    size_t i, k;
    const json_t *class, *name;

    json_array_foreach(classes, i, class)
    {
        json_array_foreach(json_object_get(class, "ports"), k, name)
        {
            if (!strcmp(json_string_value(name), port)) {
                return class;
            }
        }
    }
    return NULL;
}

/* Returns the group or queue 'index' of a class, or NULL. */
static const json_t *
find_item(const json_t *class, const char *list, const char *numbers,
          json_int_t index)
{
    size_t i;
    const json_t *item;

    json_array_foreach(json_object_get(class, list), i, item)
    {
        if (has_number(json_object_get(item, numbers), index)) {
            return item;
        }
    }
    return NULL;
}

/* Adds a peak of 'mark', if there is one, out of 'point', if it is known. */
static void
add_peak(json_t *peaks, const json_t *mark, const char *field,
         const json_t *point, const char *of)
{
    const json_int_t peak = member_number(mark, field);
    const json_int_t whole = json_integer_value(point);

    if (peak > 0 && json_is_integer(point) && whole > 0) {
        json_array_append_new(
            peaks,
            json_pack(
                "{s:o, s:s, s:I, s:I, s:I}", "object",
                json_sprintf("%s %s|%lld",
                             !strcmp(member_text(mark, "kind"), "pg") ? "PG"
                                                                      : "Queue",
                             member_text(mark, "name"),
                             (long long)member_number(mark, "index")),
                "of", of, "peak_bytes", peak, "point_bytes", whole, "percent",
                (json_int_t)((double)peak * 100 / (double)whole)));
    }
}

/* Adds the peaks of one object. */
static void
add_peaks(json_t *peaks, const json_t *classes, const json_t *mark)
{
    const json_t *class = find_class(classes, member_text(mark, "name"));
    const json_int_t index = member_number(mark, "index");
    const json_t *item, *drop;

    if (!strcmp(member_text(mark, "kind"), "pg")) {
        item = find_item(class, "groups", "pgs", index);
        add_peak(peaks, mark, "shared_bytes",
                 json_object_get(json_object_get(item, "xoff"), "shared_bytes"),
                 "its XOFF point");
        add_peak(
            peaks, mark, "headroom_bytes",
            json_object_get(json_object_get(item, "drop"), "headroom_bytes"),
            "its headroom");
        return;
    }
    item = find_item(class, "queues", "queues", index);
    drop = json_object_get(item, "drop");
    if (strcmp(member_text(drop, "by"), "queue") == 0) {
        add_peak(peaks, mark, "shared_bytes",
                 json_object_get(drop, "shared_bytes"), "its drop point");
    }
    item = item ? item : find_item(class, "groups", "queue", index);
    add_peak(peaks, mark, "shared_bytes",
             json_object_get(item, "mark_from_bytes"),
             "where ECN begins to mark");
}

static int
compare_peaks(const void *a_, const void *b_)
{
    const json_int_t a = member_number(*(const json_t *const *)a_, "percent");
    const json_int_t b = member_number(*(const json_t *const *)b_, "percent");

    return a < b ? 1 : a > b ? -1 : 0;
}

/* Returns the items of 'list', the highest first, and releases it. */
static json_t *
sort(json_t *list)
{
    const size_t n = json_array_size(list);
    json_t **items = check_calloc(n + 1, sizeof(json_t *));
    json_t *sorted = json_array();

    for (size_t i = 0; i < n; i++) {
        items[i] = json_array_get(list, i);
    }
    if (n > 1) {
        qsort(items, n, sizeof(json_t *), compare_peaks);
    }
    for (size_t i = 0; i < n; i++) {
        json_array_append(sorted, items[i]);
    }
    free(items);
    json_decref(list);
    return sorted;
}

json_t *
twin_peaks_find(const json_t *classes, const json_t *watermarks)
{
    const json_t *marks = json_object_get(watermarks, "watermarks");
    json_t *peaks = json_array();
    const char *reason = NULL;
    size_t i;
    const json_t *mark;

    json_array_foreach(marks, i, mark)
    {
        add_peaks(peaks, classes, mark);
    }
    if (!json_array_size(marks)) {
        reason = "COUNTERS_DB has none: their counters are not polled "
                 "(counterpoll watermark enable)";
    } else if (!json_array_size(peaks)) {
        reason = "all are 0, or of groups and queues without a measured "
                 "threshold";
    }
    return json_pack("{s:s, s:I, s:s?, s:o}", "table",
                     member_text(watermarks, "table"), "objects",
                     (json_int_t)json_array_size(marks), "reason", reason,
                     "peaks", sort(peaks));
}
