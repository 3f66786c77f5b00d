/* SPDX-License-Identifier: Apache-2.0 */

/* Recognises secrets by the names of their fields. */

#include <config.h>

#include "base/secret.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"

static const char *const words[] = {
    "password",     "passwd",    "passkey",  "passphrase",
    "secret",       "token",     "psk",      "primary_cak",
    "fallback_cak", "community", "auth_key", "private_key",
};

static const char *const places[] = {"_file", "_path", "_dir"};

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Returns whether 'text' begins with 'word', in upper or lower case. */
static bool
begins(const char *text, const char *word)
{
    while (*word && lower(*text) == *word) {
        text++;
        word++;
    }
    return !*word;
}

/* Returns whether 'name' contains 'word'. */
static bool
contains(const char *name, const char *word)
{
    while (*name && !begins(name, word)) {
        name++;
    }
    return *name != '\0';
}

bool
secret_is_name(const char *name)
{
    const size_t length = strlen(name);

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const size_t end = strlen(places[i]);

        if (length > end && begins(name + length - end, places[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (contains(name, words[i])) {
            return true;
        }
    }
    return false;
}

static bool
is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Returns where the value begins that follows a name at 'text'; NULL: there is
 * no '=', ':' or '|' after it. */
static const char *
find_value(const char *text)
{
    text += strspn(text, " \t\"'\\");
    if (!*text || !strchr("=:|", *text)) {
        return NULL;
    }
    text++;
    return text + strspn(text, " \t\"'\\");
}

void
secret_add_masked(struct text *text, const char *line)
{
    while (*line) {
        char name[64];
        const char *value;
        size_t n = 0;

        while (is_name_char(line[n])) {
            n++;
        }
        if (!n) {
            text_add_char(text, *line++);
            continue;
        }
        text_add_bytes(text, line, n);
        memcpy(name, line, n < sizeof name ? n : sizeof name - 1);
        name[n < sizeof name ? n : sizeof name - 1] = '\0';
        line += n;
        value = secret_is_name(name) ? find_value(line) : NULL;
        if (value) {
            text_add_bytes(text, line, (size_t)(value - line));
            text_add(text, SECRET_MASK);
            line = value + strcspn(value, "\"',;}\n\r");
        }
    }
}
