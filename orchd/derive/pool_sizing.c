/* SPDX-License-Identifier: Apache-2.0 */

/* From sums to rows of pools. */

#include <config.h>

#include "orchd/derive/pool_sizing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/terms.h"

enum { NUMBER_SIZE = 24 };

/* The pools without a size, during a computation. */
struct unsized_pools {
    struct buffer_row **rows;
    struct unsized_pool *unsized;
    uint64_t *sizes;
    size_t n;
};

static struct unsized_pool
unsized_pool_of(const struct buffer_row *pool)
{
    const char *type = buffer_rows_field(pool, "type");
    const char *percentage = buffer_rows_field(pool, "percentage");
    struct unsized_pool ask = {.ingress = !type || strcmp(type, "egress") != 0};
    uint64_t value;

    if (percentage && parse_u64(percentage, 0, UINT32_MAX, &value) == ST_OK) {
        ask.has_percentage = true;
        ask.percentage = (uint32_t)value;
    }
    return ask;
}

static void
unsized_pools_init(struct unsized_pools *unsized,
                   const struct dynamic_state *model)
{
    size_t most = 1;

    for (struct buffer_row *row = model->rows.pools; row;
         row = row->next_pool) {
        most++;
    }
    *unsized = (struct unsized_pools){.n = 0};
    unsized->rows = check_calloc(most, sizeof(struct buffer_row *));
    unsized->unsized = check_calloc(most, sizeof *unsized->unsized);
    unsized->sizes = check_calloc(most, sizeof *unsized->sizes);
    for (struct buffer_row *row = model->rows.pools; row;
         row = row->next_pool) {
        row->unexplained = true;
        if (!buffer_rows_field(row, "size")) {
            unsized->unsized[unsized->n] = unsized_pool_of(row);
            unsized->rows[unsized->n++] = row;
        }
    }
}

static void
unsized_pools_fini(struct unsized_pools *unsized)
{
    free(unsized->rows);
    free(unsized->unsized);
    free(unsized->sizes);
}

/* Sets the numbers that 'pool' lacks; NULL: confirms those it has. */
static void
complete(struct dynamic_state *model, struct buffer_row *pool,
         const uint64_t *size, uint64_t xoff)
{
    const size_t n = pool->content->n;
    struct field *fields = check_calloc(n + 2, sizeof *fields);
    bool lossless = strcmp(pool->key, LOSSLESS_POOL) == 0;
    char size_text[NUMBER_SIZE], xoff_text[NUMBER_SIZE];
    struct content *content;
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        const struct field *field = &pool->content->fields[i];

        if (strcmp(field->name, "percentage") != 0 &&
            !(lossless && !strcmp(field->name, "xoff"))) {
            fields[m++] = *field;
        }
    }
    if (size) {
        text_format(size_text, sizeof size_text, "%" PRIu64, *size);
        fields[m++] = (struct field){"size", size_text};
    }
    if (lossless) {
        text_format(xoff_text, sizeof xoff_text, "%" PRIu64, xoff);
        fields[m++] = (struct field){"xoff", xoff_text};
    }
    content = content_create(fields, m);
    free(fields);
    if (pool->instead && !pool->err && content_equal(pool->instead, content)) {
        content_unref(content);
        return;
    }
    content_unref(pool->instead);
    pool->instead = content;
    free(pool->err);
    pool->err = NULL;
    buffer_rows_mark(&model->rows, pool);
}

/* Reports why 'pool' keeps its values. */
static void
keep(struct dynamic_state *model, struct buffer_row *pool,
     const struct err *err)
{
    if (pool->err && !strcmp(pool->err->reason, err->reason)) {
        return;
    }
    free(pool->err);
    pool->err = check_malloc(sizeof *err);
    *pool->err = *err;
    buffer_rows_mark(&model->rows, pool);
}

static struct pool_switch
switch_of(const struct dynamic_state *model)
{
    return (struct pool_switch){.platform = model->platform,
                                .asic = model->chip.asic,
                                .memory_bytes = model->memory_bytes,
                                .model_number = model->model_number,
                                .ratio = model->ratio,
                                .configured_xoff = model->configured_xoff,
                                .n_ports = model->n_ports};
}

/* Returns ST_OK if all inputs of a computation are known. */
static enum st
check_inputs(const struct dynamic_state *model, struct err *err)
{
    if (!model->chip.known) {
        err_set(err, ST_NOT_FOUND, "no-asic-table",
                "the cell size and pipeline latency of this chip are unknown");
        err_set_remedy(err, "name a file with its ASIC_TABLE: --set "
                            "asic_table=FILE");
        return ST_NOT_FOUND;
    }
    if (!model->memory_bytes) {
        err_set(err, ST_NOT_FOUND, "no-memory-size",
                "the size of the packet memory is not yet known");
        err_set_remedy(err,
                       "orchd reads it from the switch once that is connected");
        return ST_NOT_FOUND;
    }
    return ST_OK;
}

/* Returns whether any pool has a computed size to keep. */
static bool
any_sized(const struct unsized_pools *unsized)
{
    for (size_t i = 0; i < unsized->n; i++) {
        if (unsized->rows[i]->instead) {
            return true;
        }
    }
    return false;
}

static enum st
explain_incomplete(struct err *err)
{
    err_set(err, ST_NOT_FOUND, "incomplete-references",
            "a row refers to a profile or a pool that does not exist; until it "
            "does, pools keep their sizes");
    err_set_remedy(err, "list the waiting rows with: orchctl config status");
    return ST_NOT_FOUND;
}

void
pool_sizing_update(struct dynamic_state *model)
{
    const struct pool_switch sw = switch_of(model);
    struct pool_outcome outcome = {0};
    struct buffer_row *lossless =
        buffer_rows_find(&model->rows, TABLE_BUFFER_POOL, LOSSLESS_POOL);
    struct unsized_pools unsized;
    struct err err = {0};
    enum st status = check_inputs(model, &err);

    unsized_pools_init(&unsized, model);
    if (!status && model->n_incomplete > 0 && any_sized(&unsized)) {
        outcome = model->outcome;
        status = explain_incomplete(&err);
    } else if (!status) {
        status = pool_compute(&sw, &model->sums, unsized.unsized, unsized.n,
                              unsized.sizes, &outcome, &err);
    }
    for (size_t i = 0; i < unsized.n; i++) {
        if (status) {
            keep(model, unsized.rows[i], &err);
        } else {
            complete(model, unsized.rows[i], &unsized.sizes[i],
                     outcome.shp_bytes);
        }
    }
    if (!status) {
        model->outcome = outcome;
    }
    if (lossless && buffer_rows_field(lossless, "size")) {
        complete(model, lossless, NULL,
                 model->configured_xoff ? model->configured_xoff
                                        : model->outcome.shp_bytes);
    }
    unsized_pools_fini(&unsized);
}

void
pool_sizing_explain(const struct dynamic_state *model,
                    const struct buffer_row *pool, struct terms *terms)
{
    const struct pool_switch sw = switch_of(model);
    const char *size = pool->instead ? content_find(pool->instead->fields,
                                                    pool->instead->n, "size")
                                     : NULL;
    struct pool_outcome outcome;
    uint64_t bytes;

    pool_occupied(&sw, &model->sums, &outcome, terms);
    if (size && parse_u64(size, 0, UINT64_MAX, &bytes) == ST_OK) {
        term_add(terms, "size", bytes, "bytes",
                 "memory - occupied; half of it if several ingress pools have "
                 "no size; at most whole cells of memory",
                 "");
    }
}
