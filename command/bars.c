/* SPDX-License-Identifier: Apache-2.0 */

/* Draws with characters. */

#include <config.h>

#include "command/bars.h"

#include "base/text.h"

enum { EIGHTHS = 8 };

/* Returns how many eighths of 'width' cells 'value' / 'whole' fills. */
static size_t
eighths_of(double value, double whole, size_t width)
{
    const double all = (double)(width * EIGHTHS);
    const double part = whole > 0 ? value / whole * all : 0;

    return value <= 0 || whole <= 0 ? 0
           : part >= all            ? width * EIGHTHS
           : part < 1               ? 1
                                    : (size_t)part;
}

void
bars_add(struct text *text, double value, double mark, double whole,
         size_t width, bool blocks)
{
    static const char *const parts[EIGHTHS + 1] = {
        " ",      "\u258f", "\u258e", "\u258d", "\u258c",
        "\u258b", "\u258a", "\u2589", "\u2588"};
    const size_t filled = eighths_of(value, whole, width);
    size_t line = width; /* Nowhere. */

    if (mark >= 0 && whole > 0 && width) {
        line = eighths_of(mark, whole, width) / EIGHTHS;
        line = line < width ? line : width - 1;
    }
    for (size_t i = 0; i < width; i++) {
        const size_t begin = i * EIGHTHS;
        const size_t here = filled <= begin            ? 0
                            : filled - begin < EIGHTHS ? filled - begin
                                                       : EIGHTHS;

        if (i == line) {
            text_add(text, blocks ? "\u2502" : "|");
        } else if (blocks) {
            text_add(text, parts[here]);
        } else {
            text_add(text, here >= EIGHTHS / 2 || (here && !i) ? "#" : " ");
        }
    }
}

/* Returns the mean of the values that character 'i' of 'width' stands for. */
static double
mean(const double *values, size_t n, size_t width, size_t i)
{
    const size_t begin = i * n / width, end = (i + 1) * n / width;
    double sum = 0;

    for (size_t k = begin; k < end; k++) {
        sum += values[k];
    }
    return sum / (double)(end - begin);
}

void
bars_add_sparkline(struct text *text, const double *values, size_t n,
                   size_t width, bool blocks)
{
    static const char *const parts[EIGHTHS] = {"\u2581", "\u2582", "\u2583",
                                               "\u2584", "\u2585", "\u2586",
                                               "\u2587", "\u2588"};
    static const char plain[EIGHTHS + 1] = "_.:-=+*#";
    double low = n ? values[0] : 0, high = low;

    for (size_t i = 1; i < n; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    width = n < width ? n : width;
    for (size_t i = 0; i < width; i++) {
        const double part =
            high > low ? (mean(values, n, width, i) - low) / (high - low) : 0;
        const size_t level = (size_t)(part * (EIGHTHS - 1) + 0.5);

        if (blocks) {
            text_add(text, parts[level]);
        } else {
            text_add_char(text, plain[level]);
        }
    }
}
