/* SPDX-License-Identifier: Apache-2.0 */

/* Formats the lines. */

#include <config.h>

#include "orchd/telemetry/metrics/exposition.h"

#include <inttypes.h>

#include "base/check.h"
#include "base/text.h"

#define MAX_LABELS 8

void
exposition_family(struct text *text, const char *name,
                  enum exposition_type type, const char *help)
{
    static const char *const types[] = {
        [EXPOSITION_COUNTER] = "counter",
        [EXPOSITION_GAUGE] = "gauge",
        [EXPOSITION_HISTOGRAM] = "histogram",
    };

    text_addf(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
              types[type]);
}

static void
add_label_value(struct text *text, const char *value)
{
    for (; *value; value++) {
        if (*value == '\\' || *value == '"') {
            text_add_char(text, '\\');
        }
        text_add_char(text, *value >= ' ' && *value < 127 ? *value : '?');
    }
}

/* Adds 'name', 'suffix' and labels, up to the value. */
static void
add_series(struct text *text, const char *name, const char *suffix,
           const struct label *labels, size_t n)
{
    text_add(text, name);
    text_add(text, suffix);
    for (size_t i = 0; i < n; i++) {
        text_add_char(text, i ? ',' : '{');
        text_add(text, labels[i].name);
        text_add(text, "=\"");
        add_label_value(text, labels[i].value);
        text_add_char(text, '"');
    }
    text_add(text, n ? "} " : " ");
}

void
exposition_count(struct text *text, const char *name,
                 const struct label *labels, size_t n, uint64_t value)
{
    add_series(text, name, "", labels, n);
    text_addf(text, "%" PRIu64 "\n", value);
}

void
exposition_number(struct text *text, const char *name,
                  const struct label *labels, size_t n, double value)
{
    add_series(text, name, "", labels, n);
    text_addf(text, "%.9g\n", value);
}

void
exposition_histogram(struct text *text, const char *name,
                     const struct label *labels, size_t n,
                     const struct exposition_histogram *histogram)
{
    struct label all[MAX_LABELS];
    char bound[32];

    orch_assert(n < MAX_LABELS);
    for (size_t i = 0; i < n; i++) {
        all[i] = labels[i];
    }
    all[n] = (struct label){"le", bound};
    for (size_t i = 0; i < histogram->n_bounds; i++) {
        text_format(bound, sizeof bound, "%.9g", histogram->bounds[i]);
        add_series(text, name, "_bucket", all, n + 1);
        text_addf(text, "%" PRIu64 "\n", histogram->within[i]);
    }
    all[n].value = "+Inf";
    add_series(text, name, "_bucket", all, n + 1);
    text_addf(text, "%" PRIu64 "\n", histogram->count);
    add_series(text, name, "_sum", labels, n);
    text_addf(text, "%.9g\n", histogram->sum);
    add_series(text, name, "_count", labels, n);
    text_addf(text, "%" PRIu64 "\n", histogram->count);
}
