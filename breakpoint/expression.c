/* SPDX-License-Identifier: Apache-2.0 */

/* A recursive-descent evaluator: nothing is compiled, for each expression is
 * computed once. */

#include <config.h>

#include "breakpoint/expression.h"

#include <stdbool.h>
#include <string.h>

/* Deep enough for people, shallow enough for the stack. */
#define DEPTH_MAX 64

struct evaluation {
    const char *text;
    size_t at;
    unsigned int depth;
    expression_lookup_fn *lookup;
    void *context;
    struct err *err;
};

static enum st evaluate_sum(struct evaluation *e, int64_t *value);

/* The <ctype.h> functions ask the locale; a scenario means the same everywhere.
 */
static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

size_t
expression_name_length(const char *text)
{
    size_t n = 0;

    if (is_letter(text[0])) {
        while (is_letter(text[n]) || is_digit(text[n])) {
            n++;
        }
    }
    return n;
}

/* Skips blanks and returns the next byte, which stays. */
static char
evaluation_peek(struct evaluation *e)
{
    while (e->text[e->at] == ' ' || e->text[e->at] == '\t' ||
           e->text[e->at] == '\n') {
        e->at++;
    }
    return e->text[e->at];
}

/* Says that the result of what starts at 'at' does not fit. */
static enum st
evaluation_overflow(struct evaluation *e, size_t at)
{
    e->at = at;
    return err_set(e->err, ST_INVALID, "overflow",
                   "the result does not fit in 64 bits");
}

/* Reads digits.  Each step is checked, so a number of any length is safe. */
static enum st
evaluate_number(struct evaluation *e, int64_t *value)
{
    size_t start = e->at;
    int64_t result = 0;

    while (is_digit(e->text[e->at])) {
        int digit = e->text[e->at] - '0';

        if (__builtin_mul_overflow(result, 10, &result) ||
            __builtin_add_overflow(result, digit, &result)) {
            return evaluation_overflow(e, start);
        }
        e->at++;
    }
    *value = result;
    return ST_OK;
}

/* Looks up "$name"; the offset of a failure is that of the '$'. */
static enum st
evaluate_name(struct evaluation *e, int64_t *value)
{
    const char *name = e->text + e->at + 1;
    size_t length = expression_name_length(name);
    enum st st;

    if (!length) {
        return err_set(e->err, ST_INVALID, "syntax",
                       "expected the name of a parameter after '$'");
    }
    st = e->lookup(e->context, name, length, value, e->err);
    if (!st) {
        e->at += 1 + length;
    }
    return st;
}

/* Reads what is in parentheses.  A missing ')' is reported at its '(' when the
 * text simply ends: that is where people look. */
static enum st
evaluate_group(struct evaluation *e, int64_t *value)
{
    size_t start = e->at;
    enum st st;

    e->at++;
    st = evaluate_sum(e, value);
    if (st) {
        return st;
    }
    if (evaluation_peek(e) != ')') {
        e->at = e->text[e->at] ? e->at : start;
        return err_set(e->err, ST_INVALID, "syntax",
                       "expected ')' to go with '('");
    }
    e->at++;
    return ST_OK;
}

static enum st evaluate_factor(struct evaluation *e, int64_t *value);

/* Reads a sign and its factor.  Only the lowest number has no opposite. */
static enum st
evaluate_negative(struct evaluation *e, int64_t *value)
{
    size_t start = e->at;
    int64_t positive;
    enum st st;

    e->at++;
    st = evaluate_factor(e, &positive);
    if (st) {
        return st;
    }
    if (__builtin_sub_overflow((int64_t)0, positive, value)) {
        return evaluation_overflow(e, start);
    }
    return ST_OK;
}

/* Reads whatever can be an operand, by its first byte. */
static enum st
evaluate_factor__(struct evaluation *e, int64_t *value)
{
    char c = evaluation_peek(e);

    if (c == '-') {
        return evaluate_negative(e, value);
    }
    if (c == '(') {
        return evaluate_group(e, value);
    }
    if (c == '$') {
        return evaluate_name(e, value);
    }
    if (is_digit(c)) {
        return evaluate_number(e, value);
    }
    if (!c) {
        return err_set(e->err, ST_INVALID, "syntax",
                       "expected a number, a $parameter or '(' at the end");
    }
    return err_set(e->err, ST_INVALID, "syntax",
                   "expected a number, a $parameter or '(', found '%c'", c);
}

/* Guards the recursion, which goes through here whatever nests. */
static enum st
evaluate_factor(struct evaluation *e, int64_t *value)
{
    enum st st;

    if (e->depth == DEPTH_MAX) {
        return err_set(e->err, ST_INVALID, "syntax",
                       "more than %d levels of parentheses and signs",
                       DEPTH_MAX);
    }
    e->depth++;
    st = evaluate_factor__(e, value);
    e->depth--;
    return st;
}

/* Applies 'op' to '*left' and 'right'; 'at' is where it stands. */
static enum st
evaluation_apply(struct evaluation *e, char op, size_t at, int64_t *left,
                 int64_t right)
{
    bool overflow = false;

    switch (op) {
    case '+':
        overflow = __builtin_add_overflow(*left, right, left);
        break;
    case '-':
        overflow = __builtin_sub_overflow(*left, right, left);
        break;
    case '*':
        overflow = __builtin_mul_overflow(*left, right, left);
        break;
    default:
        if (!right) {
            e->at = at;
            return err_set(e->err, ST_INVALID, "division", "division by zero");
        }
        overflow = *left == INT64_MIN && right == -1;
        *left = overflow ? 0 : *left / right;
        break;
    }
    return overflow ? evaluation_overflow(e, at) : ST_OK;
}

/* Evaluates operands read by 'operand' that are joined by one of two
 * operators, from left to right. */
static enum st
evaluate_chain(struct evaluation *e, const char *operators,
               enum st (*operand)(struct evaluation *e, int64_t *value),
               int64_t *value)
{
    enum st st = operand(e, value);

    while (!st) {
        char op = evaluation_peek(e);
        size_t at = e->at;
        int64_t right;

        if (!op || !strchr(operators, op)) {
            break;
        }
        e->at++;
        st = operand(e, &right);
        if (!st) {
            st = evaluation_apply(e, op, at, value, right);
        }
    }
    return st;
}

/* Products bind closer than sums, so they are the operands of these. */
static enum st
evaluate_product(struct evaluation *e, int64_t *value)
{
    return evaluate_chain(e, "*/", evaluate_factor, value);
}

/* The top of the grammar. */
static enum st
evaluate_sum(struct evaluation *e, int64_t *value)
{
    return evaluate_chain(e, "+-", evaluate_product, value);
}

enum st
expression_evaluate(const char *text, expression_lookup_fn *lookup,
                    void *context, int64_t *value, size_t *offset,
                    struct err *err)
{
    struct evaluation e = {
        .text = text, .lookup = lookup, .context = context, .err = err};
    int64_t result = 0;
    enum st st = evaluate_sum(&e, &result);

    if (!st && evaluation_peek(&e)) {
        st = err_set(err, ST_INVALID, "syntax",
                     "expected an operator (+ - * /) or the end, found '%c'",
                     text[e.at]);
    }
    if (st) {
        *offset = e.at;
        return st;
    }
    *value = result;
    return ST_OK;
}
