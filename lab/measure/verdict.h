/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_MEASURE_VERDICT_H
#define ORCHD_LAB_MEASURE_VERDICT_H

/* Verdicts: does a run give what its scenario expects?
 *
 * An expectation is one line of 'expect:' after parsing.  It compares a metric
 * (lab/measure/metric.h), or the ratio of two, with a number of the paper, with
 * another metric (an ordering), or object by object with the values of an
 * oracle.  A verdict is computed from a results file only, so it can be
 * repeated without the run.
 *
 * A percentile of few samples is not a number but an interval: for
 * METRIC_QUANTILE the comparison uses the exact binomial interval
 * (lab/measure/quantile.h) and passes if the interval meets the wanted range.
 * A metric without values is not known and fails, except a count or a sum,
 * which is 0. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/measure/metric.h"

struct reader;

enum expectation_kind {
    EXPECT_RANGE,  /* min <= metric <= max. */
    EXPECT_ORDER,  /* metric * factor < than (or <=, see 'or_equal'). */
    EXPECT_ORACLE, /* The metric against theory, object by object. */
};

struct expectation {
    const char *text; /* The line for people; borrowed. */
    enum expectation_kind kind;
    struct metric metric;
    struct metric per; /* If 'is_ratio': divides it. */
    bool is_ratio;

    /* EXPECT_RANGE, in the unit of the metric; -INFINITY, INFINITY: no limit.
     * "is X, tol T" is X - T .. X + T. */
    double min, max;

    /* EXPECT_ORDER: 'metric' times 'factor' is below 'than'. */
    struct metric than;
    double factor; /* Above 0. */
    bool or_equal;

    /* EXPECT_ORACLE: |value - oracle| <= relative * |oracle| + absolute for
     * each object that has both. */
    char oracle[64];
    double relative, absolute;
};

enum { VERDICT_REASON_SIZE = 320 };

struct verdict {
    bool passed;
    bool known;   /* Whether there was anything to measure. */
    double value; /* Of the metric; EXPECT_ORACLE: the largest deviation. */
    /* The interval of a percentile with 95 % confidence; else 'value' twice. */
    double low, high;
    uint64_t n; /* Values. */
    char reason[VERDICT_REASON_SIZE];
};

/* Stores the range of "is 'is', tol 'tolerance'" in '*expectation'; the
 * tolerance is relative (0.1: 10 %) or in the unit of the metric. */
void expectation_set_is(struct expectation *expectation, double is,
                        double tolerance, bool relative);

/* Stores the value of 'metric' with its interval and number of values in
 * '*verdict', without judging it.  ST_IO: the file cannot be read. */
enum st verdict_measure(const struct metric *metric, struct reader *reader,
                        struct verdict *verdict,
                        struct err *err) ST_WARN_UNUSED;

/* Stores what 'expectation' compares in '*verdict', likewise: its metric, or
 * the ratio to 'per', which is not known if that is 0. */
enum st expectation_measure(const struct expectation *expectation,
                            struct reader *reader, struct verdict *verdict,
                            struct err *err) ST_WARN_UNUSED;

/* Returns the unit of that. */
enum metric_unit expectation_unit(const struct expectation *expectation);

/* Evaluates 'expectation' on the run of 'reader'.  ST_IO: the file cannot be
 * read. */
enum st verdict_evaluate(const struct expectation *expectation,
                         struct reader *reader, struct verdict *verdict,
                         struct err *err) ST_WARN_UNUSED;

/* Judges whether a metric grows over 'n' runs (at least 2), whose values are
 * 'verdicts' in the wanted order and 'names' for people: each is below the next
 * (or not above it, with 'or_equal'), where percentiles are compared by their
 * intervals.  '*verdict' gets the first pair that is wrong. */
void verdict_across(const struct verdict *verdicts, const char *const *names,
                    size_t n, enum metric_unit unit, bool or_equal,
                    struct verdict *verdict);

/* Judges the same runs as a whole: whether the rank correlation of the metric
 * with the wanted order is at least 'least' (above 0, at most 1).  Single pairs
 * may be the wrong way round, and percentiles count by their value.  'value' of
 * '*verdict' is the correlation; it is not known if all values are equal. */
void verdict_rank(const struct verdict *verdicts, const char *const *names,
                  size_t n, enum metric_unit unit, double least,
                  struct verdict *verdict);

#endif /* lab/measure/verdict.h */
