/* SPDX-License-Identifier: Apache-2.0 */

/* Drives a run and reads commands at breaks. */

#include <config.h>

#include "orchlab/drive.h"

#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"
#include "command/option.h"
#include "orchlab/progress.h"

/* The shortest piece of virtual time, 1 ns. */
#define PIECE_MIN_PS INT64_C(1000)

struct driver {
    const struct drive_target *target;
    const struct drive_options *options;
    int64_t start_ns;
    int64_t piece_ps;
    int64_t least_ps; /* The shortest piece. */
    int64_t goal_ps;  /* Of "continue TIME"; INT64_MAX: none. */
    struct progress reported;
    enum run_state state;
    bool standing; /* Waits for commands. */
    bool moved;    /* Since the last command that was read. */
    bool quit;
    bool released; /* The results file. */
    enum st st;    /* Of saving. */
    struct err *err;
};

static int64_t
now_ns(const struct driver *driver)
{
    return driver->options->now_ns(driver->options->clock) - driver->start_ns;
}

static struct progress
progress_of(const struct driver *driver)
{
    struct progress progress = {.wall_ns = now_ns(driver)};

    driver->target->get_progress(driver->target->context, &progress.run);
    return progress;
}

/* Saves and prints how far the run is. */
static void
report(struct driver *driver, const struct progress *progress)
{
    FILE *file = driver->options->progress;
    char buffer[PROGRESS_SIZE];

    driver->st = driver->target->save(driver->target->context, &progress->run,
                                      driver->err);
    if (file && driver->options->terminal) {
        /* Over the line before; its end is cleared. */
        fprintf(file, "\r%s\033[K",
                progress_text(&driver->reported, progress, buffer));
        fflush(file);
    } else if (file) {
        fprintf(file, "%s\n",
                progress_json(&driver->reported, progress, buffer));
        fflush(file);
    }
    driver->reported = *progress;
}

/* Runs a piece and adapts the length of the next one. */
static void
run_piece(struct driver *driver)
{
    const struct drive_target *target = driver->target;
    const int64_t before_ns = now_ns(driver);
    const int64_t now_ps = target->now_ps(target->context);
    int64_t until_ps = now_ps > INT64_MAX - driver->piece_ps
                           ? INT64_MAX
                           : now_ps + driver->piece_ps;
    int64_t after_ns, took_ns;

    until_ps = until_ps < driver->goal_ps ? until_ps : driver->goal_ps;
    driver->state = target->until(target->context, until_ps);
    driver->moved = true;
    after_ns = now_ns(driver);
    took_ns = after_ns - before_ns;
    if (took_ns < DRIVE_PIECE_NS / 2 && driver->piece_ps < INT64_MAX / 4) {
        driver->piece_ps *= 2;
    } else if (took_ns > DRIVE_PIECE_NS * 2 &&
               driver->piece_ps >= 2 * driver->least_ps) {
        driver->piece_ps /= 2;
    }
    if (after_ns - driver->reported.wall_ns >= DRIVE_REPORT_NS) {
        const struct progress progress = progress_of(driver);

        report(driver, &progress);
    }
    /* A run on several ranks can be behind what one of them asks for. */
    if (driver->state == RUN_RUNNING &&
        target->now_ps(target->context) >= driver->goal_ps) {
        driver->standing = true;
        driver->goal_ps = INT64_MAX;
    }
}

static enum st
do_continue(struct driver *driver, const char *argument, struct err *err)
{
    int64_t goal_ps = INT64_MAX;
    const enum st st =
        *argument ? run_parse_time(argument, &goal_ps, err) : ST_OK;

    if (!st) {
        driver->goal_ps = goal_ps;
        driver->standing = false;
    }
    return st;
}

static enum st
do_step(struct driver *driver, const char *argument, struct err *err)
{
    uint64_t n = 1;

    if (*argument && parse_u64(argument, 1, UINT32_MAX, &n)) {
        return err_set(err, ST_INVALID, "number",
                       "'%.40s' is not a number of events", argument);
    }
    driver->state = driver->target->step(driver->target->context, n);
    driver->moved = true;
    return ST_OK;
}

static enum st
do_set(struct driver *driver, const char *argument, struct err *err)
{
    enum st st;

    if (!driver->target->set) {
        return err_set(err, ST_UNSUPPORTED, "set", "a run cannot be changed");
    }
    st = driver->target->set(driver->target->context, argument, err);
    driver->moved |= !st;
    return st;
}

static enum st
do_break(struct driver *driver, const char *argument, struct err *err)
{
    return driver->target->add_break(driver->target->context, argument, err);
}

static enum st
do_publish(struct driver *driver, const char *argument, struct err *err)
{
    return driver->target->publish
               ? driver->target->publish(driver->target->context, argument, err)
               : err_set(err, ST_UNSUPPORTED, "publish",
                         "switches of this run cannot be published");
}

static enum st
do_release(struct driver *driver, const char *argument, struct err *err)
{
    const struct drive_target *target = driver->target;
    struct run_progress progress;

    (void)argument;
    if (!target->release) {
        return err_set(err, ST_UNSUPPORTED, "release",
                       "this run has no results file");
    }
    target->get_progress(target->context, &progress);
    driver->released = true;
    driver->st = target->release(target->context, &progress, driver->err);
    return ST_OK;
}

static enum st
do_state(struct driver *driver, const char *argument, struct err *err)
{
    (void)driver;
    (void)argument;
    (void)err;
    return ST_OK;
}

static enum st
do_quit(struct driver *driver, const char *argument, struct err *err)
{
    (void)argument;
    (void)err;
    driver->quit = true;
    return ST_OK;
}

static enum st do_help(struct driver *driver, const char *argument,
                       struct err *err);

static const struct {
    const char *name;
    enum st (*carry_out)(struct driver *driver, const char *argument,
                         struct err *err);
    const char *form, *help;
} commands[] = {
    {"continue", do_continue, "continue [TIME]",
     "Let the run go on, to this virtual time (2ms) if it is given"},
    {"step", do_step, "step [N]", "Carry out the next event, or N events"},
    {"break", do_break, "break WHAT",
     "Also stop at a time, drop, pause, mark, or flow N"},
    {"set", do_set, "set SWITCH TABLE|KEY FIELD VALUE",
     "Change a field of a switch's configuration"},
    {"set", do_set, "set SWITCH pfc_response TIME",
     "Change how long a switch takes to obey a pause"},
    {"set", do_set, "set link NODE NODE up|down|loss RATIO|drop_every N",
     "Change a link"},
    {"set", do_set, "set host HOSTS KEY VALUE",
     "Change an adapter: pfc, rx_fifo, pcie, rc, dcqcn, burst ..."},
    {"publish", do_publish, "publish SWITCH|off",
     "Show a switch to orchctl and SONiC's tools, in Redis"},
    {"release", do_release, "release",
     "Close the results file until the next command, to copy it"},
    {"state", do_state, "state", "Show how far the run is"},
    {"help", do_help, "help", "Show these commands"},
    {"quit", do_quit, "quit", "End the run here"},
};

#define N_COMMANDS (sizeof commands / sizeof commands[0])

static enum st
do_help(struct driver *driver, const char *argument, struct err *err)
{
    FILE *output = driver->options->output;

    (void)argument;
    (void)err;
    for (size_t i = 0; i < N_COMMANDS; i++) {
        fprintf(output, "  %s\n        %s\n", commands[i].form,
                commands[i].help);
    }
    return ST_OK;
}

/* Carries out 'line', a command and its argument. */
static enum st
carry_out(struct driver *driver, char *line, struct err *err)
{
    const size_t length = strcspn(line, " ");
    const char *argument = line + length + strspn(line + length, " ");
    struct choices choices;

    line[length] = '\0';
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (!strcmp(commands[i].name, line)) {
            return commands[i].carry_out(driver, argument, err);
        }
    }
    choices_init(&choices, line);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (!i || commands[i].carry_out != commands[i - 1].carry_out) {
            choices_add(&choices, commands[i].name);
        }
    }
    err_set(err, ST_INVALID, "command", "unknown command '%s'", line);
    return choices_explain(&choices, "command", err);
}

/* Returns whether the run cannot go on. */
static bool
has_ended(const struct driver *driver)
{
    return driver->state == RUN_STOPPED || driver->state == RUN_INTERRUPTED ||
           driver->state == RUN_FAILED;
}

/* Says where the run stands, and lets the target look at it. */
static void
stand(struct driver *driver)
{
    const struct drive_target *target = driver->target;
    const struct progress progress = progress_of(driver);
    const char *reason = target->break_reason(target->context);
    char buffer[PROGRESS_SIZE];
    struct err err = {0};

    fprintf(driver->options->output, "%s%s%s\n", reason, *reason ? "; " : "",
            progress_text(&progress, &progress, buffer));
    if (driver->moved && target->stand &&
        target->stand(target->context, &err)) {
        option_complain("orchlab", &err);
    }
    driver->moved = false;
}

/* Reads a line, and opens the results file again if it is released.  Returns
 * whether there is one. */
static bool
read_line(struct driver *driver, char *line, int size)
{
    const struct drive_target *target = driver->target;
    const bool is_read = fgets(line, size, driver->options->input) != NULL;

    if (driver->released) {
        driver->released = false;
        driver->st = target->reopen(target->context, driver->err);
    }
    driver->quit = !is_read;
    return is_read && !driver->st;
}

/* Reads commands until one lets the run go on or ends it. */
static void
read_commands(struct driver *driver)
{
    const struct drive_options *options = driver->options;
    char line[512];

    while (driver->standing && !driver->quit && !driver->st &&
           !has_ended(driver)) {
        struct err err = {0};

        stand(driver);
        fprintf(options->output, "> ");
        fflush(options->output);
        if (!read_line(driver, line, sizeof line)) {
            return;
        }
        line[strcspn(line, "\r\n")] = '\0';
        if (*line && carry_out(driver, line, &err)) {
            option_complain("orchlab", &err);
        }
    }
}

enum st
drive(const struct drive_target *target, const struct drive_options *options,
      enum run_state *state, struct err *err)
{
    const int64_t least = options->piece_ps ? options->piece_ps : PIECE_MIN_PS;
    struct driver driver = {
        .target = target,
        .options = options,
        .start_ns = options->now_ns(options->clock),
        .piece_ps = least,
        .least_ps = least,
        .goal_ps = INT64_MAX,
        .state = RUN_RUNNING,
        .standing = options->interactive,
        .moved = true,
        .err = err,
    };
    struct progress last;

    for (;;) {
        read_commands(&driver);
        if (driver.quit || driver.st || has_ended(&driver)) {
            break;
        }
        run_piece(&driver);
        if (driver.state == RUN_BROKEN) {
            driver.standing = true;
            driver.state = RUN_RUNNING;
        }
    }
    if (!driver.st) {
        last = progress_of(&driver);
        report(&driver, &last);
    }
    if (options->progress && options->terminal) {
        fputc('\n', options->progress);
    }
    *state = driver.quit ? RUN_INTERRUPTED : driver.state;
    return driver.st;
}
