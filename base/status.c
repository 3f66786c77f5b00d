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
        text_vformat(err->reason, sizeof err->reason, format, args);
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
        text_copy(err->allowed, sizeof err->allowed, allowed ? allowed : "");
    }
}

void
err_set_remedy(struct err *err, const char *format, ...)
{
    va_list args;

    if (err) {
        va_start(args, format);
        text_vformat(err->remedy, sizeof err->remedy, format, args);
        va_end(args);
    }
}
