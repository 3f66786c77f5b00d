/* SPDX-License-Identifier: Apache-2.0 */

/* A list of tables with their names.  It is searched once per switch. */

#include <config.h>

#include "orchd/derive/shipped_lookups.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/lookup_lines.h"
#include "orchd/derive/pg_profile_lookup.h"

struct shipped_lookup {
    struct text hwskus; /* " A B ", with a blank around each name. */
    struct pg_profile_lookup lookup;
};

void
shipped_lookups_fini(struct shipped_lookups *shipped)
{
    for (size_t i = 0; i < shipped->n; i++) {
        text_fini(&shipped->tables[i].hwskus);
        pg_profile_lookup_fini(&shipped->tables[i].lookup);
    }
    free(shipped->tables);
    *shipped = (struct shipped_lookups){0};
}

void
shipped_lookups_copy(struct shipped_lookups *copy,
                     const struct shipped_lookups *shipped)
{
    copy->n = shipped->n;
    copy->tables = check_calloc(shipped->n + 1, sizeof *copy->tables);
    for (size_t i = 0; i < shipped->n; i++) {
        const struct shipped_lookup *from = &shipped->tables[i];
        struct shipped_lookup *to = &copy->tables[i];

        text_add(&to->hwskus, text_string(&from->hwskus));
        pg_profile_lookup_copy(&to->lookup, &from->lookup);
    }
}

/* Returns the table that has 'length' bytes of 'hwsku' as a name, or NULL. */
static const struct shipped_lookup *
find_name(const struct shipped_lookups *shipped, const char *hwsku,
          size_t length)
{
    struct text word = {0};
    const struct shipped_lookup *found = NULL;

    text_addf(&word, " %.*s ", (int)length, hwsku);
    for (size_t i = 0; i < shipped->n && !found; i++) {
        const struct shipped_lookup *table = &shipped->tables[i];

        if (strstr(text_string(&table->hwskus), text_string(&word))) {
            found = table;
        }
    }
    text_fini(&word);
    return found;
}

const struct pg_profile_lookup *
shipped_lookups_find(const struct shipped_lookups *shipped, const char *hwsku)
{
    const struct shipped_lookup *found =
        *hwsku && !strchr(hwsku, ' ') ? find_name(shipped, hwsku, strlen(hwsku))
                                      : NULL;

    return found ? &found->lookup : NULL;
}

const struct pg_profile_lookup *
shipped_lookups_search(const struct shipped_lookups *shipped,
                       bool (*matches)(const void *context, const char *hwsku),
                       const void *context, char *hwsku, size_t size)
{
    for (size_t i = 0; i < shipped->n; i++) {
        const char *at = text_string(&shipped->tables[i].hwskus);

        while (*(at += strspn(at, " "))) {
            const size_t n = strcspn(at, " ");

            text_format(hwsku, size, "%.*s", (int)n, at);
            if (matches(context, hwsku)) {
                return &shipped->tables[i].lookup;
            }
            at += n;
        }
    }
    *hwsku = '\0';
    return NULL;
}

/* Returns the table that the next line belongs to, NULL if there is none. */
static struct shipped_lookup *
last_table(struct shipped_lookups *shipped)
{
    return shipped->n ? &shipped->tables[shipped->n - 1] : NULL;
}

/* Adds the names of "[A B]" to the last table, or to a new one if that has
 * entries. */
static enum st
add_names(struct shipped_lookups *shipped, const char *line, size_t length,
          struct err *err)
{
    const char *at = line + 1, *end = memchr(line, ']', length);

    if (!end) {
        return err_set(err, ST_INVALID, "lookup",
                       "expected ']' at the end of the names");
    }
    if (!shipped->n || last_table(shipped)->lookup.n) {
        shipped->tables = check_realloc(
            shipped->tables, (shipped->n + 1) * sizeof *shipped->tables);
        shipped->tables[shipped->n++] = (struct shipped_lookup){0};
        text_add_char(&last_table(shipped)->hwskus, ' ');
    }
    while (at += strspn(at, " \t"), at < end) {
        size_t n = strcspn(at, " \t]");

        if (find_name(shipped, at, n)) {
            return err_set(err, ST_INVALID, "lookup",
                           "the hwsku %.*s has a table already", (int)n, at);
        }
        text_addf(&last_table(shipped)->hwskus, "%.*s ", (int)n, at);
        at += n;
    }
    return ST_OK;
}

/* A lookup_lines_fn. */
static enum st
add_line(void *shipped_, const char *line, size_t length, struct err *err)
{
    struct shipped_lookups *shipped = shipped_;
    struct shipped_lookup *table = last_table(shipped);

    if (*line == '[') {
        return add_names(shipped, line, length, err);
    }
    if (table) {
        return pg_profile_lookup_parse_line(&table->lookup, line, length, err);
    }
    return length && *line != '#'
               ? err_set(err, ST_INVALID, "lookup",
                         "expected the hwskus of a table in brackets")
               : ST_OK;
}

enum st
shipped_lookups_parse(struct shipped_lookups *shipped, const char *text,
                      const char *origin, struct err *err)
{
    return lookup_lines_read(text, origin, add_line, shipped, err);
}
