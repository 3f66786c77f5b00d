/* SPDX-License-Identifier: Apache-2.0 */

/* A hash table of bit vectors per term. */

#include <config.h>

#include "twin/forwarding/acl_filter.h"

#include <stdlib.h>

#include "base/check.h"

/* The most words of the places of a term: 128 KB. */
enum { MIN_BITS = 6, MAX_WORDS = 1 << 14 };

void
acl_filter_fini(struct acl_filter *filter)
{
    for (uint32_t i = 0; i < filter->n_terms; i++) {
        free(filter->terms[i].places);
    }
}

/* Returns empty places for a term. */
static uint64_t *
make_places(const struct acl_filter *filter)
{
    return check_calloc((size_t)filter->n_sets << filter->bits,
                        sizeof(uint64_t));
}

static uint64_t
bit_of(uint32_t slot)
{
    return UINT64_C(1) << slot % 64;
}

/* Returns the term that is 'mask' on word 'word'; creates it if there is room,
 * else returns NULL. */
static struct acl_filter_term *
need_term(struct acl_filter *filter, uint32_t word, uint64_t mask)
{
    struct acl_filter_term *term = filter->terms;

    while (term < filter->terms + filter->n_terms &&
           !(term->word == word && term->mask == mask)) {
        term++;
    }
    if (term < filter->terms + filter->n_terms) {
        return term;
    }
    if (filter->n_terms == ACL_FILTER_TERMS) {
        return NULL;
    }
    filter->n_terms++;
    *term = (struct acl_filter_term){
        .mask = mask, .word = word, .places = make_places(filter)};
    return term;
}

/* Returns the first free slot, ACL_FILTER_SLOTS if there is none. */
static uint32_t
find_free(const struct acl_filter *filter)
{
    uint32_t slot = 0;

    while (slot < ACL_FILTER_SLOTS &&
           (filter->used[slot / 64] & bit_of(slot))) {
        slot++;
    }
    return slot;
}

uint32_t
acl_filter_take(struct acl_filter *filter, uint32_t n, const uint64_t *mask)
{
    const uint32_t slot = find_free(filter);

    if (slot == ACL_FILTER_SLOTS) {
        return slot;
    }
    if (slot / 64 >= filter->n_sets) {
        /* The places become larger: nothing in them is valid. */
        filter->n_sets = slot / 64 + 1;
        acl_filter_clear(filter, 0);
        filter->n_noted = filter->limit + 1;
    }
    filter->used[slot / 64] |= bit_of(slot);
    for (uint32_t w = 0; w < n; w++) {
        struct acl_filter_term *term =
            mask[w] ? need_term(filter, w, mask[w]) : NULL;

        if (term) {
            term->users[slot / 64] |= bit_of(slot);
        }
    }
    return slot;
}

/* Returns whether no group has 'term'. */
static bool
is_unused(const struct acl_filter_term *term)
{
    uint64_t users = 0;

    for (uint32_t i = 0; i < ACL_FILTER_SETS; i++) {
        users |= term->users[i];
    }
    return users == 0;
}

void
acl_filter_give(struct acl_filter *filter, uint32_t slot)
{
    filter->used[slot / 64] &= ~bit_of(slot);
    for (uint32_t i = filter->n_terms; i-- > 0;) {
        struct acl_filter_term *term = &filter->terms[i];

        term->users[slot / 64] &= ~bit_of(slot);
        if (is_unused(term)) {
            free(term->places);
            *term = filter->terms[--filter->n_terms];
        }
    }
}

void
acl_filter_note(struct acl_filter *filter, uint32_t slot, const uint64_t *value)
{
    const uint32_t shift = 64 - filter->bits;

    for (uint32_t i = 0; i < filter->n_terms; i++) {
        const struct acl_filter_term *term = &filter->terms[i];

        if (term->users[slot / 64] & bit_of(slot)) {
            const uint64_t at =
                (value[term->word] & term->mask) * ACL_FILTER_FACTOR >> shift;

            term->places[at * filter->n_sets + slot / 64] |= bit_of(slot);
        }
    }
    filter->n_noted++;
}

bool
acl_filter_is_full(const struct acl_filter *filter)
{
    return filter->n_noted > filter->limit;
}

void
acl_filter_clear(struct acl_filter *filter, uint32_t n_rules)
{
    filter->bits = MIN_BITS;
    while (n_rules >> filter->bits &&
           2 * filter->n_sets << filter->bits <= MAX_WORDS) {
        filter->bits++;
    }
    filter->n_noted = 0;
    filter->limit = UINT64_C(2) << filter->bits;
    if (filter->limit < 2 * (uint64_t)n_rules) {
        filter->limit = 2 * (uint64_t)n_rules;
    }
    for (uint32_t i = 0; i < filter->n_terms; i++) {
        free(filter->terms[i].places);
        filter->terms[i].places = make_places(filter);
    }
}
