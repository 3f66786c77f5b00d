/* SPDX-License-Identifier: Apache-2.0 */

/* Answers, from the graph.
 *
 * An answer is due when no plan is under way, so whatever differs then differs
 * for a reason: it waits, was refused, or is kept by somebody.  A row for which
 * none of these can be found is not answered, which would leave what was told
 * before in force; that this does not happen is a property that tests check.
 *
 * Each answer must follow from what evaluate.h and execute.h mark: an answer
 * that depends on another object's state is looked at again only if a change of
 * that state marks this row. */

#include <config.h>

#include "orchd/reconcile/row_answer.h"

#include <string.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/timeline.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"
#include "orchd/reconcile/claim_state.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom_order.h"
#include "orchd/reconcile/references.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "orchd/reconcile/slot_diff.h"
#include "orchd/reconcile/source.h"
#include "sai/core/status.h"

void
row_answer_fini(struct row_answer *answer)
{
    text_fini(&answer->blocked_by);
    text_fini(&answer->referenced_by);
    text_fini(&answer->warnings);
    memset(answer, 0, sizeof *answer);
}

/* --- Rows that are gone ------------------------------------------------- */

/* Returns whether the ASIC still holds for 'claim', whose row is gone, what no
 * other row wants.  What another row of the table has taken over in the
 * meantime is no longer its affair. */
static bool
claim_lingers(const struct claim *claim)
{
    const struct object *object = claim->object;

    if (claim->source->demand.defines) {
        return (object_exists(object) && !object->wanted) ||
               object->old_oid != SAI_NULL_OBJECT_ID;
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->owner == claim->source->table && slot->held && !slot->want) {
            return true;
        }
    }
    return false;
}

/* Returns why the ASIC still holds it, if SAI refused to undo it; else NULL. */
static const struct refusal *
lingering_refusal(const struct claim *claim)
{
    const struct object *object = claim->object;

    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->owner == claim->source->table && !slot->want &&
            slot->refusal.status != SAI_STATUS_SUCCESS) {
            return &slot->refusal;
        }
    }
    return claim->source->demand.defines &&
                   object->refusal.status != SAI_STATUS_SUCCESS
               ? &object->refusal
               : NULL;
}

/* Answers a row that is gone; returns false if nothing is left of it. */
static bool
row_answer_gone(struct row_answer *answer, const struct source *source)
{
    struct row_status *status = &answer->status;

    for (size_t i = 0; i < source->n_claims; i++) {
        const struct object *object = source->claims[i].object;
        const struct refusal *refusal;

        if (!claim_lingers(&source->claims[i])) {
            continue;
        }
        status->state = ROW_STATE_PENDING_DELETE;
        references_name(&answer->referenced_by, object);
        refusal = lingering_refusal(&source->claims[i]);
        if (refusal) {
            char name[64];

            status->attempts = refusal->attempts;
            err_set(&status->err, st_from_sai(refusal->status),
                    "remove-refused", "the ASIC refuses to undo it: %s",
                    status_name(refusal->status, name, sizeof name));
        } else if (answer->referenced_by.length) {
            err_set(&status->err, ST_BUSY, "in-use",
                    "the row is gone, but others still refer to it");
            err_set_remedy(&status->err,
                           "remove or change the rows that refer to it, or "
                           "write the row again");
        } else {
            err_set(&status->err, ST_BUSY, "removing",
                    "the row is gone and its effect is being undone");
        }
        return true;
    }
    return false;
}

/* --- Rows that are there ------------------------------------------------ */

/* Fills 'status' from a refusal of 'meta' (NULL: of the whole object). */
static void
row_answer_refusal(struct row_status *status, const struct object *object,
                   const struct refusal *refusal,
                   const struct metadata_attribute *meta,
                   const struct want *want)
{
    enum st st = st_from_sai(refusal->status);
    char name[64], code[sizeof status->err.code];

    status->state =
        st == ST_UNSUPPORTED ? ROW_STATE_UNSUPPORTED : ROW_STATE_FAILED;
    status->attempts = refusal->attempts;
    status_name(refusal->status, name, sizeof name);
    text_format(code, sizeof code, "sai:%s", name);
    err_set(&status->err, st, code, "the ASIC refused %s of %s: %s",
            meta ? meta->name
            : object->old_oid != SAI_NULL_OBJECT_ID
                ? "to remove the former self"
                : "the creation",
            object->id, st_sentence(st));
    err_set_field(&status->err, want ? want->field : "", "", "");
    if (st == ST_NO_RESOURCE && object_needs_replacement(object)) {
        err_set_remedy(
            &status->err,
            "there is no room for a second one beside it; free some, "
            "or set allow_disruptive");
        return;
    }
    switch (st_retry(st)) {
    case ST_RETRY_NEVER:
        err_set_remedy(&status->err, "change the row, or what it refers to; it "
                                     "is not tried again as it is");
        break;
    case ST_RETRY_EDGE:
    case ST_RETRY_BACKOFF:
        err_set_remedy(&status->err,
                       "it is tried again by itself when something related "
                       "changes, and from time to time");
        break;
    }
}

/* Answers from what SAI refused of the object of 'claim'. */
static void
row_answer_failed(struct row_answer *answer, const struct claim *claim)
{
    struct claim_refusal refusal = claim_state_refusal(claim);

    row_answer_refusal(&answer->status, claim->object, refusal.refusal,
                       refusal.meta, refusal.want);
}

/* Names the rows that 'claim' has to wait for. */
static void
row_answer_in_use(struct row_answer *answer, const struct claim *claim)
{
    answer->status.state = ROW_STATE_WAITING;
    err_set(&answer->status.err, ST_BUSY, "in-use",
            "%s can only be changed by replacing it, and others are bound to "
            "it that cannot follow",
            claim->object->id);
    err_set_remedy(&answer->status.err,
                   "see the status of the rows that use it, and change them "
                   "first");
    references_name(&answer->blocked_by, claim->object);
}

/* Names what has to change before the object of 'claim' can. */
static void
row_answer_held_back(struct row_answer *answer, const struct claim *claim)
{
    const struct object *other = headroom_order_waits_for(claim->object);

    answer->status.state = ROW_STATE_WAITING;
    err_set(&answer->status.err, ST_BUSY, "shared-headroom",
            "%s cannot change before %s does, or lossless traffic would be "
            "without headroom",
            claim->object->id, other->id);
    err_set_remedy(&answer->status.err, "see the status of that row");
    text_add_item(&answer->blocked_by, ",", other->id);
}

static void
row_answer_lanes(struct row_answer *answer, const struct claim *claim)
{
    const struct object *holder = claim_state_lane_holder(claim);

    answer->status.state = ROW_STATE_WAITING;
    err_set(&answer->status.err, ST_BUSY, "lanes-in-use",
            "%s has lanes that this row names", holder->id);
    err_set_field(&answer->status.err, "lanes", "", "");
    err_set_remedy(&answer->status.err, "remove the other row, or correct the "
                                        "lanes of one of them");
    text_add_item(&answer->blocked_by, ",", holder->id);
}

static void
row_answer_out_of_range(struct row_answer *answer, const struct claim *claim)
{
    const struct object *port = claim->object->parent;
    bool pg = claim->object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP;
    uint32_t n =
        pg ? port->port_children->n_pgs : port->port_children->n_queues;
    const char *what = pg ? "priority groups" : "queues";
    char index[16], allowed[32];

    text_format(index, sizeof index, "%d", claim->index);
    answer->status.state = ROW_STATE_REJECTED;
    if (n == 0) {
        err_set(&answer->status.err, ST_INVALID, "range", "%s has no %s",
                port->name.name, what);
        err_set_field(&answer->status.err, "key", index, "");
        err_set_remedy(&answer->status.err, "delete the row");
        return;
    }
    text_format(allowed, sizeof allowed, "0..%u", n - 1);
    err_set(&answer->status.err, ST_INVALID, "range", "%s has only %u %s",
            port->name.name, n, what);
    err_set_field(&answer->status.err, "key", index, allowed);
    err_set_remedy(&answer->status.err, "use an index below %u", n);
}

/* Says what orchd does not do with the port of the switch's processor. */
static void
row_answer_cpu_port(struct row_answer *answer, const struct claim *claim)
{
    struct err *err = &answer->status.err;
    bool queue = claim->object != claim->missing;

    answer->status.state = ROW_STATE_UNSUPPORTED;
    err_set(err, ST_UNSUPPORTED, "cpu-port",
            queue ? "this switch shows no queues of its CPU port"
                  : "CPU is the switch's own port, of which orchd manages "
                    "nothing but its queues");
    err_set_field(err, "key", claim->source->key, "ports with a row PORT");
    err_set_remedy(err, queue ? "delete the row; the CPU's queues keep what "
                                "the switch gives them"
                              : "delete the row, or take CPU out of its key");
}

/* Says why the object of 'claim' and another must not be combined. */
static void
row_answer_conflict(struct row_answer *answer, const struct claim *claim)
{
    struct err *err = &answer->status.err;
    const struct object *object = claim->object, *other = claim->conflict;
    const char *field = claim->source->demand.wants[0].field;

    answer->status.state = ROW_STATE_REJECTED;
    text_add_item(&answer->blocked_by, ",", other->id);
    if (other->type == SAI_OBJECT_TYPE_BUFFER_POOL) {
        err_set(err, ST_INVALID, "wrong-direction",
                "a profile with xoff is lossless, but %s is for egress",
                other->id);
        err_set_field(err, "pool", other->name.name, "a pool for ingress");
        err_set_remedy(err, "remove xoff, or name a pool of type ingress");
    } else if (object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE) {
        err_set(err, ST_INVALID, "trim",
                "%s is bound to it, and its packets cannot be trimmed",
                other->id);
        err_set_field(err, "packet_discard_action", "trim", "drop");
        err_set_remedy(err, "bind only queues to a profile that trims");
    } else if (other->trims) {
        err_set(err, ST_INVALID, "trim",
                "%s trims packets, which only queues can do", other->id);
        err_set_field(err, field, other->name.name, "a profile that drops");
        err_set_remedy(err, "name a profile without packet_discard_action, or "
                            "set that to drop");
    } else {
        bool egress = other->direction == SAI_BUFFER_POOL_TYPE_EGRESS;

        err_set(err, ST_INVALID, "wrong-direction",
                "%s is a profile of an %s pool, but %s is on the %s side",
                other->id, egress ? "egress" : "ingress", object->id,
                egress ? "ingress" : "egress");
        err_set_field(err, field, other->name.name,
                      egress ? "a profile of an ingress pool"
                             : "a profile of an egress pool");
        err_set_remedy(err,
                       "name a profile whose pool has type "
                       "%s, or both",
                       egress ? "ingress" : "egress");
    }
}

/* Names the row that has the place of 'claim'. */
static void
row_answer_shadowed(struct row_answer *answer, const struct claim *claim)
{
    const struct claim *winner = claim->object->claims;

    while (winner &&
           (!winner->wins || winner->source->table != claim->source->table)) {
        winner = winner->next_on_object;
    }
    answer->status.state = ROW_STATE_SHADOWED;
    if (winner && key_is_internal(winner->source->key)) {
        err_set(&answer->status.err, ST_EXISTS, "pfc-storm",
                "the PFC watchdog drops what goes to %s while its storm lasts",
                claim->object->id);
        err_set_remedy(&answer->status.err,
                       "end the storm at its source; the row is in force "
                       "again when it is over");
        text_add(&answer->blocked_by, "PFC_WD|");
        text_add(&answer->blocked_by, claim->object->name.name);
        return;
    }
    err_set(&answer->status.err, ST_EXISTS, "shadowed",
            "%s belongs to the more specific row %s", claim->object->id,
            winner ? winner->source->id : "");
    if (winner) {
        text_add_item(&answer->blocked_by, ",", winner->source->id);
    }
    err_set_remedy(&answer->status.err, "remove one of the two rows, or leave "
                                        "this index out of this one");
}

/* The queue of 'claim' is there, but not what its scheduler would be set at. */
static void
row_answer_no_group(struct row_answer *answer, const struct claim *claim)
{
    answer->status.state = ROW_STATE_FAILED;
    err_set(&answer->status.err, ST_UNSUPPORTED, "no-scheduler-group",
            "queue %d of %s is in no scheduler group", claim->index,
            claim->object->name.name);
    err_set_field(&answer->status.err, scheduler_groups_want(claim)->field, "",
                  "");
    err_set_remedy(&answer->status.err,
                   "start orchd with --set scheduler_target=queue, if this "
                   "switch takes schedulers at the queue itself");
}

/* Names the row that decides for the group of 'claim'. */
static void
row_answer_overruled(struct row_answer *answer, const struct claim *claim)
{
    const struct claim *leader = scheduler_groups_leader(claim->object);

    answer->status.state = ROW_STATE_SHADOWED;
    err_set(&answer->status.err, ST_EXISTS, "shared-group",
            "queues %d and %d of %s share one scheduler, and %s wants another",
            leader->index, claim->index, claim->object->name.name,
            leader->source->id);
    err_set_field(&answer->status.err, scheduler_groups_want(claim)->field, "",
                  "");
    text_add_item(&answer->blocked_by, ",", leader->source->id);
    err_set_remedy(&answer->status.err,
                   "give both rows the same scheduler, or take it out of one");
}

/* Adds 'missing' to what a row waits for; the first one is explained. */
static void
row_answer_waiting(struct row_answer *answer, const struct object *missing)
{
    if (answer->status.state != ROW_STATE_WAITING) {
        const struct source *source = graph_find_source(
            missing->graph, missing->name.table, missing->name.name);

        answer->status.state = ROW_STATE_WAITING;
        err_set(&answer->status.err, ST_NOT_FOUND, "missing-ref", "%s %s",
                missing->id,
                source && source->present ? "is not applied itself"
                                          : "does not exist");
        err_set_remedy(&answer->status.err,
                       source && source->present
                           ? "see the status of that row"
                           : "write that row, or correct the name");
    }
    if (!text_lists(&answer->blocked_by, missing->id)) {
        text_add_item(&answer->blocked_by, ",", missing->id);
    }
}

/* Returns the row that says of the object of 'edge' something else than 'text',
 * or NULL. */
static const struct source *
contradictor(const struct edge *edge, const char *text)
{
    for (const struct edge *other = edge->object->referrers; other;
         other = other->next) {
        const struct source *source = other->source;
        const struct want *want =
            source->demand.wants + (other - source->edges);

        if (source->table == edge->source->table &&
            strcmp(want->text + strspn(want->text, "0"),
                   text + strspn(text, "0"))) {
            return source;
        }
    }
    return NULL;
}

/* Answers a row that speaks of no object but mentions some, one in each of its
 * wants: these must be there, and no other row may say something else of
 * them. */
static void
row_answer_mentions(struct row_answer *answer, const struct source *source)
{
    for (size_t i = 0; i < source->n_edges; i++) {
        const struct edge *edge = &source->edges[i];
        const struct want *want = &source->demand.wants[i];
        const struct source *other = contradictor(edge, want->text);

        if (other) {
            struct err *err = &answer->status.err;

            answer->status.state = ROW_STATE_REJECTED;
            err_set(err, ST_INVALID, "contradiction",
                    "%s says something else of %s", other->id,
                    edge->object->name.name);
            err_set_field(err, want->field, want->text, "the same in all rows");
            err_set_remedy(err, "name %s in one of the rows only",
                           edge->object->name.name);
            text_clear(&answer->blocked_by);
            text_add(&answer->blocked_by, other->id);
            return;
        }
        if (!edge->object->available) {
            row_answer_waiting(answer, edge->object);
        }
    }
}

/* Returns whether the row names another hwsku than the ASIC was made for. */
static bool
row_answer_other_hwsku(struct row_answer *answer, const struct graph *graph)
{
    const char *made = graph->hwsku_made;
    const char *wanted = graph->hwsku_wanted;

    if (!made || !wanted || !strcmp(made, wanted)) {
        return false;
    }
    answer->status.state = ROW_STATE_FAILED;
    err_set(&answer->status.err, ST_UNSUPPORTED, "restart-required",
            "the switch was created as %s", *made ? made : "no hwsku at all");
    err_set_field(&answer->status.err, "hwsku", wanted, made);
    err_set_remedy(&answer->status.err,
                   "restart orchd to change the hwsku of the switch");
    return true;
}

/* Answers a row for which there is no ASIC to do anything with. */
static void
row_answer_absent(struct row_answer *answer, const struct graph *graph)
{
    answer->status.state = ROW_STATE_WAITING;
    answer->status.err = *graph->absence;
}

/* Who tells what was found; the first one that has something to tell does.
 * The patient ones leave it to what the row waits for. */
static const struct {
    enum claim_state state;
    bool patient;
    void (*make)(struct row_answer *answer, const struct claim *claim);
} answers[] = {
    {CLAIM_OUT_OF_RANGE, false, row_answer_out_of_range},
    {CLAIM_CONFLICT, false, row_answer_conflict},
    {CLAIM_CPU_PORT, false, row_answer_cpu_port},
    {CLAIM_FAILED, false, row_answer_failed},
    {CLAIM_LANES_IN_USE, false, row_answer_lanes},
    {CLAIM_NO_GROUP, false, row_answer_no_group},
    {CLAIM_IN_USE, false, row_answer_in_use},
    {CLAIM_OVERRULED, true, row_answer_overruled},
    {CLAIM_HELD_BACK, false, row_answer_held_back},
    {CLAIM_SHADOWED, true, row_answer_shadowed},
    {CLAIM_UNSUPPORTED, true, row_answer_failed},
};

/* The worst of its claims is the answer to a row: what its author must mend
 * first, then what SAI refused, what it waits for, and what has its place.
 * 'waiting' names all that is missing, the others the first one.  Returns false
 * if a plan has still to do something for it, and can. */
static bool
row_answer_claims(struct row_answer *answer, const struct source *source)
{
    const struct claim *first[N_CLAIM_STATES] = {NULL};

    if (source->table == TABLE_DEVICE_METADATA &&
        row_answer_other_hwsku(answer, source->graph)) {
        return true;
    }
    if (source->n_claims == 0) {
        row_answer_mentions(answer, source);
    }
    for (size_t i = 0; i < source->n_claims; i++) {
        const struct claim *claim = &source->claims[i];
        enum claim_state state = claim_state_of(claim);

        if (state == CLAIM_UNFINISHED && !source->graph->absence) {
            return false;
        }
        if (state == CLAIM_MISSING) {
            row_answer_waiting(answer, claim->missing);
        }
        first[state] = first[state] ? first[state] : claim;
    }
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const struct claim *claim = first[answers[i].state];

        if (claim && !(answers[i].patient && first[CLAIM_MISSING])) {
            answers[i].make(answer, claim);
            return true;
        }
    }
    if (first[CLAIM_UNFINISHED] && !first[CLAIM_MISSING]) {
        row_answer_absent(answer, source->graph);
    }
    return true;
}

bool
row_answer_make(struct row_answer *answer, const struct source *source,
                bool *gone)
{
    struct row_status *status = &answer->status;
    bool told = true;

    text_clear(&answer->blocked_by);
    text_clear(&answer->referenced_by);
    text_clear(&answer->warnings);
    memset(status, 0, sizeof *status);
    status->table = source->table;
    status->key = source->key;
    status->origin = source->generated ? "auto" : "user";
    status->state = ROW_STATE_APPLIED;
    status->generation = source->generation;
    if (source->present && source->in_force) {
        status->fields = source->content->fields;
        status->n_fields = source->content->n;
    }
    *gone = false;
    if (!source->present) {
        told = row_answer_gone(answer, source);
        *gone = !told;
    } else if (source->verdict == ROW_UNSUPPORTED) {
        status->state = ROW_STATE_UNSUPPORTED;
        if (source->err && source->err->status == ST_NOT_FOUND) {
            status->state = ROW_STATE_WAITING; /* For another buffer model. */
            text_add(&answer->blocked_by, graph_switch(source->graph)->id);
        }
    } else if (source->verdict == ROW_REJECTED) {
        status->state = ROW_STATE_REJECTED;
    } else if (source->verdict == ROW_WITHHELD) {
        status->state = ROW_STATE_WAITING;
    } else {
        told = row_answer_claims(answer, source);
    }
    if (source->present && source->err) {
        status->err = *source->err;
    }
    if (source->warnings) {
        text_add(&answer->warnings, source->warnings);
    }
    status->blocked_by = text_string(&answer->blocked_by);
    status->referenced_by = text_string(&answer->referenced_by);
    status->warnings = text_string(&answer->warnings);
    return told;
}

/* --- Telling ------------------------------------------------------------ */

/* Digests all of a status that a reader would notice. */
static uint64_t
status_digest(const struct row_status *status)
{
    uint64_t digest = DIGEST_START + status->state;

    digest = digest_text(digest, status->err.code);
    digest = digest_text(digest, status->err.field);
    digest = digest_text(digest, status->err.value);
    digest = digest_text(digest, status->err.reason);
    digest = digest_text(digest, status->blocked_by);
    digest = digest_text(digest, status->referenced_by);
    digest = digest_text(digest, status->warnings);
    return digest + status->attempts;
}

static void
tell(struct source *source, const struct listener *listener,
     struct row_answer *answer, uint64_t generation)
{
    uint64_t digest = status_digest(&answer->status);

    if (source->reported && source->reported_digest == digest &&
        !source->rewritten) {
        return; /* Publishing costs more than all of this. */
    }
    source->rewritten = false;
    if (source->reported) {
        source->graph->n_reported[source->reported_state]--;
    }
    source->graph->n_reported[answer->status.state]++;
    source->reported = true;
    source->reported_digest = digest;
    source->reported_state = answer->status.state;
    source->generation = generation;
    answer->status.generation = generation;
    if (listener->row_status) {
        listener->row_status(listener->context, &answer->status);
    }
}

static void
tell_row_gone(const struct listener *listener, const struct source *source)
{
    if (listener->row_gone) {
        listener->row_gone(listener->context, source->table, source->key);
    }
}

/* Takes the list of rows to answer off 'graph': those that are put back while
 * it is walked go into a new one. */
static struct source *
take_unanswered(struct graph *graph)
{
    struct source *first = graph->unanswered_first;

    graph->unanswered_first = graph->unanswered_last = NULL;
    return first;
}

int64_t
row_answer_report(struct graph *graph, const struct listener *listener,
                  struct row_answer *answer, uint64_t generation, int64_t now)
{
    int64_t due = TIMELINE_NEVER;
    struct source *source, *next;

    for (source = take_unanswered(graph); source; source = next) {
        int64_t quiet_at = source->changed_at + INTENT_QUIET_NS;
        bool gone, told;

        next = source->next_unanswered;
        source->unanswered = false;
        told = row_answer_make(answer, source, &gone);
        if (gone) {
            if (source->reported) {
                graph->n_reported[source->reported_state]--;
                tell_row_gone(listener, source);
            }
            source_drop(source);
        } else if (told && answer->status.state == ROW_STATE_WAITING &&
                   now < quiet_at) {
            graph_mark_answer(source);
            due = quiet_at < due ? quiet_at : due;
        } else if (told) {
            tell(source, listener, answer, generation);
        }
        /* Its claims are detached, so nothing that happens to its objects would
         * bring it back here. */
        if (!gone && !source->present) {
            graph_mark_answer(source);
        }
    }
    return due;
}
