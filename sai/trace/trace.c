/* SPDX-License-Identifier: Apache-2.0 */

/* Writes the lines of a record. */

#include <config.h>

#include "sai/trace/trace.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "sai/core/entry.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"
#include "sai/core/status.h"

static const char arrow[] = "=>";
static const char no_text[] = "?";

void
trace_escape(const char *string, struct text *text)
{
    for (; *string; string++) {
        const unsigned char c = (unsigned char)*string;

        if (c > ' ' && c < 0x7f && c != '%') {
            text_add_char(text, (char)c);
        } else {
            text_addf(text, "%%%02X", c);
        }
    }
}

/* Appends the name of an attribute, or its number. */
static void
write_name(sai_object_type_t type, sai_attr_id_t id, struct text *text)
{
    const struct metadata_attribute *meta = metadata_attribute(type, id);

    if (meta) {
        text_addf(text, " %s", meta->name);
    } else {
        text_addf(text, " %" PRIu32, id);
    }
}

/* Returns whether the value can be read: a caller's list may have a count but
 * no memory, which the guard refuses. */
static bool
is_readable(const struct metadata_attribute *meta,
            const sai_attribute_value_t *value)
{
    uint32_t n;

    if (!kind_has_list(meta->kind)) {
        return true;
    }
    n = kind_list_count(meta->kind, value);
    return !n || (n <= KIND_LIST_MAX && kind_list_elements(meta->kind, value));
}

/* Appends " NAME=VALUE". */
static void
write_value(sai_object_type_t type, const sai_attribute_t *attribute,
            struct text *text)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);
    struct text value = {0};

    write_name(type, attribute->id, text);
    text_add_char(text, '=');
    if (!meta || !is_readable(meta, &attribute->value) ||
        serialize_value(meta, &attribute->value, &value)) {
        text_add(text, no_text);
    } else {
        trace_escape(text_string(&value), text);
    }
    text_fini(&value);
}

static void
write_oid(sai_object_id_t oid, struct text *text)
{
    text_add_char(text, ' ');
    serialize_oid(oid, text);
}

static void
write_status(sai_status_t status, struct text *text)
{
    char name[STATUS_NAME_SIZE];

    text_addf(text, " %s", status_name(status, name, sizeof name));
}

/* Appends the name of a counter, or its number. */
static void
write_stat(sai_object_type_t type, sai_stat_id_t id, struct text *text)
{
    const struct metadata_stat *meta = metadata_stat(type, id);

    if (meta) {
        text_addf(text, " %s", meta->name);
    } else {
        text_addf(text, " %" PRIu32, id);
    }
}

/* Appends attribute 'i' of a get. */
static void
write_question(const struct trace_call *call, uint32_t i, struct text *text)
{
    const struct metadata_attribute *meta =
        metadata_attribute(call->type, call->attributes[i].id);

    write_name(call->type, call->attributes[i].id, text);
    if (call->capacities[i] || (meta && kind_has_list(meta->kind))) {
        text_addf(text, "[%" PRIu32 "]", call->capacities[i]);
    }
}

/* Appends attribute 'i' of a call. */
static void
write_item(const struct trace_call *call, uint32_t i, struct text *text)
{
    if (op_single(call->op) == OP_GET) {
        write_question(call, i, text);
    } else {
        write_value(call->type, &call->attributes[i], text);
    }
}

/* Appends 'key' without the type, which is written before. */
static void
write_key(sai_object_type_t type, const sai_object_key_t *key,
          struct text *text)
{
    struct text whole = {0};

    if (!metadata_type_name(type)) {
        write_oid(key->key.object_id, text);
        return;
    }
    entry_write(type, key, &whole);
    text_add_char(text, ' ');
    trace_escape(strchr(text_string(&whole), ':') + 1, text);
    text_fini(&whole);
}

/* Returns how many attributes item 'i' of a call has. */
static uint32_t
count_of(const struct trace_call *call, uint32_t i)
{
    if (!op_is_many(call->op)) {
        return call->op != OP_GET_STATS;
    }
    return call->counts ? call->counts[i] : call->op == OP_SET_MANY;
}

uint32_t
trace_total(const struct trace_call *call)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i < call->n; i++) {
        total += count_of(call, i);
    }
    return total;
}

/* Appends the part of object 'i' of several that precedes its attributes. */
static void
write_object(const struct trace_call *call, uint32_t i, struct text *text)
{
    if (call->op != OP_CREATE_MANY || entry_is_key(call->type)) {
        write_key(call->type, &call->keys[i], text);
    }
    if (call->op == OP_CREATE_MANY || call->op == OP_GET_MANY) {
        text_addf(text, " #%" PRIu32, call->counts[i]);
    }
}

/* Appends the object of a call on one object, or the mode of a bulk call and
 * the counters that it reads. */
static void
write_mode(const struct trace_call *call, struct text *text)
{
    if (!op_is_many(call->op) && call->op != OP_CREATE) {
        write_oid(call->oid, text);
    }
    if (op_single(call->op) == OP_GET_STATS) {
        text_addf(text, " %d", (int)call->stats_mode);
    } else if (op_is_many(call->op)) {
        text_addf(text, " %d", (int)call->bulk_mode);
    }
    if (call->op == OP_GET_STATS_MANY) {
        text_addf(text, " #%" PRIu32, call->n_stats);
        for (uint32_t i = 0; i < call->n_stats; i++) {
            write_stat(call->type, call->stats[i], text);
        }
    }
}

void
trace_write_call(const char *stamp, const struct trace_call *call,
                 struct text *text)
{
    const char *type = metadata_type_name(call->type);
    uint32_t next = 0;

    text_addf(text, "%s %s ", stamp, op_name(call->op));
    if (type) {
        text_add(text, type);
    } else {
        text_addf(text, "%" PRId32, (int32_t)call->type);
    }
    write_mode(call, text);
    for (uint32_t i = 0; i < call->n; i++) {
        if (op_is_many(call->op)) {
            write_object(call, i, text);
        }
        if (call->op == OP_GET_STATS) {
            write_stat(call->type, call->stats[i], text);
        }
        for (uint32_t k = 0; k < count_of(call, i); k++) {
            write_item(call, next++, text);
        }
    }
}

/* Appends result 'i' of a get.  Of a list that did not fit, or whose count from
 * the vendor is wrong, only the count. */
static void
write_answer(const struct trace_call *call, uint32_t i, struct text *text)
{
    const sai_attribute_t *answer = &call->answers[i];
    const struct metadata_attribute *meta =
        metadata_attribute(call->type, answer->id);
    uint32_t n;

    if (meta && kind_has_list(meta->kind)) {
        n = kind_list_capacity(meta->kind, &answer->value);
        if (n > call->capacities[i] ||
            (n && !kind_list_elements(meta->kind, &answer->value))) {
            write_name(call->type, answer->id, text);
            text_addf(text, "=#%" PRIu32, n);
            return;
        }
    }
    write_value(call->type, answer, text);
}

/* Appends the results of a bulk call: the statuses, then the ids or values of
 * the objects that have any. */
static void
write_outcomes(const struct trace_call *call, struct text *text)
{
    const bool good = call->status == SAI_STATUS_SUCCESS;
    uint32_t next = 0;

    for (uint32_t i = 0; i < call->n && !good; i++) {
        write_status(call->statuses[i], text);
    }
    for (uint32_t i = 0; i < call->n; i++) {
        const sai_status_t status =
            good ? SAI_STATUS_SUCCESS : call->statuses[i];
        const uint32_t n = count_of(call, i);

        if (call->op == OP_CREATE_MANY && !entry_is_key(call->type) &&
            status == SAI_STATUS_SUCCESS) {
            write_oid(call->keys[i].key.object_id, text);
        }
        for (uint32_t k = 0; call->op == OP_GET_MANY && k < n &&
                             (status == SAI_STATUS_SUCCESS ||
                              status == SAI_STATUS_BUFFER_OVERFLOW);
             k++) {
            write_answer(call, next + k, text);
        }
        for (uint32_t k = 0; call->op == OP_GET_STATS_MANY &&
                             status == SAI_STATUS_SUCCESS && k < call->n_stats;
             k++) {
            text_addf(text, " %" PRIu64,
                      call->counters[(size_t)i * call->n_stats + k]);
        }
        next += n;
    }
}

void
trace_write_result(const struct trace_call *call, struct text *text)
{
    const bool good = call->status == SAI_STATUS_SUCCESS;

    text_addf(text, " %s", arrow);
    write_status(call->status, text);
    if (op_is_many(call->op)) {
        write_outcomes(call, text);
    } else if (call->op == OP_CREATE && good) {
        write_oid(call->created, text);
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->op == OP_GET &&
            (good || call->status == SAI_STATUS_BUFFER_OVERFLOW)) {
            write_answer(call, i, text);
        } else if (call->op == OP_GET_STATS && good) {
            write_stat(call->type, call->stats[i], text);
            text_addf(text, "=%" PRIu64, call->counters[i]);
        }
    }
    text_addf(text, " %" PRId64 ".%03dus\n", call->latency_ns / 1000,
              (int)(call->latency_ns % 1000));
}
