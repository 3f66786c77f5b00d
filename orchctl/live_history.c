/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchctl/live_history.h"

#include <stddef.h>

#include "base/text.h"
#include "command/bars.h"

/* Stores what identifies 'item' in 'key'. */
static void
name_item(const json_t *item, struct text *key)
{
    const char *kind = json_string_value(json_object_get(item, "kind"));
    const char *name = json_string_value(json_object_get(item, "name"));

    text_clear(key);
    text_addf(key, "%s %s|%lld", kind ? kind : "", name ? name : "",
              (long long)json_integer_value(json_object_get(item, "index")));
}

/* Returns what the items of 'list' hold, by item; unknown amounts are left
 * out. */
static json_t *
amounts_of(const json_t *list)
{
    json_t *amounts = json_object();
    struct text key = {0};
    json_t *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        json_t *used = json_object_get(item, "used");

        if (json_is_integer(used)) {
            name_item(item, &key);
            json_object_set(amounts, text_string(&key), used);
        }
    }
    text_fini(&key);
    return amounts;
}

static bool
is_idle(const json_t *history)
{
    json_t *value;
    size_t i;

    json_array_foreach(history, i, value)
    {
        if (json_integer_value(value)) {
            return false;
        }
    }
    return true;
}

/* Continues the histories there are, and forgets those of idle objects. */
static void
continue_histories(json_t *histories, const json_t *amounts)
{
    const char *key;
    json_t *history;
    void *next;

    json_object_foreach_safe(histories, next, key, history)
    {
        json_t *amount = json_object_get(amounts, key);

        json_array_append_new(history,
                              json_integer(json_integer_value(amount)));
        if (json_array_size(history) > LIVE_HISTORY_MAX) {
            json_array_remove(history, 0);
        }
        if (!amount && is_idle(history)) {
            json_object_del(histories, key);
        }
    }
}

/* Sets "history" of 'item'. */
static void
draw(json_t *item, const json_t *history, bool blocks)
{
    double values[LIVE_HISTORY_MAX];
    struct text line = {0};
    json_t *value;
    size_t i;

    json_array_foreach(history, i, value)
    {
        values[i] = (double)json_integer_value(value);
    }
    bars_add_sparkline(&line, values, json_array_size(history),
                       LIVE_HISTORY_MAX, blocks);
    json_object_set_new(item, "history", json_string(text_string(&line)));
    text_fini(&line);
}

void
live_history_note(json_t *histories, json_t *list, bool blocks)
{
    json_t *amounts = amounts_of(list);
    struct text name = {0};
    const char *key;
    json_t *item;
    size_t i;

    continue_histories(histories, amounts);
    json_object_foreach(amounts, key, item)
    {
        if (!json_object_get(histories, key)) {
            json_object_set_new(histories, key, json_pack("[O]", item));
        }
    }
    json_array_foreach(list, i, item)
    {
        const json_t *history;

        name_item(item, &name);
        history = json_object_get(histories, text_string(&name));
        if (history) {
            draw(item, history, blocks);
        }
    }
    text_fini(&name);
    json_decref(amounts);
}
