/* SPDX-License-Identifier: Apache-2.0 */

/* Collects the fields of the object that is being read, and remembers the
 * objects that have drifted. */

#include <config.h>

#include "orchd/publish/drifts.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/reconcile/compare.h"
#include "orchd/reconcile/graph.h"
#include "process/wallclock.h"
#include "sai/core/serialize.h"

#define PREFIX "ORCHD_DRIFT|"

/* Of one object; further attributes are not listed. */
#define MAX_FIELDS 64

struct drifted {
    char *id; /* Key: "BUFFER_PROFILE|x". */
    char since[WALLCLOCK_SIZE];
    bool repairing; /* orchd may remove it and create it again. */
    bool seen;      /* It was read in this round. */
    UT_hash_handle hh;
};

struct drifts {
    struct redis *redis;
    struct drifted *drifted;

    /* Of the object that is being read. */
    struct arena *arena;
    struct field fields[MAX_FIELDS + 3];
    size_t n_fields;
    enum drift_remedy remedy; /* The worst of its attributes. */
};

struct drifts *
drifts_create(struct redis *redis)
{
    struct drifts *drifts = check_calloc(1, sizeof *drifts);

    drifts->redis = redis;
    drifts->arena = arena_create(0);
    drifts->remedy = DRIFT_REPAIRED;
    return drifts;
}

static void
forget(struct drifts *drifts, struct drifted *drifted)
{
    HASH_DEL(drifts->drifted, drifted);
    free(drifted->id);
    free(drifted);
}

void
drifts_destroy(struct drifts *drifts)
{
    struct drifted *drifted, *next;

    if (!drifts) {
        return;
    }
    HASH_ITER(hh, drifts->drifted, drifted, next)
    {
        forget(drifts, drifted);
    }
    arena_destroy(drifts->arena);
    free(drifts);
}

static void
add_field(struct drifts *drifts, const char *prefix, const char *name,
          const char *value)
{
    struct text text = {0};

    text_addf(&text, "%s:%s", prefix, name);
    drifts->fields[drifts->n_fields].name =
        arena_strdup(drifts->arena, text_string(&text));
    drifts->fields[drifts->n_fields].value = arena_strdup(drifts->arena, value);
    drifts->n_fields++;
    text_fini(&text);
}

void
drifts_add(struct drifts *drifts, const struct compare_difference *difference,
           enum drift_remedy remedy)
{
    const struct metadata_attribute *meta = difference->meta;
    struct text text = {0};

    if (remedy == DRIFT_IMPOSSIBLE || drifts->remedy == DRIFT_REPAIRED) {
        drifts->remedy = remedy;
    }
    if (drifts->n_fields + 2 > MAX_FIELDS) {
        return;
    }
    if (serialize_value(meta, difference->intended, &text)) {
        text_add(&text, "?");
    }
    add_field(drifts, "intended", meta->name, text_string(&text));
    text_clear(&text);
    if (!difference->found) {
        text_add(&text, "missing");
    } else if (serialize_value(meta, difference->found, &text)) {
        text_add(&text, "?");
    }
    add_field(drifts, "found", meta->name, text_string(&text));
    text_fini(&text);
}

static struct drifted *
find(const struct drifts *drifts, const char *id)
{
    struct drifted *drifted;

    HASH_FIND_STR(drifts->drifted, id, drifted);
    return drifted;
}

/* Writes the hash of one object. */
static void
write_fields(struct drifts *drifts, const struct drifted *drifted,
             const char *time)
{
    static const char *const words[] = {[DRIFT_LEFT] = "report",
                                        [DRIFT_REPAIRED] = "on",
                                        [DRIFT_IMPOSSIBLE] = "impossible"};
    struct text key = {0};

    drifts->fields[drifts->n_fields++] =
        (struct field){"repair", words[drifts->remedy]};
    drifts->fields[drifts->n_fields++] =
        (struct field){"since", drifted->since};
    drifts->fields[drifts->n_fields++] = (struct field){"checked", time};
    text_addf(&key, PREFIX "%s", drifted->id);
    redis_replace(drifts->redis, STATE_DB, text_string(&key), drifts->fields,
                  drifts->n_fields);
    text_fini(&key);
}

/* Removes the hash of one object, and forgets the object. */
static void
withdraw(struct drifts *drifts, struct drifted *drifted)
{
    struct text key = {0};

    text_addf(&key, PREFIX "%s", drifted->id);
    redis_del(drifts->redis, STATE_DB, text_string(&key));
    text_fini(&key);
    forget(drifts, drifted);
}

enum drifts_news
drifts_end(struct drifts *drifts, const struct object *object, bool settled,
           const char *time)
{
    struct drifted *drifted = find(drifts, object->id);
    const bool was = drifted != NULL;
    const bool is = drifts->n_fields > 0 || (was && !settled);

    if (is && !was) {
        drifted = check_calloc(1, sizeof *drifted);
        drifted->id = check_strdup(object->id);
        text_copy(drifted->since, sizeof drifted->since, time);
        HASH_ADD_KEYPTR(hh, drifts->drifted, drifted->id, strlen(drifted->id),
                        drifted);
    }
    if (is) {
        drifted->seen = true;
    }
    if (drifts->n_fields > 0) {
        drifted->repairing = drifts->remedy == DRIFT_REPAIRED;
        write_fields(drifts, drifted, time);
    } else if (was && !is) {
        withdraw(drifts, drifted);
    }
    drifts->n_fields = 0;
    drifts->remedy = DRIFT_REPAIRED;
    arena_reset(drifts->arena);
    return is == was ? DRIFTS_NOTHING_NEW : is ? DRIFTS_BEGUN : DRIFTS_OVER;
}

enum drift_remedy
drifts_remedy(const struct drifts *drifts)
{
    return drifts->remedy;
}

void
drifts_gone(struct drifts *drifts, const char *id)
{
    struct drifted *drifted = find(drifts, id);

    if (drifted && !drifted->repairing) {
        withdraw(drifts, drifted);
    }
}

void
drifts_end_round(struct drifts *drifts)
{
    struct drifted *drifted, *next;

    HASH_ITER(hh, drifts->drifted, drifted, next)
    {
        if (drifted->seen) {
            drifted->seen = false;
        } else {
            withdraw(drifts, drifted);
        }
    }
}

/* A redis_keep_fn. */
static bool
keep(void *drifts, const char *key)
{
    return find(drifts, key + strlen(PREFIX)) != NULL;
}

static void
on_swept(void *drifts)
{
    (void)drifts;
}

void
drifts_restart(struct drifts *drifts)
{
    struct drifted *drifted, *next;

    HASH_ITER(hh, drifts->drifted, drifted, next)
    {
        forget(drifts, drifted);
    }
    redis_sweep(drifts->redis, STATE_DB, PREFIX "*", keep, on_swept, drifts);
}

size_t
drifts_count(const struct drifts *drifts)
{
    return HASH_COUNT(drifts->drifted);
}
