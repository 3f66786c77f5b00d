/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab compare": what differs between two runs, in figures and from which
 * event on. */

#include <config.h>

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "command/grid.h"
#include "lab/measure/verdict.h"
#include "orchlab/run_files.h"
#include "orchlab/verb.h"
#include "results/database.h"

/* What is compared, over all groups. */
static const char *const metrics[] = {
    "count(flow.fct)",    "mean(flow.fct)",   "p50(flow.fct)",
    "p99(flow.fct)",      "max(flow.fct)",    "mean(flow.goodput)",
    "jain(flow.goodput)", "sum(flow.bytes)",  "sum(flow.retransmitted)",
    "sum(flow.cnps)",     "sum(flow.failed)", "p99(message.latency)",
    "sum(drop.packets)",  "sum(pause.count)", "sum(pause.time)",
    "sum(queue.marked)",  "max(queue.peak)",  "max(link.utilization)",
};

#define N_METRICS (sizeof metrics / sizeof metrics[0])

/* All records that the result hash covers, in the order of time. */
#define EVENTS                                                                 \
    "SELECT end_ps AS t_ps, 'flow ' || flow || ' ' || state || ': ' || bytes"  \
    " || ' bytes, ' || packets || ' packets, ' || retransmitted ||"            \
    " ' again, ' || marked || ' marked, ' || cnps || ' CNPs' AS what"          \
    " FROM flows WHERE run = ?1 UNION ALL SELECT end_ps, 'message ' ||"        \
    " message || ' of flow ' || flow || ' posted at ' || start_ps || ' ps'"    \
    " FROM messages WHERE run = ?1 UNION ALL SELECT start_ps, 'pause of ' ||"  \
    " node || ' ' || port || ' priority ' || priority || ' for ' ||"           \
    " coalesce(duration_ps || ' ps', 'ever') FROM pause_list WHERE run = ?1"   \
    " UNION ALL SELECT t_ps, 'drop at ' || node || ' ' || port ||"             \
    " ' priority ' || priority || ' ' || reason || ', ' || bytes || ' bytes'"  \
    " || coalesce(', flow ' || flow || ' psn ' || psn, '') FROM drop_list"     \
    " WHERE run = ?1 ORDER BY t_ps, what"

/* The table, and the same in JSON. */
struct comparison {
    struct reader *readers[2];
    struct grid *grid;
    json_t *data;
};

static enum st
add_metric(struct comparison *comparison, const char *text, struct err *err)
{
    struct verdict verdicts[2];
    struct metric metric;
    char buffer[METRIC_TEXT_SIZE];
    double change;
    enum st st = metric_parse(text, &metric, err);

    for (int i = 0; !st && i < 2; i++) {
        st =
            verdict_measure(&metric, comparison->readers[i], &verdicts[i], err);
    }
    if (st || (!verdicts[0].known && !verdicts[1].known)) {
        return st;
    }
    grid_line(comparison->grid);
    grid_text(comparison->grid, text);
    for (int i = 0; i < 2; i++) {
        grid_text(comparison->grid,
                  verdicts[i].known ? metric_text(verdicts[i].value,
                                                  metric_unit(&metric), buffer)
                                    : "");
    }
    change = (verdicts[1].value / verdicts[0].value - 1) * 100;
    if (verdicts[0].known && verdicts[1].known && isfinite(change)) {
        text_format(buffer, sizeof buffer, "%+.3g %%", change);
    } else {
        *buffer = '\0';
    }
    grid_text(comparison->grid, verdicts[0].value == verdicts[1].value &&
                                        verdicts[0].known == verdicts[1].known
                                    ? "same"
                                    : buffer);
    json_object_set_new(
        json_object_get(comparison->data, "metrics"), text,
        json_pack(
            "[o, o]",
            verdicts[0].known ? json_real(verdicts[0].value) : json_null(),
            verdicts[1].known ? json_real(verdicts[1].value) : json_null()));
    return ST_OK;
}

/* Finds the first event that only one run has, and adds it to the JSON. */
static enum st
find_first_difference(struct comparison *comparison, struct err *err)
{
    struct query *queries[2];
    bool rows[2] = {true, true};
    json_t *first;
    enum st st = ST_OK;

    for (int i = 0; i < 2; i++) {
        queries[i] = reader_query(comparison->readers[i], EVENTS);
    }
    do {
        st = query_next(queries[0], &rows[0], err);
        st = st ? st : query_next(queries[1], &rows[1], err);
    } while (!st && rows[0] && rows[1] &&
             query_number(queries[0], 0) == query_number(queries[1], 0) &&
             !strcmp(query_text(queries[0], 1), query_text(queries[1], 1)));
    first = json_array();
    for (int i = 0; !st && i < 2; i++) {
        json_array_append_new(
            first, rows[i] ? json_pack("{s:I, s:s}", "t_ps",
                                       (json_int_t)query_number(queries[i], 0),
                                       "what", query_text(queries[i], 1))
                           : json_null());
    }
    if (!st && (rows[0] || rows[1])) {
        json_object_set(comparison->data, "first_difference", first);
    }
    json_decref(first);
    query_finish(queries[0]);
    query_finish(queries[1]);
    return st;
}

/* Prints the first difference in words. */
static void
print_first_difference(const json_t *data)
{
    static const char *const names[] = {"A", "B"};
    const json_t *first = json_object_get(data, "first_difference");
    char buffer[METRIC_TEXT_SIZE];

    if (!first) {
        return;
    }
    printf("\nThe first difference:\n");
    for (size_t i = 0; i < 2; i++) {
        const json_t *event = json_array_get(first, i);

        if (json_is_null(event)) {
            printf("  %s has no more events\n", names[i]);
        } else {
            const double t_ps =
                (double)json_integer_value(json_object_get(event, "t_ps"));

            text_format(buffer, sizeof buffer, "%.6f", t_ps * 1e-6);
            printf("  %s: %s us  %s\n", names[i], buffer,
                   json_string_value(json_object_get(event, "what")));
        }
    }
}

/* Fills table and JSON; 'same' says whether the hashes are equal. */
static enum st
compare(struct comparison *comparison, bool *same, struct err *err)
{
    const struct reader_run *a = reader_run(comparison->readers[0]);
    const struct reader_run *b = reader_run(comparison->readers[1]);
    enum st st = ST_OK;

    *same = !strcmp(a->hash, b->hash) && a->virtual_ps == b->virtual_ps;
    comparison->data =
        json_pack("{s:b, s:[s, s], s:[s, s], s:{}}", "same", *same, "names",
                  a->name, b->name, "hashes", a->hash, b->hash, "metrics");
    for (size_t i = 0; !st && i < N_METRICS; i++) {
        st = add_metric(comparison, metrics[i], err);
    }
    return st || *same ? st : find_first_difference(comparison, err);
}

int
compare_verb(const struct invocation *invocation)
{
    static const struct grid_column columns[] = {
        {"metric", false}, {"A", true}, {"B", true}, {"change", true}};
    struct comparison comparison = {0};
    struct err err = {0};
    bool same = false;
    enum st st = ST_OK;

    for (int i = 0; !st && i < 2; i++) {
        st = run_files_open(invocation->folder, invocation->operands[i],
                            &comparison.readers[i], &err);
    }
    comparison.grid = grid_create(columns, sizeof columns / sizeof columns[0]);
    st = st ? st : compare(&comparison, &same, &err);
    if (st || invocation->json) {
        grid_free(comparison.grid);
    } else {
        grid_print(comparison.grid, 0);
        print_first_difference(comparison.data);
        printf("\nThe results are %s: hash %s and %s\n",
               same ? "the same" : "different",
               reader_run(comparison.readers[0])->hash,
               reader_run(comparison.readers[1])->hash);
    }
    if (!st && invocation->json) {
        verb_print_json(json_incref(comparison.data));
    }
    json_decref(comparison.data);
    reader_close(comparison.readers[0]);
    reader_close(comparison.readers[1]);
    return st ? verb_fail(&err) : same ? LAB_DONE : LAB_NO;
}
