/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_TERMS_H
#define ORCHD_DERIVE_TERMS_H

/* A derivation as a list of terms, so that users can check every derived number
 * by hand: the explanation prints what was computed.
 *
 * A calculator that can explain its result takes a 'struct terms' (NULL: no
 * explanation) and adds its terms in the order of the calculation, the inputs
 * first and the results last. Fractions are shown in thousandths, rounded down;
 * the calculation continues with the exact values. */

#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

/* No derivation has more. */
#define TERMS_MAX 48

/* All strings are static. */
struct term {
    const char *name;    /* "cable": letters, digits and '_'. */
    int64_t value_milli; /* In thousandths of 'unit'. */
    const char *unit;    /* "bytes"; "" for a bare number. */
    const char *formula; /* In names of earlier terms; "" for an input. */
    const char *source;  /* The source: "CABLE_LENGTH", a standard. */
};

struct terms {
    struct term items[TERMS_MAX];
    size_t n;
};

/* term_add() adds a term with an integer value, term_add_milli() one in
 * thousandths.  They do nothing if 'terms' is NULL. */
void term_add(struct terms *terms, const char *name, uint64_t value,
              const char *unit, const char *formula, const char *source);
void term_add_milli(struct terms *terms, const char *name, int64_t value_milli,
                    const char *unit, const char *formula, const char *source);

/* Returns the term called 'name', or NULL. */
const struct term *terms_find(const struct terms *terms, const char *name);

/* Room for the text of any value. */
#define TERM_TEXT_SIZE 32

/* Writes the value of 'term' ("631.313", "4096") into 'buffer' of
 * TERM_TEXT_SIZE bytes, and returns it. */
const char *term_text(const struct term *term, char *buffer);

#endif /* orchd/derive/terms.h */
