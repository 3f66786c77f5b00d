/* SPDX-License-Identifier: Apache-2.0 */

/* Prints ports, priority groups, queues, pools and flows in one table. */

#include <config.h>

#include "orchctl/object_table.h"

#include <string.h>

#include "base/text.h"
#include "command/grid.h"

#define PS_PER_NS 1000

/* A column of numbers: the first counter of 'names' that an object has. */
struct number_column {
    const char *header;
    const char *names[4];
    bool counts;          /* A monotonic counter. */
    unsigned int divisor; /* Of the value, for the unit of the header; 0: 1. */
};

static const struct number_column numbers[] = {
    {"RX FRAMES", {"rx_frames", "if_in_ucast_pkts"}, true, 0},
    {"TX FRAMES", {"tx_frames", "if_out_ucast_pkts"}, true, 0},
    {"SENT", {"sent"}, true, 0},
    {"RECEIVED", {"received"}, true, 0},
    {"P50 NS", {"p50_latency_ps", "p50_delay_ps"}, false, PS_PER_NS},
    {"P99 NS", {"p99_latency_ps", "p99_delay_ps"}, false, PS_PER_NS},
    {"MAX NS", {"max_latency_ps", "max_delay_ps"}, false, PS_PER_NS},
    {"RESERVED", {"reserved_bytes"}, false, 0},
    {"SHARED", {"shared_bytes", "shared_curr_occupancy_bytes"}, false, 0},
    {"HEADROOM",
     {"headroom_bytes", "xoff_room_curr_occupancy_bytes"},
     false,
     0},
    {"PEAK", {"watermark_bytes"}, false, 0},
    {"PEAK SHARED", {"shared_watermark_bytes"}, false, 0},
    {"PEAK HEADROOM", {"xoff_room_watermark_bytes"}, false, 0},
    {"CE", {"wred_ecn_marked_packets", "ecn_marked_packets", "ce"}, true, 0},
};

static const struct number_column drops = {
    "DROPS", {"dropped_packets", "dropped", "if_in_discards"}, true, 0};

#define N_NUMBERS (sizeof numbers / sizeof numbers[0])

/* Returns the counter of an object for a column, or NULL if it has none. */
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

/* Fills the next cell with the counter of a column, less its value in 'since'
 * if that is not NULL. */
static void
add_number(struct grid *grid, const struct target_reading *reading,
           const struct target_reading *since,
           const struct number_column *column)
{
    const struct target_stat *stat = find_number(reading, column);
    const struct target_stat *before =
        since && column->counts ? find_number(since, column) : NULL;
    uint64_t value = stat ? stat->value : 0;

    if (before && before->value <= value) {
        value -= before->value;
    }
    value /= column->divisor ? column->divisor : 1;
    if (stat) {
        grid_number(grid, value > INT64_MAX ? INT64_MAX : (int64_t)value);
    } else {
        grid_text(grid, NULL);
    }
}

/* Prints the PFC state: whether a PG pauses its sender, or which priorities a
 * port pauses. */
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

/* Stores the columns for which some object has a counter, and returns their
 * number. */
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

/* Returns whether any of 'n' objects uses the buffer. */
static bool
any_buffer(const struct target_object *const *objects, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (objects[i]->kind != TARGET_FLOW &&
            objects[i]->kind != TARGET_PEER) {
            return true;
        }
    }
    return false;
}

/* Creates the table with the object, the chosen columns and, if 'buffers', PFC
 * and drops. */
static struct grid *
create_grid(const struct number_column *const *chosen, size_t n_chosen,
            bool buffers)
{
    struct grid_column columns[N_NUMBERS + 3];

    columns[0] =
        (struct grid_column){buffers ? "BYTES OF" : "FRAMES OF", false};
    for (size_t i = 0; i < n_chosen; i++) {
        columns[1 + i] = (struct grid_column){chosen[i]->header, true};
    }
    columns[n_chosen + 1] = (struct grid_column){"PFC", false};
    columns[n_chosen + 2] = (struct grid_column){drops.header, true};
    return grid_create(columns, n_chosen + (buffers ? 3 : 1));
}

void
object_table_print(const struct target_object *const *objects,
                   const struct target_reading *const *readings,
                   const struct target_reading *const *since, size_t n,
                   unsigned int indent)
{
    const struct number_column *chosen[N_NUMBERS];
    const bool buffers = any_buffer(objects, n);
    size_t n_chosen = choose_columns(readings, n, chosen);
    struct grid *grid = create_grid(chosen, n_chosen, buffers);

    for (size_t i = 0; i < n; i++) {
        const struct target_reading *before = since ? since[i] : NULL;
        char name[160];

        target_object_text(objects[i], name, sizeof name);
        grid_line(grid);
        grid_text(grid, name);
        for (size_t k = 0; k < n_chosen; k++) {
            add_number(grid, readings[i], before, chosen[k]);
        }
        if (buffers) {
            add_pfc(grid, readings[i]);
            add_number(grid, readings[i], before, &drops);
        }
    }
    grid_print(grid, indent);
}
