/* SPDX-License-Identifier: Apache-2.0 */

/* Numbers with units, as exact integers. */

#include <config.h>

#include "lab/scenario/quantity.h"

#include <stddef.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"

/* 'mantissa' * 10^'exponent', and what stands behind it. */
struct decimal {
    uint64_t mantissa;
    int exponent;
    const char *rest;
};

/* 'factor' * 10^'exponent' of the base unit. */
struct unit {
    const char *name;
    uint64_t factor;
    int exponent;
};

#define KIB UINT64_C(1024)

static const struct unit time_units[] = {
    {"ps", 1, 0}, {"fs", 1, -3}, {"ns", 1, 3},    {"us", 1, 6},
    {"ms", 1, 9}, {"s", 1, 12},  {"min", 60, 12}, {NULL, 0, 0},
};
static const struct unit byte_units[] = {
    {"B", 1, 0},     {"KB", 1, 3},
    {"MB", 1, 6},    {"GB", 1, 9},
    {"KiB", KIB, 0}, {"MiB", KIB *KIB, 0},
    {"", 1, 0},      {"GiB", KIB *KIB *KIB, 0},
    {NULL, 0, 0},
};
static const struct unit rate_units[] = {
    {"bps", 1, 0},   {"Kbps", 1, 3}, {"Mbps", 1, 6}, {"Gbps", 1, 9},
    {"Tbps", 1, 12}, {"K", 1, 3},    {"M", 1, 6},    {"G", 1, 9},
    {"T", 1, 12},    {NULL, 0, 0},
};
static const struct unit length_units[] = {
    {"mm", 1, 0},
    {"m", 1, 3},
    {"km", 1, 6},
    {NULL, 0, 0},
};
static const struct unit count_units[] = {
    {"", 1, 0}, {"K", 1, 3}, {"M", 1, 6}, {"G", 1, 9}, {NULL, 0, 0},
};

/* What a message says about each kind. */
static const struct {
    const struct unit *units;
    const char *what, *example;
} kinds[] = {
    [QUANTITY_TIME] = {time_units, "a time", "10us"},
    [QUANTITY_BYTES] = {byte_units, "a number of bytes", "64KB"},
    [QUANTITY_RATE] = {rate_units, "a rate", "40G"},
    [QUANTITY_LENGTH] = {length_units, "a length", "20m"},
    [QUANTITY_COUNT] = {count_units, "a number", "8"},
    [QUANTITY_RATIO] = {NULL, "a ratio", "1/16, 0.25 or 30%"},
};

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads the digits at '*text' into the mantissa; those behind the point count
 * down the exponent.  Returns false if it has too many. */
static bool
read_digits(const char **text, struct decimal *decimal, int step)
{
    for (; is_digit(**text); ++*text) {
        if (__builtin_mul_overflow(decimal->mantissa, UINT64_C(10),
                                   &decimal->mantissa) ||
            __builtin_add_overflow(decimal->mantissa, (uint64_t)(**text - '0'),
                                   &decimal->mantissa)) {
            return false;
        }
        decimal->exponent -= step;
    }
    return true;
}

/* Reads the exponent behind an "e".  Returns false if there is none. */
static bool
read_exponent(const char **text, int *exponent)
{
    bool negative = **text == '-';
    int value = 0;

    *text += negative;
    if (!is_digit(**text)) {
        return false;
    }
    for (; is_digit(**text); ++*text) {
        value = value * 10 + (**text - '0');
        if (value > 40) {
            return false;
        }
    }
    *exponent += negative ? -value : value;
    return true;
}

/* Reads the number at the start of 'text'.  Returns false if there is none. */
static bool
read_decimal(const char *text, struct decimal *decimal)
{
    *decimal = (struct decimal){0};
    if (!is_digit(*text) || !read_digits(&text, decimal, 0)) {
        return false;
    }
    if (*text == '.') {
        text++;
        if (!is_digit(*text) || !read_digits(&text, decimal, 1)) {
            return false;
        }
    }
    if (*text == 'e') {
        text++;
        if (!read_exponent(&text, &decimal->exponent)) {
            return false;
        }
    }
    while (*text == ' ') {
        text++;
    }
    decimal->rest = text;
    return true;
}

/* Multiplies 'decimal' by 10^'exponent' * 'factor' into '*value'.  Returns
 * false if the result is not a whole number below 2^63 - 1. */
static bool
scale(const struct decimal *decimal, uint64_t factor, int exponent,
      uint64_t *value)
{
    uint64_t result = decimal->mantissa;

    exponent += decimal->exponent;
    if (!result) {
        *value = 0;
        return true;
    }
    for (; exponent < 0 && result % 10 == 0; exponent++) {
        result /= 10;
    }
    if (__builtin_mul_overflow(result, factor, &result)) {
        return false;
    }
    for (; exponent < 0; exponent++) {
        if (result % 10) {
            return false;
        }
        result /= 10;
    }
    for (; exponent > 0; exponent--) {
        if (__builtin_mul_overflow(result, UINT64_C(10), &result)) {
            return false;
        }
    }
    *value = result;
    return result < QUANTITY_INFINITE;
}

static const struct unit *
find_unit(enum quantity_kind kind, const char *name)
{
    for (const struct unit *unit = kinds[kind].units; unit->name; unit++) {
        if (!strcmp(unit->name, name)) {
            return unit;
        }
    }
    return NULL;
}

/* Explains that the unit of 'text' is wrong or missing. */
static enum st
fail_unit(enum quantity_kind kind, const char *text, const char *rest,
          struct err *err)
{
    struct nearest nearest;
    struct text list = {0};
    char hint[NEAREST_HINT_SIZE] = "";
    enum st st;

    nearest_init(&nearest, rest, strlen(rest));
    for (const struct unit *unit = kinds[kind].units; unit->name; unit++) {
        if (*unit->name) {
            text_add_item(&list, ", ", unit->name);
            nearest_try(&nearest, unit->name);
        }
    }
    if (*rest) {
        nearest_hint(&nearest, hint);
    }
    st = err_set(err, ST_INVALID, "unit", "'%s' has %s%s; units of %s are: %s",
                 text, *rest ? "an unknown unit" : "no unit", hint,
                 kinds[kind].what, text_string(&list));
    text_fini(&list);
    return st;
}

static enum st
fail_form(enum quantity_kind kind, const char *text, struct err *err)
{
    return err_set(err, ST_INVALID, "number", "'%s' is not %s (such as %s)",
                   text, kinds[kind].what, kinds[kind].example);
}

enum st
quantity_parse(enum quantity_kind kind, const char *text, int64_t *value,
               struct err *err)
{
    struct decimal decimal;
    const struct unit *unit;
    uint64_t result;

    if (!strcmp(text, "inf")) {
        *value = QUANTITY_INFINITE;
        return ST_OK;
    }
    if (!read_decimal(text, &decimal)) {
        return fail_form(kind, text, err);
    }
    if (!decimal.mantissa && !*decimal.rest) {
        *value = 0;
        return ST_OK;
    }
    unit = find_unit(kind, decimal.rest);
    if (!unit) {
        return fail_unit(kind, text, decimal.rest, err);
    }
    if (!scale(&decimal, unit->factor, unit->exponent, &result)) {
        return err_set(err, ST_INVALID, "number",
                       "'%s' is too large, or not a whole number%s%s", text,
                       kind == QUANTITY_COUNT ? "" : " of ",
                       quantity_base_unit(kind));
    }
    *value = (int64_t)result;
    return ST_OK;
}

const char *
quantity_name(enum quantity_kind kind)
{
    static const char *const names[] = {
#define X(member, name, unit) name,
        QUANTITY_LIST(X)
#undef X
    };

    return names[kind];
}

const char *
quantity_base_unit(enum quantity_kind kind)
{
    static const char *const names[] = {
#define X(member, name, unit) unit,
        QUANTITY_LIST(X)
#undef X
    };

    return names[kind];
}

static uint64_t
greatest_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Stores 'numerator' / 'denominator', if it is a ratio. */
static bool
reduce(uint64_t numerator, uint64_t denominator, struct ratio *ratio)
{
    uint64_t divisor =
        denominator ? greatest_divisor(numerator, denominator) : 0;

    if (!divisor || numerator / divisor > RATIO_MAX ||
        denominator / divisor > RATIO_MAX) {
        return false;
    }
    ratio->numerator = (int64_t)(numerator / divisor);
    ratio->denominator = (int64_t)(denominator / divisor);
    return true;
}

/* Stores 'decimal' * 10^'exponent', if it is a ratio. */
static bool
reduce_decimal(const struct decimal *decimal, int exponent, struct ratio *ratio)
{
    uint64_t numerator = decimal->mantissa, denominator = 1;

    exponent += decimal->exponent;
    if (!numerator) {
        return reduce(0, 1, ratio);
    }
    for (; exponent < 0; exponent++) {
        if (numerator % 10 == 0) {
            numerator /= 10;
        } else if (__builtin_mul_overflow(denominator, UINT64_C(10),
                                          &denominator)) {
            return false;
        }
    }
    for (; exponent > 0; exponent--) {
        if (__builtin_mul_overflow(numerator, UINT64_C(10), &numerator)) {
            return false;
        }
    }
    return reduce(numerator, denominator, ratio);
}

/* Powers of ten that are exact in floating point give the nearest value. */
static double
scale_double(const struct decimal *decimal, uint64_t factor, int exponent)
{
    double value = (double)decimal->mantissa * (double)factor, power = 1;

    exponent += decimal->exponent;
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++) {
        power *= 10;
    }
    return exponent < 0 ? value / power : value * power;
}

/* Fails because 'value' is no fraction of numbers that are small enough, and
 * names the nearest that is. */
static enum st
fail_fraction(const char *text, double value, struct err *err)
{
    const double most = (double)RATIO_MAX;
    char nearest[48];

    if (value * most < 1) {
        text_format(nearest, sizeof nearest, "0 or 1e-15");
    } else if (value < 1) {
        text_format(nearest, sizeof nearest, "%.0fe-15", value * most);
    } else {
        text_format(nearest, sizeof nearest, "%.0f",
                    value < most ? value : most);
    }
    return err_set(err, ST_INVALID, "number",
                   "'%.40s' is not a fraction of two whole numbers up to 1e15 "
                   "(nearest: %s)",
                   text, nearest);
}

enum st
quantity_parse_ratio(const char *text, struct ratio *ratio, struct err *err)
{
    struct decimal decimal, below;
    const char *rest;

    if (!read_decimal(text, &decimal)) {
        return fail_form(QUANTITY_RATIO, text, err);
    }
    rest = decimal.rest;
    if (*rest == '/') {
        rest++;
        while (*rest == ' ') {
            rest++;
        }
        if (decimal.exponent || !read_decimal(rest, &below) || *below.rest ||
            below.exponent || !below.mantissa) {
            return fail_form(QUANTITY_RATIO, text, err);
        }
        return reduce(decimal.mantissa, below.mantissa, ratio)
                   ? ST_OK
                   : fail_fraction(
                         text,
                         (double)decimal.mantissa / (double)below.mantissa,
                         err);
    }
    if (*rest && strcmp(rest, "%") != 0) {
        return fail_form(QUANTITY_RATIO, text, err);
    }
    return reduce_decimal(&decimal, *rest ? -2 : 0, ratio)
               ? ST_OK
               : fail_fraction(text, scale_double(&decimal, 1, *rest ? -2 : 0),
                               err);
}

double
ratio_double(const struct ratio *ratio)
{
    return (double)ratio->numerator / (double)ratio->denominator;
}

/* Units with which a number of an unknown kind is unambiguous: "40G" is a plain
 * number there. */
static const struct {
    enum quantity_kind kind;
    int exponent; /* From the base unit to that of SI. */
} any_kinds[] = {
    {QUANTITY_COUNT, 0}, {QUANTITY_TIME, -12},  {QUANTITY_BYTES, 0},
    {QUANTITY_RATE, 0},  {QUANTITY_LENGTH, -3},
};

enum st
quantity_parse_any(const char *text, enum quantity_kind *kind, double *value,
                   struct err *err)
{
    struct decimal decimal;
    struct ratio ratio;
    bool negative = *text == '-';

    if (!read_decimal(text + negative, &decimal)) {
        return fail_form(QUANTITY_COUNT, text, err);
    }
    if (*decimal.rest == '%' || *decimal.rest == '/') {
        enum st st = quantity_parse_ratio(text + negative, &ratio, err);

        if (!st) {
            *kind = QUANTITY_RATIO;
            *value = ratio_double(&ratio) * (negative ? -1 : 1);
        }
        return st;
    }
    for (size_t i = 0; i < sizeof any_kinds / sizeof any_kinds[0]; i++) {
        const struct unit *unit = find_unit(any_kinds[i].kind, decimal.rest);

        if (unit) {
            *kind = any_kinds[i].kind;
            *value = scale_double(&decimal, unit->factor,
                                  unit->exponent + any_kinds[i].exponent) *
                     (negative ? -1 : 1);
            return ST_OK;
        }
    }
    return err_set(err, ST_INVALID, "unit",
                   "'%s' has an unknown unit; use those of time (us), bytes "
                   "(KB), rate (Gbps), length (km), %%, or none",
                   text);
}

/* Compares a / b with c / d by their continued fractions, which cannot
 * overflow. */
int
ratio_compare(const struct ratio *left, const struct ratio *right)
{
    uint64_t a = (uint64_t)left->numerator, b = (uint64_t)left->denominator;
    uint64_t c = (uint64_t)right->numerator, d = (uint64_t)right->denominator;
    int sign = 1;

    for (;;) {
        uint64_t whole = a / b, other = c / d, swap;

        if (whole != other) {
            return whole < other ? -sign : sign;
        }
        a %= b;
        c %= d;
        if (!a || !c) {
            return !a && !c ? 0 : !a ? -sign : sign;
        }
        swap = a;
        a = b;
        b = swap;
        swap = c;
        c = d;
        d = swap;
        sign = -sign;
    }
}

uint64_t
ratio_threshold(const struct ratio *ratio)
{
    uint64_t rest = (uint64_t)ratio->numerator;
    uint64_t denominator = (uint64_t)ratio->denominator, result = 0;

    if (rest >= denominator) {
        return UINT64_MAX;
    }
    /* Long division; 'rest' stays below 2 * RATIO_MAX. */
    for (int i = 0; i < 64; i++) {
        rest *= 2;
        result *= 2;
        if (rest >= denominator) {
            rest -= denominator;
            result++;
        }
    }
    return result;
}
