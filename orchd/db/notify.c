/* SPDX-License-Identifier: Apache-2.0 */

/* Which letters of notify-keyspace-events are missing. */

#include <config.h>

#include "orchd/db/notify.h"

#include <string.h>

#include "base/text.h"

static const struct {
    char letter;
    bool in_all; /* 'A' stands for it, too. */
} needed[] = {
    {'K', false},
    {'g', true},
    {'h', true},
    {'$', true},
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
