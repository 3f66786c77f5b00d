/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_QUANTITY_H
#define ORCHD_LAB_SCENARIO_QUANTITY_H

/* Numbers with units, as exact integers.
 *
 *     number = digits [ "." digits ] [ "e" [ "-" ] digits ]
 *     value  = number [ " " ] [ unit ] | digits "/" digits | "inf"
 *
 *     time    fs ps ns us ms s min   picoseconds; a unit is needed, except for
 * 0 bytes   B KB MB GB (1000^n), KiB MiB GiB (1024^n); without a unit bytes
 *     rate    bps Kbps Mbps Gbps Tbps, or K M G T; a unit is needed
 *     length  mm m km                millimetres; a unit is needed, except for
 * 0 count   K M G (1000^n) or none ratio   %, a fraction "1/16", or a plain
 * number
 *
 * A value that is not a whole number of the base unit is an error, and so is
 * one that does not fit: nothing is rounded.  "inf" is QUANTITY_INFINITE. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define QUANTITY_INFINITE INT64_MAX

/* X(member, name, base unit). */
#define QUANTITY_LIST(X)                                                       \
    X(TIME, "time", "ps")                                                      \
    X(BYTES, "bytes", "B")                                                     \
    X(RATE, "rate", "bps")                                                     \
    X(LENGTH, "length", "mm")                                                  \
    X(COUNT, "number", "")                                                     \
    X(RATIO, "ratio", "")

enum quantity_kind {
#define X(member, name, unit) QUANTITY_##member,
    QUANTITY_LIST(X)
#undef X
};

/* The largest numerator and denominator of a ratio. */
#define RATIO_MAX UINT64_C(1000000000000000)

/* An exact fraction, in lowest terms. */
struct ratio {
    int64_t numerator;   /* 0..RATIO_MAX */
    int64_t denominator; /* 1..RATIO_MAX */
};

/* Returns the name of 'kind': "time". */
const char *quantity_name(enum quantity_kind kind);

/* Returns the base unit of 'kind': "ps"; "" for numbers and ratios. */
const char *quantity_base_unit(enum quantity_kind kind);

/* Parses all of 'text' as a value of 'kind', which is not QUANTITY_RATIO, into
 * '*value', in the base unit.  ST_INVALID: 'err' says what was expected, and
 * '*value' is unchanged. */
enum st quantity_parse(enum quantity_kind kind, const char *text,
                       int64_t *value, struct err *err) ST_WARN_UNUSED;

/* The same for a ratio. */
enum st quantity_parse_ratio(const char *text, struct ratio *ratio,
                             struct err *err) ST_WARN_UNUSED;

/* Parses a number of any kind, which may be negative, into SI units: seconds,
 * bytes, bits per second, metres or none.  "40G" is a plain number (COUNT), as
 * is one without a unit; "30%" and "1/16" are a RATIO. */
enum st quantity_parse_any(const char *text, enum quantity_kind *kind,
                           double *value, struct err *err) ST_WARN_UNUSED;

/* Compares two ratios: less than, equal to or greater than 0. */
int ratio_compare(const struct ratio *a, const struct ratio *b);

/* Returns 'ratio' as floating point, for what is not part of a simulation. */
double ratio_double(const struct ratio *ratio);

/* Returns 'ratio', which is at most 1, as a fraction of 2^64, rounded down; 1
 * becomes 2^64 - 1.  For random decisions. */
uint64_t ratio_threshold(const struct ratio *ratio);

#endif /* lab/scenario/quantity.h */
