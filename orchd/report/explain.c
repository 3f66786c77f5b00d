/* SPDX-License-Identifier: Apache-2.0 */

/* A row with its claims. */

#include <config.h>

#include "orchd/report/explain.h"

#include "base/text.h"
#include "orchd/derive/derive.h"
#include "orchd/derive/explanation.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/compare.h"
#include "orchd/reconcile/condition.h"
#include "orchd/reconcile/resolved_value.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "orchd/report/object_names.h"
#include "orchd/report/row_answers.h"
#include "sai/core/attr_value.h"
#include "sai/core/serialize.h"
#include "sai/core/status.h"

struct explain {
    const struct source *source;
    struct sai_backend *backend; /* NULL: no switch. */
    struct object_names *names;
};

/* Returns the name of an object of the graph. */
static json_t *
object_json(const struct object *object)
{
    return json_string(object->id);
}

/* Returns what the row wants in the slot, or null if that is not yet known,
 * because it refers to something missing. */
static json_t *
intended_json(const struct explain *explain, const struct slot *slot)
{
    struct resolved_value resolved;
    json_t *json;

    if (!resolved_value_init(slot, &resolved)) {
        return json_null();
    }
    json = object_names_value(explain->names, slot->meta, &resolved.value);
    resolved_value_fini(&resolved);
    return json;
}

static json_t *
attribute_json(const struct explain *explain, const struct object *object,
               const struct want *want)
{
    const struct slot *slot = object_slot(object, want->meta->id);
    json_t *json =
        json_pack("{s:s, s:s}", "attribute", object_names_attribute(want->meta),
                  "field", want->field ? want->field : "");
    sai_attribute_value_t found;
    char status[64];

    if (slot && slot->want && slot->source == explain->source) {
        json_object_set_new(json, "intended", intended_json(explain, slot));
    }
    if (explain->backend && object_exists(object) &&
        !compare_read(object, want->meta, explain->backend, &found)) {
        json_object_set_new(
            json, "found",
            object_names_value(explain->names, want->meta, &found));
        attr_value_fini(want->meta->kind, &found);
    }
    if (slot && slot->refusal.status != SAI_STATUS_SUCCESS) {
        json_object_set_new(json, "refused",
                            json_string(status_name(slot->refusal.status,
                                                    status, sizeof status)));
    }
    return json;
}

/* Returns the source whose row wins over 'claim', or NULL. */
static const struct source *
winner_of(const struct claim *claim)
{
    for (const struct claim *other = claim->object->claims; other;
         other = other->next_on_object) {
        if (other->wins && other->source->table == claim->source->table) {
            return other->source;
        }
    }
    return NULL;
}

/* Returns whether 'want' of the row concerns the object: QUEUE wants some
 * attributes of queues and others of scheduler groups, and the PFC mode of a
 * port decides which of its masks there are. */
static bool
concerns(const struct object *object, const struct want *want)
{
    const struct slot slot = {.meta = want->meta,
                              .conditional = want->conditional};

    return scheduler_groups_concern(object, want) &&
           condition_will_hold(object, &slot);
}

/* Lists the attributes that the row wants on the object of 'claim'. */
static json_t *
attributes_json(const struct explain *explain, const struct claim *claim)
{
    const struct demand *demand = &explain->source->demand;
    json_t *attributes = json_array();

    for (size_t i = 0; i < demand->n_wants; i++) {
        if (concerns(claim->object, &demand->wants[i])) {
            json_array_append_new(
                attributes,
                attribute_json(explain, claim->object, &demand->wants[i]));
        }
    }
    return attributes;
}

static json_t *
claim_json(const struct explain *explain, const struct claim *claim,
           json_t *attributes)
{
    const struct object *object = claim->object;
    const struct source *winner = winner_of(claim);
    json_t *json = json_pack("{s:o}", "object", object_json(object));
    struct text oid = {0};

    serialize_oid(object->oid, &oid);
    json_object_set_new(json, "oid",
                        object_exists(object) ? json_string(text_string(&oid))
                                              : json_null());
    text_fini(&oid);
    if (!claim->wins && winner && winner != explain->source) {
        json_object_set_new(json, "shadowed_by", json_string(winner->id));
    }
    if (claim->missing) {
        json_object_set_new(json, "waits_for", object_json(claim->missing));
    }
    json_object_set_new(json, "attributes", attributes);
    return json;
}

/* Lists the objects of the row, without those on which its content sets
 * nothing. */
static json_t *
objects_json(const struct explain *explain)
{
    const struct source *source = explain->source;
    json_t *objects = json_array();

    for (size_t i = 0; i < source->n_claims; i++) {
        json_t *attributes = attributes_json(explain, &source->claims[i]);

        if (json_array_size(attributes) > 0 || source->demand.n_wants == 0) {
            json_array_append_new(
                objects, claim_json(explain, &source->claims[i], attributes));
        } else {
            json_decref(attributes);
        }
    }
    return objects;
}

/* Returns the content in force. */
static json_t *
fields_json(struct agent *agent, enum table table, const char *key)
{
    const struct row *row = agent_row(agent, table, key);
    json_t *fields = json_object();

    for (size_t i = 0; row && row->effective && i < row->n_fields; i++) {
        json_object_set_new(fields, row->fields[i].name,
                            row_answers_text(row->fields[i].value));
    }
    return fields;
}

static json_t *
terms_json(const struct terms *terms)
{
    json_t *list = json_array();

    for (size_t i = 0; i < terms->n; i++) {
        const struct term *term = &terms->items[i];
        char value[TERM_TEXT_SIZE];

        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", term->name,
                            "value", term_text(term, value), "unit", term->unit,
                            "formula", term->formula, "source", term->source));
    }
    return list;
}

/* Returns where the numbers of a row come from, or NULL if there is nothing to
 * explain. */
static json_t *
derived_json(const struct agent *agent, enum table table, const char *key)
{
    struct explanation part;
    json_t *parts = NULL;

    for (size_t i = 0; agent_explain(agent, table, key, i, &part); i++) {
        json_t *json = json_pack("{s:o}", "terms", terms_json(&part.terms));

        if (part.port) {
            json_object_set_new(json, "port", json_string(part.port));
        }
        if (part.profile) {
            json_object_set_new(json, "profile", json_string(part.profile));
        }
        if (part.headroom_limit) {
            json_object_set_new(json, "headroom_limit",
                                json_integer((json_int_t)part.headroom_limit));
        }
        if (part.has_longest) {
            json_object_set_new(json, "longest_cable_m",
                                json_integer(part.longest_cable_m));
        }
        parts = parts ? parts : json_array();
        json_array_append_new(parts, json);
    }
    return parts;
}

/* Adds where the numbers of a derived row of the traditional model come from.
 */
static void
add_lookup(json_t *json, const struct agent *agent, const struct source *source)
{
    struct derive_lookup lookup;
    struct text text = {0};

    agent_get_lookup(agent, &lookup);
    if (!(source->generated || source->partial) || lookup.dynamic ||
        !lookup.n) {
        return;
    }
    if (lookup.shipped) {
        text_addf(&text, "the lookup table that orchd has for hwsku %s",
                  lookup.hwsku);
    } else {
        text_add(&text, "the lookup table of the setting lookup_file");
    }
    json_object_set_new(json, "from", json_string(text_string(&text)));
    text_fini(&text);
}

json_t *
explain_row(struct agent *agent, struct sai_backend *backend, enum table table,
            const char *key)
{
    struct explain explain = {.source = agent_source(agent, table, key),
                              .backend = backend};
    json_t *json, *objects, *derived;

    if (!explain.source) {
        return NULL;
    }
    explain.names = object_names_create();
    object_names_note_all(explain.names, agent);
    objects = objects_json(&explain);
    object_names_destroy(explain.names);
    json = json_pack("{s:s, s:o, s:o}", "row", explain.source->id, "fields",
                     fields_json(agent, table, key), "objects", objects);
    add_lookup(json, agent, explain.source);
    derived = derived_json(agent, table, key);
    if (derived) {
        json_object_set_new(json, "derived", derived);
    }
    return json;
}
