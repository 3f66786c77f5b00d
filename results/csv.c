/* SPDX-License-Identifier: Apache-2.0 */

/* Writes comma-separated values. */

#include <config.h>

#include "results/csv.h"

#include <inttypes.h>
#include <string.h>

#include "results/database.h"

void
csv_write_text(const char *text, FILE *file)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"') {
            putc('"', file);
        }
        putc(*text, file);
    }
    putc('"', file);
}

static void
write_text(const char *text, char separator, FILE *file)
{
    if (separator == '\t') {
        fputs(text, file);
    } else {
        csv_write_text(text, file);
    }
}

static void
write_value(const struct query *query, int column, char separator, FILE *file)
{
    switch (query_type(query, column)) {
    case QUERY_NULL:
        break;
    case QUERY_NUMBER:
        fprintf(file, "%" PRId64, query_number(query, column));
        break;
    case QUERY_REAL:
        fprintf(file, "%.17g", query_real(query, column));
        break;
    case QUERY_TEXT:
        write_text(query_text(query, column), separator, file);
        break;
    }
}

enum st
csv_write(struct query *query, char separator, FILE *file, struct err *err)
{
    const int n = query_columns(query);
    const int first = n && !strcmp(query_name(query, 0), "run") ? 1 : 0;
    bool row = false;
    enum st st;

    for (int i = first; i < n; i++) {
        if (i > first) {
            putc(separator, file);
        }
        write_text(query_name(query, i), separator, file);
    }
    putc('\n', file);
    while (!(st = query_next(query, &row, err)) && row) {
        for (int i = first; i < n; i++) {
            if (i > first) {
                putc(separator, file);
            }
            write_value(query, i, separator, file);
        }
        putc('\n', file);
    }
    return st;
}
