/* SPDX-License-Identifier: Apache-2.0 */

/* Turns differences into ordered steps.
 *
 * A round works on the touched objects only.  First it finds those that must be
 * replaced, from pools to bindings, and adds their users.  Then each object
 * adds its steps, in the direction of references, and counts the users that
 * each object will have afterwards.  Last, against that direction, objects
 * without users are removed in the same round.  The steps are sorted by phase,
 * rank and name, so they do not depend on the order in which objects were
 * touched.
 *
 * The counts assume that SAI accepts every step.  If it does not, execute.h
 * checks the real counts before it removes anything. */

#include <config.h>

#include "orchd/reconcile/plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/reconcile/binding.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom_order.h"
#include "orchd/reconcile/lane_claims.h"
#include "orchd/reconcile/llr_order.h"
#include "orchd/reconcile/paired_bounds.h"
#include "orchd/reconcile/refusal.h"
#include "orchd/reconcile/reservation.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "orchd/reconcile/slot_diff.h"
#include "orchd/reconcile/trimming.h"
#include "sai/core/attr_value.h"

/* Position in the direction of references: an object may refer only to objects
 * of a lower rank. */
static int
rank_of(const struct object *object)
{
    switch (object->type) {
    case SAI_OBJECT_TYPE_BUFFER_POOL:
    case SAI_OBJECT_TYPE_QOS_MAP:
    case SAI_OBJECT_TYPE_SCHEDULER:
    case SAI_OBJECT_TYPE_WRED:
    case SAI_OBJECT_TYPE_PORT_LLR_PROFILE:
        return 0;
    case SAI_OBJECT_TYPE_BUFFER_PROFILE:
        return 1;
    case SAI_OBJECT_TYPE_SWITCH:
    case SAI_OBJECT_TYPE_PORT:
        return 2;
    default:
        return 3;
    }
}

enum { N_RANKS = 4 };

/* --- Steps -------------------------------------------------------------- */

static void
plan_add(struct plan *plan, enum step_kind kind, enum phase phase,
         struct object *object, const struct slot *slot)
{
    if (plan->n_steps == plan->size) {
        plan->size = plan->size ? 2 * plan->size : 64;
        plan->steps =
            check_realloc(plan->steps, plan->size * sizeof *plan->steps);
    }
    plan->steps[plan->n_steps++] =
        (struct step){.kind = kind,
                      .phase = phase,
                      .object = object,
                      .attribute = slot ? slot->meta->id : 0};
}

static bool
is_pool_size(const struct object *object, const struct slot *slot)
{
    return object->type == SAI_OBJECT_TYPE_BUFFER_POOL &&
           slot->meta->id == SAI_BUFFER_POOL_ATTR_SIZE;
}

static bool
is_admin_state(const struct object *object, const struct slot *slot)
{
    return object->type == SAI_OBJECT_TYPE_PORT &&
           slot->meta->id == SAI_PORT_ATTR_ADMIN_STATE;
}

/* A growing reserved size of a profile comes first, a shrinking one last.
 * Other attributes come in the order of their ids, except for bounds that would
 * cross, for trimming and link-level retry, and for received PFC, which comes
 * after transmitted PFC. */
static int
order_in_object(const struct object *object, const struct slot *slot)
{
    int order;

    if (headroom_order_order(object, slot, &order)) {
        return order;
    }
    if (is_pool_size(object, slot)) {
        return reservation_bytes_change(slot) > 0 ? -1 : INT32_MAX;
    }
    if (object->type == SAI_OBJECT_TYPE_SWITCH &&
        trimming_order(slot->meta->id, &order)) {
        return order;
    }
    if (llr_order_order(object, slot, &order)) {
        return order;
    }
    if (object->type == SAI_OBJECT_TYPE_PORT &&
        slot->meta->id == SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX) {
        return INT32_MAX;
    }
    return (int)paired_bounds_place(object, slot);
}

/* Returns whether 'slot' wants an object that the plan has to create first. */
static bool
needs_creation(const struct slot *slot)
{
    const struct edge *edges;

    if (slot->frozen) {
        return slot_is_stale(slot);
    }
    if (!slot->want || !slot->want->n_refs) {
        return false;
    }
    edges = source_edges(slot->source, slot->want);
    for (size_t i = 0; i < slot->want->n_refs; i++) {
        if (!object_exists(edges[i].object) || edges[i].object->recreate) {
            return true;
        }
    }
    return false;
}

/* Returns the phase of the steps that change attributes of 'object' and change
 * its reservation by 'change' bytes in total.  'creation': they need an object
 * that the plan creates, so they cannot come before it. */
static enum phase
phase_of(const struct object *object, int64_t change, bool creation)
{
    const struct slot *xoff =
        object->type == SAI_OBJECT_TYPE_BUFFER_POOL
            ? object_slot(object, SAI_BUFFER_POOL_ATTR_XOFF_SIZE)
            : NULL;

    /* Private headroom shrinks to nothing only while the shared pool exists:
     * its creation comes before all else, its removal after. */
    if (xoff && change > 0 && (!xoff->held || xoff->value.u64 == 0)) {
        return PHASE_OPEN;
    }
    if (xoff && change < 0 && (!xoff->want || xoff->want->value.u64 == 0)) {
        return PHASE_CLOSE;
    }
    if (change < 0) {
        return creation ? PHASE_SHRINK : PHASE_REDUCE;
    }
    return change > 0 && object->class != OBJECT_CHILD ? PHASE_GROW
                                                       : PHASE_MOVE;
}

/* Returns the number of users that 'object' will have after the plan. */
static uint32_t *
users_left(struct object *object)
{
    if (object->left_round != object->graph->round) {
        object->n_left = object->n_users;
        object->left_round = object->graph->round;
    }
    return &object->n_left;
}

/* Discounts 'slot' as a user of its current targets. */
static void
leave_targets(const struct slot *slot)
{
    for (size_t i = 0; slot->held && i < slot->n_targets; i++) {
        if (slot_target_oid(slot, i) == slot_targets(slot)[i]->oid) {
            --*users_left(slot_targets(slot)[i]);
        }
    }
}

/* Counts 'slot' as a user of its wanted targets. */
static void
join_targets(const struct slot *slot)
{
    const struct edge *edges;

    for (size_t i = 0; slot->frozen && i < slot->n_targets; i++) {
        ++*users_left(slot_targets(slot)[i]);
    }
    if (!slot->want || !slot->want->n_refs) {
        return;
    }
    edges = source_edges(slot->source, slot->want);
    for (size_t i = 0; i < slot->want->n_refs; i++) {
        ++*users_left(edges[i].object);
    }
}

/* Returns whether 'slot' of an object that is kept is to be changed now. */
static bool
slot_is_due(const struct object *object, const struct slot *slot)
{
    return slot_is_to_be_set(object, slot) && !refusal_stands(&slot->refusal);
}

/* Plans one change of an attribute. */
static void
plan_change(struct plan *plan, enum step_kind kind, struct object *object,
            const struct slot *slot, int order)
{
    plan_add(plan, kind, PHASE_MOVE, object, slot);
    plan->steps[plan->n_steps - 1].order = order;
}

/* Plans that 'slot' is off while others change.  Returns false if it need not
 * be. */
static bool
plan_pause(struct plan *plan, struct object *object, const struct slot *slot)
{
    int off, on;

    if (!llr_order_pauses(object, slot, &off, &on)) {
        return false;
    }
    plan_change(plan, STEP_RESET, object, slot, off);
    plan_change(plan, STEP_SET, object, slot, on);
    return true;
}

/* Plans the changes of attributes of an object that is on the ASIC and is not
 * replaced. */
static void
plan_attributes(struct plan *plan, struct object *object)
{
    size_t first = plan->n_steps;
    int64_t change = 0;
    bool creation = false;
    enum phase phase;

    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];
        bool set = slot->want || slot->frozen;

        if (plan_pause(plan, object, slot) || !slot_is_due(object, slot)) {
            continue;
        }
        change += reservation_slot_change(object, slot);
        creation |= needs_creation(slot);
        plan_change(plan, set ? STEP_SET : STEP_RESET, object, slot,
                    order_in_object(object, slot));
        leave_targets(slot);
        join_targets(slot);
    }
    /* The attributes stay together, so all get the phase of their total change.
     * Exceptions: the size of a pool is no reservation, and must be there
     * before anything that needs it; a port is shut before its buffers are
     * removed, and started up after it has them. */
    phase = phase_of(object, change, creation);
    for (size_t i = first; i < plan->n_steps; i++) {
        struct step *step = &plan->steps[i];
        const struct slot *slot = object_slot(object, step->attribute);

        step->phase = phase;
        if (is_pool_size(object, slot)) {
            step->phase =
                reservation_bytes_change(slot) > 0 ? PHASE_OPEN : PHASE_CLOSE;
        } else if (is_admin_state(object, slot)) {
            step->phase = slot->want && slot->want->value.booldata ? PHASE_CLOSE
                                                                   : PHASE_OPEN;
        }
    }
}

/* Returns whether a port with the new lanes of 'object' is to be created before
 * it is released. */
static bool
is_to_move(const struct object *object)
{
    return object->class == OBJECT_CLAIMED && object_exists(object) &&
           object->port_children->unprepared;
}

/* Forgets the refusals of what is no longer asked for.  A replacement is still
 * asked for although the object exists and is wanted. */
static void
forget_refusals(struct object *object)
{
    bool replaced = object->former_versions ||
                    object_needs_replacement(object) || is_to_move(object) ||
                    (object->class == OBJECT_CLAIMED &&
                     object->port_children->move_refused);

    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->refusal.status != SAI_STATUS_SUCCESS &&
            !slot_differs(object, slot) && !slot_is_to_be_set(object, slot)) {
            refusal_forget(&object->slots[i].refusal);
        }
    }
    if (object->wanted == object_exists(object) && !replaced &&
        !scheduler_groups_unknown(object)) {
        refusal_forget(&object->refusal);
        object->refused = NULL;
    }
}

/* Plans the steps that create or change 'object' as wanted. */
static void
plan_presence(struct plan *plan, struct object *object)
{
    bool stands = refusal_stands(&object->refusal);

    if (object->restore) {
        plan_add(plan, STEP_RESTORE, PHASE_RESTORE, object, NULL);
        return; /* The next plan compares the restored one. */
    }
    if (object->class == OBJECT_OWNED && !object->wanted) {
        return; /* Its attributes are removed with it. */
    }
    if (is_to_move(object) && !stands) {
        plan_add(plan, STEP_PREPARE, PHASE_CREATE, object, NULL);
    }
    if (scheduler_groups_unknown(object) && scheduler_groups_leader(object) &&
        !stands) {
        plan_add(plan, STEP_ASK, PHASE_CREATE, object, NULL);
    } else if (object->wanted && !object_exists(object)) {
        if (!stands) {
            plan_add(plan, STEP_CREATE, PHASE_CREATE, object, NULL);
        }
    } else if (object->recreate) {
        plan_add(plan, STEP_CREATE, PHASE_CREATE, object, NULL);
        for (size_t i = 0; i < object->n_slots; i++) {
            leave_targets(&object->slots[i]);
            join_targets(&object->slots[i]);
        }
    } else if (object_exists(object) && !object_needs_replacement(object)) {
        /* Otherwise the other attributes wait for the replacement: a threshold
         * is of no use without its mode. */
        plan_attributes(plan, object);
        /* The executor checks whether its children are unbound: their resets
         * are steps of this plan. */
        if (object->class == OBJECT_CLAIMED && !object->wanted) {
            if (lane_claims_wanted(object) && !object->port_children->former) {
                port_save_former(object); /* It moves. */
            }
            plan_add(plan, STEP_RELEASE, PHASE_REMOVE, object, NULL);
        }
    }
}

/* Plans the removal of a version of 'object' that is replaced. */
static void
plan_burial(struct plan *plan, struct object *object, sai_object_id_t oid,
            int order)
{
    plan_add(plan, STEP_REMOVE_FORMER, PHASE_REMOVE, object, NULL);
    plan->steps[plan->n_steps - 1].oid = oid;
    plan->steps[plan->n_steps - 1].order = order;
}

/* Plans the removal of what is replaced, or is neither wanted nor used.  An
 * object that has former versions stays until these are removed, since their
 * users can only move to the current one; but not if it is torn, as another one
 * is made then. */
static void
plan_absence(struct plan *plan, struct object *object)
{
    bool stands = refusal_stands(&object->refusal);
    bool gone = object->class == OBJECT_OWNED && !object->wanted &&
                object_exists(object) &&
                (!object->former_versions || object->torn);
    int order = 0;

    if (object->restore) {
        return;
    }
    if (object->recreate) {
        plan_burial(plan, object, object->oid, order);
    }
    for (const struct former_version *version = object->former_versions;
         version && !stands; version = version->next) {
        order++;
        if (version->n_users == 0) {
            plan_burial(plan, object, version->oid, order);
        }
    }
    if (gone && *users_left(object) == 0 && !stands) {
        plan_add(plan, STEP_REMOVE, PHASE_REMOVE, object, NULL);
        for (size_t i = 0; i < object->n_slots; i++) {
            leave_targets(&object->slots[i]);
        }
    }
}

static bool
phase_removes(enum phase phase)
{
    return phase == PHASE_REMOVE || phase == PHASE_RESTORE;
}

/* A total order, so the result of qsort() is defined.  Removals run against the
 * direction of references, all others along it. */
static int
step_compare(const void *a, const void *b)
{
    const struct step *x = a;
    const struct step *y = b;
    int order = (x->phase > y->phase) - (x->phase < y->phase);

    if (order == 0) {
        order = rank_of(x->object) - rank_of(y->object);
        order = phase_removes(x->phase) ? -order : order;
    }
    if (order == 0 && x->object != y->object) {
        order = object_name_compare(&x->object->name, &y->object->name);
    }
    if (order == 0) {
        order = (x->order > y->order) - (x->order < y->order);
    }
    return order ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

/* --- The round ---------------------------------------------------------- */

/* The touched objects by rank: those of rank r are in 'all' from 'start[r]' to
 * 'start[r + 1]'. */
struct ranks {
    struct object **all;
    size_t start[N_RANKS + 1];
};

static void
ranks_make(struct ranks *ranks, const struct graph *graph)
{
    size_t at[N_RANKS];

    memset(ranks, 0, sizeof *ranks);
    ranks->all = check_calloc(graph->n_touched, sizeof *ranks->all);
    for (size_t i = 0; i < graph->n_touched; i++) {
        ranks->start[rank_of(graph->touched[i]) + 1]++;
    }
    for (size_t r = 0; r < N_RANKS; r++) {
        ranks->start[r + 1] += ranks->start[r];
        at[r] = ranks->start[r];
    }
    for (size_t i = 0; i < graph->n_touched; i++) {
        ranks->all[at[rank_of(graph->touched[i])]++] = graph->touched[i];
    }
}

static bool
object_is_stale(const struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        if (slot_is_stale(&object->slots[i])) {
            return true;
        }
    }
    return false;
}

/* Pins all objects that 'slot' is bound to, and those that they refer to.  Of a
 * former version, which stays as it is, only the latter.  Returns whether one
 * of them was not pinned yet. */
static bool
pin_targets(const struct slot *slot, uint64_t round)
{
    bool any = false;

    for (size_t i = 0; i < slot->n_targets; i++) {
        struct object *target = slot_targets(slot)[i];
        const struct former_version *version =
            object_former_version(target, slot_target_oid(slot, i));
        const struct slot *slots = version ? version->slots : target->slots;
        const size_t n = version ? version->n_slots : target->n_slots;

        if (!version) {
            any |= target->pin_round != round;
            target->pin_round = round;
        }
        for (size_t j = 0; j < n; j++) {
            any |= pin_targets(&slots[j], round);
        }
    }
    return any;
}

/* Returns whether nothing known keeps the plan from replacing 'object'. */
static bool
is_movable(const struct object *object)
{
    return object->pin_round != object->graph->round && !object->restore &&
           !refusal_stands(&object->refusal);
}

/* Returns the type of the pool that 'profile' uses on the ASIC, be it a former
 * version; NULL if it uses none. */
static const sai_attribute_value_t *
held_pool_type(const struct object *profile)
{
    const struct slot *slot =
        object_slot(profile, SAI_BUFFER_PROFILE_ATTR_POOL_ID);

    return slot && slot->n_targets > 0
               ? object_version_value(slot_targets(slot)[0],
                                      slot_target_oid(slot, 0),
                                      SAI_BUFFER_POOL_ATTR_TYPE)
               : NULL;
}

/* Returns whether attribute 'id' of 'point' can be bound to 'profile' in this
 * plan: the direction that it has on the ASIC fits, or it can be replaced, and
 * its pool fits or can be replaced. */
static bool
can_be_bound(const struct object *point, sai_attr_id_t id,
             const struct object *profile)
{
    const sai_attribute_value_t *held = held_pool_type(profile);
    const struct object *pool =
        object_wanted_target(profile, SAI_BUFFER_PROFILE_ATTR_POOL_ID);

    return (held && binding_fits_now(point, id, held)) || !pool ||
           (is_movable(profile) &&
            (binding_fits_now(point, id,
                              object_value(pool, SAI_BUFFER_POOL_ATTR_TYPE)) ||
             is_movable(pool)));
}

/* Returns whether 'slot' of 'object' cannot change in this plan, as far as
 * known.  What the ASIC refused because of the direction of a profile is tried
 * again when that has been replaced. */
static bool
slot_stays(const struct object *object, const struct slot *slot)
{
    const struct edge *edges;
    bool turns = false;

    if (slot->frozen) {
        return true;
    }
    edges = slot->want && slot->want->n_refs
                ? source_edges(slot->source, slot->want)
                : NULL;
    for (size_t i = 0; edges && i < slot->want->n_refs; i++) {
        const struct object *wanted = edges[i].object;

        if (wanted->type != SAI_OBJECT_TYPE_BUFFER_PROFILE) {
            continue;
        }
        if (!can_be_bound(object, slot->meta->id, wanted)) {
            return true;
        }
        turns |=
            !binding_fits_now(object, slot->meta->id, held_pool_type(wanted));
    }
    return refusal_stands(&slot->refusal) && !turns;
}

/* Pins what users of 'object' keep; returns whether that is more than before.
 */
static bool
pin_kept(struct object *object)
{
    bool any = false;

    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        for (size_t j = 0; j < slot->n_targets; j++) {
            if (!binding_fits(object, slot->meta->id, slot_targets(slot)[j]) &&
                slot_stays(object, slot)) {
                any |= pin_targets(slot, object->graph->round);
            }
        }
    }
    return any;
}

/* Pins objects whose users keep them, although the wanted replacement would not
 * fit these users: replacing it would break a valid binding, or leave the old
 * one behind.  A user may keep them because what it is to move to is pinned, so
 * this repeats until nothing is added. */
static void
find_pinned(struct graph *graph)
{
    bool any = true;

    while (any) {
        any = false;
        for (struct object *object = graph->objects; object;
             object = object->next) {
            any |= pin_kept(object);
        }
    }
}

/* Finds the objects of one rank that are to be replaced; returns whether there
 * are any.  '*looked': find_pinned() ran in this round. */
static bool
mark_rank(struct graph *graph, int rank, bool *looked)
{
    bool any = false;

    for (size_t i = 0; i < graph->n_touched; i++) {
        struct object *object = graph->touched[i];

        if (rank_of(object) != rank) {
            continue;
        }
        object->pinned = false;
        if (!object_needs_replacement(object) || object->restore ||
            refusal_stands(&object->refusal)) {
            continue;
        }
        if (!*looked) {
            find_pinned(graph);
            *looked = true;
        }
        object->pinned = object->pin_round == graph->round ||
                         (!object->lost && object_awaited_pool(object));
        object->recreate = !object->pinned;
        any |= object->recreate;
    }
    return any;
}

/* Finds what is to be replaced, in the direction of references, and adds all
 * users of it to the round.  That visits the whole graph, once per rank with
 * replacements, which are rare. */
static void
mark_replacements(struct graph *graph)
{
    bool looked = false;

    for (int rank = 0; rank < N_RANKS; rank++) {
        struct object *object;
        bool any = mark_rank(graph, rank, &looked);

        if (!any) {
            continue;
        }
        /* Touches them in hash order; the decision about an object does not
         * depend on its position in the list. */
        for (object = graph->objects; object; object = object->next) {
            if (object_is_stale(object)) {
                graph_touch(object);
            }
        }
    }
}

/* Returns whether 'user' refers to the current version of 'object'. */
static bool
uses_current(const struct object *user, const struct object *object)
{
    for (size_t i = 0; i < user->n_slots; i++) {
        const struct slot *slot = &user->slots[i];

        for (size_t j = 0; slot->held && j < slot->n_targets; j++) {
            if (slot_targets(slot)[j] == object &&
                slot_target_oid(slot, j) == object->oid) {
                return true;
            }
        }
    }
    return false;
}

/* Returns whether all users of former versions of 'object' stayed with these:
 * no object uses the current one, except for replacements that are as unused.
 * A replacement refers to another only once, so their number is that of the
 * references. */
static bool
is_unused_replacement(const struct object *object)
{
    uint32_t n = 0;

    if (!object->former_versions ||
        object->former_versions->removal_uncertain || !object_exists(object) ||
        refusal_stands(&object->refusal)) {
        return false;
    }
    for (const struct object *user = object->graph->objects;
         user && n < object->n_users; user = user->next) {
        if (uses_current(user, object)) {
            if (!is_unused_replacement(user)) {
                return false;
            }
            n++;
        }
    }
    return n == object->n_users;
}

/* Adds 'object' and the unused replacements that refer to it to those that the
 * plan removes again. */
static void
restore_all(struct object *object)
{
    uint32_t n_left = object->n_users;

    object->restore = true;
    graph_touch(object);
    for (struct object *user = object->graph->objects; user && n_left;
         user = user->next) {
        if (uses_current(user, object)) {
            restore_all(user);
            n_left--;
        }
    }
}

/* Finds unused replacements that would have to be replaced themselves.  Rare,
 * so it may visit the whole graph for each. */
static void
mark_restorations(struct graph *graph)
{
    for (size_t i = 0; i < graph->n_touched; i++) {
        struct object *object = graph->touched[i];

        if (object_needs_replacement(object) && is_unused_replacement(object)) {
            restore_all(object);
        }
    }
}

void
plan_make(struct plan *plan, struct graph *graph)
{
    struct ranks ranks;

    orch_assert(plan->n_steps == 0);
    graph->round++;
    mark_restorations(graph);
    mark_replacements(graph);
    ranks_make(&ranks, graph);
    for (size_t i = 0; i < graph->n_touched; i++) {
        forget_refusals(ranks.all[i]);
        plan_presence(plan, ranks.all[i]);
    }
    /* Users before what they use: removing a profile may leave its pool without
     * users. */
    for (size_t i = graph->n_touched; i-- > 0;) {
        plan_absence(plan, ranks.all[i]);
    }
    if (plan->n_steps > 0) {
        qsort(plan->steps, plan->n_steps, sizeof *plan->steps, step_compare);
    }
    for (size_t i = 0; i < graph->n_touched; i++) {
        graph->touched[i]->recreate = false;
        graph->touched[i]->restore = false;
    }
    free(ranks.all);
}

void
plan_fini(struct plan *plan)
{
    free(plan->steps);
    memset(plan, 0, sizeof *plan);
}
