/* SPDX-License-Identifier: Apache-2.0 */

/* Writes terms as fields. */

#include <config.h>

#include "orchd/publish/explanations.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/derive/explanation.h"

#define PATTERN "ORCHD_*_EXPLAIN|*"

enum {
    SUMMARY_MAX = 10, /* Fields besides the terms. */
    FIELDS_MAX = SUMMARY_MAX + TERMS_MAX,
    NUMBER_SIZE = 24,
    NAME_SIZE = 48,
    VALUE_SIZE = 256,
};

/* A row that was written. */
struct explained {
    char *key;
    uint64_t digest; /* Of its fields. */
    UT_hash_handle hh;
};

struct explanations {
    struct redis *redis;
    struct explained *all;
    bool swept; /* No row of a previous run is left. */
};

struct explanations *
explanations_create(struct redis *redis)
{
    struct explanations *explanations = check_calloc(1, sizeof *explanations);

    explanations->redis = redis;
    return explanations;
}

static void
drop(struct explanations *explanations, struct explained *explained)
{
    HASH_DEL(explanations->all, explained);
    free(explained->key);
    free(explained);
}

static void
drop_all(struct explanations *explanations)
{
    struct explained *explained, *next;

    HASH_ITER(hh, explanations->all, explained, next)
    {
        drop(explanations, explained);
    }
}

void
explanations_destroy(struct explanations *explanations)
{
    if (explanations) {
        drop_all(explanations);
        free(explanations);
    }
}

static bool
keep(void *explanations_, const char *key)
{
    const struct explanations *explanations = explanations_;
    struct explained *explained;

    HASH_FIND_STR(explanations->all, key, explained);
    return explained != NULL;
}

static void
on_swept(void *explanations_)
{
    struct explanations *explanations = explanations_;

    explanations->swept = true;
}

void
explanations_restart(struct explanations *explanations)
{
    drop_all(explanations);
    explanations->swept = false;
    redis_sweep(explanations->redis, STATE_DB, PATTERN, keep, on_swept,
                explanations);
}

/* --- Fields ------------------------------------------------------------- */

/* The fields of a row, with the memory of their texts. */
struct fields {
    struct field list[FIELDS_MAX];
    char names[FIELDS_MAX][NAME_SIZE];
    char values[FIELDS_MAX][VALUE_SIZE];
    size_t n;
};

static void
add_text(struct fields *fields, const char *name, const char *value)
{
    orch_assert(fields->n < FIELDS_MAX);
    text_copy(fields->names[fields->n], NAME_SIZE, name);
    text_copy(fields->values[fields->n], VALUE_SIZE, value);
    fields->list[fields->n] =
        (struct field){fields->names[fields->n], fields->values[fields->n]};
    fields->n++;
}

static void
add_number(struct fields *fields, const char *name, uint64_t value,
           const char *unit)
{
    char text[NUMBER_SIZE];

    text_format(text, sizeof text, "%" PRIu64 "%s", value, unit);
    add_text(fields, name, text);
}

static void
add_term(struct fields *fields, const struct term *term)
{
    char name[NAME_SIZE], number[TERM_TEXT_SIZE];
    struct text value = {0};

    text_format(name, sizeof name, "term_%s", term->name);
    text_add(&value, term_text(term, number));
    if (*term->unit) {
        text_addf(&value, " %s", term->unit);
    }
    if (*term->formula) {
        text_addf(&value, " = %s", term->formula);
    }
    if (*term->source) {
        text_addf(&value, " (%s)", term->source);
    }
    add_text(fields, name, text_string(&value));
    text_fini(&value);
}

static void
add_port(struct fields *fields, const struct explanation *explanation)
{
    const struct term *used = terms_find(&explanation->terms, "headroom_used");

    if (explanation->profile) {
        add_number(fields, "effective_speed", explanation->speed_mbps, "");
        add_number(fields, "cable", explanation->cable_m, "m");
        add_number(fields, "mtu", explanation->mtu, "");
        add_text(fields, "profile", explanation->profile);
        add_number(fields, "xon", explanation->headroom.xon, "");
        add_number(fields, "xoff", explanation->headroom.xoff, "");
        add_number(fields, "size", explanation->headroom.size, "");
    }
    if (used) {
        char number[TERM_TEXT_SIZE];

        add_text(fields, "headroom_used", term_text(used, number));
    }
    if (explanation->headroom_limit) {
        add_number(fields, "headroom_limit", explanation->headroom_limit, "");
    }
    if (explanation->has_longest) {
        add_number(fields, "longest_cable", explanation->longest_cable_m, "m");
    }
}

static void
add_pool(struct fields *fields, const struct explanation *explanation)
{
    static const struct {
        const char *field, *term;
    } results[] = {{"size", "size"}, {"xoff", "shared_headroom"}};

    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        const struct term *term =
            terms_find(&explanation->terms, results[i].term);
        char number[TERM_TEXT_SIZE];

        if (term) {
            add_text(fields, results[i].field, term_text(term, number));
        }
    }
}

static uint64_t
digest_of(const struct fields *fields)
{
    uint64_t digest = DIGEST_START;

    for (size_t i = 0; i < fields->n; i++) {
        digest = digest_text(digest, fields->list[i].name);
        digest = digest_text(digest, fields->list[i].value);
    }
    return digest;
}

void
explanations_set(struct explanations *explanations, enum table table,
                 const char *key, const struct explanation *explanation)
{
    struct fields fields = {.n = 0};
    struct explained *known;
    struct text full = {0};
    const char *name;

    text_addf(&full, "%s|%s",
              table == TABLE_PORT ? "ORCHD_BUFFER_EXPLAIN"
                                  : "ORCHD_POOL_EXPLAIN",
              key);
    name = text_string(&full);
    HASH_FIND_STR(explanations->all, name, known);
    if (!explanation) {
        if (known) {
            redis_del(explanations->redis, STATE_DB, name);
            drop(explanations, known);
        }
        text_fini(&full);
        return;
    }
    (table == TABLE_PORT ? add_port : add_pool)(&fields, explanation);
    for (size_t i = 0; i < explanation->terms.n; i++) {
        add_term(&fields, &explanation->terms.items[i]);
    }
    if (known && known->digest == digest_of(&fields)) {
        text_fini(&full);
        return;
    }
    if (known || !explanations->swept) {
        redis_replace(explanations->redis, STATE_DB, name, fields.list,
                      fields.n);
    } else {
        redis_hset(explanations->redis, STATE_DB, name, fields.list, fields.n);
    }
    if (!known) {
        known = check_calloc(1, sizeof *known);
        known->key = text_take(&full);
        HASH_ADD_KEYPTR(hh, explanations->all, known->key, strlen(known->key),
                        known);
    }
    known->digest = digest_of(&fields);
    text_fini(&full);
}
