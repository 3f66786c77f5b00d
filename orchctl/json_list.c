/* SPDX-License-Identifier: Apache-2.0 */

/* Sorts and filters lists in JSON. */

#include <config.h>

#include "orchctl/json_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

const json_t *
json_list_follow(const json_t *item, const char *path)
{
    char name[64];

    while (item && *path) {
        size_t length = strcspn(path, ".");

        orch_assert(length < sizeof name);
        memcpy(name, path, length);
        name[length] = '\0';
        item = json_object_get(item, name);
        path += length + (path[length] == '.');
    }
    return item;
}

/* An item to sort. */
struct sorted {
    json_t *item;
    bool is_number;
    json_int_t number;
    const char *text;
    size_t index; /* Its original index. */
};

/* Orders numbers from the largest, then texts from a to z; stable. */
static int
compare_sorted(const void *a_, const void *b_)
{
    const struct sorted *a = a_, *b = b_;
    int order = 0;

    if (a->is_number != b->is_number) {
        return a->is_number ? -1 : 1;
    }
    if (a->is_number) {
        order = (a->number < b->number) - (a->number > b->number);
    } else {
        order = strcmp(a->text, b->text);
    }
    return order ? order : a->index < b->index ? -1 : 1;
}

json_t *
json_list_sort(const json_t *list, const char *path)
{
    const size_t n = json_array_size(list);
    struct sorted *items = check_calloc(n + 1, sizeof *items);
    json_t *result = json_array();

    for (size_t i = 0; i < n; i++) {
        json_t *item = json_array_get(list, i);
        const json_t *value = json_list_follow(item, path);
        const char *text = json_string_value(value);

        items[i] =
            (struct sorted){item, json_is_integer(value),
                            json_integer_value(value), text ? text : "", i};
    }
    qsort(items, n, sizeof *items, compare_sorted);
    for (size_t i = 0; i < n; i++) {
        json_array_append(result, items[i].item);
    }
    free(items);
    return result;
}

json_t *
json_list_nonzero(const json_t *list, const char *const *paths, size_t n)
{
    json_t *result = json_array();
    json_t *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        size_t k = 0;

        while (k < n && !json_integer_value(json_list_follow(item, paths[k]))) {
            k++;
        }
        if (k < n) {
            json_array_append(result, item);
        }
    }
    return result;
}
