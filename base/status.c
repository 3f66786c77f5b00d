/* SPDX-License-Identifier: Apache-2.0 */

/* The table of statuses, and functions that fill a 'struct err'. */

#include <config.h>

#include "base/status.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"

struct st_row {
    const char *name;
    enum st_retry retry;
    const char *sentence;
};

static const struct st_row st_rows[] = {
#define X(member, retry, slug, sentence) {slug, ST_RETRY_##retry, sentence},
    ST_LIST(X)
#undef X
};

const char *
st_name(enum st status)
{
    return st_rows[status].name;
}

const char *
st_sentence(enum st status)
{
    return st_rows[status].sentence;
}

enum st_retry
st_retry(enum st status)
{
    return st_rows[status].retry;
}

/* Cuts the end of a text that did not fit into 'size' bytes, behind a whole
 * word, and marks that. */
static void
cut(char *buffer, size_t size)
{
    static const char mark[] = " ...";
    size_t length = size - sizeof mark;

    while (length > 0 && buffer[length] != ' ') {
        length--;
    }
    text_copy(buffer + length, size - length, mark);
}

enum st
err_set(struct err *err, enum st status, const char *code, const char *format,
        ...)
{
    va_list args;

    if (err) {
        memset(err, 0, sizeof *err);
        err->status = status;
        text_copy(err->code, sizeof err->code, code);
        va_start(args, format);
        if (!text_vformat(err->reason, sizeof err->reason, format, args)) {
            cut(err->reason, sizeof err->reason);
        }
        va_end(args);
    }
    return status;
}

void
err_set_field(struct err *err, const char *field, const char *value,
              const char *allowed)
{
    if (err) {
        text_copy(err->field, sizeof err->field, field ? field : "");
        text_copy(err->value, sizeof err->value, value ? value : "");
        if (!text_copy(err->allowed, sizeof err->allowed,
                       allowed ? allowed : "")) {
            cut(err->allowed, sizeof err->allowed);
        }
    }
}

void
err_set_remedy(struct err *err, const char *format, ...)
{
    va_list args;

    if (err) {
        va_start(args, format);
        if (!text_vformat(err->remedy, sizeof err->remedy, format, args)) {
            cut(err->remedy, sizeof err->remedy);
        }
        va_end(args);
    }
}
