/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl show ...": tables of what the ASIC says.
 *
 * A table is its columns: a heading, the place of the value in the answer of
 * orchd, and how it is printed.  The answer itself is what --json prints, so a
 * column never shows what a script could not get. */

#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchctl/grid.h"
#include "orchctl/verb.h"

/* Writes what a cell says about 'item' into 'buffer'. */
typedef void cell_fn(const json_t *item, const char *path, char *buffer,
                     size_t size);

/* A column: its header, and where in an item its value is ("stats.dropped");
 * 'cell' makes its text, NULL: as it is. */
struct column {
    struct grid_column head;
    const char *path; /* Names of members, with dots between. */
    cell_fn *cell;    /* Prints what is there. */
};

/* Follows a path of names with dots; NULL if it leads nowhere. */
static const json_t *
follow(const json_t *item, const char *path)
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

/* The value as it is. */
static void
cell_plain(const json_t *item, const char *path, char *buffer, size_t size)
{
    const json_t *value = follow(item, path);

    if (json_is_integer(value)) {
        char number[GRID_NUMBER_SIZE];

        text_copy(buffer, size, grid_group(json_integer_value(value), number));
    } else if (json_is_string(value)) {
        text_copy(buffer, size, json_string_value(value));
    } else {
        text_copy(buffer, size, "");
    }
}

/* A list of numbers: "65,66,67,68". */
static void
cell_list(const json_t *item, const char *path, char *buffer, size_t size)
{
    struct text text = {0};
    size_t i;
    json_t *value;

    json_array_foreach(follow(item, path), i, value)
    {
        text_addf(&text, "%s%lld", i ? "," : "",
                  (long long)json_integer_value(value));
    }
    text_copy(buffer, size, text_string(&text));
    text_fini(&text);
}

/* A mask of priorities: "3,4". */
static void
cell_mask(const json_t *item, const char *path, char *buffer, size_t size)
{
    json_int_t mask = json_integer_value(follow(item, path));
    struct text text = {0};

    for (int i = 0; i < 8; i++) {
        if (mask & (1 << i)) {
            text_addf(&text, "%s%d", text.length ? "," : "", i);
        }
    }
    text_copy(buffer, size, text_string(&text));
    text_fini(&text);
}

/* Booleans of ports. */
static void
cell_up(const json_t *item, const char *path, char *buffer, size_t size)
{
    const json_t *value = follow(item, path);

    text_copy(buffer, size,
              json_is_true(value)    ? "up"
              : json_is_false(value) ? "down"
                                     : "");
}

/* "blocked" stands out only because all others are "on". */
static void
cell_blocked(const json_t *item, const char *path, char *buffer, size_t size)
{
    text_copy(buffer, size,
              json_is_false(follow(item, path)) ? "blocked" : "on");
}

/* Megabits as people say them: "100G". */
static void
cell_speed(const json_t *item, const char *path, char *buffer, size_t size)
{
    json_int_t mbps = json_integer_value(follow(item, path));

    if (mbps && mbps % 1000 == 0) {
        text_format(buffer, size, "%lldG", (long long)(mbps / 1000));
    } else {
        text_format(buffer, size, "%lldM", (long long)mbps);
    }
}

/* Whether a lossless PG pauses its sender. */
static void
cell_xoff(const json_t *item, const char *path, char *buffer, size_t size)
{
    const json_t *xoff = follow(item, path);

    if (!json_integer_value(follow(item, "stats.lossless"))) {
        text_copy(buffer, size, "");
    } else {
        text_copy(buffer, size, json_integer_value(xoff) ? "XOFF" : "xon");
    }
}

/* "Ethernet0.3" */
static void
cell_place(const json_t *item, const char *path, char *buffer, size_t size)
{
    const char *name = json_string_value(follow(item, path));

    text_format(buffer, size, "%s.%lld", name ? name : "?",
                (long long)json_integer_value(follow(item, "index")));
}

/* The threshold of a profile: "alpha 2^-3" or bytes, as its mode says. */
static void
cell_threshold(const json_t *item, const char *path, char *buffer, size_t size)
{
    const char *mode = json_string_value(follow(item, path));
    const json_t *dynamic = follow(item, "dynamic_th");
    char number[GRID_NUMBER_SIZE];

    if (mode && !strcmp(mode, "dynamic") && dynamic) {
        text_format(buffer, size, "alpha 2^%lld",
                    (long long)json_integer_value(dynamic));
    } else if (follow(item, "static_th")) {
        text_format(
            buffer, size, "%s B",
            grid_group(json_integer_value(follow(item, "static_th")), number));
    } else {
        text_copy(buffer, size, mode ? mode : "");
    }
}

/* The entries of a map, those to the same value together: "0-2 > 1". */
static void
cell_map(const json_t *item, const char *path, char *buffer, size_t size)
{
    const json_t *entries = follow(item, path);
    struct text text = {0};
    size_t i = 0, n = json_array_size(entries);

    while (i < n) {
        json_t *entry = json_array_get(entries, i);
        json_int_t from = json_integer_value(json_object_get(entry, "from"));
        json_int_t to = json_integer_value(json_object_get(entry, "to"));
        json_int_t last = from;

        while (++i < n) {
            json_t *next = json_array_get(entries, i);

            if (json_integer_value(json_object_get(next, "to")) != to ||
                json_integer_value(json_object_get(next, "from")) != last + 1) {
                break;
            }
            last++;
        }
        text_addf(&text, "%s%lld", text.length ? "  " : "", (long long)from);
        if (last > from) {
            text_addf(&text, "-%lld", (long long)last);
        }
        text_addf(&text, ">%lld", (long long)to);
    }
    text_copy(buffer, size, text_string(&text));
    text_fini(&text);
}

/* When a colour is dropped or marked: "1,048,576-2,097,152 5 %", in brackets
 * where the profile does not drop it. */
static void
cell_colour(const json_t *item, const char *path, char *buffer, size_t size)
{
    char name[32], min[GRID_NUMBER_SIZE], max[GRID_NUMBER_SIZE];
    bool drops;

    text_format(name, sizeof name, "%s_enable", path);
    drops = json_is_true(follow(item, name));
    text_format(name, sizeof name, "%s_min", path);
    grid_group(json_integer_value(follow(item, name)), min);
    text_format(name, sizeof name, "%s_max", path);
    grid_group(json_integer_value(follow(item, name)), max);
    text_format(name, sizeof name, "%s_probability", path);
    text_format(buffer, size, "%s%s-%s %lld %%%s", drops ? "" : "(", min, max,
                (long long)json_integer_value(follow(item, name)),
                drops ? "" : ")");
}

/* A mask that counts only in the mode of its name. */
static void
cell_mode_mask(const json_t *item, const char *path, char *buffer, size_t size)
{
    const char *mode = json_string_value(follow(item, "mode"));
    bool combined = !mode || !strcmp(mode, "combined");

    cell_mask(item, combined ? "both" : path, buffer, size);
}

/* "SAI_OBJECT_TYPE_QUEUE" is just "QUEUE" in a table of nothing else. */
static void
cell_type(const json_t *item, const char *path, char *buffer, size_t size)
{
    static const char prefix[] = "SAI_OBJECT_TYPE_";
    const char *type = json_string_value(follow(item, path));

    if (type && !strncmp(type, prefix, sizeof prefix - 1)) {
        type += sizeof prefix - 1;
    }
    text_copy(buffer, size, type ? type : "");
}

static const struct column port_columns[] = {
    {{"PORT", false}, "name", NULL},
    {{"LANES", false}, "lanes", cell_list},
    {{"SPEED", true}, "speed", cell_speed},
    {{"ADMIN", false}, "admin", cell_up},
    {{"OPER", false}, "oper", NULL},
    {{"MAX FRAME (B)", true}, "mtu", NULL},
    {{"PFC", false}, "pfc_mask", cell_mask},
    {{"TX", false}, "tx_enabled", cell_blocked},
    {{"DSCP MAP", false}, "dscp_to_tc_map", NULL},
};

static const struct column pool_columns[] = {
    {{"POOL", false}, "name", NULL},
    {{"TYPE", false}, "type", NULL},
    {{"MODE", false}, "mode", NULL},
    {{"SIZE (B)", true}, "size", NULL},
    {{"XOFF (B)", true}, "xoff", NULL},
    {{"USED (B)", true}, "stats.curr_occupancy_bytes", NULL},
    {{"PEAK (B)", true}, "stats.watermark_bytes", NULL},
    {{"PEAK XOFF (B)", true}, "stats.xoff_room_watermark_bytes", NULL},
};

static const struct column profile_columns[] = {
    {{"PROFILE", false}, "name", NULL},
    {{"POOL", false}, "pool", NULL},
    {{"SIZE (B)", true}, "size", NULL},
    {{"THRESHOLD", true}, "mode", cell_threshold},
    {{"XOFF (B)", true}, "xoff", NULL},
    {{"XON (B)", true}, "xon", NULL},
    {{"XON OFFSET (B)", true}, "xon_offset", NULL},
    {{"USED BY", true}, "references", NULL},
};

static const struct column pg_columns[] = {
    {{"PG", false}, "name", cell_place},
    {{"PROFILE", false}, "profile", NULL},
    {{"USED (B)", true}, "stats.curr_occupancy_bytes", NULL},
    {{"PEAK SHARED (B)", true}, "stats.shared_watermark_bytes", NULL},
    {{"PEAK HEADROOM (B)", true}, "stats.xoff_room_watermark_bytes", NULL},
    {{"PFC", false}, "stats.xoff", cell_xoff},
    {{"DROPS", true}, "stats.dropped_packets", NULL},
};

static const struct column queue_columns[] = {
    {{"QUEUE", false}, "name", cell_place},
    {{"PROFILE", false}, "profile", NULL},
    {{"SCHEDULER", false}, "scheduler", NULL},
    {{"WRED", false}, "wred", NULL},
    {{"USED (B)", true}, "stats.curr_occupancy_bytes", NULL},
    {{"PEAK SHARED (B)", true}, "stats.shared_watermark_bytes", NULL},
    {{"SENT", true}, "stats.packets", NULL},
    {{"DROPS", true}, "stats.dropped_packets", NULL},
};

static const struct column map_columns[] = {
    {{"MAP", false}, "name", NULL},
    {{"TYPE", false}, "type", NULL},
    {{"USED BY", true}, "references", NULL},
    {{"ENTRIES", false}, "entries", cell_map},
};

static const struct column scheduler_columns[] = {
    {{"SCHEDULER", false}, "name", NULL},
    {{"TYPE", false}, "type", NULL},
    {{"WEIGHT", true}, "weight", NULL},
    {{"IN", false}, "meter_type", NULL},
    {{"CIR (/s)", true}, "cir", NULL},
    {{"CBS", true}, "cbs", NULL},
    {{"PIR (/s)", true}, "pir", NULL},
    {{"PBS", true}, "pbs", NULL},
    {{"USED BY", true}, "references", NULL},
};

static const struct column wred_columns[] = {
    {{"WRED PROFILE", false}, "name", NULL},
    {{"ECN", false}, "ecn", NULL},
    {{"GREEN (B)", true}, "green", cell_colour},
    {{"YELLOW (B)", true}, "yellow", cell_colour},
    {{"RED (B)", true}, "red", cell_colour},
    {{"USED BY", true}, "references", NULL},
};

static const struct column pfc_columns[] = {
    {{"PORT", false}, "name", NULL},
    {{"MODE", false}, "mode", NULL},
    {{"SENDS", false}, "tx", cell_mode_mask},
    {{"OBEYS", false}, "rx", cell_mode_mask},
    {{"PG MAP", false}, "pfc_to_pg_map", NULL},
    {{"QUEUE MAP", false}, "pfc_to_queue_map", NULL},
};

static const struct column waiting_columns[] = {
    {{"TABLE", false}, "table", NULL},
    {{"KEY", false}, "key", NULL},
    {{"WAITS FOR", false}, "blocked_by", NULL},
    {{"WHY", false}, "reason", NULL},
};

static const struct column sai_columns[] = {
    {{"TYPE", false}, "type", cell_type},
    {{"OPERATION", false}, "op", NULL},
    {{"CALLS", true}, "calls", NULL},
    {{"FAILURES", true}, "failures", NULL},
    {{"P50 (ns)", true}, "p50_ns", NULL},
    {{"P99 (ns)", true}, "p99_ns", NULL},
    {{"MAX (ns)", true}, "max_ns", NULL},
};

#define COLUMNS_MAX 12

/* Prints a list of objects, one line each. */
static void
print_list(const json_t *list, const struct column *columns, size_t n)
{
    struct grid_column heads[COLUMNS_MAX];
    struct grid *grid;
    json_t *item;
    size_t i;

    orch_assert(n <= COLUMNS_MAX);
    for (i = 0; i < n; i++) {
        heads[i] = columns[i].head;
    }
    grid = grid_create(heads, n);
    json_array_foreach(list, i, item)
    {
        grid_line(grid);
        for (size_t k = 0; k < n; k++) {
            cell_fn *cell = columns[k].cell ? columns[k].cell : cell_plain;
            char buffer[1024];

            cell(item, columns[k].path, buffer, sizeof buffer);
            grid_text(grid, buffer);
        }
    }
    grid_print(grid, 0);
}

/* Prints the list 'name' of 'data', or that it is empty; 'table' is where rows
 * that are not applied would be. */
static void
print_table(const json_t *data, const char *name, const char *table,
            const struct column *columns, size_t n)
{
    const json_t *list = json_object_get(data, name);
    long long missing =
        (long long)json_integer_value(json_object_get(data, "not_applied"));

    if (json_array_size(list)) {
        print_list(list, columns, n);
    } else {
        printf("There are no %s on the ASIC.\n", name);
    }
    if (missing) {
        printf("%lld row%s not applied: orchctl config status %s\n", missing,
               missing == 1 ? " is" : "s are", table);
    }
}

#define N(columns) (sizeof(columns) / sizeof(columns)[0])

static void
print_ports(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_table(data, "ports", "PORT", port_columns, N(port_columns));
}

static void
print_pools(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_table(data, "pools", "BUFFER_POOL", pool_columns, N(pool_columns));
}

static void
print_profiles(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_table(data, "profiles", "BUFFER_PROFILE", profile_columns,
                N(profile_columns));
}

static void
print_pgs(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_table(data, "pgs", "BUFFER_PG", pg_columns, N(pg_columns));
}

static void
print_queues(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_table(data, "queues", "BUFFER_QUEUE", queue_columns,
                N(queue_columns));
}

static void
print_maps(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_table(data, "maps", "", map_columns, N(map_columns));
}

static void
print_schedulers(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_table(data, "schedulers", "SCHEDULER", scheduler_columns,
                N(scheduler_columns));
}

static void
print_wred(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_table(data, "wred", "WRED_PROFILE", wred_columns, N(wred_columns));
}

static void
print_pfc(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_table(data, "pfc", "PORT", pfc_columns, N(pfc_columns));
}

/* This list is of rows, not of objects on the ASIC, and empty is good. */
static void
print_waiting(const struct invocation *invocation, const json_t *data)
{
    const json_t *list = json_object_get(data, "waiting");

    (void)invocation;
    if (json_array_size(list)) {
        print_list(list, waiting_columns, N(waiting_columns));
    } else {
        printf("No row is waiting.\n");
    }
}

/* How often the vendor's library was asked for what, and how fast it was. */
static void
print_sai_stats(const struct invocation *invocation, const json_t *data)
{
    const json_t *list = json_object_get(data, "sai_stats");

    (void)invocation;
    if (json_array_size(list)) {
        print_list(list, sai_columns, N(sai_columns));
    } else {
        printf("No SAI call was made yet.\n");
    }
    printf("%lld calls were refused before they reached the library.\n",
           (long long)json_integer_value(json_object_get(data, "refused")));
}

static const struct option port_options[] = {
    {"stats", OPTION_FLAG, NULL, 0, 0, "with counters (in --json)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option place_options[] = {
    {"all", OPTION_FLAG, NULL, 0, 0, "also those that use nothing"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb show_verbs[] = {
    {"show", "maps", "[NAME]", 0, 1, NULL, "Show QoS maps", NULL,
     verb_operand_name, print_maps, NULL},
    {"show", "pfc", "[PORT]", 0, 1, NULL,
     "Show which priorities ports pause and obey", NULL, verb_operand_name,
     print_pfc, NULL},
    {"show", "pgs", "[PORT]", 0, 1, place_options,
     "Show ingress priority groups, their peaks and drops", NULL,
     verb_operand_name, print_pgs, NULL},
    {"show", "pools", "[POOL]", 0, 1, NULL,
     "Show buffer pools and what they hold", NULL, verb_operand_name,
     print_pools, NULL},
    {"show", "ports", "[PORT]", 0, 1, port_options, "Show ports", NULL,
     verb_operand_name, print_ports, NULL},
    {"show", "profiles", "[PROFILE]", 0, 1, NULL, "Show buffer profiles", NULL,
     verb_operand_name, print_profiles, NULL},
    {"show", "queues", "[PORT]", 0, 1, place_options,
     "Show egress queues, their peaks and drops", NULL, verb_operand_name,
     print_queues, NULL},
    {"show", "sai-stats", "", 0, 0, NULL,
     "Show how many SAI calls were made, how many failed, and how fast they "
     "were",
     NULL, NULL, print_sai_stats, NULL},
    {"show", "schedulers", "[SCHEDULER]", 0, 1, NULL,
     "Show schedulers: weights and rates", NULL, verb_operand_name,
     print_schedulers, NULL},
    {"show", "waiting", "", 0, 0, NULL,
     "Show rows that wait for something, and for what", NULL, NULL,
     print_waiting, NULL},
    {"show", "wred", "[PROFILE]", 0, 1, NULL,
     "Show WRED profiles: when queues mark and drop", NULL, verb_operand_name,
     print_wred, NULL},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
