/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_TEXT_H
#define ORCHD_BASE_TEXT_H

/* Text in memory: bounded copies and a growing buffer.
 *
 * The pure folders make strings only through this module, so that none of them
 * needs a header that can do I/O. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

/* Copies 'source' into 'buffer' of 'size' bytes (at least 1), cutting it if it
 * does not fit.  The result is always terminated.  Returns false if cut. */
bool text_copy(char *buffer, size_t size, const char *source);

/* Like snprintf and vsnprintf, but return whether all of the text fitted. */
bool text_format(char *buffer, size_t size, const char *format, ...)
    ST_PRINTF(3, 4);
bool text_vformat(char *buffer, size_t size, const char *format, va_list args)
    ST_PRINTF(3, 0);

/* Returns how many of the first 'length' bytes of 'bytes' are plain text, up to
 * the first that is not: UTF-8 (well-formed by RFC 3629, neither cut nor with
 * surrogates) without control characters, tabs included, except for line feeds
 * and carriage returns.  For libraries that are not at ease with anything
 * else. */
size_t text_plain_length(const char *bytes, size_t length);

/* Stores in which line and column, both from 1, byte 'offset' of 'bytes' is. */
void text_place(const char *bytes, size_t offset, unsigned int *line,
                unsigned int *column);

/* A growing string.  Zero-initialise it; 'bytes' is NULL until something was
 * added, and terminated from then on.  The owner ends it with text_fini(). */
struct text {
    char *bytes;
    size_t length; /* Without the terminator. */
    size_t size;   /* Allocated. */
};

/* Frees what 'text' holds and zeroes it.  Accepts NULL. */
void text_fini(struct text *text);

/* Empties 'text' but keeps its memory. */
void text_clear(struct text *text);

/* Returns the string, "" if nothing was ever added.  Borrowed. */
const char *text_string(const struct text *text);

/* Moves the string to the caller, who frees it; 'text' is empty again. */
char *text_take(struct text *text);

/* Append a string, 'n' bytes, one character, or formatted text. */
void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t n);
void text_add_char(struct text *text, char c);
void text_addf(struct text *text, const char *format, ...) ST_PRINTF(2, 3);

/* Append 'number' as decimal or, in lower case and without a prefix, as
 * hexadecimal digits.  Like the others, much faster than text_addf(). */
void text_add_number(struct text *text, uint64_t number);
void text_add_hex(struct text *text, uint64_t number);

/* Appends 'separator' if 'text' is not empty, then 'string'. */
void text_add_item(struct text *text, const char *separator,
                   const char *string);

/* Returns the plural ending for a count of 'n': "" for 1, else "s". */
const char *text_plural(uint64_t n);

/* Returns whether 'list', a comma list, has 'item'. */
bool text_lists(const struct text *list, const char *item);

/* Appends 'string' as a JSON string literal with its quotes (RFC 8259
 * section 7). */
void text_add_json(struct text *text, const char *string);

#endif /* base/text.h */
