/* SPDX-License-Identifier: Apache-2.0 */

/* What the runs of "orchlab whatif" about changes have shown: a table, a
 * sentence, rows of CONFIG_DB, a figure. */

#include <config.h>

#include "orchlab/whatif_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "command/grid.h"
#include "lab/measure/metric.h"
#include "lab/measure/reader.h"
#include "orchlab/value_list.h"
#include "orchlab/verb.h"
#include "orchlab/whatif.h"
#include "orchlab/whatif_room.h"

enum { DROPS = 0, PAYLOAD = 5 }; /* Positions in 'measures'. */

/* Most columns of the table of several values. */
enum { COLUMNS = 1 + WHATIF_MEASURES + WHATIF_ROLES_MAX + 1 };

/* What is measured in each run. */
static const struct {
    const char *name;
    const char *header; /* Of a column. */
    const char *metric;
} measures[] = {
    {"packets dropped", "dropped", "sum(drop.packets)"},
    {"of these for lack of headroom", "for headroom",
     "sum(drop.packets{reason=headroom})"},
    {"pauses", "pauses", "sum(pause.count)"},
    {"paused in all", "paused", "sum(pause.time)"},
    {"packets marked", "marked", "sum(queue.marked)"},
    {"payload", "payload", "sum(flow.bytes)"},
    {"p99 of completion", "p99", "p99(flow.fct)"},
    {"longest queue", "longest queue", "max(queue.peak)"},
    {"most headroom used", "headroom used",
     "max(counter{name=pg_headroom_peak_bytes})"},
};

_Static_assert(sizeof measures / sizeof *measures == WHATIF_MEASURES,
               "each has a result");

enum st
whatif_report_measure(struct whatif_variant *variant, const char *path,
                      struct err *err)
{
    struct reader *reader = NULL;
    enum st st = reader_open(path, &reader, err);

    for (size_t i = 0; !st && i < WHATIF_MEASURES; i++) {
        struct metric metric;

        st = metric_parse(measures[i].metric, &metric, err);
        st = st ? st
                : verdict_measure(&metric, reader, &variant->results[i], err);
    }
    reader_close(reader);
    return st;
}

/* One change --------------------------------------------------------------- */

/* Writes measure 'i' of 'variant'. */
static const char *
text_of(const struct whatif_variant *variant, size_t i, char *buffer)
{
    struct metric metric;
    struct err ignored;

    if (!variant->results[i].known ||
        metric_parse(measures[i].metric, &metric, &ignored)) {
        return "-";
    }
    return metric_text(variant->results[i].value, metric_unit(&metric), buffer);
}

/* Writes 'bytes'; 0: there is nothing of that. */
static const char *
bytes_text(uint64_t bytes, char *buffer)
{
    return bytes ? metric_text((double)bytes, METRIC_BYTES, buffer) : "-";
}

/* Adds the room for bursts of each role to the table of one change. */
static void
add_rooms(const struct whatif_inquiry *inquiry, struct grid *grid)
{
    for (size_t i = 0; i < inquiry->before.n_roles; i++) {
        char buffer[METRIC_TEXT_SIZE], name[64];

        text_format(name, sizeof name, "room for bursts, %.40s",
                    inquiry->before.roles[i]);
        grid_line(grid);
        grid_text(grid, name);
        grid_text(grid, bytes_text(inquiry->before.rooms[i], buffer));
        grid_text(grid, bytes_text(inquiry->after.rooms[i], buffer));
    }
}

static void
print_table(const struct whatif_inquiry *inquiry)
{
    static const struct grid_column columns[] = {
        {"", false}, {"before", true}, {"after", true}, {"with rows", true}};
    const bool has_remedy = inquiry->remedy.sets != NULL;
    struct grid *grid = grid_create(columns, has_remedy ? 4 : 3);

    for (size_t i = 0; i < WHATIF_MEASURES; i++) {
        char buffer[METRIC_TEXT_SIZE];

        grid_line(grid);
        grid_text(grid, measures[i].name);
        grid_text(grid, text_of(&inquiry->before, i, buffer));
        grid_text(grid, text_of(&inquiry->after, i, buffer));
        if (has_remedy) {
            grid_text(grid, text_of(&inquiry->remedy, i, buffer));
        }
    }
    if (whatif_room_is_asked(inquiry)) {
        add_rooms(inquiry, grid);
    }
    grid_print(grid, 0);
}

/* Returns whether both runs have the same value of measure 'i'. */
static bool
is_equal(const struct whatif_inquiry *inquiry, size_t i)
{
    const struct verdict *before = &inquiry->before.results[i];
    const struct verdict *after = &inquiry->after.results[i];

    return before->known == after->known &&
           (!before->known || before->value == after->value);
}

/* Returns whether the change has no effect on anything that is measured. */
static bool
nothing_changes(const struct whatif_inquiry *inquiry)
{
    for (size_t i = 0; i < WHATIF_MEASURES; i++) {
        if (!is_equal(inquiry, i)) {
            return false;
        }
    }
    return true;
}

/* Adds "no packets are dropped", "1 packet is dropped". */
static void
add_drops(const struct whatif_variant *variant, struct text *text)
{
    const double drops = variant->results[DROPS].value;
    char buffer[METRIC_TEXT_SIZE];

    if (drops == 0) {
        text_add(text, "no packets are dropped");
    } else {
        text_addf(text, "%s %s dropped", text_of(variant, DROPS, buffer),
                  drops == 1 ? "packet is" : "packets are");
    }
}

/* Adds what has become of the payload. */
static void
add_payload(const struct whatif_inquiry *inquiry, struct text *text)
{
    const double before = inquiry->before.results[PAYLOAD].value;
    const double after = inquiry->after.results[PAYLOAD].value;

    if (before > 0 && before == after) {
        text_add(text, ", and the payload is the same");
    } else if (before > 0) {
        text_addf(text, ", and the payload is %.1f %% of what it was",
                  100 * after / before);
    }
}

/* Says the answer in 'text'. */
static void
add_sentence(const struct whatif_inquiry *inquiry, struct text *text)
{
    char buffer[METRIC_TEXT_SIZE];

    text_addf(text, "With %s, ",
              inquiry->what.length ? inquiry->what.bytes : "nothing");
    if (nothing_changes(inquiry)) {
        text_add(text, "nothing changes: ");
    }
    add_drops(&inquiry->after, text);
    if (is_equal(inquiry, DROPS)) {
        text_add(text, ", as before");
    } else {
        text_addf(text, " instead of %s",
                  text_of(&inquiry->before, DROPS, buffer));
    }
    add_payload(inquiry, text);
    text_add(text, ".");
    if (whatif_room_is_asked(inquiry)) {
        whatif_room_say(inquiry, text);
    }
    if (inquiry->note.length) {
        text_addf(text, "  %s", inquiry->note.bytes);
    }
    if (inquiry->remedy.sets) {
        text_add(text, "With the rows below, ");
        add_drops(&inquiry->remedy, text);
        text_add(text, ".");
    }
}

/* Returns the measures of 'variant' as JSON. */
static json_t *
describe(const struct whatif_variant *variant)
{
    json_t *data = json_object();

    for (size_t i = 0; i < WHATIF_MEASURES; i++) {
        json_object_set_new(data, measures[i].metric,
                            variant->results[i].known
                                ? json_real(variant->results[i].value)
                                : json_null());
    }
    return data;
}

/* Returns the answer to one change as JSON, with its sentence. */
static json_t *
describe_answer(const struct whatif_inquiry *inquiry)
{
    struct text sentence = {0};
    json_t *data;

    add_sentence(inquiry, &sentence);
    data = json_pack(
        "{s:s, s:o, s:o, s:o, s:O}", "answer", text_string(&sentence), "before",
        describe(&inquiry->before), "after", describe(&inquiry->after),
        "with_rows",
        inquiry->remedy.sets ? describe(&inquiry->remedy) : json_null(), "rows",
        inquiry->rows);
    if (whatif_room_is_asked(inquiry)) {
        json_object_set_new(data, "burst_room", whatif_room_describe(inquiry));
    }
    text_fini(&sentence);
    return data;
}

/* Prints the rows of CONFIG_DB to paste; 'when' says for which value. */
static void
print_rows(const struct whatif_inquiry *inquiry, const char *when)
{
    const char *role;
    json_t *rows;

    json_object_foreach(inquiry->rows, role, rows)
    {
        char *text = json_dumps(rows, JSON_INDENT(2));

        printf("\nRows of CONFIG_DB for %s%s%s:\n%s\n", role,
               *when ? " with " : "", when, text);
        free(text);
    }
}

static void
report_one(const struct whatif_inquiry *inquiry)
{
    struct text sentence = {0};

    if (inquiry->invocation->json) {
        verb_print_json(describe_answer(inquiry));
        return;
    }
    add_sentence(inquiry, &sentence);
    print_table(inquiry);
    printf("%s\n", text_string(&sentence));
    text_fini(&sentence);
    if (!json_object_size(inquiry->rows) && !inquiry->is_refused) {
        printf("No rows of CONFIG_DB differ.\n");
    }
    print_rows(inquiry, "");
}

static enum st
draw_one(const struct whatif_inquiry *inquiry, struct err *err)
{
    struct whatif_value values[2 * WHATIF_MEASURES];
    size_t n = 0;

    for (size_t i = 0; i < WHATIF_MEASURES; i++) {
        values[n++] = (struct whatif_value){"before", measures[i].name,
                                            inquiry->before.results[i].value};
        values[n++] = (struct whatif_value){"after", measures[i].name,
                                            inquiry->after.results[i].value};
    }
    return whatif_draw(inquiry->invocation, "change",
                       inquiry->invocation->operands[1], values, n, err);
}

/* Several values ----------------------------------------------------------- */

size_t
whatif_report_worse(const struct whatif_inquiry *inquiries, size_t n,
                    const struct whatif_inquiry **first)
{
    size_t worse = 0;

    for (size_t i = n; i-- > 0;) {
        if (inquiries[i].after.results[DROPS].value >
            inquiries[i].before.results[DROPS].value) {
            worse++;
            if (first) {
                *first = &inquiries[i];
            }
        }
    }
    return worse;
}

/* Returns the values that need rows which their change alone does not give. */
static size_t
count_remedies(const struct whatif_inquiry *inquiries, size_t n)
{
    size_t remedies = 0;

    for (size_t i = 0; i < n; i++) {
        remedies += inquiries[i].remedy.sets != NULL;
    }
    return remedies;
}

/* Returns what happens with the rows of the answer, NULL if no rows help. */
static const struct whatif_variant *
with_rows(const struct whatif_inquiry *inquiry)
{
    return inquiry->is_refused    ? NULL
           : inquiry->remedy.sets ? &inquiry->remedy
                                  : &inquiry->after;
}

/* Says in 'text' where the change begins to cost packets. */
static void
add_summary(const struct whatif_inquiry *inquiries, size_t n, struct text *text)
{
    const struct whatif_inquiry *first = NULL;
    const size_t worse = whatif_report_worse(inquiries, n, &first);
    const size_t remedies = count_remedies(inquiries, n);
    char buffer[METRIC_TEXT_SIZE];
    size_t refused = 0;
    double most = 0;

    if (worse) {
        text_addf(text,
                  "With %zu of %zu values more packets are dropped than "
                  "without a change; the first is %s.  ",
                  worse, n, first->value);
        add_sentence(first, text);
    } else {
        text_addf(text,
                  "With none of %zu values more packets are dropped than "
                  "without a change (%s).",
                  n, text_of(&inquiries[0].before, DROPS, buffer));
    }
    for (size_t i = 0; i < n; i++) {
        const struct whatif_variant *variant = with_rows(&inquiries[i]);
        const double drops = variant ? variant->results[DROPS].value : 0;

        most = drops > most ? drops : most;
        refused += inquiries[i].is_refused;
    }
    if (remedies) {
        text_addf(text, "  %zu of the values need the headroom below; ",
                  remedies);
        if (most > 0) {
            text_addf(text,
                      "with the rows of each, at most %.0f packets are "
                      "dropped.",
                      most);
        } else {
            text_add(text, "with these rows no packets are dropped.");
        }
    }
    if (refused) {
        text_addf(text,
                  "  For %zu of the values the switch has no room for the "
                  "headroom.",
                  refused);
    }
}

/* Returns how many columns the room for bursts takes: one for each role. */
static size_t
room_columns(const struct whatif_inquiry *inquiry)
{
    return whatif_room_is_asked(inquiry) ? inquiry->before.n_roles : 0;
}

/* Adds a line of the table of all values, with the room of 'n_rooms' roles. */
static void
add_line(struct grid *grid, const char *value,
         const struct whatif_variant *variant, size_t n_rooms,
         const char *remedy)
{
    grid_line(grid);
    grid_text(grid, value);
    for (size_t i = 0; i < WHATIF_MEASURES; i++) {
        char buffer[METRIC_TEXT_SIZE];

        grid_text(grid, text_of(variant, i, buffer));
    }
    for (size_t i = 0; i < n_rooms; i++) {
        char buffer[METRIC_TEXT_SIZE];

        grid_text(grid, bytes_text(variant->rooms[i], buffer));
    }
    if (remedy) {
        grid_text(grid, remedy);
    }
}

static void
print_values(const struct whatif_inquiry *inquiries, size_t n)
{
    /* The table has to say what is dropped, and the room for bursts; the rest
     * as far as there is space. */
    static const unsigned int ranks[COLUMNS] = {0, 0, 1, 2, 4, 6, 0, 3, 7, 5};
    const struct whatif_variant *before = &inquiries[0].before;
    const bool has_remedies = count_remedies(inquiries, n) > 0;
    const size_t n_rooms = room_columns(&inquiries[0]);
    struct grid_column columns[COLUMNS] = {{"value", false}};
    char headers[WHATIF_ROLES_MAX][64];
    size_t n_columns = 1;
    struct grid *grid;

    for (size_t i = 0; i < WHATIF_MEASURES; i++) {
        columns[n_columns++] = (struct grid_column){measures[i].header, true};
    }
    for (size_t i = 0; i < n_rooms; i++) {
        text_format(headers[i], sizeof headers[i], "room %.40s",
                    before->roles[i]);
        columns[n_columns++] = (struct grid_column){headers[i], true};
    }
    columns[n_columns] = (struct grid_column){"dropped with rows", true};
    grid = grid_create(columns, n_columns + has_remedies);
    grid_fit(grid, ranks);
    add_line(grid, "(no change)", before, n_rooms, has_remedies ? "" : NULL);
    for (size_t i = 0; i < n; i++) {
        char buffer[METRIC_TEXT_SIZE];

        add_line(grid, inquiries[i].value, &inquiries[i].after, n_rooms,
                 !has_remedies ? NULL
                 : inquiries[i].is_refused
                     ? "-"
                     : text_of(with_rows(&inquiries[i]), DROPS, buffer));
    }
    grid_print(grid, 0);
}

static void
report_values(const struct whatif_inquiry *inquiries, size_t n)
{
    struct text summary = {0};

    add_summary(inquiries, n, &summary);
    if (inquiries[0].invocation->json) {
        json_t *answers = json_array();

        for (size_t i = 0; i < n; i++) {
            json_t *answer = describe_answer(&inquiries[i]);

            json_object_set_new(answer, "value",
                                json_string(inquiries[i].value));
            json_array_append_new(answers, answer);
        }
        verb_print_json(json_pack("{s:s, s:o}", "answer", text_string(&summary),
                                  "values", answers));
    } else {
        print_values(inquiries, n);
        printf("%s\n", text_string(&summary));
        for (size_t i = 0; i < n; i++) {
            print_rows(&inquiries[i], inquiries[i].value);
        }
    }
    text_fini(&summary);
}

static enum st
draw_values(const struct whatif_inquiry *inquiries, size_t n, struct err *err)
{
    enum { CURVES = 3 };
    const struct whatif_inquiry *any = &inquiries[0];
    const double payload = any->before.results[PAYLOAD].value;
    struct whatif_value points[CURVES * VALUE_LIST_MAX];
    size_t n_points = 0;

    for (size_t i = 0; i < n; i++) {
        const char *value = inquiries[i].value;

        points[n_points++] = (struct whatif_value){
            "dropped", value, inquiries[i].after.results[DROPS].value};
        if (count_remedies(inquiries, n) && !inquiries[i].is_refused) {
            points[n_points++] = (struct whatif_value){
                "rows", value, with_rows(&inquiries[i])->results[DROPS].value};
        }
        if (payload > 0) {
            points[n_points++] = (struct whatif_value){
                "payload", value,
                100 * inquiries[i].after.results[PAYLOAD].value / payload};
        }
    }
    return whatif_draw(any->invocation, "values", any->invocation->operands[1],
                       points, n_points, err);
}

enum st
whatif_report(const struct whatif_inquiry *inquiries, size_t n, struct err *err)
{
    if (n == 1) {
        report_one(inquiries);
        return draw_one(inquiries, err);
    }
    report_values(inquiries, n);
    return draw_values(inquiries, n, err);
}
