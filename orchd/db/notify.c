/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the missing flags of notify-keyspace-events. */

#include <config.h>

#include "orchd/db/notify.h"

#include <string.h>

#include "base/text.h"

static const struct {
    char letter;
    bool in_all; /* 'A' includes it. */
} needed[] = {
    {'K', false}, {'g', true}, {'h', true}, {'$', true},
    {'l', true},  {'s', true}, {'z', true}, {'t', true},
};

bool
notify_lacks(const char *present, char *wanted, size_t size)
{
    struct text text = {0};
    bool lacks = false;

    text_add(&text, present);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!strchr(present, needed[i].letter) &&
            !(needed[i].in_all && strchr(present, 'A'))) {
            text_add_char(&text, needed[i].letter);
            lacks = true;
        }
    }
    if (lacks) {
        text_copy(wanted, size, text_string(&text));
    }
    text_fini(&text);
    return lacks;
}
