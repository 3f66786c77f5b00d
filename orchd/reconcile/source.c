/* SPDX-License-Identifier: Apache-2.0 */

/* Makes claims and edges from rows, and removes them. */

#include <config.h>

#include "orchd/reconcile/source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "orchd/intent/content.h"
#include "orchd/reconcile/chassis_ports.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/refusal.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "sai/core/attr_value.h"

static struct source *
source_make(struct graph *graph, enum table table, const char *key)
{
    struct source *source = graph_find_source(graph, table, key);
    struct text id = {0};

    if (source) {
        return source;
    }
    table_add_row(&id, table, key);
    source = check_calloc(1, sizeof *source + id.length + 1);
    memcpy(source->id, text_string(&id), id.length);
    source->key_at = (uint32_t)strlen(table_name(table)) + 1;
    source->table = table;
    source->graph = graph;
    DL_APPEND2(graph->sources, source, previous, next);
    hash_index_add(&graph->sources_by_key, source_hash(table, key), source);
    graph->sources_sorted = false;
    text_fini(&id);
    return source;
}

/* Marks the answers to other rows that mention the same object as 'edge': they
 * must not contradict each other. */
static void
mark_co_referrers_of(const struct edge *edge)
{
    for (const struct edge *other = edge->object->referrers; other;
         other = other->next) {
        if (other->source != edge->source && other->source->n_claims == 0) {
            graph_mark_answer(other->source);
        }
    }
}

static void
mark_co_referrers(const struct source *source)
{
    for (size_t i = 0; i < source->n_edges && source->n_claims == 0; i++) {
        mark_co_referrers_of(&source_first_edge(source)[i]);
    }
}

/* Marks the targets of the edges: nothing may mention them any more, and a
 * deleted row may have waited for this last reference to disappear. */
static void
source_unlink_edges(struct source *source)
{
    mark_co_referrers(source);
    for (size_t i = 0; i < source->n_edges; i++) {
        struct edge *edge = &source_first_edge(source)[i];

        if (edge->previous) {
            edge->previous->next = edge->next;
        } else {
            edge->object->referrers = edge->next;
        }
        if (edge->next) {
            edge->next->previous = edge->previous;
        }
        edge->object->n_mentions--;
        graph_mark(edge->object);
    }
    source->n_edges = 0;
}

/* Copies 'demand' without its names, together with room for the edges. */
static void
source_keep(struct source *source, const struct demand *demand)
{
    const size_t wants_bytes = demand->n_wants * sizeof *demand->wants;
    size_t n_edges = 0;
    struct want *wants;

    for (size_t i = 0; i < demand->n_wants; i++) {
        n_edges += demand->wants[i].n_refs;
    }
    wants = check_calloc(1, wants_bytes + n_edges * sizeof(struct edge));
    for (size_t i = 0; i < demand->n_wants; i++) {
        const struct want *want = &demand->wants[i];

        wants[i] = *want;
        wants[i].refs = NULL;
        if (want->meta) {
            attr_value_copy(want->meta->kind, &want->value, &wants[i].value);
        }
    }
    source->demand = *demand;
    source->demand.objects = NULL;
    source->demand.n_objects = 0;
    source->demand.wants = wants;
}

/* Frees the wants and edges of the content in force, and drops the content.
 * Nothing may point to the wants any more. */
static void
source_let_go(struct source *source)
{
    struct want *wants = (struct want *)source->demand.wants;

    for (size_t i = 0; i < source->demand.n_wants; i++) {
        if (wants[i].meta) {
            attr_value_fini(wants[i].meta->kind, &wants[i].value);
        }
    }
    free(wants);
    memset(&source->demand, 0, sizeof source->demand);
    content_unref(source->content);
    source->content = NULL;
}

/* Adds an edge from 'source' to each object that the wants of 'demand' refer
 * to. */
static void
source_link_edges(struct source *source, const struct demand *demand)
{
    for (size_t i = 0; i < demand->n_wants; i++) {
        for (size_t j = 0; j < demand->wants[i].n_refs; j++) {
            struct edge *edge = &source_first_edge(source)[source->n_edges++];

            edge->source = source;
            edge->object =
                graph_make_object(source->graph, &demand->wants[i].refs[j]);
            edge->next = edge->object->referrers;
            if (edge->next) {
                edge->next->previous = edge;
            }
            edge->object->referrers = edge;
            edge->object->n_mentions++;
            graph_mark(edge->object); /* Its answer may list its users. */
        }
    }
    mark_co_referrers(source);
}

/* Returns whether 'demand' mentions exactly the objects that the content in
 * force of 'source' does, in the same order, and claims none. */
static bool
mentions_the_same(const struct source *source, const struct demand *demand)
{
    if (!source->in_force || source->n_claims || demand->n_objects ||
        demand->n_wants != source->n_edges ||
        source->demand.n_wants != source->n_edges) {
        return false;
    }
    for (size_t i = 0; i < demand->n_wants; i++) {
        const struct want *want = &demand->wants[i];
        const struct object_name *name =
            &source_first_edge(source)[i].object->name;

        if (want->n_refs != 1 || !want->text ||
            source->demand.wants[i].n_refs != 1 ||
            object_name_compare(want->refs, name) != 0) {
            return false;
        }
    }
    return true;
}

/* Replaces the demand of 'source' by 'demand', which mentions the same objects:
 * a small change of a long row then affects only the objects concerned. */
static void
source_exchange_texts(struct source *source, const struct demand *demand)
{
    struct want *old_wants = (struct want *)source->demand.wants;
    const struct edge *old_edges = source_first_edge(source);

    source_keep(source, demand);
    for (size_t i = 0; i < source->n_edges; i++) {
        struct edge *edge = &source_first_edge(source)[i];

        *edge = old_edges[i];
        if (edge->previous) {
            edge->previous->next = edge;
        } else {
            edge->object->referrers = edge;
        }
        if (edge->next) {
            edge->next->previous = edge;
        }
        if (strcmp(old_wants[i].text, demand->wants[i].text) != 0) {
            mark_co_referrers_of(edge);
        }
    }
    free(old_wants); /* And the edges, which follow them. */
}

/* Attaches 'claim' to the object that 'name' stands for.  That may be another
 * one than when the claim was last attached. */
static void
claim_attach(struct claim *claim, const struct object_name *name)
{
    struct object *object = scheduler_groups_object(claim->source->graph, name);

    object->n_mentions++;
    if (claim->object) {
        claim->object->n_mentions--;
        graph_mark(claim->object);
    }
    claim->object = object;
    claim->next_on_object = object->claims;
    object->claims = claim;
    claim->attached = true;
}

/* Attaches the claims of 'source' to the objects that 'demand' names.  A row
 * that returns before the ASIC is clean of it reuses its old claims. */
static void
source_attach_claims(struct source *source, const struct demand *demand)
{
    if (!source->claims) {
        source->n_claims = (uint32_t)demand->n_objects;
        source->claims =
            demand->n_objects > 1
                ? check_calloc(demand->n_objects, sizeof *source->claims)
                : &source->only_claim;
    }
    for (size_t i = 0; i < source->n_claims; i++) {
        struct claim *claim = &source->claims[i];

        if (!claim->attached) {
            claim->source = source;
            claim->index = demand->objects[i].index;
            claim_attach(claim, &demand->objects[i]);
        }
    }
}

/* Detaches the claims of 'source' but keeps them: row_answer.h uses them to see
 * what the ASIC still holds of the row. */
static void
source_detach_claims(struct source *source)
{
    for (size_t i = 0; i < source->n_claims; i++) {
        struct claim *claim = &source->claims[i];
        struct claim **link = &claim->object->claims;

        if (!claim->attached) {
            continue;
        }
        while (*link != claim) {
            link = &(*link)->next_on_object;
        }
        *link = claim->next_on_object;
        claim->attached = false;
    }
}

/* Forgets what SAI refused, because the content is new: a change that is not
 * tried at once must not be answered with the verdict on the old content.  The
 * refused creation of an object that another row defines becomes due.  Also
 * clears all pointers to the old wants. */
static void
source_mark_objects(struct source *source)
{
    for (size_t i = 0; i < source->n_claims; i++) {
        struct object *object = source->claims[i].object;

        for (size_t j = 0; j < object->n_slots; j++) {
            struct slot *slot = &object->slots[j];

            if (slot->owner == source->table) {
                slot->want = NULL;
                refusal_forget(&slot->refusal);
            }
        }
        if (source->demand.defines) {
            refusal_forget(&object->refusal);
            object->refused = NULL;
            if (object->class == OBJECT_CLAIMED) {
                object->port_children->was_refused = false;
            }
        }
        object->refusal.due = true;
        graph_note_lanes(object);
        graph_mark(object);
        graph_mark_answers(object);
    }
}

/* Frees the claims of 'source', which are detached. */
static void
source_free_claims(struct source *source)
{
    for (size_t i = 0; i < source->n_claims; i++) {
        source->claims[i].object->n_mentions--;
        graph_mark(source->claims[i].object);
    }
    if (source->claims != &source->only_claim) {
        free(source->claims);
    }
    source->claims = NULL;
    source->only_claim = (struct claim){0};
    source->n_claims = 0;
}

static void
source_free(struct source *source)
{
    source_free_claims(source);
    source_let_go(source);
    content_unref(source->accepted);
    if (source->trouble) {
        free(source->trouble->err);
        free(source->trouble->warnings);
        free(source->trouble->content_warnings);
        free(source->trouble);
    }
    free(source);
}

/* Takes 'source' out of the graph. */
static void
source_unlist(struct source *source)
{
    struct graph *graph = source->graph;

    DL_DELETE2(graph->sources, source, previous, next);
    hash_index_remove(&graph->sources_by_key,
                      source_hash(source->table, source_key(source)), source);
}

void
source_drop(struct source *source)
{
    orch_assert(!source->present && !source->unanswered);
    source_unlist(source);
    source_free(source);
}

void
source_drop_all(struct graph *graph)
{
    struct source *source, *next;

    DL_FOREACH_SAFE(graph->sources, source, next)
    {
        source_unlist(source);
        source_unlink_edges(source);
        source_detach_claims(source);
        source_free(source);
    }
}

/* A digest of the effective content of 'row', to detect that only its verdict
 * has changed. */
static uint64_t
content_digest(const struct row *row)
{
    uint64_t digest = DIGEST_START + row->form;

    for (size_t i = 0; i < row->n_fields; i++) {
        digest = digest_text(digest, row->fields[i].name);
        digest = digest_text(digest, row->fields[i].value);
    }
    return digest;
}

/* Returns the content of 'text', NULL if it is empty, and frees the rest. */
static char *
take_or_null(struct text *text)
{
    char *taken = text->length ? text_take(text) : NULL;

    text_fini(text);
    return taken;
}

/* Returns where what is wrong with the row is kept. */
static struct source_trouble *
source_trouble(struct source *source)
{
    if (!source->trouble) {
        source->trouble = check_calloc(1, sizeof *source->trouble);
    }
    return source->trouble;
}

/* Records the verdict on 'row' and its warnings, including those from the
 * translation; 'err' is the error of the translation, if it failed. */
static void
source_judge(struct source *source, const struct row *row,
             const struct err *err)
{
    struct source_trouble *trouble;
    struct text warnings = {0};

    source->verdict = row->verdict;
    if (err->status != ST_OK && row->verdict == ROW_ACCEPTED) {
        source->verdict = ROW_UNSUPPORTED;
    } else {
        err = row->err;
    }
    if (!err && !(row->warnings && *row->warnings) && !source->trouble) {
        return;
    }
    trouble = source_trouble(source);
    free(trouble->err);
    trouble->err = NULL;
    if (err) {
        trouble->err = check_malloc(sizeof *err);
        *trouble->err = *err;
    }
    if (row->warnings && *row->warnings) {
        text_add(&warnings, row->warnings);
    }
    if (trouble->content_warnings) {
        text_add_item(&warnings, ", ", trouble->content_warnings);
    }
    free(trouble->warnings);
    trouble->warnings = take_or_null(&warnings);
}

/* Makes the effective content of 'row_' the content of 'source'.  Returns the
 * status of the translation. */
static enum st
source_fill(struct source *source, const struct row *row_, struct err *err)
{
    struct row row = *row_;
    struct text warnings = {0};
    struct demand demand;
    enum st status;

    row.content = row.content ? content_ref(row.content)
                              : content_create(row.fields, row.n_fields);
    row.fields = row.content->fields; /* The demand refers to these. */
    row.n_fields = row.content->n;
    arena_reset(source->graph->scratch);
    status =
        translate_row(&row, source->graph->scratch, &demand, &warnings, err);
    if (status != ST_OK) {
        content_unref(row.content);
        text_fini(&warnings);
        return status;
    }
    if (warnings.length || source->trouble) {
        free(source_trouble(source)->content_warnings);
        source->trouble->content_warnings = take_or_null(&warnings);
    }
    text_fini(&warnings);
    if (mentions_the_same(source, &demand)) {
        source_exchange_texts(source, &demand);
        content_unref(source->content); /* Its texts were needed until now. */
        source->content = row.content;
        return ST_OK;
    }
    /* Marked twice: the slots must not point to the old wants, and the new
     * content may claim what had no claims before. */
    source_unlink_edges(source);
    source_mark_objects(source);
    source_let_go(source);
    source_keep(source, &demand);
    if (row.form == ROW_OVERRIDING) {
        source->demand.width = 0;
    } else if (row.generated) {
        source->demand.width = UINT_MAX; /* User-owned rows win. */
    }
    source->in_force = true;
    source->content = row.content;
    source_attach_claims(source, &demand);
    source_link_edges(source, &demand);
    source_mark_objects(source);
    return ST_OK;
}

static void
source_remove(struct source *source)
{
    source->present = source->in_force = false;
    for (size_t i = 0; source->table == TABLE_PORT && i < source->n_claims;
         i++) {
        port_drop_former(source->claims[i].object);
    }
    source_unlink_edges(source);
    source_mark_objects(source);
    source_detach_claims(source);
}

void
source_set_absence(struct graph *graph, const struct err *absence)
{
    const char *before = graph->absence ? graph->absence->reason : "";

    if (!strcmp(before, absence ? absence->reason : "")) {
        return;
    }
    free(graph->absence);
    graph->absence = NULL;
    if (absence) {
        graph->absence = check_malloc(sizeof *graph->absence);
        *graph->absence = *absence;
    }
    for (struct source *source = graph->sources; source;
         source = source->next) {
        graph_mark_answer(source);
    }
}

void
source_set_hwsku(struct graph *graph, const char *hwsku)
{
    struct source *source = graph_find_source(graph, TABLE_DEVICE_METADATA,
                                              graph_switch(graph)->name.name);

    free(graph->hwsku_made);
    graph->hwsku_made = check_strdup(hwsku);
    if (source) {
        graph_mark_answer(source);
    }
}

void
source_set_chip_warning(struct graph *graph, const char *warning)
{
    struct source *source = graph_find_source(graph, TABLE_DEVICE_METADATA,
                                              graph_switch(graph)->name.name);

    free(graph->chip_warning);
    graph->chip_warning = warning && *warning ? check_strdup(warning) : NULL;
    if (source) {
        graph_mark_answer(source);
    }
}

/* Marks what waits for the object that 'source' defines, whether or not this
 * becomes available: an answer says whether the row that it waits for exists.
 */
static void
mark_waiting(const struct source *source)
{
    struct object *object = graph_find_object(
        source->graph,
        &(struct object_name){source_key(source), source->table, -1});

    if (!object) {
        return;
    }
    graph_mark_referrers(object);
    for (struct object *child = object_children(object); child;
         child = child->sibling) {
        graph_mark(child);
    }
}

/* Reports the content in force of 'source'. */
static void
notify_in_force(const struct source *source)
{
    const struct graph *graph = source->graph;
    const struct content *content = source->in_force ? source->content : NULL;

    if (graph->in_force) {
        graph->in_force(graph->in_force_context, source->table,
                        source_key(source), content ? content->fields : NULL,
                        content ? content->n : 0);
    }
}

void
source_put_row(struct graph *graph, const struct row *row, int64_t now)
{
    struct source *source = source_make(graph, row->table, row->key);
    const bool was_present = source->present;
    const struct content *before = source->in_force ? source->content : NULL;
    struct err err = {0};
    uint64_t digest = content_digest(row);

    if (!row->present) {
        source_remove(source);
    } else {
        /* Most updates of a row in force change only its verdict. */
        bool changed = !source->in_force || digest != source->content_digest ||
                       row->generated != source->generated ||
                       row->partial != source->partial ||
                       row->is_own != source->is_own;

        if (row->is_own != source->is_own) { /* It is about other objects. */
            source_remove(source);
            source_free_claims(source);
        }
        source->generated = row->generated;
        source->is_own = row->is_own;
        source->partial = row->partial;
        if (row->verdict == ROW_WITHHELD && !row->effective && row->generated) {
            source_remove(
                source); /* What it was derived from no longer holds. */
        }
        if (row->effective && changed &&
            source_fill(source, row, &err) == ST_OK) {
            source->content_digest = digest;
            source->rewritten = true;
        }
        source->present = true;
        source_judge(source, row, &err);
    }
    if (row->table == TABLE_SYSTEM_PORT) {
        chassis_ports_name(graph, row);
    }
    if (row->table == TABLE_DEVICE_METADATA) {
        free(graph->hwsku_wanted);
        graph->hwsku_wanted = check_strdup(row_field(row, "hwsku"));
    }
    source->changed_at = now;
    if ((source->in_force ? source->content : NULL) != before) {
        notify_in_force(source);
    }
    graph_mark_answer(source);
    if (source->present != was_present) {
        mark_waiting(source);
    }
}
