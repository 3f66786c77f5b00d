/* SPDX-License-Identifier: Apache-2.0 */

/* A hash table of bit vectors per term. */

#include <config.h>

#include "twin/forwarding/acl_filter.h"

#include <stdlib.h>

#include "base/check.h"

enum { MIN_BITS = 6, MAX_BITS = 14 };

void
acl_filter_fini(struct acl_filter *filter)
{
    for (uint32_t i = 0; i < filter->n_terms; i++) {
        free(filter->terms[i].places);
    }
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
        .mask = mask,
        .word = word,
        .places = check_calloc((size_t)1 << filter->bits, sizeof(uint64_t))};
    return term;
}

uint32_t
acl_filter_take(struct acl_filter *filter, uint32_t n, const uint64_t *mask)
{
    uint32_t slot = 0;

    if (filter->bits == 0) {
        acl_filter_clear(filter, 0);
    }
    while (slot < ACL_FILTER_SLOTS && (filter->used >> slot & 1)) {
        slot++;
    }
    if (slot == ACL_FILTER_SLOTS) {
        return slot;
    }
    filter->used |= UINT64_C(1) << slot;
    for (uint32_t w = 0; w < n; w++) {
        struct acl_filter_term *term =
            mask[w] ? need_term(filter, w, mask[w]) : NULL;

        if (term) {
            term->users |= UINT64_C(1) << slot;
        }
    }
    return slot;
}

void
acl_filter_give(struct acl_filter *filter, uint32_t slot)
{
    filter->used &= ~(UINT64_C(1) << slot);
    for (uint32_t i = filter->n_terms; i-- > 0;) {
        struct acl_filter_term *term = &filter->terms[i];

        term->users &= ~(UINT64_C(1) << slot);
        if (!term->users) {
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

        if (term->users >> slot & 1) {
            const uint64_t at =
                (value[term->word] & term->mask) * ACL_FILTER_FACTOR >> shift;

            term->places[at] |= UINT64_C(1) << slot;
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
    while (n_rules >> filter->bits && filter->bits < MAX_BITS) {
        filter->bits++;
    }
    filter->n_noted = 0;
    filter->limit = UINT64_C(2) << filter->bits;
    if (filter->limit < 2 * (uint64_t)n_rules) {
        filter->limit = 2 * (uint64_t)n_rules;
    }
    for (uint32_t i = 0; i < filter->n_terms; i++) {
        free(filter->terms[i].places);
        filter->terms[i].places =
            check_calloc((size_t)1 << filter->bits, sizeof(uint64_t));
    }
}
