/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl asic ...": block ports, send traffic and pass time interactively. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "breakpoint/target.h"
#include "command/grid.h"
#include "orchctl/diff_verb.h"
#include "orchctl/live_bench.h"
#include "orchctl/member.h"
#include "orchctl/object_table.h"
#include "orchctl/verb.h"

#define FRAMES_MAX INT64_C(100000000)
#define LIMIT      INT64_C(1000000) /* Unless --limit says otherwise. */

/* Returns which of '--from' and '--to' is missing, or NULL. */
static const char *
missing_option(const json_t *arguments)
{
    if (!json_object_get(arguments, "from")) {
        return "from";
    }
    return json_object_get(arguments, "to") ? NULL : "to";
}

/* The request has a count and a condition.  On the command line the user gives
 * either a count, or a condition with a limit. */
static enum st
prepare_send(struct invocation *invocation, struct err *err)
{
    json_t *arguments = invocation->arguments;
    json_t *count = json_object_get(arguments, "count");
    json_t *until = json_object_get(arguments, "until");
    json_t *limit = json_object_get(arguments, "limit");
    const char *missing = missing_option(arguments);

    if (missing) {
        return err_set(err, ST_INVALID, "usage", "asic send needs --%s PORT",
                       missing);
    }
    if (!count == !until) {
        return err_set(err, ST_INVALID, "usage",
                       "asic send needs either --count N or --until xoff|drop");
    }
    if (until && strcmp(json_string_value(until), "xoff") &&
        strcmp(json_string_value(until), "drop")) {
        return err_set(err, ST_INVALID, "usage",
                       "--until must be xoff or drop, not '%s'",
                       json_string_value(until));
    }
    if (limit && !until) {
        return err_set(err, ST_INVALID, "usage",
                       "--limit needs --until; --count is exact");
    }
    if (until) {
        json_object_set_new(
            arguments, "count",
            json_integer(limit ? json_integer_value(limit) : LIMIT));
        json_object_del(arguments, "limit");
    }
    if (json_object_get(arguments, "ecn")) {
        json_object_set_new(arguments, "ecn", json_integer(2));
    }
    return ST_OK;
}

/* Prints in one line how many packets were sent and dropped, and the TC, PG and
 * queue they used. */
static void
print_send(const struct invocation *invocation, const json_t *data)
{
    json_int_t dropped = member_number(data, "dropped_ingress") +
                         member_number(data, "dropped_egress");
    const char *until =
        json_string_value(json_object_get(invocation->arguments, "until"));
    char sent[GRID_NUMBER_SIZE], lost[GRID_NUMBER_SIZE];

    printf("Sent %s, dropped %s", grid_group(member_number(data, "sent"), sent),
           grid_group(dropped, lost));
    if (dropped) {
        printf(" (%lld at ingress, %lld at egress)",
               member_number(data, "dropped_ingress"),
               member_number(data, "dropped_egress"));
    }
    printf(". TC %lld, PG %lld (%s), queue %lld.\n", member_number(data, "tc"),
           member_number(data, "pg"),
           json_is_true(json_object_get(data, "xoff")) ? "XOFF" : "xon",
           member_number(data, "queue"));
    if (until && !json_is_true(json_object_get(data, "reached"))) {
        printf("The condition was not met: %s.\n", until);
    }
}

/* Prints how many frames were transmitted; 0 usually means that a port is
 * blocked. */
static void
print_settle(const struct invocation *invocation, const json_t *data)
{
    const json_int_t n = member_number(data, "transmitted");
    char sent[GRID_NUMBER_SIZE];

    (void)invocation;
    printf("Settled: %s frame%s transmitted.\n", grid_group(n, sent),
           text_plural((uint64_t)n));
}

/* The request takes nanoseconds: the sum of all units given. */
static enum st
prepare_run(struct invocation *invocation, struct err *err)
{
    static const struct {
        const char *name;
        json_int_t ns;
    } units[] = {{"ms", 1000000}, {"us", 1000}, {"ns", 1}};
    json_t *arguments = invocation->arguments;
    json_int_t total = 0;
    bool given = false;

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        json_t *value = json_object_get(arguments, units[i].name);

        given = given || value;
        total += json_integer_value(value) * units[i].ns;
        json_object_del(arguments, units[i].name);
    }
    if (!given) {
        return err_set(err, ST_INVALID, "usage",
                       "asic run needs --ms N, --us N or --ns N");
    }
    json_object_set_new(arguments, "ns", json_integer(total));
    return ST_OK;
}

/* Prints the virtual time, to the nanosecond. */
static void
print_run(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    printf("Time since the switch was created: %.6f ms.\n",
           (double)member_number(data, "now_ps") / 1e9);
}

/* The operand is the argument "port". */
static enum st
prepare_port(struct invocation *invocation, struct err *err)
{
    (void)err;
    json_object_set_new(invocation->arguments, "port",
                        json_string(invocation->operands[0]));
    return ST_OK;
}

/* Prints the frames that left a port, by kind. */
static void
print_received(const struct invocation *invocation, const json_t *data)
{
    static const struct grid_column columns[] = {
        {"DSCP", true},   {"QUEUE", true},      {"CE", false},
        {"FRAMES", true}, {"LENGTH (B)", true},
    };
    struct grid *grid;
    json_t *row;
    size_t i;

    if (!json_array_size(data)) {
        printf("No frames have left %s since the last call.\n",
               invocation->operands[0]);
        return;
    }
    grid = grid_create(columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(data, i, row)
    {
        grid_line(grid);
        grid_number(grid, member_number(row, "dscp"));
        grid_number(grid, member_number(row, "queue"));
        grid_text(grid, json_is_true(json_object_get(row, "ce")) ? "CE" : "");
        grid_number(grid, member_number(row, "frames"));
        grid_number(grid, member_number(row, "bytes"));
    }
    grid_print(grid, 0);
}

/* Parses "pg" "Ethernet0|3" into JSON. */
static enum st
parse_object(const char *word, const char *name, json_t *objects,
             struct err *err)
{
    struct target_object object = {.name = name};
    char *copy = check_strdup(name);
    size_t length = 0;
    enum st st = ST_OK;

    if (!target_kind_find(word, strlen(word), &object.kind)) {
        st = err_set(
            err, ST_INVALID, "usage",
            "'%s' is not a kind of object: expected port, pg, queue or pool",
            word);
    } else if (target_kind_indexed(object.kind)) {
        if (parse_place(name, 255, &length, &object.index)) {
            st = err_set(err, ST_INVALID, "usage",
                         "expected %s 'PORT|INDEX', found '%s'", word, name);
        } else {
            copy[length] = '\0';
            object.name = copy;
        }
    }
    if (!st) {
        json_array_append_new(objects, live_bench_object(&object));
    }
    free(copy);
    return st;
}

/* Reads the operands in pairs; without operands all objects in use are
 * meant. */
static enum st
prepare_snapshot(struct invocation *invocation, struct err *err)
{
    json_t *objects = json_array();
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < invocation->n_operands; i += 2) {
        if (i + 1 == invocation->n_operands) {
            st = err_set(err, ST_INVALID, "usage",
                         "an object is two words: port NAME, pg 'PORT|INDEX', "
                         "queue 'PORT|INDEX' or pool NAME");
        } else {
            st = parse_object(invocation->operands[i],
                              invocation->operands[i + 1], objects, err);
        }
    }
    if (!st && invocation->n_operands) {
        json_object_set(invocation->arguments, "objects", objects);
    }
    json_decref(objects);
    return st;
}

/* Turns the reply into objects and readings and prints them in the same table
 * as breakpoint runs.  Skips unknown kinds, which a newer orchd may have. */
static void
print_snapshot(const struct invocation *invocation, const json_t *data)
{
    const json_t *list = json_object_get(data, "objects");
    size_t n = json_array_size(list);
    struct arena *arena = arena_create(0);
    struct target_object *objects = arena_alloc(arena, n + 1, sizeof *objects);
    struct target_reading *readings =
        arena_alloc(arena, n + 1, sizeof *readings);
    const struct target_object **shown =
        arena_alloc(arena, n + 1, sizeof *shown);
    const struct target_reading **read =
        arena_alloc(arena, n + 1, sizeof *read);
    size_t n_shown = 0;
    json_t *item;
    size_t i;

    (void)invocation;
    json_array_foreach(list, i, item)
    {
        const char *kind = json_string_value(json_object_get(item, "kind"));
        const char *name = json_string_value(json_object_get(item, "name"));

        if (!kind || !name ||
            !target_kind_find(kind, strlen(kind), &objects[i].kind)) {
            continue;
        }
        objects[i].name = name;
        objects[i].index = (unsigned int)member_number(item, "index");
        live_bench_reading(json_object_get(item, "stats"), arena, &readings[i]);
        shown[n_shown] = &objects[i];
        read[n_shown++] = &readings[i];
    }
    if (n_shown) {
        object_table_print(shown, read, NULL, n_shown, 0);
    } else {
        printf(
            "The buffer is empty and has been since the switch was created.\n");
    }
    arena_destroy(arena);
}

static const struct option send_options[] = {
    {"from", OPTION_TEXT, "PORT", 0, 0, "port that the packets enter"},
    {"to", OPTION_TEXT, "PORT", 0, 0, "port that they leave by"},
    {"count", OPTION_NUMBER, "N", 0, FRAMES_MAX, "number of packets"},
    {"until", OPTION_TEXT, "xoff|drop", 0, 0,
     "send until PFC fires or a packet is dropped"},
    {"limit", OPTION_NUMBER, "N", 1, FRAMES_MAX,
     "maximum number of packets with --until (1,000,000)"},
    {"size", OPTION_NUMBER, "BYTES", 60, 16379,
     "packet length without FCS (64)"},
    {"dscp", OPTION_NUMBER, "N", 0, 63, "DSCP (0)"},
    {"ecn", OPTION_FLAG, NULL, 0, 0, "mark the packets ECN-capable, ECT(0)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option run_options[] = {
    {"ms", OPTION_NUMBER, "N", 0, 3600000, "milliseconds"},
    {"us", OPTION_NUMBER, "N", 0, 3600000, "microseconds"},
    {"ns", OPTION_NUMBER, "N", 0, 3600000, "nanoseconds"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option storm_options[] = {
    {"priorities", OPTION_TEXT, "N,...", 0, 0,
     "priorities to pause, or none to stop"},
    {"quanta", OPTION_NUMBER, "N", 0, 65535,
     "pause time in each frame (65535); 0 ends a pause"},
    {"interval_us", OPTION_NUMBER, "N", 1, 3600000,
     "time between two frames (20)"},
    {"count", OPTION_NUMBER, "N", 0, FRAMES_MAX,
     "number of frames; 0: no limit (0)"},
    {"sent", OPTION_FLAG, NULL, 0, 0,
     "the port itself sends them to its peer, as far as it has PFC for these\n"
     "priorities"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb asic_verbs[] = {
    {"asic", "block", "PORT...", 1, 256, NULL,
     "Stop ports from transmitting (SAI PKT_TX_ENABLE)", NULL,
     verb_operand_ports, NULL, NULL},
    {"asic", "clear", "OBJECT...", 2, 512, NULL,
     "Reset the watermarks of objects",
     "OBJECT is two words, as for asic snapshot.\n"
     "Example: orchctl asic clear pg 'Ethernet0|3' queue 'Ethernet4|3'\n",
     prepare_snapshot, NULL, NULL},
    {"asic", "diff", "FILE FILE", 2, 2, NULL,
     "Compare two snapshots of the ASIC",
     "FILE is the output of asic snapshot --json, or a file that breakpoint "
     "run\n--save has written.  Exits with 1 if the snapshots differ.\n",
     NULL, NULL, asic_diff},
    {"asic", "received", "PORT", 1, 1, NULL,
     "Show the frames that have left a port since the last call", NULL,
     prepare_port, print_received, NULL},
    {"asic", "run", "", 0, 0, run_options, "Let time pass on softasic",
     "Example: orchctl asic run --ms 10\n", prepare_run, print_run, NULL},
    {"asic", "send", "", 0, 0, send_options, "Send packets through softasic",
     "The sender ignores pause frames, so that it can fill the "
     "headroom.\nExample: orchctl asic send --from Ethernet0 --to Ethernet4 "
     "--dscp 3 --until xoff\n",
     prepare_send, print_send, NULL},
    {"asic", "settle", "", 0, 0, NULL,
     "Wait until softasic has forwarded all frames that it can forward", NULL,
     NULL, print_settle, NULL},
    {"asic", "snapshot", "[OBJECT...]", 0, 512, NULL,
     "Show buffer usage, watermarks and drops",
     "OBJECT is two words: port NAME, pg 'PORT|INDEX', queue 'PORT|INDEX' or "
     "pool\nNAME; ':' and '.' are accepted for '|'.  The default is all "
     "objects "
     "that are\nor were in use.  --json prints all counters.\nExample: orchctl "
     "asic snapshot pg 'Ethernet0|3' queue 'Ethernet4|3'\n",
     prepare_snapshot, print_snapshot, NULL},
    {"asic", "storm", "PORT", 1, 1, storm_options,
     "Make the peer of a port, or the port, send pause frames while time "
     "passes",
     "They continue until --priorities none stops them.  At a port with a real "
     "interface\nthey arrive as if the other end had sent them; with --sent "
     "they "
     "are real frames on\nthat interface.\nExample: orchctl asic storm "
     "Ethernet4 --priorities 3\n",
     prepare_port, NULL, NULL},
    {"asic", "unblock", "PORT...", 1, 256, NULL, "Let ports transmit again",
     NULL, verb_operand_ports, NULL, NULL},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
