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
    {"RX FRAMES", {"rx_frames", "if_in_ucast_pkts"}},
    {"TX FRAMES", {"tx_frames", "if_out_ucast_pkts"}},
    {"RESERVED", {"reserved_bytes"}},
    {"SHARED", {"shared_bytes", "shared_curr_occupancy_bytes"}},
    {"HEADROOM", {"headroom_bytes", "xoff_room_curr_occupancy_bytes"}},
    {"PEAK", {"watermark_bytes"}},
    {"PEAK SHARED", {"shared_watermark_bytes"}},
    {"PEAK HEADROOM", {"xoff_room_watermark_bytes"}},
};

static const struct number_column drops = {
    "DROPS", {"dropped_packets", "dropped", "if_in_discards"}};

#define N_NUMBERS (sizeof numbers / sizeof numbers[0])

/* Returns the counter of an object for a column, NULL if it has none. */
static const struct target_stat *
find_number(const struct target_reading *reading,
            const struct number_column *column)
{
    const struct target_stat *stat = NULL;

    for (size_t i = 0; !stat && column->names[i]; i++) {
        stat = target_reading_find(reading, column->names[i]);
    }
    return stat;
}

/* Fills the next cell with the counter of a column. */
static void
add_number(struct grid *grid, const struct target_reading *reading,
           const struct number_column *column)
{
    const struct target_stat *stat = find_number(reading, column);

    if (stat) {
        grid_number(grid,
                    stat->value > INT64_MAX ? INT64_MAX : (int64_t)stat->value);
    } else {
        grid_text(grid, NULL);
    }
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

/* Stores the columns for which some object has a number, and returns how many
 * there are. */
static size_t
choose_columns(const struct target_reading *const *readings, size_t n,
               const struct number_column **chosen)
{
    size_t n_chosen = 0;

    for (size_t k = 0; k < N_NUMBERS; k++) {
        bool used = false;

        for (size_t i = 0; !used && i < n; i++) {
            used = find_number(readings[i], &numbers[k]) != NULL;
        }
        if (used) {
            chosen[n_chosen++] = &numbers[k];
        }
    }
    return n_chosen;
}

/* Creates the table: the object, the chosen columns, PFC and drops, which are
 * always of interest. */
static struct grid *
create_grid(const struct number_column *const *chosen, size_t n_chosen)
{
    struct grid_column columns[N_NUMBERS + 3];

    columns[0] = (struct grid_column){"BYTES OF", false};
    for (size_t i = 0; i < n_chosen; i++) {
        columns[1 + i] = (struct grid_column){chosen[i]->header, true};
    }
    columns[n_chosen + 1] = (struct grid_column){"PFC", false};
    columns[n_chosen + 2] = (struct grid_column){drops.header, true};
    return grid_create(columns, n_chosen + 3);
}

void
objects_print(const struct target_object *const *objects,
              const struct target_reading *const *readings, size_t n,
              unsigned int indent)
{
    const struct number_column *chosen[N_NUMBERS];
    size_t n_chosen = choose_columns(readings, n, chosen);
    struct grid *grid = create_grid(chosen, n_chosen);

    for (size_t i = 0; i < n; i++) {
        char name[160];

        target_object_text(objects[i], name, sizeof name);
        grid_line(grid);
        grid_text(grid, name);
        for (size_t k = 0; k < n_chosen; k++) {
            add_number(grid, readings[i], chosen[k]);
        }
        add_pfc(grid, readings[i]);
        add_number(grid, readings[i], &drops);
    }
    grid_print(grid, indent);
}
