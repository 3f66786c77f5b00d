/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the most telling difference, and words it. */

#include <config.h>

#include "orchd/orchagent/wish_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "orchd/orchagent/asic_rows.h"
#include "orchd/orchagent/asic_states.h"
#include "orchd/orchagent/wish.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"

/* Appends a value as text. */
static void
add_value(const struct metadata_attribute *meta,
          const sai_attribute_value_t *value, struct text *text)
{
    struct text string = {0};

    if (!value) {
        text_add(text, "unknown");
    } else if (serialize_value(meta, value, &string)) {
        text_add(text, "different");
    } else if (string.length > 80) {
        text_add_bytes(text, text_string(&string), 77);
        text_add(text, "...");
    } else {
        text_add(text, text_string(&string));
    }
    text_fini(&string);
}

/* Appends what 'wish' wants, references by name. */
static void
add_wanted(const struct wishes *wishes, const struct wish *wish,
           struct text *text)
{
    const struct handle *target = wish->meta->kind == KIND_OID
                                      ? wishes_find(wishes, wish->value.oid)
                                      : NULL;

    if (target) {
        text_add(text, target->name);
    } else if (wish->meta->kind == KIND_OBJLIST) {
        for (uint32_t i = 0; i < wish->value.objlist.count; i++) {
            target = wishes_find(wishes, wish->value.objlist.list[i]);
            text_add(text, i ? "," : "");
            text_add(text, target ? target->name : "nothing");
        }
    } else {
        add_value(wish->meta, &wish->value, text);
    }
}

/* Appends how 'row' differs from 'wish'. */
static void
add_difference(const struct wishes *wishes, const struct asic_row *row,
               const struct wish *wish, struct text *text)
{
    text_addf(text, "%s is ", wish->meta->name);
    add_value(wish->meta, asic_row_value(row, wish->meta->id), text);
    text_add(text, " in ASIC_DB instead of ");
    add_wanted(wishes, wish, text);
}

/* Returns how many wishes of 'handle' are as in 'row', and the first that is
 * not in '*first'. */
static size_t
count_matching(const struct wishes *wishes, const struct handle *handle,
               const struct asic_row *row, const struct wish **first)
{
    size_t n = 0;

    *first = NULL;
    for (size_t i = 0; i < handle->n; i++) {
        const struct wish *wish = &handle->wishes[i];

        if (wishes_agree(wishes, row, wish->meta, &wish->value)) {
            n++;
        } else if (!*first) {
            *first = wish;
        }
    }
    return n;
}

/* Returns the row of ASIC_DB that is most like 'handle'; NULL: none is. */
static const struct asic_row *
find_nearest(const struct wishes *wishes, const struct handle *handle)
{
    const struct asic_row *row, *nearest = NULL;
    const struct wish *first;
    size_t place = 0, most = 0;

    if (handle->type == SAI_OBJECT_TYPE_BUFFER_POOL) {
        return asic_rows_get(wishes_rows(wishes),
                             wishes_named_oid(wishes, handle));
    }
    while ((row = asic_rows_next(wishes_rows(wishes), handle->type, &place))) {
        const size_t n = count_matching(wishes, handle, row, &first);

        if (n > most || (n == most && nearest &&
                         asic_row_oid(row) < asic_row_oid(nearest))) {
            most = n;
            nearest = row;
        }
    }
    return nearest;
}

/* Adds what orchagent has answered about a pool or a profile. */
static void
add_answer(const struct wishes *wishes, const struct handle *handle,
           struct text *text)
{
    const bool pool = handle->type == SAI_OBJECT_TYPE_BUFFER_POOL;
    const char *separator = strchr(handle->name, '|');
    uint64_t xoff;

    if ((pool || handle->type == SAI_OBJECT_TYPE_BUFFER_PROFILE) && separator &&
        asic_states_answer(asic_rows_states(wishes_rows(wishes)),
                           pool ? ASIC_STATES_POOLS : ASIC_STATES_PROFILES,
                           separator + 1, &xoff)) {
        text_addf(text,
                  "; the last answer of orchagent, in APPL_STATE_DB, is that "
                  "xoff %" PRIu64 " is applied",
                  xoff);
    }
}

/* Describes why an object is not confirmed. */
static void
describe_object(const struct wishes *wishes, const struct handle *handle,
                struct text *text)
{
    const struct asic_row *row;
    const struct wish *first;

    if (handle->leaving) {
        text_add(text, "ASIC_DB still has it, as ");
        serialize_oid(handle->seen, text);
        return;
    }
    row = find_nearest(wishes, handle);
    if (!row && handle->type == SAI_OBJECT_TYPE_BUFFER_POOL) {
        text_add(text, "COUNTERS_BUFFER_POOL_NAME_MAP does not name it, or "
                       "ASIC_DB has no row for it");
        return;
    }
    if (!row) {
        text_add(text, "ASIC_DB has no such object");
        return;
    }
    (void)count_matching(wishes, handle, row, &first);
    if (handle->type != SAI_OBJECT_TYPE_BUFFER_POOL) {
        text_add(text, "ASIC_DB has no such object; of the nearest one, ");
    }
    if (first) {
        add_difference(wishes, row, first, text);
    } else {
        text_add(text, "an attribute that no row sets is not at its default");
    }
}

/* Describes that 'handle', a part, is not in ASIC_DB. */
static void
describe_absent(const struct handle *handle, struct text *text)
{
    if (handle->index < 0) {
        text_addf(text,
                  "COUNTERS_PORT_NAME_MAP does not name %s, or ASIC_DB "
                  "has no row for it",
                  handle->name);
    } else {
        const bool queue = handle->type == SAI_OBJECT_TYPE_QUEUE;

        text_addf(text,
                  "%s does not name %s:%d, so its row in ASIC_DB cannot be "
                  "found: enable the counters of %s (counterpoll %s enable)",
                  queue ? "COUNTERS_QUEUE_NAME_MAP" : "COUNTERS_PG_NAME_MAP",
                  handle->name, handle->index,
                  queue ? "queues" : "priority groups",
                  queue ? "queue" : "pg-drop");
    }
}

void
wish_text_add(const struct wishes *wishes, const struct handle *handle,
              const struct wish *wish, struct text *text)
{
    const struct asic_row *row;

    if (!handle_is_part(handle)) {
        describe_object(wishes, handle, text);
        add_answer(wishes, handle, text);
        return;
    }
    if (handle->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP && wish) {
        const struct handle *scheduler = wishes_find(wishes, wish->value.oid);

        text_addf(text,
                  "%zu scheduler groups have %s in ASIC_DB, and %zu "
                  "queues are to have it",
                  scheduler ? scheduler->n_having : 0,
                  scheduler ? scheduler->name : "no scheduler",
                  scheduler ? scheduler->n_wanting : 0);
        return;
    }
    row = asic_rows_get(wishes_rows(wishes), wishes_named_oid(wishes, handle));
    if (row && handle->leaving && !wish) {
        text_add(text, "ASIC_DB still has it, as ");
        serialize_oid(asic_row_oid(row), text);
    } else if (!row) {
        describe_absent(handle, text);
    } else if (wish) {
        add_difference(wishes, row, wish, text);
    } else {
        text_add(text, "ASIC_DB does not show it as wanted");
    }
}
