/* SPDX-License-Identifier: Apache-2.0 */

/* Sorted fields in one block of memory. */

#include <config.h>

#include "orchd/intent/content.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

static int
content_compare(const void *a, const void *b)
{
    return strcmp(((const struct field *)a)->name,
                  ((const struct field *)b)->name);
}

/* Copies 'text' to '*end' and advances '*end' behind the copy. */
static const char *
content_store(const char *text, char **end)
{
    size_t size = strlen(text) + 1;
    char *copy = *end;

    memcpy(copy, text, size);
    *end += size;
    return copy;
}

struct content *
content_create(const struct field *fields, size_t n)
{
    struct content *content;
    size_t bytes = 0, kept = 0;
    char *end;

    for (size_t i = 0; i < n; i++) {
        if (fields[i].name && fields[i].value) {
            bytes += strlen(fields[i].name) + strlen(fields[i].value) + 2;
            kept++;
        }
    }
    content = check_malloc(sizeof *content + kept * sizeof *fields + bytes);
    content->n_users = 1;
    content->n = 0;
    end = (char *)(content->fields + kept);
    for (size_t i = 0; i < n; i++) {
        if (fields[i].name && fields[i].value) {
            struct field *field = &content->fields[content->n++];

            field->name = content_store(fields[i].name, &end);
            field->value = content_store(fields[i].value, &end);
        }
    }
    qsort(content->fields, content->n, sizeof *content->fields,
          content_compare);
    return content;
}

struct content *
content_ref(struct content *content)
{
    if (content) {
        content->n_users++;
    }
    return content;
}

void
content_unref(struct content *content)
{
    if (content && --content->n_users == 0) {
        free(content);
    }
}

bool
content_equal(const struct content *a, const struct content *b)
{
    if (a->n != b->n) {
        return false;
    }
    for (size_t i = 0; i < a->n; i++) {
        if (strcmp(a->fields[i].name, b->fields[i].name) != 0 ||
            strcmp(a->fields[i].value, b->fields[i].value) != 0) {
            return false;
        }
    }
    return true;
}

bool
content_covers(const struct content *a, const struct content *b)
{
    for (size_t i = 0; i < b->n; i++) {
        if (!content_find(a->fields, a->n, b->fields[i].name)) {
            return false;
        }
    }
    return true;
}

const char *
content_find(const struct field *fields, size_t n, const char *name)
{
    struct field key = {name, NULL};
    const struct field *found = NULL;

    if (n) {
        found = bsearch(&key, fields, n, sizeof *fields, content_compare);
    }
    return found ? found->value : NULL;
}

const char *
content_search(const struct field *fields, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(fields[i].name, name)) {
            return fields[i].value;
        }
    }
    return NULL;
}

bool
content_is(const struct field *fields, size_t n, const char *name,
           const char *value)
{
    const char *text = content_find(fields, n, name);

    return text && !strcmp(text, value);
}
