/* SPDX-License-Identifier: Apache-2.0 */

/* Evaluates expectations on results. */

#include <config.h>

#include "lab/measure/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "lab/measure/quantile.h"
#include "lab/measure/rank.h"
#include "lab/measure/reader.h"

#define CONFIDENCE 0.95

/* Numbers of a scenario and values of results come from integers in different
 * units; relative to the value, they may differ by this and be equal. */
#define ROUNDING 1e-12

/* A value that occurs 'n' times. */
struct sample {
    double value;
    uint64_t n;
};

/* What has been read of a quantity. */
struct samples {
    struct sample *list;
    size_t length, size;
    uint64_t n;
    double sum, min, max;
};

/* Adds to all but the list. */
static void
add_to_sums(struct samples *samples, double value, uint64_t n)
{
    samples->min = samples->n ? fmin(samples->min, value) : value;
    samples->max = samples->n ? fmax(samples->max, value) : value;
    samples->sum += value * (double)n;
    samples->n += n;
}

static bool
take_sample(void *context, double value, uint64_t n, const char *object)
{
    struct samples *samples = context;

    (void)object;
    if (samples->length == samples->size) {
        samples->size = samples->size ? 2 * samples->size : 64;
        samples->list =
            check_realloc(samples->list, samples->size * sizeof *samples->list);
    }
    samples->list[samples->length++] = (struct sample){value, n};
    add_to_sums(samples, value, n);
    return true;
}

static int
compare_samples(const void *a_, const void *b_)
{
    const struct sample *a = a_, *b = b_;

    return (a->value > b->value) - (a->value < b->value);
}

/* Returns the value of rank 'rank' of the sorted samples. */
static double
at_rank(const struct samples *samples, uint64_t rank)
{
    uint64_t seen = 0;
    size_t i = 0;

    while (i + 1 < samples->length && seen + samples->list[i].n < rank) {
        seen += samples->list[i++].n;
    }
    return samples->list[i].value;
}

/* Stores the percentile with its interval. */
static void
compute_quantile(struct samples *samples, double quantile,
                 struct verdict *verdict)
{
    struct quantile_ranks ranks;

    qsort(samples->list, samples->length, sizeof *samples->list,
          compare_samples);
    quantile_ranks(samples->n, quantile, CONFIDENCE, &ranks);
    verdict->value = at_rank(samples, ranks.rank);
    verdict->low = at_rank(samples, ranks.low);
    verdict->high = at_rank(samples, ranks.high);
}

/* Returns the mean square of the distance from 'from'. */
static double
mean_square(const struct samples *samples, double from)
{
    double sum = 0;

    for (size_t i = 0; i < samples->length; i++) {
        const double distance = samples->list[i].value - from;

        sum += distance * distance * (double)samples->list[i].n;
    }
    return sum / (double)samples->n;
}

/* Returns 'aggregate' of samples, of which there is at least one. */
static double
compute(const struct samples *samples, enum metric_aggregate aggregate)
{
    const double mean = samples->sum / (double)samples->n;
    double square;

    switch (aggregate) {
    case METRIC_COUNT:
        return (double)samples->n;
    case METRIC_SUM:
        return samples->sum;
    case METRIC_MEAN:
        return mean;
    case METRIC_MIN:
        return samples->min;
    case METRIC_MAX:
        return samples->max;
    case METRIC_STDDEV:
        return sqrt(mean_square(samples, mean));
    case METRIC_CV:
        return sqrt(mean_square(samples, mean)) / mean;
    case METRIC_JAIN:
        square = mean_square(samples, 0);
        return square > 0 ? mean * mean / square : 1;
    case METRIC_SPREAD:
        return samples->max / samples->min;
    case METRIC_QUANTILE:
        break;
    }
    check_failed("an aggregate of one number", __FILE__, __LINE__);
}

/* Returns whether 'metric' is 0 when there are no values: counts, and sums of
 * what is recorded only when it happens.  Without flows, links or hosts there
 * is nothing to sum. */
static bool
has_zero(const struct metric *metric)
{
    const enum metric_quantity quantity = metric->quantity;

    return metric->aggregate == METRIC_COUNT ||
           (metric->aggregate == METRIC_SUM &&
            ((quantity >= METRIC_DROP_PACKETS &&
              quantity <= METRIC_QUEUE_FIRST_PAUSE) ||
             quantity == METRIC_COUNTER));
}

enum st
verdict_measure(const struct metric *metric, struct reader *reader,
                struct verdict *verdict, struct err *err)
{
    struct samples samples = {0};
    const enum st st =
        reader_values(reader, metric, take_sample, &samples, err);
    if (st) {
        free(samples.list);
        return st;
    }
    *verdict = (struct verdict){.n = samples.n,
                                .known = samples.n > 0 || has_zero(metric)};
    if (samples.n && metric->aggregate == METRIC_QUANTILE) {
        compute_quantile(&samples, metric->quantile, verdict);
    } else {
        verdict->value = samples.n ? compute(&samples, metric->aggregate) : 0;
        verdict->low = verdict->high = verdict->value;
    }
    if (!isfinite(verdict->value)) {
        /* A ratio to 0. */
        verdict->known = false;
    }
    free(samples.list);
    return ST_OK;
}

enum st
expectation_measure(const struct expectation *expectation,
                    struct reader *reader, struct verdict *verdict,
                    struct err *err)
{
    struct verdict per;
    enum st st = verdict_measure(&expectation->metric, reader, verdict, err);

    if (st || !expectation->is_ratio) {
        return st;
    }
    st = verdict_measure(&expectation->per, reader, &per, err);
    if (!st) {
        verdict->known = verdict->known && per.known && per.low > 0;
    }
    if (!st && verdict->known) {
        verdict->value /= per.value;
        verdict->low /= per.high;
        verdict->high /= per.low;
    }
    return st;
}

enum metric_unit
expectation_unit(const struct expectation *expectation)
{
    return expectation->is_ratio ? METRIC_NUMBER
                                 : metric_unit(&expectation->metric);
}

void
expectation_set_is(struct expectation *expectation, double is, double tolerance,
                   bool relative)
{
    const double width = relative ? fabs(is) * tolerance : tolerance;

    expectation->kind = EXPECT_RANGE;
    expectation->min = is - width;
    expectation->max = is + width;
}

/* Writes "52 us (95 %: 50 us..54 us, 100 values)". */
static void
describe_value(struct text *text, const struct verdict *verdict,
               enum metric_unit unit)
{
    char buffer[METRIC_TEXT_SIZE];

    text_add(text, metric_text(verdict->value, unit, buffer));
    if (verdict->low != verdict->high) {
        text_addf(text, " (95 %%: %s", metric_text(verdict->low, unit, buffer));
        text_addf(text, "..%s, %llu values)",
                  metric_text(verdict->high, unit, buffer),
                  (unsigned long long)verdict->n);
    }
}

/* Writes "at least 3", "at most 4", "3..4" or "3". */
static void
describe_range(struct text *text, double min, double max, enum metric_unit unit)
{
    char buffer[METRIC_TEXT_SIZE];

    if (min == max) {
        text_add(text, metric_text(min, unit, buffer));
    } else if (isinf(min)) {
        text_addf(text, "at most %s", metric_text(max, unit, buffer));
    } else if (isinf(max)) {
        text_addf(text, "at least %s", metric_text(min, unit, buffer));
    } else {
        text_add(text, metric_text(min, unit, buffer));
        text_addf(text, "..%s", metric_text(max, unit, buffer));
    }
}

/* Moves 'text' into the reason of 'verdict'. */
static void
set_reason(struct verdict *verdict, struct text *text)
{
    (void)text_copy(verdict->reason, sizeof verdict->reason, text_string(text));
    text_fini(text);
}

static void
judge_range(const struct expectation *expectation, struct verdict *verdict)
{
    const enum metric_unit unit = expectation_unit(expectation);
    struct text text = {0};

    verdict->passed =
        verdict->known &&
        verdict->high + fabs(verdict->high) * ROUNDING >= expectation->min &&
        verdict->low - fabs(verdict->low) * ROUNDING <= expectation->max;
    if (verdict->known) {
        describe_value(&text, verdict, unit);
    } else {
        text_add(&text, "nothing to measure");
    }
    text_add(&text, ", wanted ");
    describe_range(&text, expectation->min, expectation->max, unit);
    set_reason(verdict, &text);
}

static enum st
judge_order(const struct expectation *expectation, struct reader *reader,
            struct verdict *verdict, struct err *err)
{
    const enum metric_unit unit = metric_unit(&expectation->metric);
    struct text text = {0};
    struct verdict than;
    double low;
    enum st st = verdict_measure(&expectation->than, reader, &than, err);

    if (st) {
        return st;
    }
    low = verdict->low * expectation->factor;
    verdict->passed =
        verdict->known && than.known &&
        (expectation->or_equal ? low <= than.high : low < than.high);
    if (!verdict->known || !than.known) {
        text_addf(&text, "nothing to measure on the %s",
                  verdict->known ? "right" : "left");
    } else {
        describe_value(&text, verdict, unit);
        if (expectation->factor != 1) {
            text_addf(&text, " times %.6g", expectation->factor);
        }
        text_addf(&text, ", wanted %s ",
                  expectation->or_equal ? "at most" : "below");
        describe_value(&text, &than, metric_unit(&expectation->than));
    }
    verdict->known = verdict->known && than.known;
    set_reason(verdict, &text);
    return ST_OK;
}

/* The value of an oracle for an object, and what was measured of it. */
struct prediction {
    char *object;
    double value;
    struct samples samples; /* Without the list. */
    UT_hash_handle hh;
};

/* The comparison with an oracle. */
struct comparison {
    const struct expectation *expectation;
    struct prediction *predictions; /* By object. */
    uint64_t n, n_failed;
    double worst; /* Largest |value - oracle| / |oracle|. */
    char object[96];
    double value, wanted; /* Of that object. */
};

static struct prediction *
find_prediction(const struct comparison *comparison, const char *object)
{
    struct prediction *prediction;

    HASH_FIND(hh, comparison->predictions, object, (unsigned int)strlen(object),
              prediction);
    return prediction;
}

static bool
take_prediction(void *context, double value, uint64_t n, const char *object)
{
    struct comparison *comparison = context;
    struct prediction *prediction = find_prediction(comparison, object);

    (void)n;
    if (!prediction) {
        prediction = check_calloc(1, sizeof *prediction);
        prediction->object = check_strdup(object);
        HASH_ADD_KEYPTR(hh, comparison->predictions, prediction->object,
                        (unsigned int)strlen(object), prediction);
    }
    prediction->value = value;
    return true;
}

/* Compares a measured value with 'prediction'. */
static void
compare_value(struct comparison *comparison,
              const struct prediction *prediction, double value)
{
    const struct expectation *expectation = comparison->expectation;
    const double distance = fabs(value - prediction->value);
    const double relative = prediction->value != 0
                                ? distance / fabs(prediction->value)
                            : distance > 0 ? INFINITY
                                           : 0;

    comparison->n_failed += distance > (expectation->relative + ROUNDING) *
                                               fabs(prediction->value) +
                                           expectation->absolute;
    if (!comparison->n++ || relative > comparison->worst) {
        comparison->worst = relative;
        comparison->value = value;
        comparison->wanted = prediction->value;
        (void)text_copy(comparison->object, sizeof comparison->object,
                        *prediction->object ? prediction->object : "it");
    }
}

/* Returns whether values of an object are joined before they are compared. */
static bool
joins_values(enum metric_aggregate aggregate)
{
    return aggregate <= METRIC_MAX;
}

/* Takes a measured value of 'object'. */
static bool
take_value(void *context, double value, uint64_t n, const char *object)
{
    struct comparison *comparison = context;
    struct prediction *prediction = find_prediction(comparison, object);

    if (prediction && joins_values(comparison->expectation->metric.aggregate)) {
        add_to_sums(&prediction->samples, value, n);
    } else if (prediction) {
        compare_value(comparison, prediction, value);
    }
    return true;
}

/* Compares the joined values of all objects. */
static void
compare_joined(struct comparison *comparison)
{
    for (struct prediction *prediction = comparison->predictions; prediction;
         prediction = prediction->hh.next) {
        if (prediction->samples.n) {
            compare_value(comparison, prediction,
                          compute(&prediction->samples,
                                  comparison->expectation->metric.aggregate));
        }
    }
}

/* Measures what the oracle has values for, and compares. */
static enum st
compare_all(struct comparison *comparison, struct reader *reader,
            struct err *err)
{
    const struct metric *metric = &comparison->expectation->metric;
    const struct prediction *whole = find_prediction(comparison, "");
    struct verdict verdict;
    enum st st;

    if (!whole) {
        st = reader_values(reader, metric, take_value, comparison, err);
        compare_joined(comparison);
        return st;
    }
    st = verdict_measure(metric, reader, &verdict, err);
    if (!st && verdict.known) {
        compare_value(comparison, whole, verdict.value);
    }
    return st;
}

static void
describe_comparison(const struct comparison *comparison,
                    struct verdict *verdict)
{
    const enum metric_unit unit = metric_unit(&comparison->expectation->metric);
    char buffer[METRIC_TEXT_SIZE];
    struct text text = {0};

    if (!comparison->n) {
        text_addf(&text, "no object has a value of oracle %s",
                  comparison->expectation->oracle);
    } else {
        text_addf(&text, "%llu of %llu outside; the worst is %s: %s",
                  (unsigned long long)comparison->n_failed,
                  (unsigned long long)comparison->n, comparison->object,
                  metric_text(comparison->value, unit, buffer));
        text_addf(&text, ", %s says %s", comparison->expectation->oracle,
                  metric_text(comparison->wanted, unit, buffer));
        text_addf(&text, " (%.3g %%)", comparison->worst * 100);
    }
    set_reason(verdict, &text);
}

static enum st
judge_oracle(const struct expectation *expectation, struct reader *reader,
             struct verdict *verdict, struct err *err)
{
    struct comparison comparison = {.expectation = expectation};
    struct metric oracle = {.quantity = METRIC_ORACLE};
    struct prediction *prediction, *next;
    enum st st;

    (void)text_copy(oracle.labels[METRIC_LABEL_NAME], METRIC_VALUE_SIZE,
                    expectation->oracle);
    st = reader_values(reader, &oracle, take_prediction, &comparison, err);
    st = st ? st : compare_all(&comparison, reader, err);
    if (!st) {
        *verdict = (struct verdict){
            .known = comparison.n > 0,
            .passed = comparison.n > 0 && !comparison.n_failed,
            .value = comparison.worst,
            .low = comparison.worst,
            .high = comparison.worst,
            .n = comparison.n,
        };
        describe_comparison(&comparison, verdict);
    }
    HASH_ITER(hh, comparison.predictions, prediction, next)
    {
        HASH_DEL(comparison.predictions, prediction);
        free(prediction->object);
        free(prediction);
    }
    return st;
}

enum st
verdict_evaluate(const struct expectation *expectation, struct reader *reader,
                 struct verdict *verdict, struct err *err)
{
    enum st st;

    if (expectation->kind == EXPECT_ORACLE) {
        return judge_oracle(expectation, reader, verdict, err);
    }
    st = expectation_measure(expectation, reader, verdict, err);
    if (st) {
        return st;
    }
    if (expectation->kind == EXPECT_ORDER) {
        return judge_order(expectation, reader, verdict, err);
    }
    judge_range(expectation, verdict);
    return ST_OK;
}

void
verdict_across(const struct verdict *verdicts, const char *const *names,
               size_t n, enum metric_unit unit, bool or_equal,
               struct verdict *verdict)
{
    struct text text = {0};
    size_t i = 0;

    orch_assert(n >= 2);
    while (i + 1 < n && verdicts[i].known && verdicts[i + 1].known &&
           (or_equal ? verdicts[i].low <= verdicts[i + 1].high
                     : verdicts[i].low < verdicts[i + 1].high)) {
        i++;
    }
    *verdict = verdicts[i];
    verdict->passed = i + 1 == n;
    verdict->known = verdicts[i].known && (i + 1 == n || verdicts[i + 1].known);
    if (verdict->passed) {
        text_addf(&text, "grows from %s to %s, where it is ", names[0],
                  names[n - 1]);
        describe_value(&text, &verdicts[i], unit);
    } else if (!verdict->known) {
        text_addf(&text, "nothing to measure for %s",
                  names[verdicts[i].known ? i + 1 : i]);
    } else {
        text_addf(&text, "%s has ", names[i]);
        describe_value(&text, &verdicts[i], unit);
        text_addf(&text, ", wanted %s %s with ", or_equal ? "at most" : "below",
                  names[i + 1]);
        describe_value(&text, &verdicts[i + 1], unit);
    }
    set_reason(verdict, &text);
}

void
verdict_rank(const struct verdict *verdicts, const char *const *names, size_t n,
             enum metric_unit unit, double least, struct verdict *verdict)
{
    double *values = check_calloc(n, sizeof *values);
    double correlation;
    struct text text = {0};
    size_t known = 0;

    for (; known < n && verdicts[known].known; known++) {
        values[known] = verdicts[known].value;
    }
    correlation = known == n ? rank_correlation(values, n) : (double)NAN;
    free(values);
    *verdict = (struct verdict){.known = !isnan(correlation),
                                .passed = correlation >= least,
                                .value = correlation,
                                .low = correlation,
                                .high = correlation,
                                .n = n};
    if (known < n) {
        text_addf(&text, "nothing to measure for %s", names[known]);
    } else if (!verdict->known) {
        text_add(&text, "all values are equal, ");
        describe_value(&text, &verdicts[0], unit);
    } else {
        text_addf(&text, "rank correlation %.3f, wanted at least %.3f; ",
                  correlation, least);
        text_addf(&text, "%s has ", names[0]);
        describe_value(&text, &verdicts[0], unit);
        text_addf(&text, ", %s ", names[n - 1]);
        describe_value(&text, &verdicts[n - 1], unit);
    }
    set_reason(verdict, &text);
}
