/* SPDX-License-Identifier: Apache-2.0 */

/* One table for ports, priority groups, queues and pools. */

#include <config.h>

#include "orchctl/objects.h"

#include <string.h>

#include "base/text.h"
#include "orchctl/grid.h"

/* A column of numbers: the first of 'names' that an object has. */
struct number_column {
    const char *header;
    const char *names[4];
};

static const struct number_column numbers[] = {
    {"RESERVED (B)", {"reserved_bytes"}},
    {"SHARED (B)", {"shared_bytes", "shared_curr_occupancy_bytes"}},
    {"HEADROOM (B)", {"headroom_bytes", "xoff_room_curr_occupancy_bytes"}},
    {"PEAK SHARED", {"shared_watermark_bytes", "watermark_bytes"}},
    {"PEAK HEADROOM", {"xoff_room_watermark_bytes"}},
};

static const struct number_column drops = {
    "DROPS", {"dropped_packets", "dropped", "if_in_discards"}};

#define N_NUMBERS (sizeof numbers / sizeof numbers[0])

static void
add_number(struct grid *grid, const struct target_reading *reading,
           const struct number_column *column)
{
    for (size_t i = 0; column->names[i]; i++) {
        const struct target_stat *stat =
            target_reading_find(reading, column->names[i]);

        if (stat) {
            grid_number(grid, stat->value > INT64_MAX ? INT64_MAX
                                                      : (int64_t)stat->value);
            return;
        }
    }
    grid_text(grid, NULL);
}

/* Says who is paused: a PG its sender or not, a port which priorities. */
static void
add_pfc(struct grid *grid, const struct target_reading *reading)
{
    const struct target_stat *lossless =
        target_reading_find(reading, "lossless");
    const struct target_stat *xoff = target_reading_find(reading, "xoff");
    struct text text = {0};

    if (xoff && (!lossless || lossless->value)) {
        text_add(&text, xoff->value ? "XOFF" : "xon");
    }
    for (unsigned int i = 0; i < 8; i++) {
        char name[24];
        const struct target_stat *stat;

        text_format(name, sizeof name, "pfc_%u_xoff", i);
        stat = target_reading_find(reading, name);
        if (stat && stat->value) {
            text_addf(&text, "%s%u", text.length ? "," : "XOFF ", i);
        }
    }
    grid_text(grid, text_string(&text));
    text_fini(&text);
}

void
objects_print(const struct target_object *const *objects,
              const struct target_reading *const *readings, size_t n,
              unsigned int indent)
{
    struct grid_column columns[N_NUMBERS + 3];
    struct grid *grid;

    columns[0] = (struct grid_column){"OBJECT", false};
    for (size_t i = 0; i < N_NUMBERS; i++) {
        columns[1 + i] = (struct grid_column){numbers[i].header, true};
    }
    columns[N_NUMBERS + 1] = (struct grid_column){"PFC", false};
    columns[N_NUMBERS + 2] = (struct grid_column){drops.header, true};
    grid = grid_create(columns, N_NUMBERS + 3);
    for (size_t i = 0; i < n; i++) {
        char name[160];

        target_object_text(objects[i], name, sizeof name);
        grid_line(grid);
        grid_text(grid, name);
        for (size_t k = 0; k < N_NUMBERS; k++) {
            add_number(grid, readings[i], &numbers[k]);
        }
        add_pfc(grid, readings[i]);
        add_number(grid, readings[i], &drops);
    }
    grid_print(grid, indent);
}
