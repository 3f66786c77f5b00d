/* SPDX-License-Identifier: Apache-2.0 */

/* Reads and compares what failures have done. */

#include <config.h>

#include "orchlab/failure_effect.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/check.h"
#include "lab/measure/reader.h"
#include "lab/measure/verdict.h"
#include "results/database.h"

enum { SAMPLES = 128 }; /* First room. */

/* Reads the samples of hosts.affected. */
static enum st
read_samples(struct reader *reader, struct failure_effect *effect,
             struct err *err)
{
    struct query *query = reader_query(
        reader, "SELECT t.value FROM samples t JOIN series s ON s.run = t.run "
                "AND s.series = t.series WHERE t.run = ?1 AND s.metric = "
                "'hosts.affected' ORDER BY t.t_ps");
    size_t size = 0;
    bool row = false;
    enum st st = query_next(query, &row, err);

    while (!st && row) {
        if (effect->n_samples == size) {
            size = size ? 2 * size : SAMPLES;
            effect->affected = check_realloc(effect->affected,
                                             size * sizeof *effect->affected);
        }
        effect->affected[effect->n_samples++] = query_number(query, 0);
        st = query_next(query, &row, err);
    }
    query_finish(query);
    return st;
}

/* Reads when the last flow has ended. */
static enum st
read_end(struct reader *reader, struct failure_effect *effect, struct err *err)
{
    struct query *query =
        reader_query(reader, "SELECT MAX(end_ps) FROM flows WHERE run = ?1");
    bool row = false;
    enum st st = query_next(query, &row, err);

    effect->end_ps = !st && row ? query_number(query, 0) : 0;
    query_finish(query);
    return st;
}

static enum st
measure(struct reader *reader, const char *text, double *value, struct err *err)
{
    struct verdict verdict;
    struct metric metric;
    enum st st = metric_parse(text, &metric, err);

    st = st ? st : verdict_measure(&metric, reader, &verdict, err);
    *value = !st && verdict.known ? verdict.value : 0;
    return st;
}

enum st
failure_effect_read(const char *path, struct failure_effect *effect,
                    struct err *err)
{
    struct reader *reader = NULL;
    enum st st = reader_open(path, &reader, err);

    st = st ? st : read_samples(reader, effect, err);
    st = st ? st : read_end(reader, effect, err);
    st = st ? st : measure(reader, "sum(flow.failed)", &effect->failed, err);
    st = st ? st : measure(reader, "sum(drop.packets)", &effect->drops, err);
    st = st ? st : measure(reader, "sum(flow.bytes)", &effect->bytes, err);
    st = st ? st : measure(reader, "p99(flow.fct)", &effect->p99_s, err);
    reader_close(reader);
    return st;
}

void
failure_effect_fini(struct failure_effect *effect)
{
    free(effect->affected);
}

void
failure_effect_compare(struct failure_effect *effect,
                       const struct failure_effect *usual, uint32_t n_hosts,
                       int64_t every_ps)
{
    for (size_t i = 0; i < effect->n_samples; i++) {
        const int64_t anyway =
            i < usual->n_samples ? usual->affected[i] : n_hosts;
        const int64_t more = effect->affected[i] - anyway;

        if (more > 0) {
            effect->lasts_ps += every_ps;
        }
        if (more > effect->most) {
            effect->most = more;
        }
    }
}
