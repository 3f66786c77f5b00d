/* SPDX-License-Identifier: Apache-2.0 */

/* The list of tables, searched by number and by name. */

#include <config.h>

#include "orchd/intent/table.h"

#include <string.h>

#include "base/nearest.h"
#include "base/text.h"

struct table_row {
    const char *name;
    size_t length;
    enum key_shape shape;
};

static const struct table_row table_rows[] = {
#define TABLE(member, shape, module) {#member, sizeof #member - 1, shape},
#include "orchd/intent/tables.def"
#undef TABLE
};

const enum table table_buffers[TABLE_N_BUFFERS] = {
    TABLE_BUFFER_POOL,
    TABLE_BUFFER_PROFILE,
    TABLE_BUFFER_PG,
    TABLE_BUFFER_QUEUE,
    TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST,
    TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST,
};

const char *
table_name(enum table table)
{
    return table_rows[table].name;
}

void
table_add_row(struct text *text, enum table table, const char *key)
{
    text_add(text, table_name(table));
    text_add_char(text, '|');
    text_add(text, key);
}

enum key_shape
table_key_shape(enum table table)
{
    return table_rows[table].shape;
}

bool
table_find(const char *name, size_t length, enum table *table)
{
    for (size_t i = 0; i < N_TABLES; i++) {
        if (table_rows[i].length == length &&
            !memcmp(table_rows[i].name, name, length)) {
            *table = (enum table)i;
            return true;
        }
    }
    return false;
}

bool
table_find_near(const char *name, size_t length, enum table *table)
{
    struct nearest nearest;
    const char *best;

    nearest_init(&nearest, name, length);
    for (int i = 0; i < N_TABLES; i++) {
        nearest_try(&nearest, table_name((enum table)i));
    }
    best = nearest_get(&nearest);
    return best && table_find(best, strlen(best), table);
}

enum st
table_explain(const char *field, const char *name, struct err *err)
{
    struct choices choices;

    choices_init(&choices, name);
    for (int i = 0; i < N_TABLES; i++) {
        choices_add(&choices, table_name((enum table)i));
    }
    return choices_explain(&choices, field, err);
}
