/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl show ...": prints the state of the ASIC as tables, which it sorts,
 * filters and repeats. */

#include <config.h>

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "command/grid.h"
#include "command/terminal.h"
#include "orchctl/buffer_verb.h"
#include "orchctl/env_verb.h"
#include "orchctl/json_list.h"
#include "orchctl/live_history.h"
#include "orchctl/live_list.h"
#include "orchctl/settings_verbs.h"
#include "orchctl/show_tables.h"
#include "orchctl/status_verb.h"
#include "orchctl/techsupport_verb.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"

/* The options that orchctl applies to a list itself. */
struct shape {
    const struct column *sort; /* NULL: keep the order. */
    bool nonzero;
    bool all;          /* Of "show live": also what is idle. */
    int watch_seconds; /* 0: once. */
    json_t *histories; /* live_history.h; NULL: show no histories. */
};

/* Prints a list of objects, one line each. */
static void
print_list(const json_t *list, const struct column *columns, size_t n)
{
    struct grid_column heads[SHOW_TABLE_COLUMNS_MAX];
    unsigned int ranks[SHOW_TABLE_COLUMNS_MAX];
    struct grid *grid;
    json_t *item;
    size_t i;

    orch_assert(n <= SHOW_TABLE_COLUMNS_MAX);
    for (i = 0; i < n; i++) {
        heads[i] = columns[i].head;
        ranks[i] = columns[i].rank;
    }
    grid = grid_create(heads, n);
    grid_fit(grid, ranks);
    json_array_foreach(list, i, item)
    {
        grid_line(grid);
        for (size_t k = 0; k < n; k++) {
            enum terminal_colour colour;
            char buffer[1024];

            show_table_cell(&columns[k], item, buffer, sizeof buffer);
            grid_text(grid, buffer);
            if (show_table_colour(&columns[k], buffer, &colour)) {
                grid_colour(grid, colour);
            }
        }
    }
    grid_print(grid, 0);
}

static const struct show_table *
find_view(const struct invocation *invocation)
{
    const char *verb = invocation->verb->verb;

    return show_table_find(!strcmp(verb, "ports") &&
                                   verb_flag(invocation, "stats")
                               ? SHOW_TABLE_PORT_COUNTERS
                               : verb);
}

/* Returns whether the verb is "show live", whose reply has no list. */
static bool
is_live(const struct invocation *invocation)
{
    return !strcmp(invocation->verb->verb, "live");
}

/* Prints a reply as a table, or that its list is empty, and how many rows are
 * not applied. */
static void
print_view(const struct invocation *invocation, const json_t *data)
{
    const struct shape *shape = invocation->context;
    const struct show_table *view = find_view(invocation);
    const json_t *list = json_object_get(data, view->list);
    const long long missing =
        (long long)json_integer_value(json_object_get(data, "not_applied"));
    const char *uncounted =
        json_string_value(json_object_get(data, "uncounted"));

    if (json_array_size(list)) {
        /* The last column of "show live" has the histories. */
        print_list(list, view->columns,
                   view->n - (is_live(invocation) && !shape->histories));
    } else if (view->none) {
        printf("%s\n", view->none);
    } else {
        printf("There are no %s on the ASIC.\n", view->list);
    }
    if (uncounted) {
        printf("%s\n", uncounted);
    }
    if (view->table && missing) {
        printf("%lld row%s not applied: see orchctl config status %s\n",
               missing, missing == 1 ? " is" : "s are", view->table);
    }
    if (!strcmp(view->verb, "sai-stats")) {
        printf("Calls refused before they reached the library: %lld.\n",
               (long long)json_integer_value(json_object_get(data, "refused")));
    }
}

/* Sorting, filtering, watching ------------------------------------------ */

/* Returns whether a column is a counter, which --nonzero considers. */
static bool
is_count(const struct show_table *view, const struct column *column)
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
find_column(const struct show_table *view, const char *name,
            const struct column **column)
{
    struct err err;
    struct choices choices;
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
    choices_init(&choices, name);
    choices_add_list(&choices, text_string(&names));
    (void)choices_explain(&choices, "sort", &err);
    verb_complain(&err);
    text_fini(&names);
    return false;
}

static json_t *
filter_list(const json_t *list, const struct show_table *view)
{
    const char *paths[SHOW_TABLE_COLUMNS_MAX];
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
    shape->all = false;
    if (is_live(invocation)) {
        shape->all = json_object_get(arguments, "all") != NULL;
        json_object_del(arguments, "all");
    }
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
    enum { OTHERS = 8 }; /* Lines of a picture besides the list. */
    const size_t height = terminal_height();

    if (invocation->json || !shape->watch_seconds || !isatty(STDOUT_FILENO)) {
        return SIZE_MAX;
    }
    fputs(begin, stdout);
    printf("orchctl show %s, every %d s (end with Ctrl-C)\n\n",
           invocation->verb->verb, shape->watch_seconds);
    if (!height) {
        return SIZE_MAX;
    }
    return height > OTHERS ? height - OTHERS : 1;
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

/* Says which groups are not polled, so that cells are empty. */
static void
print_not_polled(const json_t *list)
{
    struct text groups = {0};
    json_t *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        const char *group =
            json_string_value(json_object_get(item, "not_polled"));
        char row[64];

        group =
            group
                ? group
                : json_string_value(json_list_follow(item, "stats.not_polled"));
        text_format(row, sizeof row, "FLEX_COUNTER_TABLE|%s",
                    group ? group : "");
        if (group && !strstr(text_string(&groups), row)) {
            text_add_item(&groups, ", ", row);
        }
    }
    if (groups.length) {
        printf("- is not known.  Not polled: enable %s\n",
               text_string(&groups));
    }
    text_fini(&groups);
}

/* Prints a reply with the options applied, as a table or as JSON. */
static void
print_shaped(const struct invocation *invocation, json_t *data)
{
    const struct shape *shape = invocation->context;
    const struct show_table *view = find_view(invocation);
    const size_t room = begin_picture(invocation, shape);
    const json_t *list;
    json_t *all;
    size_t n;

    if (is_live(invocation) && !invocation->json) {
        json_object_set_new(data, view->list, live_list(data, shape->all));
        if (shape->histories) {
            live_history_note(shape->histories,
                              json_object_get(data, view->list),
                              terminal_has_blocks());
        }
    }
    list = json_object_get(data, view->list);
    all = json_incref(json_object_get(data, view->list));
    n = json_array_size(list);
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
    if (!invocation->json) {
        print_not_polled(all);
    }
    json_decref(all);
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
    if (is_live(invocation)) {
        (void)verb_operand_ports(invocation, &err);
    } else {
        (void)verb_operand_name(invocation, &err);
    }
    invocation->context = &shape;
    if (!shape.watch_seconds) {
        return verb_ask(invocation, print_shaped);
    }
    (void)setvbuf(stdout, picture, _IOFBF, sizeof picture);
    shape.histories = is_live(invocation) ? json_object() : NULL;
    do {
        const struct timespec time = {.tv_sec = shape.watch_seconds};

        code = verb_ask(invocation, print_shaped);
        end_picture(invocation);
        if (code == CONTROL_DONE) {
            (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
        }
    } while (code == CONTROL_DONE && !ferror(stdout));
    json_decref(shape.histories);
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
    {"stats", OPTION_FLAG, NULL, 0, 0,
     "show packets, bytes, drops and ECN marks; with --json all counters"},
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

static const struct option gap_options[] = {
    {"all", OPTION_FLAG, NULL, 0, 0, "include what nobody has created or set"},
    SORT,
    WATCH,
    END,
};

static const struct option live_options[] = {
    {"all", OPTION_FLAG, NULL, 0, 0, "include what is idle"},
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

static const struct option techsupport_options[] = {
    {"log", OPTION_TEXTS, "FILE", 0, 0,
     "also pack this log file; may be repeated"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb show_verbs[] = {
    {"show", "buffer", "[PORT...]", 0, SIZE_MAX, buffer_verb_options,
     "Show what the buffer holds now as bars, or draw it",
     "Pools by guaranteed, shared, headroom and free, with the peak; lossless "
     "PGs that\nhold something against the fill at which they assert XOFF now. "
     " PORT chooses\nPGs.  A picture needs gnuplot.  The JSON is that of show "
     "live.\nExample: orchctl show buffer --plot buffer.svg\n",
     NULL, NULL, buffer_verb_run},
    SHOW("drops", "[PORT]", 1, count_options,
         "Show packets that ports dropped, by reason"),
    {"show", "env", "", 0, 0, NULL,
     "Print what a shell needs to run SONiC's tools on the private Redis",
     "\"orchctl env\" is the same.  For eval: three variables and the function "
     "sonic_run,\nwhich runs a command where /var/run/redis is the directory "
     "of "
     "--redis spawn\n(" DOCDIR "/reference/sonic-tools.md).\n"
     "Example: eval \"$(orchctl env)\" && sonic_run sonic-db-cli PING\n",
     NULL, NULL, env_verb_run},
    {"show", "live", "[PORT...]", 0, SIZE_MAX, live_options,
     "Show what the buffer holds now: pools, and what is in use",
     "A threshold is shown while something is held.  The JSON has columns of "
     "numbers\n(" DOCDIR "/reference/http.md).\n",
     NULL, NULL, run_show},
    SHOW("llr", "[PORT]", 1, count_options,
         "Show link-level retry: profiles, states and replays of ports"),
    SHOW("maps", "[NAME]", 1, list_options, "Show QoS maps"),
    SHOW("pauses", "[PORT]", 1, count_options,
         "Show how long the priorities of ports were paused"),
    SHOW("pfc", "[PORT]", 1, count_options,
         "Show PFC of ports: priorities, frames and pause times"),
    SHOW("pgs", "[PORT|PG]", 1, place_options,
         "Show ingress priority groups with watermarks and drops"),
    SHOW("pools", "[POOL]", 1, count_options,
         "Show buffer pools and their usage"),
    SHOW("ports", "[PORT]", 1, port_options, "Show ports"),
    SHOW("profiles", "[PROFILE]", 1, list_options, "Show buffer profiles"),
    SHOW("queues", "[PORT|QUEUE]", 1, place_options,
         "Show egress queues with watermarks and drops"),
    {"show", "sai-gaps", "", 0, 0, gap_options,
     "Show what the switch has accepted and does not simulate",
     "OBJECTS without an attribute are those of a type that have no effect; "
     "with "
     "one,\nthose on which it was set.  Only softasic says so; of the libsai "
     "of a "
     "vendor it is\nnot known.\n",
     NULL, NULL, run_show},
    SHOW("sai-stats", "", 0, list_options,
         "Show number, failures and latency of SAI calls"),
    SHOW("schedulers", "[SCHEDULER]", 1, list_options,
         "Show schedulers: weights and rates"),
    {"show", "settings", "", 0, 0, NULL,
     "Show the settings of orchd and where each value comes from",
     "FROM is file:line, a variable of the environment, an option, or "
     "default.  CHANGE\nsays whether orchctl config-file reload takes a new "
     "value over, or orchd has to\nbe restarted.\n",
     NULL, settings_verbs_print, NULL},
    {"show", "status", "", 0, 0, NULL,
     "Show what orchd is and works on: switch, chip, Redis, rows, counters",
     "\"orchctl status\" is the same.\n", NULL, status_verb_print, NULL},
    {"show", "techsupport", "[FILE]", 0, 1, techsupport_options,
     "Pack status, configuration, ASIC, counters and logs for a bug report",
     "\"orchctl techsupport\" is the same.  FILE is an archive, .tar.xz or "
     ".tar.gz; the\ndefault is a name with host and time in this directory.  "
     "Without a running orchd\nit has what else there is, and says what is "
     "missing.  Secrets are masked.\n",
     NULL, NULL, techsupport_verb},
    SHOW("trimming", "[PORT]", 1, count_options,
         "Show trimmed packets of ports, and of queues that have trimmed some"),
    SHOW("waiting", "", 0, list_options,
         "Show waiting rows and what they wait for"),
    SHOW("watchdog", "[PORT|QUEUE]", 1, count_options,
         "Show the queues of the PFC watchdog and their storms"),
    SHOW("watermarks", "[PORT|PG|QUEUE|POOL]", 1, count_options,
         "Show watermarks of priority groups, queues and pools"),
    SHOW("wred", "[PROFILE]", 1, list_options,
         "Show WRED profiles: thresholds for marking and dropping"),
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
