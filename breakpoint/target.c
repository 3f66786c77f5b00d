/* SPDX-License-Identifier: Apache-2.0 */

/* The names of objects and options in scenarios. */

#include <config.h>

#include "breakpoint/target.h"

#include <string.h>

#include "base/check.h"
#include "base/text.h"

static const char *const kind_words[] = {
#define X(member, word, indexed) word,
    TARGET_KIND_LIST(X)
#undef X
};

static const bool kind_is_indexed[] = {
#define X(member, word, indexed) indexed,
    TARGET_KIND_LIST(X)
#undef X
};

static const char *const block_words[] = {
#define X(member, word) word,
    TARGET_BLOCK_LIST(X)
#undef X
};

static const char *const pattern_words[] = {
#define X(member, word) word,
    TARGET_PATTERN_LIST(X)
#undef X
};

static const char *const until_words[] = {
#define X(member, word) word,
    TARGET_UNTIL_LIST(X)
#undef X
};

const char *
target_kind_word(enum target_kind kind)
{
    orch_assert(kind < N_TARGET_KINDS);
    return kind_words[kind];
}

bool
target_kind_find(const char *word, size_t length, enum target_kind *kind)
{
    for (size_t i = 0; i < N_TARGET_KINDS; i++) {
        if (strlen(kind_words[i]) == length &&
            !memcmp(kind_words[i], word, length)) {
            *kind = (enum target_kind)i;
            return true;
        }
    }
    return false;
}

bool
target_kind_indexed(enum target_kind kind)
{
    orch_assert(kind < N_TARGET_KINDS);
    return kind_is_indexed[kind];
}

void
target_object_text(const struct target_object *object, char *buffer,
                   size_t size)
{
    const char *word = target_kind_word(object->kind);

    if (target_kind_indexed(object->kind)) {
        text_format(buffer, size, "%s %s|%u", word, object->name,
                    object->index);
    } else {
        text_format(buffer, size, "%s %s", word, object->name);
    }
}

const struct target_stat *
target_reading_find(const struct target_reading *reading, const char *name)
{
    for (size_t i = 0; i < reading->n; i++) {
        if (!strcmp(reading->stats[i].name, name)) {
            return &reading->stats[i];
        }
    }
    return NULL;
}

const char *
target_until_word(enum target_until until)
{
    orch_assert(until < N_TARGET_UNTIL);
    return until_words[until];
}

const char *
target_block_word(enum target_block_way way)
{
    orch_assert(way < N_TARGET_BLOCKS);
    return block_words[way];
}

const char *
target_pattern_word(enum target_pattern pattern)
{
    orch_assert(pattern < N_TARGET_PATTERNS);
    return pattern_words[pattern];
}
