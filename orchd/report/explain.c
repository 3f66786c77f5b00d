/* SPDX-License-Identifier: Apache-2.0 */

/* A row with its claims. */

#include <config.h>

#include "orchd/report/explain.h"

#include <stdlib.h>

#include "base/check.h"
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
    enum table table;
    char *key;
    json_t *objects;
    json_t *derived; /* NULL: nothing so far. */
    size_t n_claims; /* Of the row, explained so far, */
    size_t n_parts;  /* and of what is derived. */

    /* Only in explain_continue(). */
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

/* Adds the next object of the row, unless its content sets nothing there.
 * Returns the number of attributes. */
static size_t
explain_object(struct explain *explain)
{
    const struct source *source = explain->source;
    const struct claim *claim = &source->claims[explain->n_claims++];
    json_t *attributes = attributes_json(explain, claim);
    const size_t n = json_array_size(attributes);

    if (n > 0 || source->demand.n_wants == 0) {
        json_array_append_new(explain->objects,
                              claim_json(explain, claim, attributes));
    } else {
        json_decref(attributes);
    }
    return n;
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

/* Adds where the next numbers of the row come from.  Returns the number of
 * terms, 0 if there is nothing more to explain. */
static size_t
explain_part(struct explain *explain, const struct agent *agent)
{
    struct explanation part;
    json_t *json;

    if (!agent_explain(agent, explain->table, explain->key, explain->n_parts,
                       &part)) {
        return 0;
    }
    explain->n_parts++;
    json = json_pack("{s:o}", "terms", terms_json(&part.terms));
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
    explain->derived = explain->derived ? explain->derived : json_array();
    json_array_append_new(explain->derived, json);
    return part.terms.n + 1;
}

/* Adds where the numbers of a derived row of the traditional model, or of
 * link-level retry, come from. */
static void
add_lookup(json_t *json, const struct agent *agent, const struct source *source)
{
    struct derive_lookup lookup;
    struct text text = {0};

    agent_get_lookup(agent, &lookup);
    if (!(source->generated || source->partial)) {
        return;
    }
    if (source->table == TABLE_LLR_PROFILE) {
        text_add(&text, "the lookup table of the setting llr_lookup_file");
    } else if (lookup.dynamic || !lookup.n) {
        return;
    } else if (lookup.shipped) {
        text_addf(&text, "the lookup table that orchd has for hwsku %s",
                  lookup.hwsku);
    } else {
        text_add(&text, "the lookup table of the setting lookup_file");
    }
    json_object_set_new(json, "from", json_string(text_string(&text)));
    text_fini(&text);
}

struct explain *
explain_begin(const struct agent *agent, enum table table, const char *key)
{
    struct explain *explain;

    if (!agent_source(agent, table, key)) {
        return NULL;
    }
    explain = check_calloc(1, sizeof *explain);
    explain->table = table;
    explain->key = check_strdup(key);
    explain->objects = json_array();
    return explain;
}

void
explain_destroy(struct explain *explain)
{
    if (explain) {
        json_decref(explain->objects);
        json_decref(explain->derived);
        free(explain->key);
        free(explain);
    }
}

bool
explain_continue(struct explain *explain, const struct agent *agent,
                 struct sai_backend *backend, size_t n)
{
    size_t done = 0, n_terms = 1;
    bool more;

    explain->source = agent_source(agent, explain->table, explain->key);
    explain->backend = backend;
    explain->names = object_names_create();
    object_names_note_all(explain->names, agent);
    more = explain->source && explain->n_claims < explain->source->n_claims;
    while (more && done < n) {
        done += 1 + explain_object(explain);
        more = explain->n_claims < explain->source->n_claims;
    }
    while (!more && n_terms && done < n) {
        n_terms = explain_part(explain, agent);
        done += n_terms;
    }
    object_names_destroy(explain->names);
    explain->names = NULL;
    return more || n_terms;
}

json_t *
explain_end(struct explain *explain, struct agent *agent)
{
    const struct source *source =
        agent_source(agent, explain->table, explain->key);
    struct text id = {0};
    json_t *json;

    table_add_row(&id, explain->table, explain->key);
    json = json_pack("{s:s, s:o, s:O}", "row", text_string(&id), "fields",
                     fields_json(agent, explain->table, explain->key),
                     "objects", explain->objects);
    text_fini(&id);
    if (source) {
        add_lookup(json, agent, source);
    }
    if (explain->derived) {
        json_object_set(json, "derived", explain->derived);
    }
    explain_destroy(explain);
    return json;
}
