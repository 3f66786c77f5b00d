/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_TERMS_H
#define ORCHD_DERIVE_TERMS_H

/* A derivation as a list of terms, so that every derived number can be checked
 * by hand: what is printed as explanation is what was computed.
 *
 * A calculator that can explain itself takes a 'struct terms' (NULL: no
 * explanation) and adds its terms in the order of the calculation, the inputs
 * first and the results last.  Values that are no whole numbers are shown in
 * thousandths, rounded down; the calculation goes on with the exact ones. */

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
    const char *formula; /* In names of terms before it; "" for an input. */
    const char *source;  /* Where it comes from: "CABLE_LENGTH", a standard. */
};

struct terms {
    struct term items[TERMS_MAX];
    size_t n;
};

/* Adds a term with a whole value, or with one in thousandths.  Does nothing if
 * 'terms' is NULL. */
void term_add(struct terms *terms, const char *name, uint64_t value,
              const char *unit, const char *formula, const char *source);
void term_add_milli(struct terms *terms, const char *name, int64_t value_milli,
                    const char *unit, const char *formula, const char *source);

/* Returns the term called 'name', NULL if there is none. */
const struct term *terms_find(const struct terms *terms, const char *name);

/* Room for the text of any value. */
#define TERM_TEXT_SIZE 32

/* Writes the value of 'term' ("631.313", "4096") into 'buffer' of
 * TERM_TEXT_SIZE bytes, and returns it. */
const char *term_text(const struct term *term, char *buffer);

#endif /* orchd/derive/terms.h */
