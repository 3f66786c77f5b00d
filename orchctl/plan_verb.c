/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl config plan": shows what orchd would do with a file, without doing
 * it (dry run).
 *
 * The file is loaded into the pipeline with a switch in this process, and the
 * SAI calls that reach this switch are the plan.  With --from another file is
 * loaded first, and the plan consists of the calls that lead from one to the
 * other. */

#include <config.h>

#include "orchctl/plan_verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "command/grid.h"
#include "offline/pipeline.h"
#include "orchctl/member.h"
#include "orchctl/offline_config.h"
#include "orchd/control/protocol.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/resources.h"
#include "orchd/report/findings.h"
#include "orchd/report/object_names.h"
#include "orchd/report/row_answers.h"
#include "orchd/report/unknown_tables.h"
#include "sai/core/status.h"
#include "sai/stack/journal.h"
#include "twin/chip/yaml/chip_file.h"

struct plan_run {
    struct offline_config config;
    struct listener listener;
    struct object_names
        *names; /* Names of all objects, also of removed ones: the calls that
                 * removed them are part of the plan. */
    struct resources before, after;
};

/* --- Names -------------------------------------------------------------- */

static void
on_object(void *context, const struct object_view *object)
{
    struct plan_run *run = context;
    const struct object_name name = {object->name, object->table,
                                     object->index};

    object_names_note(run->names, object->oid, &name);
}

static void
on_attribute(void *context, const struct object_view *object,
             const struct metadata_attribute *attribute,
             const sai_attribute_value_t *value)
{
    (void)attribute;
    (void)value;
    on_object(context, object);
}

/* Uses type and id for an object without a name, for example one whose creation
 * was refused. */
static void
add_name(const struct plan_run *run, sai_object_type_t type,
         sai_object_id_t oid, struct text *text)
{
    if (object_names_add(run->names, oid, text)) {
        return;
    }
    text_add(text, metadata_type_name(type) + strlen("SAI_OBJECT_TYPE_"));
    if (oid != SAI_NULL_OBJECT_ID) {
        text_addf(text, " oid:0x%llx", (unsigned long long)oid);
    }
}

/* --- Calls as JSON ------------------------------------------------------ */

/* Returns the attributes of a call. */
static json_t *
attributes_json(const struct plan_run *run, const struct journal_call *call)
{
    json_t *object = json_object();

    for (uint32_t i = 0; i < call->n; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(call->type, call->attributes[i].id);

        if (meta) {
            json_object_set_new(object, object_names_attribute(meta),
                                object_names_value(run->names, meta,
                                                   &call->attributes[i].value));
        }
    }
    return object;
}

static json_t *
call_json(const struct plan_run *run, const struct journal_call *call)
{
    struct text text = {0};
    char status[64];
    json_t *json;

    add_name(run, call->type, call->oid, &text);
    json =
        json_pack("{s:s, s:s, s:s, s:o}", "op", op_name(call->op), "type",
                  metadata_type_name(call->type), "object", text_string(&text),
                  "attributes", attributes_json(run, call));
    if (call->status != SAI_STATUS_SUCCESS) {
        json_object_set_new(
            json, "refused",
            json_string(status_name(call->status, status, sizeof status)));
    }
    text_fini(&text);
    return json;
}

static json_t *
calls_json(const struct plan_run *run)
{
    size_t n;
    const struct journal_call *calls =
        journal_calls(pipeline_journal(run->config.pipeline), &n);
    json_t *array = json_array();

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(array, call_json(run, &calls[i]));
    }
    return array;
}

/* --- Resources ---------------------------------------------------------- */

static json_t *
resources_json(const struct resources *resources)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "ingress_reserved_bytes",
        (json_int_t)resources->ingress_reserved_bytes, "egress_reserved_bytes",
        (json_int_t)resources->egress_reserved_bytes, "shared_headroom_bytes",
        (json_int_t)resources->shared_headroom_bytes, "headroom_demand_bytes",
        (json_int_t)resources->headroom_demand_bytes, "lossless_pgs",
        (json_int_t)resources->n_lossless, "pools",
        (json_int_t)resources->n_pools, "profiles",
        (json_int_t)resources->n_profiles);
}

/* Returns the buffer size in bytes, or 0 if the switch does not report it. */
static uint64_t
memory_bytes(const struct plan_run *run)
{
    struct sai_backend *backend =
        journal_backend(pipeline_journal(run->config.pipeline));
    sai_attribute_t size = {.id = SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE};

    if (backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id,
                          1, &size) != SAI_STATUS_SUCCESS) {
        return 0;
    }
    return (uint64_t)size.value.u64 * 1024;
}

/* Reports reservations that exceed the chip: a vendor's libsai would refuse
 * them, or traffic would suffer. */
static json_t *
violations_json(const struct plan_run *run, uint64_t memory)
{
    const struct resources *after = &run->after;
    const struct {
        const char *what;
        uint64_t bytes;
    } sums[] = {
        {"at ingress",
         after->ingress_reserved_bytes + after->shared_headroom_bytes},
        {"at egress", after->egress_reserved_bytes},
    };
    json_t *array = json_array();

    for (size_t i = 0; memory && i < sizeof sums / sizeof *sums; i++) {
        if (sums[i].bytes > memory) {
            json_array_append_new(
                array,
                json_sprintf(
                    "%llu bytes are reserved %s, but the chip has only %llu",
                    (unsigned long long)sums[i].bytes, sums[i].what,
                    (unsigned long long)memory));
        }
    }
    return array;
}

/* Returns the lint findings about the result. */
static json_t *
lint_json(const struct plan_run *run)
{
    struct pipeline *pipeline = run->config.pipeline;
    struct chip *chip = NULL;
    struct err no_chip;
    json_t *json;

    if (pipeline_chip(pipeline, &chip, &no_chip)) {
        chip = NULL;
    }
    json = findings_find(pipeline_agent(pipeline),
                         journal_backend(pipeline_journal(pipeline)), chip);
    chip_file_destroy(chip);
    return json;
}

/* --- The verb ----------------------------------------------------------- */

static void
measure(const struct plan_run *run, struct resources *resources)
{
    memset(resources, 0, sizeof *resources);
    agent_each_object(pipeline_agent(run->config.pipeline), resources_add,
                      resources);
}

/* The first configuration is in force: only calls of the next one count. */
static void
run_begin(struct plan_run *run)
{
    measure(run, &run->before);
    journal_clear(pipeline_journal(run->config.pipeline));
}

/* Loads both files; afterwards the journal has the calls of the second one. */
static enum st
run_files(struct plan_run *run, const struct invocation *invocation,
          json_t **tables, struct err *err)
{
    const char *from =
        json_string_value(json_object_get(invocation->arguments, "from"));
    enum st status =
        from ? offline_config_load(&run->config, from, NULL, err) : ST_OK;

    if (!status && from) {
        run_begin(run);
    }
    return status ? status
                  : offline_config_load(&run->config, invocation->operands[0],
                                        tables, err);
}

/* Does the same with the contents of two files. */
static enum st
run_tables(struct plan_run *run, const json_t *from, const json_t *to,
           struct err *err)
{
    enum st status = offline_config_apply(&run->config, from, err);

    if (!status) {
        run_begin(run);
        status = offline_config_apply(&run->config, to, err);
    }
    return status;
}

/* Returns the complete result; '*n_trouble' is the number of rows of the file
 * that would not be applied. */
static json_t *
result_json(struct plan_run *run, const json_t *tables, size_t *n_trouble)
{
    struct row_answers answers = {.tables = tables};
    json_t *json =
        row_answers_find(&answers, pipeline_agent(run->config.pipeline));
    uint64_t memory = memory_bytes(run);

    measure(run, &run->after);
    json_object_set_new(json, "calls", calls_json(run));
    json_object_set_new(json, "resources",
                        json_pack("{s:I, s:o, s:o}", "memory_bytes",
                                  (json_int_t)memory, "before",
                                  resources_json(&run->before), "after",
                                  resources_json(&run->after)));
    json_object_set_new(json, "violations", violations_json(run, memory));
    json_object_set_new(json, "lint", lint_json(run));
    json_object_set_new(json, "unknown_tables", unknown_tables_of(tables));
    *n_trouble = answers.n_trouble;
    return json;
}

/* Appends " SIZE=4096".  Of a map it shows only the number of entries; --json
 * shows them all. */
static void
add_attribute(struct text *text, const char *name, const json_t *value)
{
    const char *string =
        json_is_null(value) ? "none" : json_string_value(value);
    int n;

    if (sscanf(string, "{\"count\":%d", &n) == 1) {
        text_addf(text, " %s=(%d %s)", name, n, n == 1 ? "entry" : "entries");
    } else {
        text_addf(text, " %s=%s", name, string);
    }
}

/* Appends the attributes of a call. */
static void
add_call(struct text *text, const json_t *call)
{
    const char *name;
    json_t *value;

    json_object_foreach(json_object_get(call, "attributes"), name, value)
    {
        add_attribute(text, name, value);
    }
    if (*member_text(call, "refused")) {
        text_addf(text, " (refused: %s)", member_text(call, "refused"));
    }
}

/* A line of the plan: a change of one object, and the number of objects with
 * the same change in the same run of calls.  This keeps the plan readable on a
 * switch with many ports. */
struct line {
    char *what; /* "set SIZE=4096" */
    const char *object;
    size_t n;
    UT_hash_handle hh; /* Keeps the order of the first of each. */
};

/* Prints and frees the lines of a run of calls. */
static void
print_lines(struct line **lines)
{
    struct line *line, *next;

    HASH_ITER(hh, *lines, line, next)
    {
        int op_length = (int)strcspn(line->what, " ");

        printf("  %-6.*s %s%s\n", op_length, line->what, line->object,
               line->what + op_length);
        if (line->n > 1) {
            printf("         and the same for %zu more\n", line->n - 1);
        }
        HASH_DEL(*lines, line);
        free(line->what);
        free(line);
    }
}

/* Adds a line; takes ownership of the contents of 'what'. */
static void
add_line(struct line **lines, const char *object, struct text *what)
{
    struct line *line;

    HASH_FIND_STR(*lines, text_string(what), line);
    if (line) {
        line->n++;
        text_clear(what);
        return;
    }
    line = check_calloc(1, sizeof *line);
    line->what = text_take(what);
    line->object = object;
    line->n = 1;
    HASH_ADD_KEYPTR(hh, *lines, line->what, strlen(line->what), line);
}

/* Returns whether both calls have the same value of a member. */
static bool
same(const json_t *a, const json_t *b, const char *name)
{
    return !strcmp(member_text(a, name), member_text(b, name));
}

/* Prints the calls: one line for all attributes of an object, and one line for
 * all objects with equal attributes within a run of calls with the same
 * operation and type. */
static void
print_calls(const json_t *calls)
{
    struct line *lines = NULL;
    struct text what = {0};
    size_t i;
    json_t *call;

    json_array_foreach(calls, i, call)
    {
        const json_t *next = json_array_get(calls, i + 1);
        bool stretch = same(call, next, "op") && same(call, next, "type");

        if (!what.length) {
            text_add(&what, member_text(call, "op"));
        }
        add_call(&what, call);
        if (!stretch || !same(call, next, "object")) {
            add_line(&lines, member_text(call, "object"), &what);
        }
        if (!stretch) {
            print_lines(&lines);
        }
    }
    text_fini(&what);
}

static void
print_resources(const json_t *resources)
{
    static const struct grid_column columns[] = {
        {"BUFFER (B)", false}, {"BEFORE", true}, {"AFTER", true}};
    static const char *const rows[][2] = {
        {"reserved at ingress", "ingress_reserved_bytes"},
        {"reserved at egress", "egress_reserved_bytes"},
        {"shared headroom", "shared_headroom_bytes"},
        {"headroom of all profiles in use", "headroom_demand_bytes"},
    };
    struct grid *grid = grid_create(columns, 3);
    char memory[GRID_NUMBER_SIZE];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char *const sides[] = {"before", "after"};

        grid_line(grid);
        grid_text(grid, rows[i][0]);
        for (size_t j = 0; j < 2; j++) {
            const json_t *side = json_object_get(resources, sides[j]);

            grid_number(grid,
                        json_integer_value(json_object_get(side, rows[i][1])));
        }
    }
    printf("\nThe chip has %s bytes of buffer.\n",
           grid_group(member_number(resources, "memory_bytes"), memory));
    grid_print(grid, 2);
}

/* Prints the lint warnings in short; they do not affect the exit code. */
static void
print_warnings(const json_t *lint)
{
    size_t i;
    json_t *finding;

    json_array_foreach(json_object_get(lint, "findings"), i, finding)
    {
        json_int_t more = member_number(finding, "n_more");

        if (strcmp(member_text(finding, "level"), "warning") != 0) {
            continue;
        }
        printf("\nWarning: %s", member_text(finding, "row"));
        if (more) {
            printf(" and %lld more", (long long)more);
        }
        printf(": %s (%s).\n  Remedy: %s.\n", member_text(finding, "reason"),
               member_text(finding, "code"), member_text(finding, "remedy"));
    }
}

void
plan_verb_print(const json_t *json)
{
    const json_t *calls = json_object_get(json, "calls");
    const json_t *violations = json_object_get(json, "violations");
    size_t i;
    json_t *violation;

    printf("%zu SAI call%s:\n", json_array_size(calls),
           text_plural(json_array_size(calls)));
    print_calls(calls);
    print_resources(json_object_get(json, "resources"));
    json_array_foreach(violations, i, violation)
    {
        printf("Exceeds the chip: %s.\n", json_string_value(violation));
    }
    print_warnings(json_object_get(json, "lint"));
    putchar('\n');
    config_print_answers(json);
}

/* Makes the plan and prints it. */
static enum st
run_plan(struct plan_run *run, const struct invocation *invocation, int *code,
         struct err *err)
{
    json_t *tables = NULL, *json;
    size_t n_trouble;
    enum st status = run_files(run, invocation, &tables, err);

    if (status) {
        return status;
    }
    json = result_json(run, tables, &n_trouble);
    if (invocation->json) {
        verb_print_json(json);
    } else {
        plan_verb_print(json);
    }
    *code = n_trouble || json_array_size(json_object_get(json, "violations"))
                ? CONTROL_NO
                : CONTROL_DONE;
    json_decref(json);
    json_decref(tables);
    return ST_OK;
}

/* Creates the switch of a run. */
static enum st
run_open(struct plan_run *run, const struct invocation *invocation,
         struct err *err)
{
    memset(run, 0, sizeof *run);
    run->listener.object_appeared = on_object;
    run->listener.object_attribute = on_attribute;
    run->listener.context = run;
    run->names = object_names_create();
    return offline_config_open(invocation, &run->listener, &run->config, err);
}

static void
run_close(struct plan_run *run)
{
    offline_config_close(&run->config);
    object_names_destroy(run->names);
}

enum st
plan_verb_make(const struct invocation *invocation, const json_t *from,
               const json_t *to, json_t **json, struct err *err)
{
    struct plan_run run;
    size_t n_trouble;
    enum st status = run_open(&run, invocation, err);

    status = status ? status : run_tables(&run, from, to, err);
    if (!status) {
        *json = result_json(&run, NULL, &n_trouble);
    }
    run_close(&run);
    return status;
}

int
config_plan(struct invocation *invocation)
{
    struct plan_run run;
    struct err err = {0};
    int code = CONTROL_NO;
    enum st status = run_open(&run, invocation, &err);

    status = status ? status : run_plan(&run, invocation, &code, &err);
    if (status) {
        verb_complain(&err);
        code = status == ST_INVALID || status == ST_NOT_FOUND ? CONTROL_USAGE
                                                              : CONTROL_NO;
    }
    run_close(&run);
    return code;
}
