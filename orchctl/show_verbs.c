/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl show ...": prints the state of the ASIC as tables.
 *
 * A table is a list of columns: a heading, the path of the value in orchd's
 * reply, and a function that formats it. --json prints the reply itself, so a
 * script can get everything that a column shows. */

#include <config.h>

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "orchctl/grid.h"
#include "orchctl/json_list.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"

/* Writes the text of a cell for 'item' into 'buffer'. */
typedef void cell_fn(const json_t *item, const char *path, char *buffer,
                     size_t size);

/* A column: its header, the path of its value in an item ("stats.dropped"), and
 * the function that formats it (NULL: cell_plain). */
struct column {
    struct grid_column head;
    const char *path; /* Member names separated by dots. */
    cell_fn *cell;    /* Formats the value. */
};

/* The value unchanged. */
static void
cell_plain(const json_t *item, const char *path, char *buffer, size_t size)
{
    const json_t *value = json_list_follow(item, path);

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

    json_array_foreach(json_list_follow(item, path), i, value)
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
    json_int_t mask = json_integer_value(json_list_follow(item, path));
    struct text text = {0};

    for (int i = 0; i < 8; i++) {
        if (mask & (1 << i)) {
            text_addf(&text, "%s%d", text.length ? "," : "", i);
        }
    }
    text_copy(buffer, size, text_string(&text));
    text_fini(&text);
}

/* The administrative state of a port. */
static void
cell_up(const json_t *item, const char *path, char *buffer, size_t size)
{
    const json_t *value = json_list_follow(item, path);

    text_copy(buffer, size,
              json_is_true(value)    ? "up"
              : json_is_false(value) ? "down"
                                     : "");
}

/* "blocked", or "on" for all other ports. */
static void
cell_blocked(const json_t *item, const char *path, char *buffer, size_t size)
{
    text_copy(buffer, size,
              json_is_false(json_list_follow(item, path)) ? "blocked" : "on");
}

/* A speed in Mb/s as "100G". */
static void
cell_speed(const json_t *item, const char *path, char *buffer, size_t size)
{
    json_int_t mbps = json_integer_value(json_list_follow(item, path));

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
    const json_t *xoff = json_list_follow(item, path);

    if (!json_integer_value(json_list_follow(item, "stats.lossless"))) {
        text_copy(buffer, size, "");
    } else {
        text_copy(buffer, size, json_integer_value(xoff) ? "XOFF" : "xon");
    }
}

/* "Ethernet0.3" */
static void
cell_place(const json_t *item, const char *path, char *buffer, size_t size)
{
    const char *name = json_string_value(json_list_follow(item, path));

    text_format(buffer, size, "%s.%lld", name ? name : "?",
                (long long)json_integer_value(json_list_follow(item, "index")));
}

/* The threshold of a profile: "alpha 2^-3" or bytes, as its mode says. */
static void
cell_threshold(const json_t *item, const char *path, char *buffer, size_t size)
{
    const char *mode = json_string_value(json_list_follow(item, path));
    const json_t *dynamic = json_list_follow(item, "dynamic_th");
    char number[GRID_NUMBER_SIZE];

    if (mode && !strcmp(mode, "dynamic") && dynamic) {
        text_format(buffer, size, "alpha 2^%lld",
                    (long long)json_integer_value(dynamic));
    } else if (json_list_follow(item, "static_th")) {
        text_format(
            buffer, size, "%s B",
            grid_group(json_integer_value(json_list_follow(item, "static_th")),
                       number));
    } else {
        text_copy(buffer, size, mode ? mode : "");
    }
}

/* The entries of a map, merged if they have the same value: "0-2 > 1". */
static void
cell_map(const json_t *item, const char *path, char *buffer, size_t size)
{
    const json_t *entries = json_list_follow(item, path);
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

/* The thresholds of a colour: "1,048,576-2,097,152 5 %", in parentheses if the
 * profile does not drop it. */
static void
cell_colour(const json_t *item, const char *path, char *buffer, size_t size)
{
    char name[32], min[GRID_NUMBER_SIZE], max[GRID_NUMBER_SIZE];
    bool drops;

    text_format(name, sizeof name, "%s_enable", path);
    drops = json_is_true(json_list_follow(item, name));
    text_format(name, sizeof name, "%s_min", path);
    grid_group(json_integer_value(json_list_follow(item, name)), min);
    text_format(name, sizeof name, "%s_max", path);
    grid_group(json_integer_value(json_list_follow(item, name)), max);
    text_format(name, sizeof name, "%s_probability", path);
    text_format(buffer, size, "%s%s-%s %lld %%%s", drops ? "" : "(", min, max,
                (long long)json_integer_value(json_list_follow(item, name)),
                drops ? "" : ")");
}

/* A mask that applies only in the mode of its name. */
static void
cell_mode_mask(const json_t *item, const char *path, char *buffer, size_t size)
{
    const char *mode = json_string_value(json_list_follow(item, "mode"));
    bool combined = !mode || !strcmp(mode, "combined");

    cell_mask(item, combined ? "both" : path, buffer, size);
}

/* "yes" if true, else empty. */
static void
cell_yes(const json_t *item, const char *path, char *buffer, size_t size)
{
    text_copy(buffer, size,
              json_is_true(json_list_follow(item, path)) ? "yes" : "");
}

/* "SAI_OBJECT_TYPE_QUEUE" as "QUEUE". */
static void
cell_type(const json_t *item, const char *path, char *buffer, size_t size)
{
    static const char prefix[] = "SAI_OBJECT_TYPE_";
    const char *type = json_string_value(json_list_follow(item, path));

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
    {{"PFC TX", false}, "tx", cell_mode_mask},
    {{"PFC RX", false}, "rx", cell_mode_mask},
    {{"PG MAP", false}, "pfc_to_pg_map", NULL},
    {{"QUEUE MAP", false}, "pfc_to_queue_map", NULL},
    {{"FRAMES IN", true}, "stats.received_frames", NULL},
    {{"PAUSED IN (us)", true}, "stats.received_us", NULL},
    {{"FRAMES OUT", true}, "stats.sent_frames", NULL},
    {{"PAUSED OUT (us)", true}, "stats.sent_us", NULL},
};

static const struct column drop_columns[] = {
    {{"PORT", false}, "port", NULL},
    {{"REASON", false}, "reason", NULL},
    {{"PACKETS", true}, "packets", NULL},
};

static const struct column pause_columns[] = {
    {{"PORT", false}, "port", NULL},
    {{"PRIORITY", false}, "priority", NULL},
    {{"DIRECTION", false}, "direction", NULL},
    {{"FRAMES", true}, "frames", NULL},
    {{"PAUSED (us)", true}, "paused_us", NULL},
    {{"PAUSES", true}, "pauses", NULL},
    {{"LONGEST (us)", true}, "longest_us", NULL},
    {{"SHARE (ppm)", true}, "share_ppm", NULL},
    {{"ESTIMATED", false}, "estimated", cell_yes},
};

static const struct column watchdog_columns[] = {
    {{"QUEUE", false}, "port", cell_place},
    {{"STATE", false}, "state", NULL},
    {{"DETECTED BY", false}, "detects", NULL},
    {{"ACTION", false}, "action", NULL},
    {{"DETECTION (ms)", true}, "detection_ms", NULL},
    {{"RESTORATION (ms)", true}, "restoration_ms", NULL},
    {{"STORMS", true}, "detected", NULL},
    {{"OVER", true}, "restored", NULL},
    {{"TX DROPPED", true}, "tx_dropped", NULL},
    {{"RX DROPPED", true}, "rx_dropped", NULL},
    {{"LAST TX DROPPED", true}, "last_tx_dropped", NULL},
};

static const struct column watermark_columns[] = {
    {{"OF", false}, "name", NULL},
    {{"KIND", false}, "kind", NULL},
    {{"INDEX", false}, "index", NULL},
    {{"CLASS", false}, "class", NULL},
    {{"LAST (B)", true}, "last", NULL},
    {{"USER (B)", true}, "user", NULL},
    {{"PERSISTENT (B)", true}, "persistent", NULL},
    {{"PERIODIC (B)", true}, "periodic", NULL},
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

/* Prints the list 'name' of 'data', or that it is empty, and how many rows of
 * 'table' are not applied. */
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
        printf("%lld row%s not applied: see orchctl config status %s\n",
               missing, missing == 1 ? " is" : "s are", table);
    }
}

#define COLUMNS(columns) columns, sizeof(columns) / sizeof(columns)[0]

/* A table and the verb that shows it. */
static const struct view {
    const char *verb;
    const char *list;  /* In the reply. */
    const char *table; /* Of CONFIG_DB; NULL: the list is not of objects. */
    const char *none;  /* The message for an empty list. */
    const struct column *columns;
    size_t n;
} views[] = {
    {"drops", "drops", NULL,
     "No drop reasons are known: they need softasic and, for ports, "
     "FLEX_COUNTER_TABLE|PORT_BUFFER_DROP to be enabled.",
     COLUMNS(drop_columns)},
    {"maps", "maps", "", NULL, COLUMNS(map_columns)},
    {"pauses", "pauses", NULL,
     "No port is polled: enable FLEX_COUNTER_TABLE|PORT.",
     COLUMNS(pause_columns)},
    {"pfc", "pfc", "PORT", NULL, COLUMNS(pfc_columns)},
    {"pgs", "pgs", "BUFFER_PG", NULL, COLUMNS(pg_columns)},
    {"pools", "pools", "BUFFER_POOL", NULL, COLUMNS(pool_columns)},
    {"ports", "ports", "PORT", NULL, COLUMNS(port_columns)},
    {"profiles", "profiles", "BUFFER_PROFILE", NULL, COLUMNS(profile_columns)},
    {"queues", "queues", "BUFFER_QUEUE", NULL, COLUMNS(queue_columns)},
    {"sai-stats", "sai_stats", NULL, "No SAI calls have been made yet.",
     COLUMNS(sai_columns)},
    {"schedulers", "schedulers", "SCHEDULER", NULL, COLUMNS(scheduler_columns)},
    {"waiting", "waiting", NULL, "No rows are waiting.",
     COLUMNS(waiting_columns)},
    {"watchdog", "watchdog", NULL,
     "No queue is watched: add a row PFC_WD|PORT and set pfcwd_sw_enable in "
     "PORT_QOS_MAP|PORT (" DOCDIR "/explanation/watchdog.md).",
     COLUMNS(watchdog_columns)},
    {"watermarks", "watermarks", NULL,
     "No watermarks are polled: enable PG_WATERMARK, QUEUE_WATERMARK or "
     "BUFFER_POOL_WATERMARK in FLEX_COUNTER_TABLE.",
     COLUMNS(watermark_columns)},
    {"wred", "wred", "WRED_PROFILE", "There are no WRED profiles on the ASIC.",
     COLUMNS(wred_columns)},
};

static const struct view *
find_view(const struct invocation *invocation)
{
    size_t i = 0;

    while (strcmp(views[i].verb, invocation->verb->verb) != 0) {
        i++;
        orch_assert(i < sizeof views / sizeof *views);
    }
    return &views[i];
}

/* Prints a reply as a table. */
static void
print_view(const struct invocation *invocation, const json_t *data)
{
    const struct view *view = find_view(invocation);
    const json_t *list = json_object_get(data, view->list);

    if (view->table) {
        print_table(data, view->list, view->table, view->columns, view->n);
    } else if (json_array_size(list)) {
        print_list(list, view->columns, view->n);
    } else {
        printf("%s\n", view->none);
    }
    if (!strcmp(view->verb, "sai-stats")) {
        printf("Calls refused before they reached the library: %lld.\n",
               (long long)json_integer_value(json_object_get(data, "refused")));
    }
}

/* Sorting, filtering, watching ------------------------------------------ */

/* The options that orchctl applies to a list itself. */
struct shape {
    const struct column *sort; /* NULL: keep the order. */
    bool nonzero;
    int watch_seconds; /* 0: once. */
};

/* Returns whether a column is a counter, which --nonzero considers. */
static bool
is_count(const struct view *view, const struct column *column)
{
    return column->head.number &&
           (!view->table || !strncmp(column->path, "stats.", 6));
}

/* Returns whether 'name' is the name of a column: its header without the unit,
 * in upper or lower case, with '-' for blanks. */
static bool
is_called(const struct column *column, const char *name)
{
    const char *header = column->head.header;

    while (*name && *header && strncmp(header, " (", 2) != 0) {
        const int c = *header == ' ' ? '-' : tolower((unsigned char)*header);

        if (tolower((unsigned char)*name) != c) {
            return false;
        }
        name++;
        header++;
    }
    return !*name && (!*header || !strncmp(header, " (", 2));
}

/* Stores the column called 'name'.  Prints an error and returns false if there
 * is none. */
static bool
find_column(const struct view *view, const char *name,
            const struct column **column)
{
    struct err err;
    struct text names = {0};

    for (size_t i = 0; i < view->n; i++) {
        const char *header = view->columns[i].head.header;

        if (is_called(&view->columns[i], name)) {
            *column = &view->columns[i];
            text_fini(&names);
            return true;
        }
        text_add(&names, i ? ", " : "");
        for (; *header && strncmp(header, " (", 2) != 0; header++) {
            text_add_char(&names, *header == ' '
                                      ? '-'
                                      : (char)tolower((unsigned char)*header));
        }
    }
    err_set(&err, ST_INVALID, "usage", "show %s has no column '%s'", view->verb,
            name);
    err_set_field(&err, "sort", name, text_string(&names));
    verb_complain(&err);
    text_fini(&names);
    return false;
}

static json_t *
filter_list(const json_t *list, const struct view *view)
{
    const char *paths[COLUMNS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < view->n; i++) {
        if (is_count(view, &view->columns[i])) {
            paths[n++] = view->columns[i].path;
        }
    }
    return json_list_nonzero(list, paths, n);
}

/* Moves these options from the arguments to '*shape'.  Prints an error and
 * returns false if they are invalid. */
static bool
take_shape(const struct invocation *invocation, struct shape *shape)
{
    json_t *arguments = invocation->arguments;
    const char *sort = json_string_value(json_object_get(arguments, "sort"));

    shape->nonzero = json_object_get(arguments, "nonzero") != NULL;
    shape->watch_seconds =
        (int)json_integer_value(json_object_get(arguments, "watch"));
    shape->sort = NULL;
    if (sort && !find_column(find_view(invocation), sort, &shape->sort)) {
        return false;
    }
    json_object_del(arguments, "sort");
    json_object_del(arguments, "nonzero");
    json_object_del(arguments, "watch");
    return true;
}

/* Starts a new picture: on a terminal it replaces the old one, otherwise it
 * follows it.  Returns the number of list lines that fit, or SIZE_MAX if there
 * is no limit. */
static size_t
begin_picture(const struct invocation *invocation, const struct shape *shape)
{
    /* Cursor to the top left, clear the screen, cut long lines. */
    static const char begin[] = "\033[H\033[J\033[?7l";
    enum { OTHERS = 6 }; /* Lines of a picture besides the list. */
    struct winsize size;

    if (invocation->json || !shape->watch_seconds || !isatty(STDOUT_FILENO)) {
        return SIZE_MAX;
    }
    fputs(begin, stdout);
    printf("orchctl show %s, every %d s (end with Ctrl-C)\n\n",
           invocation->verb->verb, shape->watch_seconds);
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row) {
        return SIZE_MAX;
    }
    return size.ws_row > OTHERS ? size.ws_row - OTHERS : 1;
}

static void
end_picture(const struct invocation *invocation)
{
    static const char lines_wrap[] = "\033[?7h";

    if (!invocation->json && isatty(STDOUT_FILENO)) {
        fputs(lines_wrap, stdout);
    }
    fflush(stdout);
}

/* Prints 'data' as a table with at most 'room' lines of its list. */
static void
print_within(const struct invocation *invocation, json_t *data, size_t room)
{
    json_t *list = json_object_get(data, find_view(invocation)->list);
    const size_t n = json_array_size(list);

    while (json_array_size(list) > room) {
        (void)json_array_remove(list, json_array_size(list) - 1);
    }
    print_view(invocation, data);
    if (n > room) {
        printf("... and %zu more: use --sort or --nonzero to choose\n",
               n - room);
    }
}

/* Prints a reply with the options applied, as a table or as JSON. */
static void
print_shaped(const struct invocation *invocation, json_t *data)
{
    const struct shape *shape = invocation->context;
    const struct view *view = find_view(invocation);
    const json_t *list = json_object_get(data, view->list);
    const size_t n = json_array_size(list);
    const size_t room = begin_picture(invocation, shape);

    if (list && shape->nonzero) {
        json_object_set_new(data, view->list, filter_list(list, view));
        list = json_object_get(data, view->list);
    }
    if (list && shape->sort) {
        json_object_set_new(data, view->list,
                            json_list_sort(list, shape->sort->path));
        list = json_object_get(data, view->list);
    }
    if (invocation->json) {
        verb_print_json(data);
    } else if (n && !json_array_size(list)) {
        printf("All counters of %zu row%s are zero.\n", n, text_plural(n));
    } else if (list) {
        print_within(invocation, data, room);
    }
}

/* Shows the table once, or repeatedly until orchd refuses or disconnects. */
static int
run_show(struct invocation *invocation)
{
    static char picture[65536]; /* Written at once to avoid flicker. */
    struct shape shape = {0};
    struct err err;
    int code;

    if (!take_shape(invocation, &shape)) {
        return CONTROL_USAGE;
    }
    (void)verb_operand_name(invocation, &err);
    invocation->context = &shape;
    if (!shape.watch_seconds) {
        return verb_ask(invocation, print_shaped);
    }
    (void)setvbuf(stdout, picture, _IOFBF, sizeof picture);
    do {
        const struct timespec time = {.tv_sec = shape.watch_seconds};

        code = verb_ask(invocation, print_shaped);
        end_picture(invocation);
        if (code == CONTROL_DONE) {
            (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
        }
    } while (code == CONTROL_DONE && !ferror(stdout));
    return code;
}

/* Options of lists; NONZERO is for lists with counters. */
#define WATCH                                                                  \
    {                                                                          \
        "watch", OPTION_NUMBER, "SECONDS", 1, 3600,                            \
            "refresh the output every SECONDS seconds"                         \
    }
#define SORT                                                                   \
    {                                                                          \
        "sort", OPTION_TEXT, "COLUMN", 0, 0,                                   \
            "sort by this column: numbers descending, text ascending"          \
    }
#define NONZERO                                                                \
    {                                                                          \
        "nonzero", OPTION_FLAG, NULL, 0, 0,                                    \
            "hide rows whose counters are all zero"                            \
    }
#define END                                                                    \
    {                                                                          \
        NULL, OPTION_FLAG, NULL, 0, 0, NULL                                    \
    }

static const struct option list_options[] = {SORT, WATCH, END};
static const struct option count_options[] = {SORT, NONZERO, WATCH, END};

static const struct option port_options[] = {
    {"stats", OPTION_FLAG, NULL, 0, 0, "include counters (with --json)"},
    SORT,
    WATCH,
    END,
};

static const struct option place_options[] = {
    {"all", OPTION_FLAG, NULL, 0, 0, "include unused ones"},
    SORT,
    NONZERO,
    WATCH,
    END,
};

#define SHOW(verb, operands, n_operands, options, summary)                     \
    {                                                                          \
        "show", verb, operands, 0, n_operands, options, summary, NULL, NULL,   \
            NULL, run_show                                                     \
    }

const struct verb show_verbs[] = {
    SHOW("drops", "[PORT]", 1, count_options,
         "Show packets that ports dropped, by reason"),
    SHOW("maps", "[NAME]", 1, list_options, "Show QoS maps"),
    SHOW("pauses", "[PORT]", 1, count_options,
         "Show how long the priorities of ports were paused"),
    SHOW("pfc", "[PORT]", 1, count_options,
         "Show PFC of ports: priorities, frames and pause times"),
    SHOW("pgs", "[PORT]", 1, place_options,
         "Show ingress priority groups with watermarks and drops"),
    SHOW("pools", "[POOL]", 1, count_options,
         "Show buffer pools and their usage"),
    SHOW("ports", "[PORT]", 1, port_options, "Show ports"),
    SHOW("profiles", "[PROFILE]", 1, list_options, "Show buffer profiles"),
    SHOW("queues", "[PORT]", 1, place_options,
         "Show egress queues with watermarks and drops"),
    SHOW("sai-stats", "", 0, list_options,
         "Show number, failures and latency of SAI calls"),
    SHOW("schedulers", "[SCHEDULER]", 1, list_options,
         "Show schedulers: weights and rates"),
    SHOW("waiting", "", 0, list_options,
         "Show waiting rows and what they wait for"),
    SHOW("watchdog", "[PORT]", 1, count_options,
         "Show the queues of the PFC watchdog and their storms"),
    SHOW("watermarks", "[PORT|POOL]", 1, count_options,
         "Show watermarks of priority groups, queues and pools"),
    SHOW("wred", "[PROFILE]", 1, list_options,
         "Show WRED profiles: thresholds for marking and dropping"),
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
