/* SPDX-License-Identifier: Apache-2.0 */

/* Cuts a copy of the query, and decodes it in place. */

#include <config.h>

#include "orchd/http/http_query.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"

/* Returns the value of a hexadecimal digit, -1 if it is none. */
static int
digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool
http_query_decode(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        char c = *from == '+' ? ' ' : *from;

        if (c == '%') {
            const int high = digit(from[1]);
            const int low = high < 0 ? -1 : digit(from[2]);

            if (low < 0) {
                return false;
            }
            c = (char)(high << 4 | low);
            from += 2;
        }
        if ((unsigned char)c < ' ' || c == 0x7f) {
            return false;
        }
        *to++ = c;
    }
    *to = '\0';
    return true;
}

/* Adds one pair. */
static bool
add_pair(struct http_query *query, char *name)
{
    char *value = strchr(name, '=');

    if (query->n == HTTP_QUERY_MAX) {
        return false;
    }
    if (value) {
        *value++ = '\0';
    } else {
        value = name + strlen(name);
    }
    query->pairs =
        check_realloc(query->pairs, (query->n + 1) * sizeof *query->pairs);
    query->pairs[query->n++] = (struct http_pair){name, value};
    return *name && http_query_decode(name) && http_query_decode(value);
}

enum st
http_query_parse(const char *text, struct http_query *query)
{
    char *next;

    memset(query, 0, sizeof *query);
    query->text = check_strdup(text);
    for (char *pair = *text ? query->text : NULL; pair; pair = next) {
        next = strchr(pair, '&');
        if (next) {
            *next++ = '\0';
        }
        if (!add_pair(query, pair)) {
            return ST_INVALID;
        }
    }
    return ST_OK;
}

void
http_query_fini(struct http_query *query)
{
    free(query->pairs);
    free(query->text);
    memset(query, 0, sizeof *query);
}
