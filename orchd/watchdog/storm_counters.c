/* SPDX-License-Identifier: Apache-2.0 */

/* Converts fields to numbers. */

#include <config.h>

#include "orchd/watchdog/storm_counters.h"

#include <stdbool.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "orchd/watchdog/memory_store.h"
#include "orchd/watchdog/storm_rows.h"

#define STATUS "PFC_WD_STATUS"
#define STATS  "PFC_WD_QUEUE_STATS_"

/* Passes on a field, if it is a counter. */
static void
take_field(const struct field *field, storm_counter_fn *found, void *context)
{
    char name[64];
    uint64_t value;

    if (!strcmp(field->name, STATUS)) {
        found(context, "stormed", !strcmp(field->value, "stormed"));
    } else if (!strncmp(field->name, STATS, strlen(STATS)) &&
               parse_u64(field->value, 0, UINT64_MAX, &value) == ST_OK) {
        text_format(name, sizeof name, "storm_%s", field->name + strlen(STATS));
        for (char *p = name; *p; p++) {
            *p = (char)(*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
        }
        found(context, name, value);
    }
}

/* Returns whether PFC_WD_TABLE_INSTORM lists the queue. */
static bool
is_noted(const struct memory_store *store, const char *port, unsigned int index)
{
    struct text key = {0};
    const struct field *fields;
    char name[16];
    bool noted = false;
    size_t n;

    text_addf(&key, STORM_ROWS_IN_STORM "%s", port);
    text_format(name, sizeof name, "%u", index);
    fields = memory_store_get(store, APPL_DB, text_string(&key), &n);
    for (size_t i = 0; i < n; i++) {
        noted |= !strcmp(fields[i].name, name);
    }
    text_fini(&key);
    return noted;
}

void
storm_counters_each(const struct memory_store *store, const char *port,
                    unsigned int index, sai_object_id_t queue,
                    storm_counter_fn *found, void *context)
{
    char key[STORM_ROWS_KEY_SIZE];
    size_t n;
    const struct field *fields =
        memory_store_get(store, COUNTERS_DB, storm_rows_key(queue, key), &n);

    for (size_t i = 0; i < n; i++) {
        take_field(&fields[i], found, context);
    }
    if (n) {
        found(context, "storm_noted", is_noted(store, port, index));
    }
}
