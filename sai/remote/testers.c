/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of testers and of their changes.  A suite makes some hundred changes,
 * so lists are searched. */

#include <config.h>

#include "sai/remote/testers.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/text.h"
#include "sai/core/entry.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"
#include "sai/core/status.h"
#include "sai/remote/host_objects.h"
#include "sai/remote/tester_report.h"
#include "sai/remote/tester_rule.h"

/* The testers that have left and that the writer has not asked about; the
 * oldest is forgotten. */
enum { GONE_MAX = 16 };

struct tester {
    struct testers *testers;
    struct tester *next;
    char name[MESSAGE_TEXT_BYTES];
    uint64_t since_s;
    bool connected;
    struct tester_change *changes;
    uint32_t n, capacity;
};

struct testers {
    struct sai_backend *backend;
    struct host_objects *objects; /* NULL: the library lists them. */
    struct tester *first;         /* Connected or not, the newest first. */
    size_t n_records;             /* Changes of all. */

    /* Objects in use that testers which have left had created. */
    struct tester_change *orphans;
    uint32_t n_orphans, orphans_capacity;
};

/* Records ----------------------------------------------------------------- */

static struct tester_change *
append(struct tester_change **list, uint32_t *n, uint32_t *capacity,
       const struct tester_change *change)
{
    if (*n == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 16;
        *list = check_realloc(*list, *capacity * sizeof **list);
    }
    (*list)[*n] = *change;
    return &(*list)[(*n)++];
}

/* Removes element 'i'; the order does not matter. */
static void
take_out(struct tester_change *list, uint32_t *n, uint32_t i)
{
    list[i] = list[--*n];
}

static struct tester_change *
find_value(const struct tester *tester, sai_object_id_t oid,
           sai_attr_id_t attribute)
{
    for (uint32_t i = 0; i < tester->n; i++) {
        struct tester_change *change = &tester->changes[i];

        if (!change->is_object && change->oid == oid &&
            change->attribute == attribute) {
            return change;
        }
    }
    return NULL;
}

/* Returns whether a tester, connected or not, has created 'oid'. */
static bool
is_made(const struct testers *testers, sai_object_id_t oid)
{
    for (const struct tester *tester = testers->first; tester;
         tester = tester->next) {
        for (uint32_t i = 0; tester->connected && i < tester->n; i++) {
            if (tester->changes[i].is_object && tester->changes[i].oid == oid) {
                return true;
            }
        }
    }
    for (uint32_t i = 0; i < testers->n_orphans; i++) {
        if (testers->orphans[i].oid == oid) {
            return true;
        }
    }
    return false;
}

/* Forgets that testers have created 'oid': one that has left and the orphans
 * may both have it. */
static void
forget_made(struct testers *testers, sai_object_id_t oid)
{
    for (struct tester *tester = testers->first; tester;
         tester = tester->next) {
        for (uint32_t i = tester->n; i-- > 0;) {
            if (tester->changes[i].is_object && tester->changes[i].oid == oid) {
                take_out(tester->changes, &tester->n, i);
                testers->n_records--;
            }
        }
    }
    for (uint32_t i = testers->n_orphans; i-- > 0;) {
        if (testers->orphans[i].oid == oid) {
            take_out(testers->orphans, &testers->n_orphans, i);
        }
    }
}

/* Removes an object of a tester from the switch.  Success also where it was
 * gone before. */
static sai_status_t
remove_made(struct testers *testers, const struct tester_change *change)
{
    const sai_status_t status = testers->backend->ops->remove(
        testers->backend, change->type, change->oid);
    const bool is_gone = status == SAI_STATUS_SUCCESS ||
                         status == SAI_STATUS_INVALID_OBJECT_ID ||
                         status == SAI_STATUS_ITEM_NOT_FOUND;

    if (is_gone && testers->objects) {
        host_objects_forget(testers->objects, change->oid);
    }
    return is_gone ? SAI_STATUS_SUCCESS : status;
}

/* Writes a value as text; "?" if it cannot be. */
static void
describe(const struct metadata_attribute *meta,
         const sai_attribute_value_t *value, char text[TESTER_VALUE_BYTES])
{
    struct text out = {0};

    if (!value || serialize_value(meta, value, &out) ||
        !text_copy(text, TESTER_VALUE_BYTES, text_string(&out))) {
        (void)text_copy(text, TESTER_VALUE_BYTES, "?");
    }
    text_fini(&out);
}

/* Reads the attribute of 'change' from the switch as text. */
static void
read_value(const struct testers *testers, const struct tester_change *change,
           char text[TESTER_VALUE_BYTES])
{
    const struct metadata_attribute *meta =
        metadata_attribute(change->type, change->attribute);
    sai_attribute_t attribute;
    sai_status_t status = SAI_STATUS_FAILURE;

    memset(&attribute, 0, sizeof attribute);
    attribute.id = change->attribute;
    if (meta && !kind_has_list(meta->kind)) {
        status = testers->backend->ops->get(testers->backend, change->type,
                                            change->oid, 1, &attribute);
    }
    describe(meta, status == SAI_STATUS_SUCCESS ? &attribute.value : NULL,
             text);
}

/* Testers ----------------------------------------------------------------- */

/* Removes objects of testers that have left, as far as they are unused. */
static void
remove_orphans(struct testers *testers)
{
    uint32_t i = 0;

    while (i < testers->n_orphans) {
        if (remove_made(testers, &testers->orphans[i]) == SAI_STATUS_SUCCESS) {
            forget_made(testers, testers->orphans[i].oid);
        } else {
            i++;
        }
    }
}

struct testers *
testers_create(struct sai_backend *backend, struct host_objects *objects)
{
    struct testers *testers = check_calloc(1, sizeof *testers);

    testers->backend = backend;
    testers->objects = objects;
    return testers;
}

/* Removes '*link' from the list and frees it. */
static void
tester_free(struct tester **link)
{
    struct tester *tester = *link;

    *link = tester->next;
    tester->testers->n_records -= tester->n;
    free(tester->changes);
    free(tester);
}

void
testers_destroy(struct testers *testers)
{
    if (testers) {
        while (testers->first) {
            tester_free(&testers->first);
        }
        free(testers->orphans);
        free(testers);
    }
}

/* Forgets testers that have left, beyond the newest 'n'. */
static void
forget_gone(struct testers *testers, unsigned int n)
{
    struct tester **link = &testers->first;

    while (*link) {
        if ((*link)->connected || n) {
            n -= !(*link)->connected;
            link = &(*link)->next;
        } else {
            tester_free(link);
        }
    }
}

struct tester *
testers_join(struct testers *testers, const char *name)
{
    struct tester *tester = check_calloc(1, sizeof *tester);

    remove_orphans(testers);
    tester->testers = testers;
    (void)text_copy(tester->name, sizeof tester->name, name);
    tester->since_s = (uint64_t)time(NULL);
    tester->connected = true;
    tester->next = testers->first;
    testers->first = tester;
    return tester;
}

unsigned int
testers_n(const struct testers *testers)
{
    unsigned int n = 0;

    for (const struct tester *tester = testers->first; tester;
         tester = tester->next) {
        n += tester->connected;
    }
    return n;
}

/* Reports an attribute that a tester has left changed. */
static void
note_value(const struct tester *tester, const struct tester_change *change,
           testers_note_fn *note, void *context)
{
    const struct metadata_attribute *meta =
        metadata_attribute(change->type, change->attribute);
    struct text text = {0};

    serialize_oid(change->oid, &text);
    text_addf(&text, ": %s is %s and was %s before",
              meta ? meta->name : "an attribute", change->after,
              change->before);
    note(context, true, tester->name, text_string(&text));
    text_fini(&text);
}

/* Removes the object of 'change', or reports that it cannot. */
static bool
remove_object(const struct tester *tester, const struct tester_change *change,
              testers_note_fn *note, void *context)
{
    struct testers *testers = tester->testers;
    const sai_status_t status = remove_made(testers, change);
    char name[STATUS_NAME_SIZE];
    struct text text = {0};

    if (status == SAI_STATUS_SUCCESS) {
        return true;
    }
    (void)append(&testers->orphans, &testers->n_orphans,
                 &testers->orphans_capacity, change);
    serialize_oid(change->oid, &text);
    text_addf(&text, ": %s that it has created ",
              metadata_type_name(change->type));
    if (status == SAI_STATUS_OBJECT_IN_USE) {
        text_add(&text, "is in use");
    } else {
        text_addf(&text, "cannot be removed (%s)",
                  status_name(status, name, sizeof name));
    }
    text_add(&text, "; it is removed when a later tester connects or "
                    "disconnects and it is unused");
    note(context, true, tester->name, text_string(&text));
    text_fini(&text);
    return false;
}

void
testers_leave(struct tester *tester, testers_note_fn *note, void *context)
{
    struct testers *testers = tester->testers;
    uint32_t n_values = 0, n_values_left = 0, n_objects = 0, n_objects_left = 0;
    char summary[128];

    remove_orphans(testers);
    for (uint32_t i = tester->n; i-- > 0;) {
        struct tester_change *change = &tester->changes[i];
        bool is_over;

        if (change->is_object) {
            is_over = remove_object(tester, change, note, context);
            n_objects++;
            n_objects_left += !is_over;
        } else {
            read_value(testers, change, change->after);
            is_over = *change->before != '?' &&
                      !strcmp(change->before, change->after);
            if (!is_over) {
                note_value(tester, change, note, context);
            }
            n_values++;
            n_values_left += !is_over;
        }
        if (is_over) {
            take_out(tester->changes, &tester->n, i);
            testers->n_records--;
        }
    }
    (void)text_format(summary, sizeof summary,
                      "disconnected; attributes set: %u, not as before: %u; "
                      "objects left: %u, not removed: %u",
                      n_values, n_values_left, n_objects, n_objects_left);
    note(context, false, tester->name, summary);
    tester->connected = false;
    forget_gone(testers, GONE_MAX);
}

/* Calls ------------------------------------------------------------------- */

const char *
testers_refuse(const struct tester *tester, const struct call *call)
{
    const struct testers *testers = tester->testers;
    const enum op op = op_single(call->op);

    if (op == OP_GET_STATS) {
        return NULL;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        const sai_attr_id_t attribute = op == OP_SET && call->values[i].n == 1
                                            ? call->values[i].attributes[0].id
                                            : UINT32_MAX;

        if (!tester_rule_allows(op, call->type, attribute) ||
            (op == OP_REMOVE &&
             !is_made(testers, call->keys[i].key.object_id))) {
            return tester_rule_text();
        }
    }
    return op != OP_REMOVE && testers->n_records + call->n > TESTERS_RECORDS_MAX
               ? "testers have changed too much to keep a record of it"
               : NULL;
}

void
testers_before(struct tester *tester, const struct call *call)
{
    struct testers *testers = tester->testers;

    for (uint32_t i = 0; op_single(call->op) == OP_SET && i < call->n; i++) {
        struct tester_change change = {
            .type = call->type,
            .oid = call->keys[i].key.object_id,
            .attribute = call->values[i].attributes[0].id,
        };

        if (!find_value(tester, change.oid, change.attribute)) {
            read_value(testers, &change, change.before);
            (void)append(&tester->changes, &tester->n, &tester->capacity,
                         &change);
            testers->n_records++;
        }
    }
}

/* Records that attribute 0 of object 'i' was set, or was not. */
static void
note_set(struct tester *tester, const struct call *call, uint32_t i, bool set)
{
    const sai_attribute_t *attribute = call->values[i].attributes;
    struct tester_change *change =
        find_value(tester, call->keys[i].key.object_id, attribute->id);

    if (!change) {
        return;
    }
    if (set) {
        describe(metadata_attribute(call->type, attribute->id),
                 &attribute->value, change->after);
    } else if (!*change->after) { /* It was never set. */
        take_out(tester->changes, &tester->n,
                 (uint32_t)(change - tester->changes));
        tester->testers->n_records--;
    }
}

void
testers_after(struct tester *tester, const struct call *call,
              const struct call_answer *answer)
{
    struct testers *testers = tester->testers;
    const enum op op = op_single(call->op);

    for (uint32_t i = 0; i < call->n; i++) {
        const bool done = answer->statuses[i] == SAI_STATUS_SUCCESS;

        if (op == OP_SET) {
            note_set(tester, call, i, done);
        } else if (op == OP_CREATE && done) {
            const struct tester_change change = {
                .type = call->type, .oid = answer->oids[i], .is_object = true};

            (void)append(&tester->changes, &tester->n, &tester->capacity,
                         &change);
            testers->n_records++;
        }
    }
}

/* Forgets all changes: they were of a switch that no longer exists. */
static void
forget_switch(struct testers *testers)
{
    for (struct tester *tester = testers->first; tester;
         tester = tester->next) {
        tester->n = 0;
    }
    testers->n_records = 0;
    testers->n_orphans = 0;
}

void
testers_follow(struct testers *testers, const struct call *call,
               const struct call_answer *answer)
{
    if (op_single(call->op) != OP_REMOVE || entry_is_key(call->type)) {
        return;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (answer->statuses[i] != SAI_STATUS_SUCCESS) {
            continue;
        }
        if (call->type == SAI_OBJECT_TYPE_SWITCH) {
            forget_switch(testers);
        } else {
            forget_made(testers, call->keys[i].key.object_id);
        }
    }
}

void
testers_put(const struct testers *testers, struct wire_out *out)
{
    for (const struct tester *tester = testers->first; tester;
         tester = tester->next) {
        struct tester_entry entry = {.since_s = tester->since_s,
                                     .connected = tester->connected,
                                     .n_changes = tester->n};

        (void)text_copy(entry.name, sizeof entry.name, tester->name);
        tester_report_put_entry(out, &entry);
        for (uint32_t i = 0; i < tester->n; i++) {
            tester_report_put_change(out, &tester->changes[i]);
        }
    }
}

void
testers_forget(struct testers *testers)
{
    forget_gone(testers, 0);
}
