/* SPDX-License-Identifier: Apache-2.0 */

/* A metric expression of any text: what is accepted has sound members and only
 * labels of its quantity; refusals are explained and change nothing. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lab/measure/metric.h"
#include "tests/fuzz/fuzz.h"

static void
check_metric(const struct metric *metric)
{
    FUZZ_CHECK(metric->aggregate <= METRIC_QUANTILE);
    if (metric->aggregate == METRIC_QUANTILE) {
        FUZZ_CHECK(metric->quantile > 0 && metric->quantile < 1);
    }
    FUZZ_CHECK(metric_quantity_name(metric->quantity)[0]);
    for (int i = 0; i < METRIC_N_LABELS; i++) {
        const char *value = metric->labels[i];

        FUZZ_CHECK(memchr(value, '\0', METRIC_VALUE_SIZE));
        FUZZ_CHECK(!*value ||
                   metric_has_label(metric->quantity, (enum metric_label)i));
        FUZZ_CHECK(!strpbrk(value, ",}"));
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = check_malloc(size + 1);
    struct metric metric, unchanged;
    struct err err = {0};

    memcpy(text, data, size);
    text[size] = '\0';
    memset(&metric, 0x55, sizeof metric);
    unchanged = metric;
    if (metric_parse(text, &metric, &err) == ST_OK) {
        check_metric(&metric);
        FUZZ_CHECK(metric_unit(&metric) <= METRIC_BYTES);
    } else {
        FUZZ_CHECK(err.status == ST_INVALID && err.reason[0]);
        FUZZ_CHECK(!memcmp(&metric, &unchanged, sizeof metric));
    }
    memset(&metric, 0, sizeof metric);
    if (metric_parse_labels(text, &metric, &err) == ST_OK) {
        check_metric(&metric);
    }
    free(text);
    return 0;
}
