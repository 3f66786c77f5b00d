/* SPDX-License-Identifier: Apache-2.0 */

/* What the cells of each table contain. */

#include <config.h>

#include "orchctl/show_tables.h"

#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchctl/json_list.h"

#define PS_PER_NS 1000

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

void
show_table_cell(const struct column *column, const json_t *item, char *buffer,
                size_t size)
{
    cell_fn *cell = column->cell ? column->cell : cell_plain;

    cell(item, column->path, buffer, size);
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

/* A number of picoseconds, in nanoseconds rounded down. */
static void
cell_ps_as_ns(const json_t *item, const char *path, char *buffer, size_t size)
{
    const json_t *ps = json_list_follow(item, path);
    char number[GRID_NUMBER_SIZE];

    text_copy(buffer, size,
              ps ? grid_group(json_integer_value(ps) / PS_PER_NS, number) : "");
}

/* "Ethernet0|3", or only the name of an object without an index. */
static void
cell_place(const json_t *item, const char *path, char *buffer, size_t size)
{
    const char *name = json_string_value(json_list_follow(item, path));

    const json_t *index = json_list_follow(item, "index");

    if (index) {
        text_format(buffer, size, "%s|%lld", name ? name : "?",
                    (long long)json_integer_value(index));
    } else {
        text_copy(buffer, size, name ? name : "?");
    }
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
    {{"PORT", false}, 0, "name", NULL},
    {{"LANES", false}, 3, "lanes", cell_list},
    {{"SPEED", true}, 1, "speed", cell_speed},
    {{"ADMIN", false}, 0, "admin", cell_up},
    {{"OPER", false}, 0, "oper", NULL},
    {{"MAX FRAME (B)", true}, 4, "mtu", NULL},
    {{"PFC", false}, 0, "pfc_mask", cell_mask},
    {{"TX", false}, 2, "tx_enabled", cell_blocked},
    {{"DSCP MAP", false}, 5, "dscp_to_tc_map", NULL},
};

static const struct column port_counter_columns[] = {
    {{"PORT", false}, 0, "name", NULL},
    {{"RX UNICAST", true}, 2, "stats.if_in_ucast_pkts", NULL},
    {{"RX (B)", true}, 4, "stats.if_in_octets", NULL},
    {{"RX DROPS", true}, 0, "stats.if_in_discards", NULL},
    {{"TX UNICAST", true}, 2, "stats.if_out_ucast_pkts", NULL},
    {{"TX (B)", true}, 3, "stats.if_out_octets", NULL},
    {{"TX DROPS", true}, 0, "stats.if_out_discards", NULL},
    {{"MARKS", true}, 1, "stats.ecn_marked_packets", NULL},
};
static const struct column pool_columns[] = {
    {{"POOL", false}, 0, "name", NULL},
    {{"TYPE", false}, 2, "type", NULL},
    {{"MODE", false}, 3, "mode", NULL},
    {{"SIZE (B)", true}, 0, "size", NULL},
    {{"XOFF (B)", true}, 1, "xoff", NULL},
    {{"USED (B)", true}, 0, "stats.curr_occupancy_bytes", NULL},
    {{"PEAK (B)", true}, 0, "stats.watermark_bytes", NULL},
    {{"PEAK XOFF (B)", true}, 4, "stats.xoff_room_watermark_bytes", NULL},
};

static const struct column profile_columns[] = {
    {{"PROFILE", false}, 0, "name", NULL},
    {{"POOL", false}, 3, "pool", NULL},
    {{"SIZE (B)", true}, 1, "size", NULL},
    {{"THRESHOLD", true}, 0, "mode", cell_threshold},
    {{"XOFF (B)", true}, 0, "xoff", NULL},
    {{"XON (B)", true}, 4, "xon", NULL},
    {{"XON OFFSET (B)", true}, 5, "xon_offset", NULL},
    {{"USED BY", true}, 2, "references", NULL},
};

static const struct column pg_columns[] = {
    {{"PG", false}, 0, "name", cell_place},
    {{"PROFILE", false}, 1, "profile", NULL},
    {{"USED (B)", true}, 0, "stats.curr_occupancy_bytes", NULL},
    {{"PEAK SHARED (B)", true}, 2, "stats.shared_watermark_bytes", NULL},
    {{"PEAK HEADROOM (B)", true}, 3, "stats.xoff_room_watermark_bytes", NULL},
    {{"PFC", false}, 0, "stats.xoff", cell_xoff},
    {{"DROPS", true}, 0, "stats.dropped_packets", NULL},
};

static const struct column queue_columns[] = {
    {{"QUEUE", false}, 0, "name", cell_place},
    {{"PROFILE", false}, 5, "profile", NULL},
    {{"SCHEDULER", false}, 7, "scheduler", NULL},
    {{"WRED", false}, 6, "wred", NULL},
    {{"USED (B)", true}, 0, "stats.curr_occupancy_bytes", NULL},
    {{"PEAK SHARED (B)", true}, 1, "stats.shared_watermark_bytes", NULL},
    {{"SENT", true}, 3, "stats.packets", NULL},
    {{"P50 DELAY (ns)", true}, 9, "stats.p50_delay_ps", cell_ps_as_ns},
    {{"P99 DELAY (ns)", true}, 8, "stats.p99_delay_ps", cell_ps_as_ns},
    {{"PEAK DELAY (ns)", true}, 4, "stats.delay_watermark_ns", NULL},
    {{"MARKS", true}, 2, "stats.wred_ecn_marked_packets", NULL},
    {{"DROPS", true}, 0, "stats.dropped_packets", NULL},
};

static const struct column map_columns[] = {
    {{"MAP", false}, 0, "name", NULL},
    {{"TYPE", false}, 0, "type", NULL},
    {{"USED BY", true}, 1, "references", NULL},
    {{"ENTRIES", false}, 0, "entries", cell_map},
};

static const struct column gap_columns[] = {
    {{"TYPE", false}, 0, "type", NULL},
    {{"ATTRIBUTE", false}, 0, "attribute", NULL},
    {{"OBJECTS", true}, 0, "objects", NULL},
};

static const struct column scheduler_columns[] = {
    {{"SCHEDULER", false}, 0, "name", NULL},
    {{"TYPE", false}, 0, "type", NULL},
    {{"WEIGHT", true}, 0, "weight", NULL},
    {{"IN", false}, 2, "meter_type", NULL},
    {{"CIR (/s)", true}, 3, "cir", NULL},
    {{"CBS", true}, 4, "cbs", NULL},
    {{"PIR (/s)", true}, 0, "pir", NULL},
    {{"PBS", true}, 5, "pbs", NULL},
    {{"USED BY", true}, 1, "references", NULL},
};

static const struct column wred_columns[] = {
    {{"WRED PROFILE", false}, 0, "name", NULL},
    {{"ECN", false}, 0, "ecn", NULL},
    {{"GREEN (B)", true}, 0, "green", cell_colour},
    {{"YELLOW (B)", true}, 2, "yellow", cell_colour},
    {{"RED (B)", true}, 3, "red", cell_colour},
    {{"USED BY", true}, 1, "references", NULL},
};

static const struct column pfc_columns[] = {
    {{"PORT", false}, 0, "name", NULL},
    {{"MODE", false}, 3, "mode", NULL},
    {{"PFC TX", false}, 0, "tx", cell_mode_mask},
    {{"PFC RX", false}, 0, "rx", cell_mode_mask},
    {{"PG MAP", false}, 4, "pfc_to_pg_map", NULL},
    {{"QUEUE MAP", false}, 5, "pfc_to_queue_map", NULL},
    {{"FRAMES IN", true}, 0, "stats.received_frames", NULL},
    {{"PAUSED IN (us)", true}, 1, "stats.received_us", NULL},
    {{"FRAMES OUT", true}, 0, "stats.sent_frames", NULL},
    {{"PAUSED OUT (us)", true}, 2, "stats.sent_us", NULL},
};

static const struct column drop_columns[] = {
    {{"PORT", false}, 0, "port", NULL},
    {{"REASON", false}, 0, "reason", NULL},
    {{"PACKETS", true}, 0, "packets", NULL},
};

static const struct column llr_columns[] = {
    {{"PORT", false}, 0, "port", NULL},
    {{"STATE", false}, 0, "state", NULL},
    {{"PROFILE", false}, 3, "profile", NULL},
    {{"SENDS", false}, 0, "tx_status", NULL},
    {{"RECEIVES", false}, 0, "rx_status", NULL},
    {{"SENT", true}, 1, "tx_ok", NULL},
    {{"REPLAYS", true}, 0, "tx_replay", NULL},
    {{"DISCARDED", true}, 4, "tx_discard", NULL},
    {{"RECEIVED", true}, 2, "rx_ok", NULL},
    {{"BAD", true}, 0, "rx_bad", NULL},
    {{"MISSING", true}, 0, "rx_missing", NULL},
    {{"DUPLICATE", true}, 5, "rx_duplicate", NULL},
};

static const struct column trimming_columns[] = {
    {{"OF", false}, 0, "of", NULL},
    {{"QUEUE", true}, 0, "queue", NULL},
    {{"TRIMMED", true}, 0, "trimmed", NULL},
    {{"SENT", true}, 0, "sent", NULL},
    {{"DROPPED", true}, 0, "dropped", NULL},
    {{"WAITING", true}, 0, "waiting", NULL},
};

static const struct column live_columns[] = {
    {{"OF", false}, 0, "name", cell_place},
    {{"KIND", false}, 0, "kind", NULL},
    {{"PROFILE", false}, 4, "profile", NULL},
    {{"USED (B)", true}, 0, "used", NULL},
    {{"HEADROOM (B)", true}, 2, "headroom", NULL},
    {{"THRESHOLD (B)", true}, 1, "threshold", NULL},
    {{"PEAK (B)", true}, 5, "peak", NULL},
    {{"PFC", false}, 0, "pfc", NULL},
    {{"MARKS", true}, 3, "marks", NULL},
    {{"DROPS", true}, 0, "drops", NULL},
    {{"HISTORY", false}, 1, "history", NULL}, /* Last: only when watching. */
};

static const struct column pause_columns[] = {
    {{"PORT", false}, 0, "port", NULL},
    {{"PRIORITY", false}, 0, "priority", NULL},
    {{"DIRECTION", false}, 0, "direction", NULL},
    {{"FRAMES", true}, 0, "frames", NULL},
    {{"PAUSED (us)", true}, 0, "paused_us", NULL},
    {{"PAUSES", true}, 1, "pauses", NULL},
    {{"LONGEST (us)", true}, 4, "longest_us", NULL},
    {{"LAST (us)", true}, 5, "recent_us", NULL},
    {{"LAST AT", false}, 6, "recent_at", NULL},
    {{"SHARE (ppm)", true}, 3, "share_ppm", NULL},
    {{"ESTIMATED", false}, 2, "estimated", cell_yes},
};

static const struct column watchdog_columns[] = {
    {{"QUEUE", false}, 0, "port", cell_place},
    {{"STATE", false}, 0, "state", NULL},
    {{"DETECTED BY", false}, 1, "detects", NULL},
    {{"ACTION", false}, 0, "action", NULL},
    {{"DETECTION (ms)", true}, 3, "detection_ms", NULL},
    {{"RESTORATION (ms)", true}, 4, "restoration_ms", NULL},
    {{"STORMS", true}, 0, "detected", NULL},
    {{"OVER", true}, 2, "restored", NULL},
    {{"TX DROPPED", true}, 0, "tx_dropped", NULL},
    {{"RX DROPPED", true}, 5, "rx_dropped", NULL},
    {{"LAST TX DROPPED", true}, 6, "last_tx_dropped", NULL},
};

static const struct column watermark_columns[] = {
    {{"OF", false}, 0, "name", cell_place},
    {{"KIND", false}, 0, "kind", NULL},
    {{"CLASS", false}, 0, "class", NULL},
    {{"LAST (B)", true}, 1, "last", NULL},
    {{"USER (B)", true}, 0, "user", NULL},
    {{"PERSISTENT (B)", true}, 2, "persistent", NULL},
    {{"PERIODIC (B)", true}, 3, "periodic", NULL},
};

static const struct column waiting_columns[] = {
    {{"TABLE", false}, 0, "table", NULL},
    {{"KEY", false}, 0, "key", NULL},
    {{"WAITS FOR", false}, 0, "blocked_by", NULL},
    {{"WHY", false}, 0, "reason", NULL},
};

static const struct column sai_columns[] = {
    {{"TYPE", false}, 0, "type", cell_type},
    {{"OPERATION", false}, 0, "op", NULL},
    {{"CALLS", true}, 0, "calls", NULL},
    {{"FAILURES", true}, 0, "failures", NULL},
    {{"P50 (ns)", true}, 2, "p50_ns", NULL},
    {{"P99 (ns)", true}, 0, "p99_ns", NULL},
    {{"MAX (ns)", true}, 1, "max_ns", NULL},
};

#define COLUMNS(columns) columns, sizeof(columns) / sizeof(columns)[0]

static const struct show_table tables[] = {
    {"drops", "drops", NULL,
     "No drop reasons are known: the switch library reports none (softasic "
     "does). orchctl show ports --stats --json has the totals.",
     COLUMNS(drop_columns)},
    {"live", "live", NULL, "Nothing is in use.", COLUMNS(live_columns)},
    {"llr", "llr", NULL,
     "No port has link-level retry: write rows of LLR_PORT (" DOCDIR
     "/reference/schema.md).",
     COLUMNS(llr_columns)},
    {"maps", "maps", "", NULL, COLUMNS(map_columns)},
    {"pauses", "pauses", NULL, "There are no ports on the ASIC.",
     COLUMNS(pause_columns)},
    {"pfc", "pfc", "PORT", NULL, COLUMNS(pfc_columns)},
    {"pgs", "pgs", "BUFFER_PG", NULL, COLUMNS(pg_columns)},
    {"pools", "pools", "BUFFER_POOL", NULL, COLUMNS(pool_columns)},
    {"ports", "ports", "PORT", NULL, COLUMNS(port_columns)},
    {SHOW_TABLE_PORT_COUNTERS, "ports", "PORT", NULL,
     COLUMNS(port_counter_columns)},
    {"profiles", "profiles", "BUFFER_PROFILE", NULL, COLUMNS(profile_columns)},
    {"queues", "queues", "BUFFER_QUEUE", NULL, COLUMNS(queue_columns)},
    {"sai-gaps", "sai_gaps", NULL,
     "Nothing without effect was created or set on this switch.",
     COLUMNS(gap_columns)},
    {"sai-stats", "sai_stats", NULL, "No SAI calls have been made yet.",
     COLUMNS(sai_columns)},
    {"schedulers", "schedulers", "SCHEDULER", NULL, COLUMNS(scheduler_columns)},
    {"trimming", "trimming", NULL, "There are no ports on the ASIC.",
     COLUMNS(trimming_columns)},
    {"waiting", "waiting", NULL, "No rows are waiting.",
     COLUMNS(waiting_columns)},
    {"watchdog", "watchdog", NULL,
     "No queue is watched: add a row PFC_WD|PORT and set pfcwd_sw_enable in "
     "PORT_QOS_MAP|PORT (" DOCDIR "/explanation/watchdog.md).",
     COLUMNS(watchdog_columns)},
    {"watermarks", "watermarks", NULL,
     "There are no objects on the ASIC whose watermarks orchd reads.",
     COLUMNS(watermark_columns)},
    {"wred", "wred", "WRED_PROFILE", "There are no WRED profiles on the ASIC.",
     COLUMNS(wred_columns)},
};

bool
show_table_colour(const struct column *column, const char *text,
                  enum terminal_colour *colour)
{
    static const struct {
        const char *text;
        enum terminal_colour colour;
    } words[] = {{"down", TERMINAL_WARNING},
                 {"blocked", TERMINAL_WARNING},
                 {"XOFF", TERMINAL_WARNING},
                 {"paused", TERMINAL_WARNING},
                 {"stormed", TERMINAL_ALARM}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strcmp(text, words[i].text)) {
            *colour = words[i].colour;
            return true;
        }
    }
    *colour = TERMINAL_ALARM;
    return column->head.number &&
           (strstr(column->path, "dropped") ||
            strstr(column->path, "discards")) &&
           *text && strcmp(text, "0") != 0;
}

const struct show_table *
show_table_find(const char *verb)
{
    size_t i = 0;

    while (strcmp(tables[i].verb, verb) != 0) {
        i++;
        orch_assert(i < sizeof tables / sizeof *tables);
    }
    return &tables[i];
}
