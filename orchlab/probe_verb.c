/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab probe nic": how an adapter behaves, by experiment. */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "command/grid.h"
#include "lab/builder/nic_folder.h"
#include "lab/exec/run.h"
#include "lab/measure/metric.h"
#include "lab/probe/nic_probe.h"
#include "orchlab/run_folders.h"
#include "orchlab/verb.h"

const struct option probe_options[] = {
    {"quiet", OPTION_FLAG, NULL, 0, 0, "print no progress"},
    RUN_FOLDERS_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* A nic_probe_progress_fn. */
static void
on_progress(void *context, uint32_t n_experiments)
{
    const bool *quiet = context;

    if (!*quiet && isatty(STDERR_FILENO)) {
        (void)fprintf(stderr, "\r%" PRIu32 " experiments ", n_experiments);
    }
}

static double
seconds(int64_t ps)
{
    return (double)ps * 1e-12;
}

static json_t *
probe_json(const char *name, const struct nic_probe *found)
{
    return json_pack(
        "{s:s, s:b, s:f, s:b, s:b, s:I, s:f, s:I, s:f, s:f, s:b, s:s, s:f, "
        "s:I, s:f, s:b, s:I}",
        "name", name, "notifies", (int)found->notifies, "cnp_gap",
        seconds(found->cnp_gap_ps), "cnp_gap_of_qp", (int)found->gap_is_of_qp,
        "reacts", (int)found->reacts, "burst", (json_int_t)found->burst,
        "burst_gap", seconds(found->burst_gap_ps), "packet_bytes",
        (json_int_t)found->wire_bytes, "increase", seconds(found->increase_ps),
        "cut_window", seconds(found->cut_window_ps), "shared_fifo",
        (int)found->shares_fifo, "recovery",
        nic_probe_recovery_name(found->recovery), "recovery_delay",
        seconds(found->recovery_ps), "contexts", (json_int_t)found->contexts,
        "registration", seconds(found->registration_ps), "registration_fence",
        (int)found->registration_fence, "experiments",
        (json_int_t)found->n_experiments);
}

/* Prints a line, "what: value". */
static void
print_line(struct grid *grid, const char *what, const char *value)
{
    grid_line(grid);
    grid_text(grid, what);
    grid_text(grid, value);
}

/* The same of a time; 'none' is the text for 0. */
static void
print_time(struct grid *grid, const char *what, int64_t ps, const char *none)
{
    char text[METRIC_TEXT_SIZE];

    print_line(grid, what,
               ps ? metric_text(seconds(ps), METRIC_SECONDS, text) : none);
}

static void
print_rate(struct grid *grid, const struct nic_probe *found)
{
    char text[64], least[METRIC_TEXT_SIZE];

    if (!found->reacts) {
        print_line(grid, "reaction to CNPs", "none");
        return;
    }
    text_format(text, sizeof text, "%" PRIu32 " packet%s", found->burst,
                found->burst == 1 ? "" : "s");
    print_line(grid, "burst", text);
    text_format(text, sizeof text,
                "gap of a burst of %" PRIu32 "-byte packets at 400 Gb/s",
                found->wire_bytes);
    print_time(grid, text, found->burst_gap_ps, "");
    print_time(grid, "first increase of the rate after a cut",
               found->increase_ps, "later than 2 ms");
    text_format(
        text, sizeof text, "none, or below %s",
        metric_text(seconds(found->least_cut_ps), METRIC_SECONDS, least));
    print_time(grid, "window with one cut", found->cut_window_ps, text);
}

static void
print_probe(const char *name, const struct nic_probe *found)
{
    static const struct grid_column columns[] = {{"what", false},
                                                 {"found", false}};
    struct grid *grid =
        grid_create(columns, sizeof columns / sizeof columns[0]);
    char text[32];

    printf("%s, by %" PRIu32 " experiments:\n", name, found->n_experiments);
    if (found->notifies) {
        print_time(grid, "gap between CNPs", found->cnp_gap_ps,
                   "none: one per marked packet");
        if (found->cnp_gap_ps) {
            print_line(grid, "is of",
                       found->gap_is_of_qp ? "each queue pair" : "the adapter");
        }
    } else {
        print_line(grid, "CNPs", "none");
    }
    print_rate(grid, found);
    print_line(grid, "one FIFO before all rate limiters",
               found->shares_fifo ? "yes" : "no");
    print_line(grid, "sends again", nic_probe_recovery_name(found->recovery));
    print_time(grid, "after", found->recovery_ps, "less than 50 ns");
    text_format(text, sizeof text, "%" PRIu32, found->contexts);
    print_line(grid, "contexts in its cache",
               found->contexts ? text : "more than 8192");
    print_time(grid, "registration of memory", found->registration_ps, "none");
    print_line(grid, "which is a fence",
               found->registration_fence ? "yes" : "no");
    grid_print(grid, 0);
}

int
probe_verb(const struct invocation *invocation)
{
    struct arena *arena = arena_create(0);
    struct run_options options = {.configs_dir = NULL};
    struct run_folders folders;
    struct nic_probe found;
    struct nic_file file;
    struct err err = {0};
    bool quiet = verb_flag(invocation, "quiet");
    enum st st = ST_OK;

    if (strcmp(invocation->operands[0], "nic") != 0) {
        st = err_set(&err, ST_INVALID, "usage",
                     "orchlab can probe 'nic', not '%.40s'; chips are probed "
                     "by orchctl breakpoint",
                     invocation->operands[0]);
    }
    run_folders_find(invocation, &folders, &options);
    st = st ? st
            : nic_folder_load_file(invocation->operands[1], arena, &file, &err);
    st =
        st ? st : nic_probe(&file, &options, on_progress, &quiet, &found, &err);
    if (!quiet && isatty(STDERR_FILENO)) {
        (void)fputs("\r\033[K", stderr);
    }
    if (!st && invocation->json) {
        verb_print_json(probe_json(file.name, &found));
    } else if (!st) {
        print_probe(file.name, &found);
    }
    arena_destroy(arena);
    return st ? verb_fail(&err) : LAB_DONE;
}
