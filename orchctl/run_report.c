/* SPDX-License-Identifier: Apache-2.0 */

/* Prints runs as text and as JSON. */

#include <config.h>

#include "orchctl/run_report.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "command/grid.h"
#include "command/terminal.h"
#include "orchctl/describe.h"
#include "orchctl/json_file.h"
#include "orchctl/object_table.h"

/* The column of the outcome of a step, and the width of a line. */
#define OUTCOME_COLUMN 66
#define LINE_WIDTH     78

#define OBJECTS_MAX 64

static const char *const outcome_names[] = {
    [RUN_PASSED] = "passed",
    [RUN_FAILED] = "failed",
    [RUN_INVALID] = "invalid",
    [RUN_UNREACHABLE] = "unreachable",
};

const char *
run_report_outcome(enum run_outcome outcome)
{
    return outcome_names[outcome];
}

enum run_outcome
run_report_outcome_of(const json_t *run)
{
    const char *name = json_string_value(json_object_get(run, "outcome"));

    for (size_t i = 0; name && i < sizeof outcome_names / sizeof *outcome_names;
         i++) {
        if (!strcmp(outcome_names[i], name)) {
            return (enum run_outcome)i;
        }
    }
    return name && !strcmp(name, "skipped") ? RUN_PASSED : RUN_FAILED;
}

bool
run_report_is_skipped(const json_t *run)
{
    const char *name = json_string_value(json_object_get(run, "outcome"));

    return name && !strcmp(name, "skipped");
}

/* Prints 'text' wrapped to lines of at most LINE_WIDTH, indented by 'indent'
 * blanks. */
static void
print_wrapped(const char *text, size_t indent)
{
    size_t column = 0;

    while (*text) {
        size_t length = strcspn(text, " \n");

        if (column && column + 1 + length > LINE_WIDTH) {
            putchar('\n');
            column = 0;
        }
        if (length) {
            printf("%*s%.*s", column ? 1 : (int)indent, "", (int)length, text);
            column += (column ? 1 : indent) + length;
        }
        text += length;
        text += strspn(text, " \n");
    }
    putchar('\n');
}

/* Prints the name, the file and the description of the scenario. */
static void
on_begin(void *context, const struct scenario *scenario)
{
    (void)context;
    printf("%s: %s\n", scenario->name, scenario->file);
    if (scenario->about) {
        print_wrapped(scenario->about, 2);
    }
}

/* Prints one line: an action or a claim, and its result. */
static void
print_line(size_t number, const char *left, const char *right)
{
    if (number) {
        printf("%3zu  ", number);
    } else {
        printf("     ");
    }
    if (*right) {
        printf("%-*s  %s\n", OUTCOME_COLUMN - 5, left, right);
    } else {
        printf("%s\n", left);
    }
}

/* The common parts of claims about counters and about frames. */
struct shown_claim {
    const char *text;
    const char *since;
    const struct range *range;
    const struct file_position *place;
    const struct target_object *object; /* NULL: frames. */
};

/* Returns claim 'i' of a step, of either kind. */
static struct shown_claim
step_claim(const struct run_step *step, size_t i)
{
    const struct claim *claim;

    if (step->step->kind == STEP_EXPECT_RX) {
        const struct rx_claim *rx = &step->step->rx.claims[i];

        return (struct shown_claim){rx->text, rx->since, &rx->range, &rx->place,
                                    NULL};
    }
    claim = step->step->kind == STEP_WAIT_UNTIL ? step->step->until.claim
                                                : &step->step->expect.claims[i];
    return (struct shown_claim){claim->text, claim->since, &claim->range,
                                &claim->place,
                                &step->scenario->objects[claim->object]};
}

/* Prints the counters of the object of a failed claim, except those that are
 * 0. */
static void
print_counters(const struct run_step *step, const struct target_object *object)
{
    const struct target_reading *reading =
        &step->readings[object - step->scenario->objects];
    struct text text = {0};

    for (size_t i = 0; i < reading->n; i++) {
        if (reading->stats[i].value) {
            text_addf(&text, "%s%s %llu", text.length ? ", " : "",
                      reading->stats[i].name,
                      (unsigned long long)reading->stats[i].value);
        }
    }
    printf("       counters:\n");
    print_wrapped(text.length ? text.bytes : "all counters are zero", 9);
    text_fini(&text);
}

/* Returns the object of the last failed claim before claim 'i', whose counters
 * have been printed, or NULL. */
static const struct target_object *
affected_object(const struct run_step *step, size_t i)
{
    while (i--) {
        if (!step->seen[i].passed) {
            return step_claim(step, i).object;
        }
    }
    return NULL;
}

/* Prints one claim; if it failed, with the expected and the actual value, the
 * position of the claim, and the counters of the object. */
static void
print_claim(const struct run_step *step, size_t i)
{
    struct shown_claim claim = step_claim(step, i);
    const struct run_seen *seen = &step->seen[i];
    char left[400], right[96], number[GRID_NUMBER_SIZE];

    /* Print the actual value unless it is the only expected one. */
    text_format(right, sizeof right, "%s", "ok");
    if (!seen->passed || claim.range->low != claim.range->high) {
        text_format(right, sizeof right, "%s  %s", seen->passed ? "ok" : "FAIL",
                    grid_group(seen->value, number));
    }
    text_format(left, sizeof left, "expect %s%s%s %s", claim.text,
                claim.since ? " since " : "", claim.since ? claim.since : "",
                claim.range->text);
    print_line(i ? 0 : step->number, left, right);
    if (!seen->passed) {
        printf("       expected %s, got %lld\n       at %s:%u:%u\n",
               claim.range->text, (long long)seen->value, claim.place->file,
               claim.place->line, claim.place->column);
        if (claim.object && claim.object != affected_object(step, i)) {
            print_counters(step, claim.object);
        }
    }
}

/* Prints the objects that a snap shows. */
static void
print_objects(const struct run_step *step)
{
    const struct target_object *objects[OBJECTS_MAX];
    const struct target_reading *readings[OBJECTS_MAX], *since[OBJECTS_MAX];
    size_t n = step->step->snap.n_objects;

    n = n > OBJECTS_MAX ? OBJECTS_MAX : n;
    for (size_t i = 0; i < n; i++) {
        size_t object = step->step->snap.objects[i];

        objects[i] = &step->scenario->objects[object];
        readings[i] = &step->readings[object];
        since[i] = step->since ? &step->since[object] : NULL;
    }
    if (n) {
        object_table_print(objects, readings, step->since ? since : NULL, n, 5);
    }
}

/* Returns whether a step is printed claim by claim. */
static bool
expects(const struct step *step)
{
    return step->kind == STEP_EXPECT || step->kind == STEP_EXPECT_PFC ||
           step->kind == STEP_EXPECT_RX || step->kind == STEP_WAIT_UNTIL;
}

/* Prints the counters of an object that have changed since the last print. */
static void
print_changes(const struct target_object *object,
              const struct target_reading *now,
              const struct target_reading *before)
{
    struct text text = {0};
    char name[160];

    for (size_t i = 0; i < now->n; i++) {
        const struct target_stat *stat = &now->stats[i];
        const struct target_stat *was =
            before ? target_reading_find(before, stat->name) : NULL;

        if (stat->value != (was ? was->value : 0)) {
            text_addf(&text, "%s%s %llu -> %llu", text.length ? ", " : ": ",
                      stat->name, (unsigned long long)(was ? was->value : 0),
                      (unsigned long long)stat->value);
        }
    }
    if (text.length) {
        target_object_text(object, name, sizeof name);
        printf("       | %s%s\n", name, text.bytes);
    }
    text_fini(&text);
}

/* Prints the changes that a step has caused in all objects of the scenario. */
static void
print_trace(struct run_report *report, const struct run_step *step)
{
    if (!step->readings) {
        return;
    }
    for (size_t i = 0; i < step->scenario->n_objects; i++) {
        print_changes(&step->scenario->objects[i], &step->readings[i],
                      report->before ? &report->before[i] : NULL);
    }
    report->before = step->readings;
}

static json_t *json_reading(const struct target_reading *reading);

/* Writes a snapshot in the format of "asic snapshot --json".  Keeps the first
 * error. */
static void
save_snapshot(struct run_report *report, const struct run_step *step)
{
    json_t *objects = json_array();
    json_t *snapshot = json_pack("{s:o}", "objects", objects);
    struct text path = {0};
    struct err err;

    for (size_t i = 0; i < step->scenario->n_objects; i++) {
        const struct target_object *object = &step->scenario->objects[i];

        json_array_append_new(
            objects, json_pack("{s:s, s:s, s:i, s:o}", "kind",
                               target_kind_word(object->kind), "name",
                               object->name, "index", (int)object->index,
                               "stats", json_reading(&step->readings[i])));
    }
    text_addf(&path, "%s/%s.%s.json", report->save, step->scenario->name,
              step->step->snap.name);
    if (json_file_write(path.bytes, snapshot, 2, &err) &&
        !report->unsaved.status) {
        report->unsaved = err;
    }
    text_fini(&path);
    json_decref(snapshot);
}

/* Prints the text, the action and the objects of a step, and why it failed. */
static void
on_step(void *context, const struct run_step *step)
{
    struct text left = {0}, right = {0};
    struct run_report *report = context;

    if (step->step->say) {
        putchar('\n');
        print_wrapped(step->step->say, 2);
    }
    if (!expects(step->step) || step->n_seen == 0) {
        describe_step(step->step, &left);
        if (step->step->kind == STEP_SEND &&
            (step->sent.sent || !step->err.status)) {
            describe_sent(&step->sent, &right);
        }
        if (left.length) {
            print_line(step->number, left.bytes, text_string(&right));
        }
    }
    for (size_t i = 0; i < step->n_seen; i++) {
        print_claim(step, i);
    }
    if (step->step->kind == STEP_SNAP && step->readings) {
        print_objects(step);
    }
    if (report->traces) {
        print_trace(report, step);
    }
    if (report->save && step->step->kind == STEP_SNAP && step->readings &&
        step->step->snap.name) {
        save_snapshot(report, step);
    }
    if (step->err.status) {
        printf("       %sFAIL%s  %s\n       at %s:%u:%u\n",
               terminal_begin(TERMINAL_ALARM), terminal_end(), step->err.reason,
               step->place.file, step->place.line, step->place.column);
        if (*step->err.allowed) {
            printf("       there are:\n");
            print_wrapped(step->err.allowed, 9);
        }
        if (*step->err.remedy) {
            printf("       remedy: %s\n", step->err.remedy);
        }
    }
    fflush(stdout);
    text_fini(&left);
    text_fini(&right);
}

/* Prints the outcome as the last line. */
static void
on_end(void *context, const struct scenario *scenario, size_t n_steps,
       enum run_outcome outcome, const struct err *left)
{
    const struct run_report *report = context;

    if (left) {
        printf("       the switch could not be restored: %s\n", left->reason);
    }
    if (outcome == RUN_PASSED && report->unsaved.status) {
        printf("\n%sFAIL%s %s: %s.\n", terminal_begin(TERMINAL_ALARM),
               terminal_end(), scenario->name, report->unsaved.reason);
    } else if (outcome == RUN_PASSED) {
        printf("\n%sPASS%s %s: %zu step%s.\n", terminal_begin(TERMINAL_GOOD),
               terminal_end(), scenario->name, scenario->n_steps,
               text_plural(scenario->n_steps));
    } else {
        printf("\n%sFAIL%s %s: %s at step %zu of %zu.\n",
               terminal_begin(TERMINAL_ALARM), terminal_end(), scenario->name,
               run_report_outcome(outcome), n_steps, scenario->n_steps);
    }
}

struct run_listener
run_report_text(struct run_report *report)
{
    struct run_listener listener = {on_begin, on_step, on_end, report,
                                    report->traces};

    return listener;
}

/* Adds an object for the run to the list; steps are added as they happen. */
static void
json_begin(void *context, const struct scenario *scenario)
{
    json_t *run = json_pack("{s:s, s:s, s:[]}", "name", scenario->name, "file",
                            scenario->file, "steps");

    json_array_append_new(((struct run_report_list *)context)->runs, run);
}

/* Returns the current run, which is the last one. */
static json_t *
json_run(const struct run_report_list *list)
{
    return json_array_get(list->runs, json_array_size(list->runs) - 1);
}

/* Returns the claims of a step with their values, whether they passed or
 * not. */
static json_t *
json_claims(const struct run_step *step)
{
    json_t *list = json_array();

    for (size_t i = 0; i < step->n_seen; i++) {
        struct shown_claim claim = step_claim(step, i);
        json_t *item = json_pack(
            "{s:s, s:s, s:I, s:b, s:i, s:i}", "claim", claim.text, "expected",
            claim.range->text, "seen", (json_int_t)step->seen[i].value,
            "passed", (int)step->seen[i].passed, "line", (int)claim.place->line,
            "column", (int)claim.place->column);

        if (claim.since) {
            json_object_set_new(item, "since", json_string(claim.since));
        }
        json_array_append_new(list, item);
    }
    return list;
}

/* Returns all counters of an object. */
static json_t *
json_reading(const struct target_reading *reading)
{
    json_t *stats = json_object();

    for (size_t i = 0; i < reading->n; i++) {
        json_object_set_new(stats, reading->stats[i].name,
                            json_integer((json_int_t)reading->stats[i].value));
    }
    return stats;
}

/* Returns the objects of the scenario by name. */
static json_t *
json_objects(const struct run_step *step)
{
    json_t *objects = json_object();

    for (size_t i = 0; i < step->scenario->n_objects; i++) {
        char name[160];

        target_object_text(&step->scenario->objects[i], name, sizeof name);
        json_object_set_new(objects, name, json_reading(&step->readings[i]));
    }
    return objects;
}

/* Returns the result of a send. */
static json_t *
json_sent(const struct target_sent *sent)
{
    return json_pack(
        "{s:I, s:I, s:I, s:b, s:b, s:i, s:i}", "sent", (json_int_t)sent->sent,
        "dropped_ingress", (json_int_t)sent->dropped_ingress, "dropped_egress",
        (json_int_t)sent->dropped_egress, "reached", (int)sent->reached, "xoff",
        (int)sent->xoff, "pg", (int)sent->pg, "queue", (int)sent->queue);
}

/* Adds the name of a snapshot, and when it was taken. */
static void
add_snapshot(struct bench *bench, const struct run_step *step, json_t *item)
{
    if (step->step->snap.name) {
        json_object_set_new(item, "snapshot",
                            json_string(step->step->snap.name));
    }
    if (bench->ops->now_ps) {
        json_object_set_new(item, "time_ps",
                            json_integer(bench->ops->now_ps(bench)));
    }
}

/* Adds a step.  Snapshots and failures include counters; other steps do not,
 * because the output would be too long. */
static void
json_step(void *context, const struct run_step *step)
{
    const struct run_report_list *list = context;
    json_t *item =
        json_pack("{s:s, s:i, s:s}", "verb", step_verb(step->step->kind),
                  "line", (int)step->step->place.line, "outcome",
                  run_report_outcome(step->outcome));

    if (step->step->say) {
        json_object_set_new(item, "say", json_string(step->step->say));
    }
    if (step->step->kind == STEP_SEND) {
        json_object_set_new(item, "result", json_sent(&step->sent));
    }
    if (step->step->kind == STEP_SNAP) {
        add_snapshot(list->bench, step, item);
    }
    if (step->n_seen) {
        json_object_set_new(item, "claims", json_claims(step));
    }
    if (step->readings &&
        (step->step->kind == STEP_SNAP || step->outcome != RUN_PASSED)) {
        json_object_set_new(item, "objects", json_objects(step));
    }
    if (step->err.status) {
        json_object_set_new(item, "reason", json_string(step->err.reason));
    }
    json_array_append_new(json_object_get(json_run(list), "steps"), item);
}

/* Adds the outcome to the run. */
static void
json_end(void *context, const struct scenario *scenario, size_t n_steps,
         enum run_outcome outcome, const struct err *left)
{
    (void)scenario;
    (void)n_steps;
    if (left) {
        json_object_set_new(json_run(context), "left",
                            json_string(left->reason));
    }
    json_object_set_new(json_run(context), "outcome",
                        json_string(run_report_outcome(outcome)));
}

struct run_listener
run_report_json(struct run_report_list *list)
{
    struct run_listener listener = {json_begin, json_step, json_end, list,
                                    false};

    return listener;
}
