/* SPDX-License-Identifier: Apache-2.0 */

/* Recognises secrets by the names of their fields. */

#include <config.h>

#include "base/secret.h"

#include <stddef.h>
#include <string.h>

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
