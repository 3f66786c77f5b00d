/* SPDX-License-Identifier: Apache-2.0 */

/* A recursive-descent evaluator.  It does not compile expressions, because most
 * are computed only once. */

#include <config.h>

#include "breakpoint/expression.h"

#include <stdbool.h>
#include <string.h>

/* More levels than anyone writes, few enough for the stack. */
#define DEPTH_MAX 64

struct evaluation {
    const char *text;
    size_t at;
    unsigned int depth;
    unsigned int idle; /* Above 0: parse, but do not compute. */
    expression_lookup_fn *lookup;
    void *context;
    struct err *err;
};

typedef enum st operand_fn(struct evaluation *e,
                           struct expression_value *value);

static operand_fn evaluate_whole;

/* Not isdigit(), which depends on the locale. */
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

/* Returns the length of "(...)" at the start of 'text', or 0 if there is
 * none. */
static size_t
group_length(const char *text)
{
    size_t depth = 0;
    size_t n = 0;

    do {
        depth += text[n] == '(';
        depth -= text[n] == ')' && depth;
        n += text[n] != '\0';
    } while (depth && text[n]);
    return depth || text[0] != '(' ? 0 : n;
}

/* Returns the length of the field name at the start of 'text': letters, digits
 * and "_", or a "$name" that stands for it; 0 if there is none. */
static size_t
field_length(const char *text)
{
    size_t n = 0;

    if (text[0] == '$') {
        n = expression_name_length(text + 1);
        return n ? n + 1 : 0;
    }
    while (is_digit(text[n]) || is_letter(text[n])) {
        n++;
    }
    return n;
}

size_t
expression_reference_length(const char *text)
{
    size_t n = expression_name_length(text);
    size_t group = 0, member = 0;

    if (n == 3 && !memcmp(text, "row", 3)) {
        group = group_length(text + n);
        if (!group) {
            return 0;
        }
    } else if (n != 4 || memcmp(text, "chip", 4)) {
        return n;
    }
    n += group;
    if (text[n] == '.') {
        member = group ? field_length(text + n + 1)
                       : expression_name_length(text + n + 1);
    }
    return member ? n + 1 + member : 0;
}

/* Skips blanks and returns the next byte without consuming it. */
static char
evaluation_peek(struct evaluation *e)
{
    while (e->text[e->at] == ' ' || e->text[e->at] == '\t' ||
           e->text[e->at] == '\n') {
        e->at++;
    }
    return e->text[e->at];
}

/* Reports that the result of the operation at 'at' does not fit. */
static enum st
evaluation_overflow(struct evaluation *e, size_t at)
{
    e->at = at;
    return err_set(e->err, ST_INVALID, "overflow",
                   "the result does not fit in 64 bits");
}

/* Reports an error if the operand at 'at' is not a number, unless its value is
 * not needed. */
static enum st
evaluation_numeric(struct evaluation *e, size_t at,
                   const struct expression_value *value)
{
    if (!value->text || e->idle) {
        return ST_OK;
    }
    e->at = at;
    return err_set(e->err, ST_INVALID, "text", "'%.*s' is text, not a number",
                   (int)value->length, value->text);
}

static struct expression_value
number_value(int64_t number)
{
    return (struct expression_value){number, NULL, 0};
}

/* Reads digits.  Each step checks for overflow, so a number of any length is
 * safe. */
static enum st
evaluate_number(struct evaluation *e, struct expression_value *value)
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
    *value = number_value(result);
    return ST_OK;
}

/* Looks up "$reference".  A failure is reported at the '$'. */
static enum st
evaluate_reference(struct evaluation *e, struct expression_value *value)
{
    const char *reference = e->text + e->at + 1;
    size_t length = expression_reference_length(reference);
    enum st st = ST_OK;

    if (!length) {
        return err_set(e->err, ST_INVALID, "syntax",
                       "expected $name, $chip.name or $row(TABLE|key).field");
    }
    *value = number_value(0);
    if (!e->idle) {
        st = e->lookup(e->context, reference, length, value, e->err);
    }
    if (!st) {
        e->at += 1 + length;
    }
    return st;
}

/* Reads an expression in parentheses.  If the text ends without the ')', the
 * error is reported at the '(', which is where people look. */
static enum st
evaluate_group(struct evaluation *e, struct expression_value *value)
{
    size_t start = e->at;
    enum st st;

    e->at++;
    st = evaluate_whole(e, value);
    if (st) {
        return st;
    }
    if (evaluation_peek(e) != ')') {
        e->at = e->text[e->at] ? e->at : start;
        return err_set(e->err, ST_INVALID, "syntax",
                       "expected ')' to match '('");
    }
    e->at++;
    return ST_OK;
}

static operand_fn evaluate_factor;

/* Reads a sign and its factor.  Only the lowest number cannot be negated. */
static enum st
evaluate_unary(struct evaluation *e, struct expression_value *value)
{
    size_t start = e->at;
    bool negates = e->text[e->at++] == '!';
    int64_t result;
    enum st st = evaluate_factor(e, value);

    st = st ? st : evaluation_numeric(e, start + 1, value);
    if (st) {
        return st;
    }
    if (negates) {
        result = !value->number;
    } else if (__builtin_sub_overflow((int64_t)0, value->number, &result)) {
        return evaluation_overflow(e, start);
    }
    *value = number_value(result);
    return ST_OK;
}

/* --- Operators and functions -------------------------------------------- */

enum operation {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    MIN,
    MAX,
    CEIL,
    FLOOR,
    POWER,
    CHOICE,
};

/* Divides, rounded as 'operation' says. */
static bool
divide(enum operation operation, int64_t left, int64_t right, int64_t *result)
{
    int64_t rest;

    if (left == INT64_MIN && right == -1) {
        return false;
    }
    rest = left % right;
    *result = left / right;
    if (operation == REMAINDER) {
        *result = rest;
    } else if (operation == CEIL && rest && (rest < 0) == (right < 0)) {
        ++*result;
    } else if (operation == FLOOR && rest && (rest < 0) != (right < 0)) {
        --*result;
    }
    return true;
}

/* Raises 'base' to 'exponent', which is not negative. */
static bool
power(int64_t base, int64_t exponent, int64_t *result)
{
    *result = 1;
    if (base == 0 || base == 1 || base == -1) {
        *result = exponent == 0 || (base && (base == 1 || exponent % 2 == 0))
                      ? 1
                      : base;
        return true;
    }
    for (int64_t i = 0; i < exponent; i++) {
        if (__builtin_mul_overflow(*result, base, result)) {
            return false;
        }
    }
    return true;
}

/* Applies 'operation' to '*left' and 'right'; 'at' is its offset in the
 * text. */
static enum st
evaluation_apply(struct evaluation *e, enum operation operation, size_t at,
                 struct expression_value *left,
                 const struct expression_value *right)
{
    int64_t a = left->number, b = right->number, result = 0;
    bool fits = true;

    if (e->idle) {
        return ST_OK;
    }
    switch (operation) {
    case ADD:
        fits = !__builtin_add_overflow(a, b, &result);
        break;
    case SUBTRACT:
        fits = !__builtin_sub_overflow(a, b, &result);
        break;
    case MULTIPLY:
        fits = !__builtin_mul_overflow(a, b, &result);
        break;
    case MIN:
        result = a < b ? a : b;
        break;
    case MAX:
        result = a > b ? a : b;
        break;
    case POWER:
        if (b < 0) {
            e->at = at;
            return err_set(e->err, ST_INVALID, "power",
                           "the exponent is negative: %lld", (long long)b);
        }
        fits = power(a, b, &result);
        break;
    case DIVIDE:
    case REMAINDER:
    case CEIL:
    case FLOOR:
    case CHOICE: /* Not reached: evaluate_if() handles it. */
    default:
        if (!b) {
            e->at = at;
            return err_set(e->err, ST_INVALID, "division", "division by zero");
        }
        fits = divide(operation, a, b, &result);
        break;
    }
    *left = number_value(result);
    return fits ? ST_OK : evaluation_overflow(e, at);
}

static const struct function {
    const char *name;
    enum operation operation;
    bool is_binary; /* Takes exactly two arguments. */
} functions[] = {
    {"min", MIN, false},    {"max", MAX, false},  {"ceil", CEIL, true},
    {"floor", FLOOR, true}, {"pow", POWER, true}, {"if", CHOICE, false},
};

/* Finds the function that is called at the start of 'text'. */
static const struct function *
function_find(const char *text)
{
    size_t length = expression_name_length(text);
    size_t next = length;

    while (text[next] == ' ') {
        next++;
    }
    for (size_t i = 0;
         text[next] == '(' && i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) == length &&
            !memcmp(functions[i].name, text, length)) {
            return &functions[i];
        }
    }
    return NULL;
}

bool
expression_is_call(const char *text)
{
    return function_find(text) != NULL;
}

/* Reads a branch of if(): "," and an expression, which is parsed but not
 * computed if it is not 'taken'. */
static enum st
evaluate_branch(struct evaluation *e, bool taken,
                struct expression_value *value)
{
    struct expression_value unused;
    enum st st;

    if (evaluation_peek(e) != ',') {
        return err_set(e->err, ST_INVALID, "syntax",
                       "expected if(condition, value, otherwise)");
    }
    e->at++;
    e->idle += !taken;
    st = evaluate_whole(e, taken ? value : &unused);
    e->idle -= !taken;
    return st;
}

/* Reads "(condition, value, otherwise)". */
static enum st
evaluate_if(struct evaluation *e, struct expression_value *value)
{
    struct expression_value condition;
    size_t start;
    enum st st;

    (void)evaluation_peek(e);
    start = ++e->at;
    st = evaluate_whole(e, &condition);
    st = st ? st : evaluation_numeric(e, start, &condition);
    st = st ? st : evaluate_branch(e, condition.number != 0, value);
    st = st ? st : evaluate_branch(e, condition.number == 0, value);
    if (!st && evaluation_peek(e) != ')') {
        return err_set(e->err, ST_INVALID, "syntax",
                       "expected if(condition, value, otherwise)");
    }
    e->at += !st;
    return st;
}

/* Reads the arguments of 'function', whose name is at 'e->at'. */
static enum st
evaluate_call(struct evaluation *e, const struct function *function,
              struct expression_value *value)
{
    size_t start = e->at;
    unsigned int n = 0;
    char c;
    enum st st = ST_OK;

    e->at += strlen(function->name);
    if (function->operation == CHOICE) {
        return evaluate_if(e, value);
    }
    do {
        struct expression_value argument;
        size_t at;

        c = evaluation_peek(e); /* "(" or ",". */
        at = e->at++;
        st = evaluate_whole(e, &argument);
        st = st ? st : evaluation_numeric(e, at + 1, &argument);
        if (!st && n++) {
            st = evaluation_apply(e, function->operation, start, value,
                                  &argument);
        } else if (!st) {
            *value = argument;
        }
        c = st ? c : evaluation_peek(e);
    } while (!st && c == ',');
    if (!st && (c != ')' || n < 2 || (function->is_binary && n != 2))) {
        st = err_set(e->err, ST_INVALID, "syntax",
                     c == ')' ? "%s takes two numbers%s"
                              : "expected ')' or ',' in %s(...)%s",
                     function->name,
                     c == ')' ? (function->is_binary ? "" : " or more")
                     : c      ? ""
                              : ": in {...} and [...] quote an expression that "
                                "contains a comma");
    }
    e->at += !st;
    return st;
}

/* Reads a word or a function call. */
static enum st
evaluate_word(struct evaluation *e, struct expression_value *value)
{
    const struct function *function = function_find(e->text + e->at);

    if (function) {
        return evaluate_call(e, function, value);
    }
    value->number = 0;
    value->text = e->text + e->at;
    value->length = expression_name_length(value->text);
    e->at += value->length;
    return ST_OK;
}

/* Reads an operand; its first byte tells which kind. */
static enum st
evaluate_operand(struct evaluation *e, struct expression_value *value)
{
    char c = evaluation_peek(e);

    if (c == '-' || c == '!') {
        return evaluate_unary(e, value);
    }
    if (c == '(') {
        return evaluate_group(e, value);
    }
    if (c == '$') {
        return evaluate_reference(e, value);
    }
    if (is_digit(c)) {
        return evaluate_number(e, value);
    }
    if (is_letter(c)) {
        return evaluate_word(e, value);
    }
    if (!c) {
        return err_set(e->err, ST_INVALID, "syntax",
                       "expected a number, a $parameter or '(', found the end");
    }
    return err_set(e->err, ST_INVALID, "syntax",
                   "expected a number, a $parameter or '(', found '%c'", c);
}

/* Limits the depth of the recursion; every nested construct calls this. */
static enum st
evaluate_deeper(struct evaluation *e, operand_fn *inner,
                struct expression_value *value)
{
    enum st st;

    if (e->depth == DEPTH_MAX) {
        return err_set(e->err, ST_INVALID, "syntax",
                       "more than %d levels of parentheses and signs",
                       DEPTH_MAX);
    }
    e->depth++;
    st = inner(e, value);
    e->depth--;
    return st;
}

static enum st
evaluate_factor(struct evaluation *e, struct expression_value *value)
{
    return evaluate_deeper(e, evaluate_operand, value);
}

/* Evaluates, from left to right, operands read by 'operand' that are joined by
 * one-byte operators; the i-th byte of 'operators' means operation first +
 * i. */
static enum st
evaluate_chain(struct evaluation *e, const char *operators,
               enum operation first, operand_fn *operand,
               struct expression_value *value)
{
    size_t start = e->at;
    enum st st = operand(e, value);

    while (!st) {
        char op = evaluation_peek(e);
        const char *found = op ? strchr(operators, op) : NULL;
        size_t at = e->at;
        struct expression_value right;

        if (!found) {
            break;
        }
        e->at++;
        st = operand(e, &right);
        st = st ? st : evaluation_numeric(e, start, value);
        st = st ? st : evaluation_numeric(e, at + 1, &right);
        if (!st) {
            st = evaluation_apply(
                e, (enum operation)((int)first + (int)(found - operators)), at,
                value, &right);
        }
    }
    return st;
}

/* Products bind tighter than sums, so they are the operands of sums. */
static enum st
evaluate_product(struct evaluation *e, struct expression_value *value)
{
    return evaluate_chain(e, "*/%", MULTIPLY, evaluate_factor, value);
}

static enum st
evaluate_sum(struct evaluation *e, struct expression_value *value)
{
    return evaluate_chain(e, "+-", ADD, evaluate_product, value);
}

/* Comparisons, the longer operators first. */
static const char *const comparisons[] = {"==", "!=", "<=", ">=", "<", ">"};

/* Compares.  Texts can only be compared for equality. */
static enum st
compare(struct evaluation *e, size_t which, size_t at,
        struct expression_value *left, const struct expression_value *right)
{
    int64_t a = left->number, b = right->number;
    bool results[6];

    if (!left->text != !right->text || (left->text && which > 1)) {
        e->at = at;
        return err_set(
            e->err, ST_INVALID, "text",
            "text can only be compared with other text, by == and !=");
    }
    if (left->text) {
        a = left->length != right->length ||
            memcmp(left->text, right->text, left->length);
        b = 0;
    }
    results[0] = a == b;
    results[1] = a != b;
    results[2] = a <= b;
    results[3] = a >= b;
    results[4] = a < b;
    results[5] = a > b;
    *left = number_value(results[which]);
    return ST_OK;
}

static enum st
evaluate_comparison(struct evaluation *e, struct expression_value *value)
{
    enum st st = evaluate_sum(e, value);
    struct expression_value right;

    if (st) {
        return st;
    }
    (void)evaluation_peek(e);
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        size_t at = e->at, length = strlen(comparisons[i]);

        if (!strncmp(e->text + at, comparisons[i], length)) {
            e->at += length;
            st = evaluate_sum(e, &right);
            return st || e->idle ? st : compare(e, i, at, value, &right);
        }
    }
    return ST_OK;
}

/* Evaluates operands joined by 'op' ("&&", "||").  After an operand whose truth
 * is 'decided' the rest is not computed. */
static enum st
evaluate_logic(struct evaluation *e, const char *op, bool decided,
               operand_fn *operand, struct expression_value *value)
{
    size_t start = e->at;
    unsigned int idle = e->idle;
    enum st st = operand(e, value);

    while (!st) {
        struct expression_value right;

        (void)evaluation_peek(e);
        if (strncmp(e->text + e->at, op, 2)) {
            break;
        }
        e->at += 2;
        st = evaluation_numeric(e, start, value);
        e->idle += !st && !e->idle && (value->number != 0) == decided;
        start = e->at;
        st = st ? st : operand(e, &right);
        st = st ? st : evaluation_numeric(e, start, &right);
        if (!st) {
            *value = number_value(e->idle ? decided : right.number != 0);
        }
    }
    e->idle = idle;
    return st;
}

static enum st
evaluate_both(struct evaluation *e, struct expression_value *value)
{
    return evaluate_logic(e, "&&", false, evaluate_comparison, value);
}

static enum st
evaluate_either(struct evaluation *e, struct expression_value *value)
{
    return evaluate_logic(e, "||", true, evaluate_both, value);
}

/* The top of the grammar. */
static enum st
evaluate_whole(struct evaluation *e, struct expression_value *value)
{
    return evaluate_deeper(e, evaluate_either, value);
}

enum st
expression_evaluate(const char *text, expression_lookup_fn *lookup,
                    void *context, struct expression_value *value,
                    size_t *offset, struct err *err)
{
    struct evaluation e = {
        .text = text, .lookup = lookup, .context = context, .err = err};
    struct expression_value result = {0};
    enum st st = evaluate_whole(&e, &result);

    if (!st && evaluation_peek(&e) == '.') {
        st = err_set(
            err, ST_INVALID, "syntax",
            "only whole numbers are supported: remove the decimal point");
    } else if (!st && evaluation_peek(&e)) {
        st = err_set(err, ST_INVALID, "syntax",
                     "expected an operator (+ - * / %%) or the end, found '%c'",
                     text[e.at]);
    }
    if (st) {
        *offset = e.at;
        return st;
    }
    *value = result;
    return ST_OK;
}
