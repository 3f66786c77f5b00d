/* SPDX-License-Identifier: Apache-2.0 */

/* How well the twin reproduces real switches, row by row.
 *
 * Usage: calibrate CSV [--models DIR] [--require CLASS=PCT]... [--asic NAMES]
 *                      [--kind KIND] [--every N] [--summary]
 *
 * Every row of CSV (see calibrate_csv.h) is run on a switch of its own, packet
 * by packet (calibrate_roles.h).  The chip is the one whose 'name' is the row's
 * 'asic', in any case, else one that has a pattern for the row's 'asic' or
 * 'hwsku'; those of DIR come before the shipped ones.
 *
 * Prints one CSV line per row: row_id, hw_value, predicted, error and class,
 * then what the row is about.  Classes, best first: "exact"; "within margin"
 * (of the hardware test, and at most 1 % or 2 packets: some tests have margins
 * that anything passes); "<=1 %"; "<=5 %"; "off"; "unsupported" (no chip, no
 * such role, or the chip cannot be configured so).  Then a table by family and
 * role, in which rows that are suspect do not count.  Beside the rows it has
 * how many different values they state, and how many of these are exact in all
 * their rows: many rows repeat one measurement.
 *
 * --require: at least PCT percent of the rows that count must be of CLASS or
 * better; CLASS may be written exact, margin, 1% or 5%.  --asic (a list with
 * commas) and --kind (of hw_kind) leave the other rows out, --every all but the
 * first of every N of what is left; --summary leaves the lines of rows out.
 *
 * Exit status: 0, 1 if a requirement is not met, 2 for wrong arguments, a
 * missing file, wrong columns or numbers. */

#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "tests/bench/calibrate_csv.h"
#include "tests/bench/calibrate_roles.h"
#include "tests/bench/calibrate_switch.h"
#include "twin/chip/yaml/chip_file.h"

enum {
    MAX_REQUIREMENTS = 8,
    DEFAULT_MARGIN = 2,
    FEW_PACKETS = 2, /* Within the margin, however small the value is. */
    EXIT_GATE = 1,
    EXIT_USAGE = 2,
};

#define SUFFIX ".yaml"

/* X(member, text, text for --require) */
#define CLASSES(X)                                                             \
    X(EXACT, "exact", "exact")                                                 \
    X(MARGIN, "within margin", "margin")                                       \
    X(PERCENT_1, "<=1 %", "1%")                                                \
    X(PERCENT_5, "<=5 %", "5%")                                                \
    X(OFF, "off", "off")                                                       \
    X(UNSUPPORTED, "unsupported", "unsupported")

enum class {
#define X(member, text, short_text) CLASS_##member,
    CLASSES(X)
#undef X
        N_CLASSES
};

static const char *const class_texts[] = {
#define X(member, text, short_text) text,
    CLASSES(X)
#undef X
};

static const char *const class_short_texts[] = {
#define X(member, text, short_text) short_text,
    CLASSES(X)
#undef X
};

struct requirement {
    enum class class;
    double percent;
};

struct options {
    const char *csv;
    const char *models; /* NULL: the shipped ones only. */
    const char *asics;  /* NULL: all. */
    const char *kind;   /* NULL: all. */
    struct requirement requirements[MAX_REQUIREMENTS];
    size_t n_requirements;
    size_t every; /* Runs the first of so many rows; at least 1. */
    bool summary;
};

struct catalog {
    struct calibrate_model *items;
    size_t n;
};

/* A number that rows state, and the worst of their classes. */
struct value {
    int64_t stated;
    enum class worst;
};

/* How the rows of one family and role came out; or the sum of several. */
struct score {
    const char *asic;
    const char *role;
    size_t counts[N_CLASSES];
    size_t n_suspect;
    struct value *values; /* Of one family and role. */
    size_t n_values;
    size_t n_exact; /* Values, of a sum. */
};

struct board {
    struct score *items;
    size_t n;
};

/* Models --------------------------------------------------------------- */

static int
is_chip_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > strlen(SUFFIX) && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

static int
compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Loads DIRECTORY/'file' into the catalog; a file that is wrong is reported,
 * and its family is unsupported. */
static void
catalog_load(struct catalog *catalog, const char *directory, const char *file)
{
    char path[PATH_MAX];
    struct chip *chip = NULL;
    struct err err = {0};
    char *stem;

    if (!text_format(path, sizeof path, "%s/%s", directory, file) ||
        chip_file_load_file(path, &chip, &err) != ST_OK) {
        fprintf(stderr, "calibrate: %s\n", err.reason);
        return;
    }
    stem = check_strdup(file);
    stem[strlen(stem) - strlen(SUFFIX)] = '\0';
    catalog->items = check_realloc(catalog->items,
                                   (catalog->n + 1) * sizeof *catalog->items);
    catalog->items[catalog->n++] = (struct calibrate_model){
        .directory = directory, .file = stem, .chip = chip};
}

/* Adds all chips of 'directory'.  Returns false if there is none. */
static bool
catalog_add(struct catalog *catalog, const char *directory)
{
    struct dirent **entries;
    int n = scandir(directory, &entries, is_chip_file, compare_names);

    if (n < 0) {
        fprintf(stderr, "calibrate: %s: %s\n", directory, strerror(errno));
        return false;
    }
    for (int i = 0; i < n; i++) {
        catalog_load(catalog, directory, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return true;
}

static void
catalog_fini(struct catalog *catalog)
{
    for (size_t i = 0; i < catalog->n; i++) {
        chip_file_destroy(catalog->items[i].chip);
        free((char *)(uintptr_t)catalog->items[i].file);
    }
    free(catalog->items);
}

/* Returns the model for 'row', NULL if there is none. */
static const struct calibrate_model *
catalog_find(const struct catalog *catalog, const struct calibrate_row *row)
{
    for (size_t i = 0; i < catalog->n; i++) {
        if (strcasecmp(catalog->items[i].chip->name, row->asic) == 0) {
            return &catalog->items[i];
        }
    }
    for (size_t i = 0; i < catalog->n; i++) {
        if (chip_matches(catalog->items[i].chip, row->asic) ||
            chip_matches(catalog->items[i].chip, row->hwsku)) {
            return &catalog->items[i];
        }
    }
    return NULL;
}

/* Rows ------------------------------------------------------------------ */

static enum class classify(int64_t predicted, int64_t wanted, int64_t margin) {
    int64_t error = llabs(predicted - wanted);

    if (error == 0){return CLASS_EXACT;}
if (error <= margin && (error <= FEW_PACKETS || error * 100 <= llabs(wanted)))
{
    return CLASS_MARGIN;
}
if (error * 100 <= llabs(wanted)) {
    return CLASS_PERCENT_1;
}
return error * 20 <= llabs(wanted) ? CLASS_PERCENT_5 : CLASS_OFF;
}

/* Runs 'row', and prints its line if 'prints'. */
static enum class run_row(const struct catalog *catalog,
                          const struct calibrate_row *row, bool prints) {
    const struct calibrate_model *model = catalog_find(catalog, row);
    struct calibrate_switch bench = {0};
    int64_t margin = calibrate_or(&row->test_margin, DEFAULT_MARGIN);
    enum class class = CLASS_UNSUPPORTED; int64_t predicted = 0;
    char numbers[64] = ",";

    if (!model){text_copy(bench.reason, sizeof bench.reason,
                          "no model for this family");}
else if (!calibrate_role_exists(row->role))
{
    text_copy(bench.reason, sizeof bench.reason, "no such role");
}
else if (calibrate_switch_init(&bench, model, row))
{
    class = CLASS_OFF;
    if (calibrate_role_run(&bench, &predicted)) {
        class = classify(predicted, row->hw_value.value, margin);
        text_format(numbers, sizeof numbers, "%lld,%lld", (long long)predicted,
                    (long long)(predicted - row->hw_value.value));
    }
}
if (model && calibrate_role_exists(row->role)) {
    calibrate_switch_fini(&bench);
}
if (prints) {
    printf("%s,%lld,%s,%s,%s,%s,%s,%s%s%s\n", row->row_id,
           (long long)row->hw_value.value, numbers, class_texts[class],
           row->asic, row->role, row->hw_kind, row->suspect[0] ? "suspect" : "",
           bench.reason[0] ? "," : "", bench.reason);
}
return class;
}

/* Scores ---------------------------------------------------------------- */

/* Returns the score of a family and role, which is made if there is none. */
static struct score *
board_find(struct board *board, const char *asic, const char *role)
{
    for (size_t i = 0; i < board->n; i++) {
        if (strcasecmp(board->items[i].asic, asic) == 0 &&
            strcmp(board->items[i].role, role) == 0) {
            return &board->items[i];
        }
    }
    board->items =
        check_realloc(board->items, (board->n + 1) * sizeof *board->items);
    board->items[board->n] = (struct score){.asic = asic, .role = role};
    return &board->items[board->n++];
}

/* Counts a row that states 'stated' and came out as 'class'. */
static void
score_count(struct score *score, int64_t stated, enum class class)
{
    size_t i = 0;

    score->counts[class]++;
    while (i < score->n_values && score->values[i].stated != stated) {
        i++;
    }
    if (i == score->n_values) {
        score->values = check_realloc(score->values, (score->n_values + 1) *
                                                         sizeof *score->values);
        score->values[score->n_values++] =
            (struct value){.stated = stated, .worst = class};
    } else if (class > score->values[i].worst) {
        score->values[i].worst = class;
    }
}

static int
compare_scores(const void *a, const void *b)
{
    const struct score *x = a;
    const struct score *y = b;
    int order = strcasecmp(x->asic, y->asic);

    return order ? order : strcmp(x->role, y->role);
}

static void
score_print(const char *asic, const char *role, const struct score *score)
{
    printf("%-12s %-22s", asic, role);
    for (int i = 0; i < N_CLASSES; i++) {
        printf(" %*zu", (int)strlen(class_texts[i]), score->counts[i]);
    }
    printf(" %7zu %6zu %5zu\n", score->n_suspect, score->n_values,
           score->n_exact);
}

static void
score_add(struct score *sum, const struct score *score)
{
    for (int i = 0; i < N_CLASSES; i++) {
        sum->counts[i] += score->counts[i];
    }
    sum->n_suspect += score->n_suspect;
    sum->n_values += score->n_values;
    sum->n_exact += score->n_exact;
}

/* Prints the table by family and role.  Returns the sum. */
static struct score
board_print(struct board *board)
{
    struct score sum = {0};
    struct score family = {0};

    if (board->n) {
        qsort(board->items, board->n, sizeof *board->items, compare_scores);
    }
    printf("\n%-12s %-22s", "family", "role");
    for (int i = 0; i < N_CLASSES; i++) {
        printf(" %s", class_texts[i]);
    }
    printf(" suspect values exact\n");
    for (size_t i = 0; i < board->n; i++) {
        struct score *score = &board->items[i];

        for (size_t j = 0; j < score->n_values; j++) {
            score->n_exact += score->values[j].worst == CLASS_EXACT;
        }
        score_print(score->asic, score->role, score);
        score_add(&family, score);
        score_add(&sum, score);
        if (i + 1 == board->n ||
            strcasecmp(board->items[i + 1].asic, score->asic) != 0) {
            score_print(score->asic, "all", &family);
            family = (struct score){0};
        }
    }
    score_print("all", "all", &sum);
    return sum;
}

/* Returns whether 'sum' meets 'requirement', and says so. */
static bool
requirement_met(const struct requirement *requirement, const struct score *sum)
{
    size_t good = 0;
    size_t all = 0;
    double percent;

    for (int i = 0; i < N_CLASSES; i++) {
        all += sum->counts[i];
        good += i <= (int)requirement->class ? sum->counts[i] : 0;
    }
    percent = all ? 100.0 * (double)good / (double)all : 0;
    printf("%s or better: %.2f %% of %zu rows, required %.2f %%: %s\n",
           class_texts[requirement->class], percent, all, requirement->percent,
           percent >= requirement->percent ? "met" : "NOT MET");
    return percent >= requirement->percent;
}

/* Arguments ------------------------------------------------------------- */

/* Reads "CLASS=PCT". */
static bool
requirement_parse(const char *text, struct requirement *requirement)
{
    const char *equals = strrchr(text, '=');
    char *end = NULL;

    if (!equals || equals == text || !equals[1]) {
        return false;
    }
    requirement->percent = strtod(equals + 1, &end);
    if (*end || !(requirement->percent >= 0 && requirement->percent <= 100)) {
        return false;
    }
    for (int i = 0; i < N_CLASSES; i++) {
        size_t n = (size_t)(equals - text);

        if ((strlen(class_texts[i]) == n &&
             strncmp(class_texts[i], text, n) == 0) ||
            (strlen(class_short_texts[i]) == n &&
             strncmp(class_short_texts[i], text, n) == 0)) {
            requirement->class = (enum class)i;
            return true;
        }
    }
    return false;
}

/* Reads the value of 'option' from 'value' (NULL: there is none). */
static bool
option_value(struct options *options, const char *option, const char *value)
{
    if (!value) {
        return false;
    }
    if (strcmp(option, "--models") == 0) {
        options->models = value;
        return true;
    }
    if (strcmp(option, "--asic") == 0) {
        options->asics = value;
        return true;
    }
    if (strcmp(option, "--kind") == 0) {
        options->kind = value;
        return true;
    }
    if (strcmp(option, "--every") == 0) {
        char *end = NULL;

        options->every = strtoul(value, &end, 10);
        return !*end && options->every > 0;
    }
    return strcmp(option, "--require") == 0 &&
           options->n_requirements < MAX_REQUIREMENTS &&
           requirement_parse(value,
                             &options->requirements[options->n_requirements++]);
}

static bool
options_parse(int argc, char **argv, struct options *options)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--summary") == 0) {
            options->summary = true;
        } else if (strncmp(argv[i], "--", 2) == 0) {
            if (!option_value(options, argv[i], argv[i + 1])) {
                return false;
            }
            i++;
        } else if (options->csv) {
            return false;
        } else {
            options->csv = argv[i];
        }
    }
    return options->csv != NULL;
}

/* Returns whether 'name' is one of the list 'names'. */
static bool
is_listed(const char *names, const char *name)
{
    const char *item;
    size_t length;

    while (parse_list_next(&names, &item, &length)) {
        if (strlen(name) == length && strncasecmp(item, name, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool
is_wanted(const struct options *options, const struct calibrate_row *row)
{
    return (!options->asics || is_listed(options->asics, row->asic)) &&
           (!options->kind || strcmp(options->kind, row->hw_kind) == 0);
}

/* Main ------------------------------------------------------------------ */

static void
report(void *context, const char *message)
{
    (void)context;
    fprintf(stderr, "calibrate: %s\n", message);
}

/* Runs all wanted rows of 'table', and judges.  Returns the exit status. */
static int
run(const struct options *options, const struct catalog *catalog,
    const struct calibrate_table *table)
{
    struct board board = {0};
    struct score sum;
    size_t n_wanted = 0;
    int status = table->n_bad ? EXIT_USAGE : 0;

    if (!options->summary) {
        printf("row_id,hw_value,predicted,error,class,asic,role,hw_kind,"
               "suspect,reason\n");
    }
    for (size_t i = 0; i < table->n; i++) {
        const struct calibrate_row *row = &table->rows[i];
        struct score *score;
        enum class class;

        if (!is_wanted(options, row) || n_wanted++ % options->every != 0) {
            continue;
        }
        class = run_row(catalog, row, !options->summary);
        score = board_find(&board, row->asic, row->role);
        if (row->suspect[0]) {
            score->n_suspect++;
        } else {
            score_count(score, row->hw_value.value, class);
        }
    }
    sum = board_print(&board);
    for (size_t i = 0; i < options->n_requirements; i++) {
        if (!requirement_met(&options->requirements[i], &sum) && !status) {
            status = EXIT_GATE;
        }
    }
    for (size_t i = 0; i < board.n; i++) {
        free(board.items[i].values);
    }
    free(board.items);
    return status;
}

int
main(int argc, char **argv)
{
    struct options options = {.every = 1};
    struct catalog catalog = {0};
    struct calibrate_table table;
    struct err err = {0};
    int status = EXIT_USAGE;

    if (!options_parse(argc, argv, &options)) {
        fprintf(stderr, "usage: calibrate CSV [--models DIR] "
                        "[--require CLASS=PCT]... [--asic NAMES] "
                        "[--kind KIND] [--every N] [--summary]\n");
        return EXIT_USAGE;
    }
    if (calibrate_table_read(options.csv, report, NULL, &table, &err) !=
        ST_OK) {
        fprintf(stderr, "calibrate: %s\n", err.reason);
        return EXIT_USAGE;
    }
    if ((!options.models || catalog_add(&catalog, options.models)) &&
        catalog_add(&catalog, CHIPS_DIR)) {
        status = run(&options, &catalog, &table);
    }
    catalog_fini(&catalog);
    calibrate_table_fini(&table);
    return status;
}
