/* SPDX-License-Identifier: Apache-2.0 */

/* "twin watermarks": the watermarks that COUNTERS_DB has, by the names of their
 * objects, whether orchd polls them or (output=orchagent) syncd does. */

#include <config.h>

#include <string.h>

#include "base/parse.h"
#include "orchd/control/command.h"
#include "orchd/control/counters_reading.h"
#include "orchd/intent/field.h"

/* Ends of the names of counters, and their names in the answer. */
static const struct {
    const char *end, *name;
} marks[] = {
    {"_XOFF_ROOM_WATERMARK_BYTES", "headroom_bytes"},
    {"_STAT_SHARED_WATERMARK_BYTES", "shared_bytes"},
    {"_POOL_STAT_WATERMARK_BYTES", "shared_bytes"},
};

static const char *const tables[] = {"USER_WATERMARKS", "PERSISTENT_WATERMARKS",
                                     "PERIODIC_WATERMARKS", NULL};

/* Returns whether 'name' ends with 'end'. */
static bool
ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), n = strlen(end);

    return length >= n && !strcmp(name + length - n, end);
}

static void
add_marks(const struct call *call, json_t *object, const char *table,
          const struct field *fields, size_t n)
{
    (void)call;
    (void)table;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
            uint64_t bytes;

            if (ends_with(fields[i].name, marks[k].end) &&
                !parse_u64(fields[i].value, 0, INT64_MAX, &bytes)) {
                json_object_set_new(object, marks[k].name,
                                    json_integer((json_int_t)bytes));
            }
        }
    }
}

/* Returns the table that a call asks for. */
static const char *
table_of(const struct call *call)
{
    return call_text(call, "table", tables[0]);
}

static void
end_watermarks(struct call *call, json_t *objects, size_t n_named)
{
    (void)n_named;
    call_done(call, json_pack("{s:s, s:o}", "table", table_of(call),
                              "watermarks", objects));
}

static void
twin_watermarks(struct call *call)
{
    static const struct counters_map maps[] = {
        {"COUNTERS_PG_NAME_MAP", "pg"},
        {"COUNTERS_QUEUE_NAME_MAP", "queue"},
        {"COUNTERS_BUFFER_POOL_NAME_MAP", "pool"},
    };
    const struct counters_reading reading = {
        .tables = {table_of(call)},
        .maps = maps,
        .n_maps = sizeof maps / sizeof *maps,
        .object = add_marks,
        .done = end_watermarks,
    };

    counters_reading_start(call, &reading);
}

static const struct argument watermark_arguments[] = {
    {"table", ARGUMENT_TEXT, false, 0, 0, tables},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command twin_commands[] = {
    {"twin", "watermarks", twin_watermarks, watermark_arguments, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
