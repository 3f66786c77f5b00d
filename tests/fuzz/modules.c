/* SPDX-License-Identifier: Apache-2.0 */

/* Loads the YANG modules once. */

#include <config.h>

#include "tests/fuzz/modules.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "orchd/intent/key.h"
#include "orchd/intent/schema.h"
#include "tests/fuzz/fuzz.h"

static struct schema *schema;

struct schema *
modules(void)
{
    struct err err = {0};

    if (!schema) {
        if (schema_create(SCHEMA_DIR, &schema, &err) != ST_OK) {
            fprintf(stderr, "%s\n", err.reason);
            abort();
        }
        modules_forget();
    }
    return schema;
}

void
modules_forget(void)
{
    struct schema_row row = {.table = TABLE_BUFFER_POOL};
    struct text warnings = {0};
    struct key key;
    struct err err = {0};

    FUZZ_CHECK(key_parse(row.table, "p", &key, &err) == ST_OK);
    row.key = &key;
    FUZZ_CHECK(schema_check_row(schema, &row, NULL, &warnings, &err) ==
               ST_INVALID);
    text_fini(&warnings);
    key_fini(&key);
}
