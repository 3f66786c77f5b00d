/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_TEXT_H
#define ORCHD_BASE_TEXT_H

/* Text in memory: bounded copies and a growing buffer.
 *
 * The pure folders format strings only through this module, so that they need
 * no header that can do I/O. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

/* Copies 'source' into 'buffer' of 'size' bytes (at least 1) and truncates it
 * if it does not fit.  The result is always terminated.  Returns false if it
 * was truncated. */
bool text_copy(char *buffer, size_t size, const char *source);

/* Like snprintf and vsnprintf, but return whether all of the text fitted. */
bool text_format(char *buffer, size_t size, const char *format, ...)
    ST_PRINTF(3, 4);
bool text_vformat(char *buffer, size_t size, const char *format, va_list args)
    ST_PRINTF(3, 0);

/* Returns how many of the first 'length' bytes of 'bytes' are plain text, up to
 * the first that is not.  Plain text is UTF-8 (well-formed by RFC 3629: no
 * truncated characters, no surrogates) without control characters other than
 * line feed and carriage return; a tab is not plain.  Use it before a library
 * that mishandles other bytes. */
size_t text_plain_length(const char *bytes, size_t length);

/* Stores the line and column, counted from 1, of byte 'offset' in 'bytes'. */
void text_position(const char *bytes, size_t offset, unsigned int *line,
                   unsigned int *column);

/* A growing string.  Zero-initialise it.  'bytes' is NULL until something is
 * added, and always terminated after that.  The owner frees it with
 * text_fini(). */
struct text {
    char *bytes;
    size_t length; /* Without the terminator. */
    size_t size;   /* Allocated. */
};

/* Frees the memory of 'text' and zeroes it.  Accepts NULL. */
void text_fini(struct text *text);

/* Empties 'text' but keeps its memory. */
void text_clear(struct text *text);

/* Returns the string, "" if it is empty.  Borrowed. */
const char *text_string(const struct text *text);

/* Moves the string to the caller, who frees it; 'text' is empty again. */
char *text_take(struct text *text);

/* Append a string, 'n' bytes, one character, or formatted text. */
void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t n);
void text_add_char(struct text *text, char c);
void text_addf(struct text *text, const char *format, ...) ST_PRINTF(2, 3);

/* For callers that write to 'text' themselves: text_room() returns room for 'n'
 * bytes after its content; text_use_room() makes what was written there, up to
 * 'end', a part of the content. */
char *text_room(struct text *text, size_t n);
void text_use_room(struct text *text, const char *end);

/* Append 'number' in decimal, or in lower-case hexadecimal without a prefix.
 * Both are much faster than text_addf(). */
void text_add_number(struct text *text, uint64_t number);
void text_add_hex(struct text *text, uint64_t number);

/* Appends 'separator' if 'text' is not empty, then 'string'. */
void text_add_item(struct text *text, const char *separator,
                   const char *string);

/* Returns the plural ending for a count of 'n': "" for 1, else "s". */
const char *text_plural(uint64_t n);

/* Returns whether 'list', which is separated by commas, contains 'item'. */
bool text_lists(const struct text *list, const char *item);

/* Appends 'n' bytes; those that are not plain text (text_plain_length()) become
 * "\xNN". */
void text_add_escaped(struct text *text, const char *bytes, size_t n);

/* Appends 'string' as a JSON string literal with its quotes (RFC 8259
 * section 7). */
void text_add_json(struct text *text, const char *string);

#endif /* base/text.h */
