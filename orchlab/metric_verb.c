/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab metric": the value of metric expressions, or what there is to
 * measure. */

#include <config.h>

#include <jansson.h>
#include <stdio.h>

#include "base/text.h"
#include "command/grid.h"
#include "lab/measure/verdict.h"
#include "orchlab/run_files.h"
#include "orchlab/verb.h"

/* Lists the labels of 'quantity'. */
static void
list_labels(enum metric_quantity quantity, struct text *text)
{
    for (int i = 0; i < METRIC_N_LABELS; i++) {
        if (metric_has_label(quantity, (enum metric_label)i)) {
            text_add_item(text, ", ", metric_label_name((enum metric_label)i));
        }
    }
}

/* Prints all quantities. */
static int
print_quantities(bool json)
{
    static const struct grid_column columns[] = {
        {"quantity", false}, {"meaning", false}, {"labels", false}};
    static const enum metric_quantity all[] = {
#define X(member, name, unit, meaning) METRIC_##member,
        METRIC_QUANTITIES(X)
#undef X
    };
    struct grid *grid = grid_create(columns, 3);
    json_t *list = json_array();

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct text labels = {0};

        list_labels(all[i], &labels);
        grid_line(grid);
        grid_text(grid, metric_quantity_name(all[i]));
        grid_text(grid, metric_quantity_meaning(all[i]));
        grid_text(grid, text_string(&labels));
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s}", "quantity",
                                        metric_quantity_name(all[i]), "meaning",
                                        metric_quantity_meaning(all[i]),
                                        "labels", text_string(&labels)));
        text_fini(&labels);
    }
    if (json) {
        grid_free(grid);
        verb_print_json(list);
    } else {
        grid_print(grid, 0);
        json_decref(list);
    }
    return LAB_DONE;
}

/* Prints the value of 'metric' as a line of text or JSON. */
static void
print_value(const struct metric *metric, const struct verdict *verdict,
            bool json)
{
    const enum metric_unit unit = metric_unit(metric);
    char buffer[METRIC_TEXT_SIZE];

    if (json) {
        verb_print_json(json_pack(
            "{s:o, s:f, s:f, s:I}", "value",
            verdict->known ? json_real(verdict->value) : json_null(), "low",
            verdict->low, "high", verdict->high, "n", (json_int_t)verdict->n));
        return;
    }
    if (!verdict->known) {
        printf("nothing to measure\n");
        return;
    }
    printf("%s", metric_text(verdict->value, unit, buffer));
    if (verdict->low != verdict->high) {
        printf(", 95 %% between %s", metric_text(verdict->low, unit, buffer));
        printf(" and %s", metric_text(verdict->high, unit, buffer));
    }
    printf(" (%llu value%s)\n", (unsigned long long)verdict->n,
           text_plural(verdict->n));
}

int
metric_verb(const struct invocation *invocation)
{
    struct reader *reader = NULL;
    struct verdict verdict;
    struct metric metric;
    struct err err = {0};
    enum st st;

    if (!invocation->n_operands) {
        return print_quantities(invocation->json);
    }
    st = metric_parse(invocation->operands[0], &metric, &err);
    st = st ? st
            : run_files_open(
                  invocation->folder,
                  invocation->n_operands > 1 ? invocation->operands[1] : "last",
                  &reader, &err);
    st = st ? st : verdict_measure(&metric, reader, &verdict, &err);
    if (!st) {
        print_value(&metric, &verdict, invocation->json);
    }
    reader_close(reader);
    return st ? verb_fail(&err) : verdict.known ? LAB_DONE : LAB_NO;
}
