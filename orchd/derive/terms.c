/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of terms. */

#include <config.h>

#include "orchd/derive/terms.h"

#include <inttypes.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"

void
term_add_milli(struct terms *terms, const char *name, int64_t value_milli,
               const char *unit, const char *formula, const char *source)
{
    if (terms) {
        orch_assert(terms->n < TERMS_MAX);
        terms->items[terms->n++] =
            (struct term){name, value_milli, unit, formula, source};
    }
}

void
term_add(struct terms *terms, const char *name, uint64_t value,
         const char *unit, const char *formula, const char *source)
{
    /* Far above any buffer, and only for display. */
    const uint64_t most = INT64_MAX / 1000;

    term_add_milli(terms, name, (int64_t)(value < most ? value : most) * 1000,
                   unit, formula, source);
}

const struct term *
terms_find(const struct terms *terms, const char *name)
{
    for (size_t i = 0; i < terms->n; i++) {
        if (!strcmp(terms->items[i].name, name)) {
            return &terms->items[i];
        }
    }
    return NULL;
}

const char *
term_text(const struct term *term, char *buffer)
{
    int64_t value = term->value_milli;
    const char *sign = value < 0 ? "-" : "";
    uint64_t size = value < 0 ? (uint64_t)-value : (uint64_t)value;

    if (size % 1000) {
        text_format(buffer, TERM_TEXT_SIZE, "%s%" PRIu64 ".%03" PRIu64, sign,
                    size / 1000, size % 1000);
    } else {
        text_format(buffer, TERM_TEXT_SIZE, "%s%" PRIu64, sign, size / 1000);
    }
    return buffer;
}
