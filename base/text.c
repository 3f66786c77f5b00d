/* SPDX-License-Identifier: Apache-2.0 */

/* Bounded copies and the growing buffer.
 *
 * The buffer doubles when it is full, so adding n bytes one by one costs O(n).
 * It is always terminated and can be printed at any time. */

#include <config.h>

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

bool
text_copy(char *buffer, size_t size, const char *source)
{
    size_t length = strlen(source);
    bool fits = length < size;

    if (!fits) {
        length = size - 1;
    }
    memcpy(buffer, source, length);
    buffer[length] = '\0';
    return fits;
}

bool
text_format(char *buffer, size_t size, const char *format, ...)
{
    va_list args;
    bool fits;

    va_start(args, format);
    fits = text_vformat(buffer, size, format, args);
    va_end(args);
    return fits;
}

bool
text_vformat(char *buffer, size_t size, const char *format, va_list args)
{
    int n = vsnprintf(buffer, size, format, args);

    orch_assert(n >= 0);
    return (size_t)n < size;
}

/* Returns the length of the first character of 'bytes', of which 'left' are
 * readable; 0 if they begin with no valid character. */
static size_t
utf8_length(const unsigned char *bytes, size_t left)
{
    /* The range of the first byte and that of the second, which excludes
     * overlong forms, surrogates and code points beyond U+10FFFF (RFC 3629
     * section 4). */
    static const struct {
        unsigned char first, last, low, high, length;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    size_t i = 0;
    bool sound;

    while (i < sizeof forms / sizeof forms[0] && bytes[0] > forms[i].last) {
        i++;
    }
    if (i == sizeof forms / sizeof forms[0] || bytes[0] < forms[i].first ||
        left < forms[i].length) {
        return 0;
    }
    sound = forms[i].length == 1 ||
            (bytes[1] >= forms[i].low && bytes[1] <= forms[i].high);
    for (size_t k = 2; k < forms[i].length; k++) {
        sound = sound && (bytes[k] & 0xc0) == 0x80;
    }
    return sound ? forms[i].length : 0;
}

static bool
is_control(char c)
{
    return ((unsigned char)c < ' ' && c != '\n' && c != '\r') || c == 0x7f;
}

size_t
text_plain_length(const char *bytes, size_t length)
{
    size_t done = 0;

    while (done < length) {
        size_t n =
            utf8_length((const unsigned char *)bytes + done, length - done);

        if (n == 0 || is_control(bytes[done])) {
            break;
        }
        done += n;
    }
    return done;
}

void
text_position(const char *bytes, size_t offset, unsigned int *line,
              unsigned int *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < offset; i++) {
        *column = bytes[i] == '\n' ? 1 : *column + 1;
        *line += bytes[i] == '\n';
    }
}

void
text_fini(struct text *text)
{
    if (text) {
        free(text->bytes);
        memset(text, 0, sizeof *text);
    }
}

void
text_clear(struct text *text)
{
    text->length = 0;
    if (text->bytes) {
        text->bytes[0] = '\0';
    }
}

const char *
text_string(const struct text *text)
{
    return text->bytes ? text->bytes : "";
}

char *
text_take(struct text *text)
{
    /* Shrink: callers keep most strings for long. */
    char *bytes = text->bytes ? check_realloc(text->bytes, text->length + 1)
                              : check_strdup("");

    memset(text, 0, sizeof *text);
    return bytes;
}

/* Makes room for 'extra' more bytes and a terminator. */
static void
text_reserve(struct text *text, size_t extra)
{
    size_t need = text->length + extra + 1;

    if (need > text->size) {
        size_t size = text->size ? text->size : 64;

        while (size < need) {
            size *= 2;
        }
        text->bytes = check_realloc(text->bytes, size);
        text->size = size;
    }
}

char *
text_room(struct text *text, size_t n)
{
    text_reserve(text, n);
    return text->bytes + text->length;
}

void
text_use_room(struct text *text, const char *end)
{
    text->length = (size_t)(end - text->bytes);
    orch_assert(text->length < text->size);
    text->bytes[text->length] = '\0';
}

void
text_add(struct text *text, const char *string)
{
    text_add_bytes(text, string, strlen(string));
}

void
text_add_bytes(struct text *text, const char *bytes, size_t n)
{
    text_reserve(text, n);
    memcpy(text->bytes + text->length, bytes, n);
    text->length += n;
    text->bytes[text->length] = '\0';
}

void
text_add_char(struct text *text, char c)
{
    text_reserve(text, 1);
    text->bytes[text->length++] = c;
    text->bytes[text->length] = '\0';
}

static void
add_digits(struct text *text, uint64_t number, unsigned int base)
{
    char digits[20]; /* Of UINT64_MAX. */
    char *start = digits + sizeof digits;

    do {
        *--start = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    text_add_bytes(text, start, (size_t)(digits + sizeof digits - start));
}

void
text_add_number(struct text *text, uint64_t number)
{
    add_digits(text, number, 10);
}

void
text_add_hex(struct text *text, uint64_t number)
{
    add_digits(text, number, 16);
}

/* Formats into the free room first, which nearly always suffices, because
 * formatting costs far more than growing the buffer. */
void
text_addf(struct text *text, const char *format, ...)
{
    va_list args;
    int n;

    text_reserve(text, 0);
    va_start(args, format);
    n = vsnprintf(text->bytes + text->length, text->size - text->length, format,
                  args);
    va_end(args);
    orch_assert(n >= 0);
    if ((size_t)n >= text->size - text->length) {
        text_reserve(text, (size_t)n);
        va_start(args, format);
        vsnprintf(text->bytes + text->length, (size_t)n + 1, format, args);
        va_end(args);
    }
    text->length += (size_t)n;
}

void
text_add_item(struct text *text, const char *separator, const char *string)
{
    if (text->length) {
        text_add(text, separator);
    }
    text_add(text, string);
}

const char *
text_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

bool
text_lists(const struct text *list, const char *item)
{
    size_t length = strlen(item);
    const char *start = text_string(list);

    for (const char *p = start; (p = strstr(p, item)); p += length) {
        if ((p == start || p[-1] == ',') &&
            (p[length] == ',' || p[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Returns whether JSON has 'c' in a string as it is. */
static inline bool
is_json_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

/* Appends the rest of a JSON string, and the quotation mark behind it. */
static void
add_json_rest(struct text *text, const char *string)
{
    const char *plain = string; /* Start of the bytes not yet copied. */
    const char *p;

    for (p = string; *p; p++) {
        unsigned char c = (unsigned char)*p;

        if (is_json_plain(c)) {
            continue;
        }
        text_add_bytes(text, plain, (size_t)(p - plain));
        plain = p + 1;
        if (c < 0x20) {
            text_addf(text, "\\u%04x", (unsigned int)c);
        } else {
            text_add_char(text, '\\');
            text_add_char(text, *p);
        }
    }
    text_add_bytes(text, plain, (size_t)(p - plain));
    text_add_char(text, '"');
}

void
text_add_json(struct text *text, const char *string)
{
    const size_t length = strlen(string);
    char *to = text_room(text, length + 2);
    size_t n = 0;

    *to++ = '"';
    while (n < length && is_json_plain((unsigned char)string[n])) {
        *to++ = string[n++];
    }
    if (n == length) {
        *to++ = '"';
    }
    text_use_room(text, to);
    if (n < length) {
        add_json_rest(text, string + n);
    }
}

void
text_add_escaped(struct text *text, const char *bytes, size_t n)
{
    size_t done = 0;

    while (done < n) {
        const size_t plain = text_plain_length(bytes + done, n - done);

        text_add_bytes(text, bytes + done, plain);
        done += plain;
        if (done < n) {
            text_addf(text, "\\x%02x", (unsigned char)bytes[done]);
            done++;
        }
    }
}
