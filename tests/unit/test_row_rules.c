/* SPDX-License-Identifier: Apache-2.0 */

/* The rules of the YANG modules, asked about many rows after another: what was
 * found before must not change a verdict. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/intent/schema.h"

#define N(array)    (sizeof(array) / sizeof *(array))
#define MAX_FIELDS  6
#define MAX_CHOICES 4

/* A field, and the values that it has in turn; NULL: the row lacks it. */
struct choice {
    const char *name;
    const char *values[MAX_CHOICES];
    size_t n;
};

/* Rows with all combinations of some values. */
struct family {
    enum table table;
    const char *keys[2];
    struct choice fields[MAX_FIELDS];
};

#define THRESHOLD(name)                                                        \
    {                                                                          \
        name, {NULL, "1", "2"}, 3                                              \
    }
#define RATE(name)                                                             \
    {                                                                          \
        name, {NULL, "1", "2", "3"}, 4                                         \
    }

static const struct family families[] = {
    {TABLE_BUFFER_POOL,
     {"p", "q"},
     {{"type", {"ingress"}, 1},
      {"mode", {"static", "dynamic"}, 2},
      {"size", {NULL, "1", "2"}, 3},
      {"xoff", {NULL, "1"}, 2},
      {"percentage", {NULL, "10"}, 2}}},
    {TABLE_BUFFER_PROFILE,
     {"p", "q"},
     {{"pool", {"pool"}, 1},
      {"size", {NULL, "0", "1"}, 3},
      {"dynamic_th", {NULL, "1", "2"}, 3},
      {"static_th", {NULL, "1", "2"}, 3},
      {"headroom_type", {NULL, "static", "dynamic"}, 3},
      {"xoff", {NULL, "5"}, 2}}},
    {TABLE_SCHEDULER,
     {"p", "q"},
     {{"type", {"DWRR"}, 1},
      RATE("cir"),
      RATE("pir"),
      RATE("cbs"),
      RATE("pbs")}},
    {TABLE_WRED_PROFILE,
     {"p", "q"},
     {THRESHOLD("green_min_threshold"), THRESHOLD("green_max_threshold"),
      THRESHOLD("yellow_min_threshold"), THRESHOLD("yellow_max_threshold"),
      THRESHOLD("red_min_threshold"), THRESHOLD("red_max_threshold")}},
    {TABLE_PFC_WD,
     {"GLOBAL", "Ethernet0"},
     {{"action", {NULL, "drop"}, 2},
      {"detection_time", {NULL, "200", "400"}, 3},
      {"restoration_time", {NULL, "200", "400"}, 3},
      {"POLL_INTERVAL", {NULL, "100", "300"}, 3}}},
};

static const char *const models[] = {NULL, "traditional", "dynamic"};

/* Takes a digit with 'base' from '*number'. */
static size_t
digit(size_t *number, size_t base)
{
    const size_t result = *number % base;

    *number /= base;
    return result;
}

/* Returns how many rows 'family' has. */
static size_t
count(const struct family *family)
{
    size_t n = N(family->keys) * N(models);

    for (size_t i = 0; i < MAX_FIELDS && family->fields[i].name; i++) {
        n *= family->fields[i].n;
    }
    return n;
}

/* Adds to 'verdict' what 'schema' says of the row 'number' of 'family'. */
static void
judge(struct schema *schema, const struct family *family, size_t number,
      struct text *verdict)
{
    struct field fields[MAX_FIELDS], canonical[MAX_FIELDS];
    struct text warnings = {0};
    struct err err = {0};
    struct key key;
    struct schema_row row = {
        .table = family->table, .key = &key, .fields = fields};

    for (size_t i = 0; i < MAX_FIELDS && family->fields[i].name; i++) {
        const struct choice *choice = &family->fields[i];
        const char *value = choice->values[digit(&number, choice->n)];

        if (value) {
            fields[row.n++] = (struct field){choice->name, value};
        }
    }
    row.buffer_model = models[digit(&number, N(models))];
    assert_int_equal(key_parse(family->table,
                               family->keys[digit(&number, N(family->keys))],
                               &key, NULL),
                     ST_OK);
    if (schema_check_row(schema, &row, canonical, &warnings, &err)) {
        text_addf(verdict, "%s, %s is \"%s\": %s", err.code, err.field,
                  err.value, err.reason);
    }
    text_fini(&warnings);
    key_fini(&key);
}

static struct schema *
load(void)
{
    struct schema *schema = NULL;
    struct err err = {0};

    if (schema_create(SCHEMA_DIR, &schema, &err)) {
        fail_msg("%s", err.reason);
    }
    return schema;
}

/* Two schemas judge the same rows in opposite orders: had a rule been taken to
 * hold for a row because it held for one that differs in what the rule reads,
 * the verdicts would differ. */
static void
test_the_order_of_rows_changes_no_verdict(void **state)
{
    struct schema *schema = load(), *other = load();

    (void)state;
    for (size_t i = 0; i < N(families); i++) {
        const size_t n = count(&families[i]);
        struct text *verdicts = check_calloc(n, sizeof *verdicts);
        size_t n_good = 0;

        for (size_t k = 0; k < n; k++) {
            judge(schema, &families[i], k, &verdicts[k]);
            n_good += verdicts[k].length == 0;
        }
        assert_in_range(n_good, 1, n - 1);
        for (size_t k = n; k-- > 0;) {
            struct text verdict = {0};

            judge(other, &families[i], k, &verdict);
            assert_string_equal(text_string(&verdict),
                                text_string(&verdicts[k]));
            text_fini(&verdict);
            text_fini(&verdicts[k]);
        }
        free(verdicts);
    }
    schema_destroy(other);
    schema_destroy(schema);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_order_of_rows_changes_no_verdict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
