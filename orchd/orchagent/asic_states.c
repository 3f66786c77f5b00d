/* SPDX-License-Identifier: Apache-2.0 */

/* Parses rows of STATE_DB and APPL_STATE_DB when they come. */

#include <config.h>

#include "orchd/orchagent/asic_states.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/intent/content.h"
#include "orchd/intent/field.h"

/* Longer keys are no names of ports, pools or profiles. */
#define MAX_KEY 256

/* More speeds of a port are left out. */
#define MAX_SPEEDS 16

/* A row of STATE_DB or APPL_STATE_DB. */
struct state {
    char *key;
    uint64_t moment; /* When it was set. */

    /* What it can say. */
    struct asic_limits limits;
    uint64_t memory_bytes;
    uint32_t speeds_mbps[MAX_SPEEDS];
    uint32_t n_speeds;
    bool answers;
    uint64_t xoff_bytes; /* Valid if it answers. */
};

struct asic_states {
    struct hash_index by_key;
};

struct asic_states *
asic_states_create(void)
{
    return check_calloc(1, sizeof(struct asic_states));
}

static void
free_state(struct state *state)
{
    free(state->key);
    free(state);
}

void
asic_states_destroy(struct asic_states *states)
{
    struct state *state;
    size_t place = 0;

    while ((state = hash_index_next(&states->by_key, &place))) {
        free_state(state);
    }
    hash_index_fini(&states->by_key);
    free(states);
}

/* A hash_index_equal_fn. */
static bool
state_has_key(const void *state_, const void *key)
{
    const struct state *state = state_;

    return !strcmp(state->key, key);
}

static struct state *
find_state(const struct asic_states *states, const char *key)
{
    return hash_index_find(&states->by_key, hash_index_text(key), state_has_key,
                           key);
}

/* Finds the row of 'table' for 'name', or NULL. */
static const struct state *
find_state_of(const struct asic_states *states, const char *table,
              const char *name)
{
    char key[MAX_KEY];

    return text_format(key, sizeof key, "%s%s", table, name)
               ? find_state(states, key)
               : NULL;
}

/* Returns the number in field 'name', 0 if there is none. */
static uint64_t
number_in(const struct field *fields, size_t n, const char *name, uint64_t most)
{
    const char *text = content_search(fields, n, name);
    uint64_t number;

    return text && !parse_u64(text, 0, most, &number) ? number : 0;
}

/* Parses "100000,40000". */
static void
parse_speeds(struct state *state, const char *text)
{
    const char *item;
    size_t length;

    while (text && state->n_speeds < MAX_SPEEDS &&
           parse_list_next(&text, &item, &length)) {
        char number[16];
        uint64_t speed;

        if (length < sizeof number) {
            memcpy(number, item, length);
            number[length] = '\0';
            if (!parse_u64(number, 1, UINT32_MAX, &speed)) {
                state->speeds_mbps[state->n_speeds++] = (uint32_t)speed;
            }
        }
    }
}

/* Returns whether both say the same. */
static bool
state_equals(const struct state *a, const struct state *b)
{
    return !memcmp(&a->limits, &b->limits, sizeof a->limits) &&
           a->memory_bytes == b->memory_bytes && a->n_speeds == b->n_speeds &&
           a->answers == b->answers && a->xoff_bytes == b->xoff_bytes &&
           !memcmp(a->speeds_mbps, b->speeds_mbps, sizeof a->speeds_mbps);
}

bool
asic_states_put(struct asic_states *states, const char *key,
                const struct field *fields, size_t n, uint64_t moment)
{
    struct state *state = find_state(states, key);
    bool changed;
    struct state new = {
        .limits = {.n_pgs = (uint32_t)number_in(fields, n,
                                                "max_priority_groups", 255),
                   .n_queues =
                       (uint32_t)number_in(fields, n, "max_queues", 4096),
                   .headroom_bytes =
                       number_in(fields, n, "max_headroom_size", UINT32_MAX)},
        .memory_bytes = number_in(fields, n, "mmu_size", INT64_MAX),
        .answers = content_search(fields, n, "xoff") != NULL,
        .xoff_bytes = number_in(fields, n, "xoff", INT64_MAX),
    };

    if (!state) {
        if (n == 0 || strlen(key) >= MAX_KEY) {
            return false;
        }
        state = check_calloc(1, sizeof *state);
        state->key = check_strdup(key);
        hash_index_add(&states->by_key, hash_index_text(key), state);
    }
    parse_speeds(&new, content_search(fields, n, "supported_speeds"));
    new.key = state->key;
    new.moment = moment;
    /* The state of a port has many other fields. */
    changed = !state_equals(state, &new);
    *state = new;
    return changed;
}

struct asic_limits
asic_states_limits(const struct asic_states *states, const char *name)
{
    const struct state *state = find_state_of(states, ASIC_STATES_LIMITS, name);

    return state ? state->limits : (struct asic_limits){0};
}

uint64_t
asic_states_memory(const struct asic_states *states)
{
    const struct state *state =
        find_state_of(states, ASIC_STATES_LIMITS, "global");

    return state ? state->memory_bytes : 0;
}

bool
asic_states_answer(const struct asic_states *states, const char *table,
                   const char *name, uint64_t *xoff_bytes)
{
    const struct state *state = find_state_of(states, table, name);

    if (!state || !state->answers) {
        return false;
    }
    *xoff_bytes = state->xoff_bytes;
    return true;
}

const uint32_t *
asic_states_speeds(const struct asic_states *states, const char *name,
                   uint32_t *n)
{
    const struct state *state = find_state_of(states, ASIC_STATES_PORTS, name);

    *n = state ? state->n_speeds : 0;
    return state ? state->speeds_mbps : NULL;
}

size_t
asic_states_sweep(struct asic_states *states, uint64_t moment)
{
    struct state **stale =
        check_calloc(states->by_key.n + 1, sizeof(struct state *));
    struct state *state;
    size_t n = 0, place = 0;

    while ((state = hash_index_next(&states->by_key, &place))) {
        if (state->moment <= moment) {
            stale[n++] = state;
        }
    }
    for (size_t i = 0; i < n; i++) {
        hash_index_remove(&states->by_key, hash_index_text(stale[i]->key),
                          stale[i]);
        free_state(stale[i]);
    }
    free(stale);
    return n;
}
