/* SPDX-License-Identifier: Apache-2.0 */

/* Rows of CONFIG_DB as JSON: what differs, and profiles with headroom. */

#include <config.h>

#include "orchlab/whatif_rows.h"

#include <stdlib.h>
#include <string.h>

/* Returns member 'key' of 'object', an empty object that is added if there is
 * none. */
static json_t *
open_member(json_t *object, const char *key)
{
    json_t *member = json_object_get(object, key);

    if (!member) {
        member = json_object();
        json_object_set_new(object, key, member);
    }
    return member;
}

void
whatif_rows_add(json_t *rows, const char *role, const char *table,
                const char *key, json_t *row)
{
    json_object_set_new(open_member(open_member(rows, role), table), key, row);
}

json_t *
whatif_rows_open(json_t *rows, const char *role, const char *table,
                 const char *key)
{
    return open_member(open_member(open_member(rows, role), table), key);
}

void
whatif_rows_collect(json_t *rows, const char *role, const json_t *before,
                    const json_t *after)
{
    const char *table, *key;
    json_t *of_table, *row;

    json_object_foreach((json_t *)after, table, of_table)
    {
        const json_t *former = json_object_get(before, table);

        json_object_foreach(of_table, key, row)
        {
            if (!json_equal(json_object_get(former, key), row)) {
                whatif_rows_add(rows, role, table, key, json_deep_copy(row));
            }
        }
    }
}

bool
whatif_rows_hold(const json_t *config, const json_t *rows, const char **table,
                 const char **key)
{
    const char *field;
    json_t *of_table, *row, *value;

    json_object_foreach((json_t *)rows, *table, of_table)
    {
        json_object_foreach(of_table, *key, row)
        {
            const json_t *actual =
                json_object_get(json_object_get(config, *table), *key);

            json_object_foreach(row, field, value)
            {
                if (!json_equal(json_object_get(actual, field), value)) {
                    return false;
                }
            }
        }
    }
    return true;
}

uint64_t
whatif_rows_number(const json_t *row, const char *field)
{
    const char *text = json_string_value(json_object_get(row, field));

    return text ? strtoull(text, NULL, 10) : 0;
}

/* Returns whether the list of names 'key', "Ethernet0,Ethernet4|3-4", has
 * 'port'. */
static bool
names_port(const char *key, const char *port)
{
    const size_t length = strlen(port);
    const char *at = key;

    while (*at && *at != '|') {
        const size_t n = strcspn(at, ",|");

        if (n == length && strncmp(at, port, n) == 0) {
            return true;
        }
        at += n + (at[n] == ',');
    }
    return false;
}

const char *
whatif_rows_lossless(const json_t *config, const char *port,
                     const json_t **found)
{
    const json_t *profiles = json_object_get(config, "BUFFER_PROFILE");
    const char *key;
    json_t *row;

    json_object_foreach(json_object_get(config, "BUFFER_PG"), key, row)
    {
        const char *name = json_string_value(json_object_get(row, "profile"));
        const json_t *profile = json_object_get(profiles, name);

        if (names_port(key, port) && json_object_get(profile, "xoff")) {
            *found = profile;
            return name;
        }
    }
    return NULL;
}

/* Returns how many priority groups a row of BUFFER_PG is about. */
static uint64_t
count_groups(const char *key)
{
    const char *range = strrchr(key, '|');
    const char *last = range ? strchr(range, '-') : NULL;
    uint64_t n = 1;

    for (const char *at = key; *at && at != range; at++) {
        n += *at == ',';
    }
    return last ? n * (strtoull(last + 1, NULL, 10) -
                       strtoull(range + 1, NULL, 10) + 1)
                : n;
}

uint64_t
whatif_rows_headroom(const json_t *config, const char *pool)
{
    const json_t *profiles = json_object_get(config, "BUFFER_PROFILE");
    uint64_t bytes = 0;
    const char *key;
    json_t *row;

    json_object_foreach(json_object_get(config, "BUFFER_PG"), key, row)
    {
        const json_t *profile = json_object_get(
            profiles, json_string_value(json_object_get(row, "profile")));
        const char *name = json_string_value(json_object_get(profile, "pool"));

        if (name && strcmp(name, pool) == 0) {
            bytes += count_groups(key) * whatif_rows_number(profile, "xoff");
        }
    }
    return bytes;
}
