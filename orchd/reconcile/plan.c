/* SPDX-License-Identifier: Apache-2.0 */

/* From differences to ordered steps.
 *
 * A round works on the touched objects only.  First it finds which of them are
 * to be replaced, from pools to bindings, and draws in whoever is bound to
 * these.  Then each object adds its steps, in the direction of references, and
 * counts who will use what when they are done; so that last, against that
 * direction, what nobody will use any more can be removed in the same round.
 * Sorting by phase, rank and name makes the steps independent of the order in
 * which objects were touched.
 *
 * The counts foresee that every step is accepted.  Where one is not, execute.h
 * looks at the true counts again before it removes anything. */

#include <config.h>

#include "orchd/reconcile/plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/reconcile/evaluate.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom_order.h"
#include "orchd/reconcile/paired_bounds.h"
#include "orchd/reconcile/refusal.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "orchd/reconcile/slot_diff.h"
#include "sai/core/attr_value.h"

/* Position in the direction of references: what has a higher rank may refer to
 * what has a lower one. */
static int
rank_of(const struct object *object)
{
    switch (object->type) {
    case SAI_OBJECT_TYPE_BUFFER_POOL:
    case SAI_OBJECT_TYPE_QOS_MAP:
    case SAI_OBJECT_TYPE_SCHEDULER:
    case SAI_OBJECT_TYPE_WRED:
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

/* --- Differences -------------------------------------------------------- */

static bool
is_create_only(const struct metadata_attribute *meta)
{
    return (meta->flags & METADATA_FLAG_CREATE_ONLY) != 0;
}

/* --- Reservations ------------------------------------------------------- */

static const sai_attr_id_t reserved_size =
    SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE;

/* More than any chip has.  A size may be any number of 64 bits; which changes
 * come first is decided by sizes up to this, whose sums do not overflow. */
#define PLAN_BYTES_MAX (INT64_C(1) << 48)

static int64_t
value_bytes(const sai_attribute_value_t *value)
{
    return value->u64 < PLAN_BYTES_MAX ? (int64_t)value->u64 : PLAN_BYTES_MAX;
}

static int64_t
u64_change(const struct slot *slot)
{
    int64_t before = slot->held ? value_bytes(&slot->value) : 0;
    int64_t after = slot->want ? value_bytes(&slot->want->value) : 0;

    return after - before;
}

/* Returns the bytes that a user of 'profile' as it is to be has reserved while
 * users move: what is to shrink has shrunk by then, what is to grow has not
 * grown yet, and what is created is as large as it is wanted. */
static int64_t
profile_reserved(const struct object *profile)
{
    const struct slot *slot = object_slot(profile, reserved_size);

    if (!slot || profile->type != SAI_OBJECT_TYPE_BUFFER_PROFILE) {
        return 0;
    }
    if (slot->want && (!slot->held || profile->recreate)) {
        return value_bytes(&slot->want->value);
    }
    return (slot->held ? value_bytes(&slot->value) : 0) +
           (slot->want && u64_change(slot) < 0 ? u64_change(slot) : 0);
}

/* Returns the bytes that are reserved by what 'slot' is bound to, while users
 * move.  What was or will be replaced has its old size to the end. */
static int64_t
bound_reserved(const struct slot *slot)
{
    const struct object *profile = slot_targets(slot)[0];
    const struct slot *size = object_slot(profile, reserved_size);

    if (slot_target_oid(slot, 0) != profile->oid) {
        for (size_t i = 0; i < profile->n_old_slots; i++) {
            if (profile->old_slots[i].meta->id == reserved_size) {
                return value_bytes(&profile->old_slots[i].value);
            }
        }
        return 0;
    }
    if (profile->recreate) {
        return size && size->held ? value_bytes(&size->value) : 0;
    }
    return profile_reserved(profile);
}

/* Returns in which direction, and for a binding by how much, the change of
 * 'slot' moves what is reserved. */
static int64_t
slot_reservation_change(const struct object *object, const struct slot *slot)
{
    const struct object *after = NULL;

    if ((object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE &&
         slot->meta->id == reserved_size) ||
        (object->type == SAI_OBJECT_TYPE_BUFFER_POOL &&
         slot->meta->id == SAI_BUFFER_POOL_ATTR_XOFF_SIZE)) {
        return u64_change(slot);
    }
    if (object->class != OBJECT_CHILD) {
        return 0;
    }
    if (slot->want && slot->want->n_refs) {
        after = source_edges(slot->source, slot->want)->object;
    } else if (slot->frozen && slot->n_targets) {
        after = slot_targets(slot)[0];
    }
    return (after ? profile_reserved(after) : 0) -
           (slot->n_targets ? bound_reserved(slot) : 0);
}

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
        (struct step){kind, phase, object, slot ? slot->meta->id : 0, 0};
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

/* The reserved size of a profile first when it grows, last when it shrinks;
 * otherwise attributes come in the order of their ids, but for bounds that
 * would cross, and what is received of PFC after what is sent. */
static int
order_in_object(const struct object *object, const struct slot *slot)
{
    int order;

    if (headroom_order_order(object, slot, &order)) {
        return order;
    }
    if (is_pool_size(object, slot)) {
        return u64_change(slot) > 0 ? -1 : INT32_MAX;
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

/* Returns the phase of the steps that change attributes of 'object', of which
 * 'change' bytes of reservation are the sum.  'creation' says that they need an
 * object that the plan has yet to make, so that they cannot come before it. */
static enum phase
phase_of(const struct object *object, int64_t change, bool creation)
{
    const struct slot *xoff =
        object->type == SAI_OBJECT_TYPE_BUFFER_POOL
            ? object_slot(object, SAI_BUFFER_POOL_ATTR_XOFF_SIZE)
            : NULL;

    /* Private headroom shrinks to nothing only while the shared pool is there
     * to take over: the two ends of its life enclose all else. */
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

/* Returns how many users 'object' will have when the plan is done. */
static uint32_t *
users_left(struct object *object)
{
    if (object->left_round != object->graph->round) {
        object->n_left = object->n_users;
        object->left_round = object->graph->round;
    }
    return &object->n_left;
}

/* Counts out the users that 'slot' is, when it stops holding its targets. */
static void
leave_targets(const struct slot *slot)
{
    for (size_t i = 0; slot->held && i < slot->n_targets; i++) {
        if (slot_target_oid(slot, i) == slot_targets(slot)[i]->oid) {
            --*users_left(slot_targets(slot)[i]);
        }
    }
}

/* Counts in the users that 'slot' becomes. */
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

/* Returns whether 'slot' of an object that stays is to be changed now. */
static bool
slot_is_due(const struct object *object, const struct slot *slot)
{
    return slot_differs(object, slot) && !is_create_only(slot->meta) &&
           !refusal_stands(&slot->refusal);
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

        if (!slot_is_due(object, slot)) {
            continue;
        }
        change += slot_reservation_change(object, slot);
        creation |= needs_creation(slot);
        plan_add(plan, set ? STEP_SET : STEP_RESET, PHASE_MOVE, object, slot);
        plan->steps[plan->n_steps - 1].order = order_in_object(object, slot);
        leave_targets(slot);
        join_targets(slot);
    }
    /* The attributes stay together, so one phase must do for all of them: that
     * of what they change in sum.  But the size of a pool is no reservation,
     * and has to be there before whatever needs it; and a port is shut before
     * its buffers go, and started up when it has them. */
    phase = phase_of(object, change, creation);
    for (size_t i = first; i < plan->n_steps; i++) {
        struct step *step = &plan->steps[i];
        const struct slot *slot = object_slot(object, step->attribute);

        step->phase = phase;
        if (is_pool_size(object, slot)) {
            step->phase = u64_change(slot) > 0 ? PHASE_OPEN : PHASE_CLOSE;
        } else if (is_admin_state(object, slot)) {
            step->phase = slot->want && slot->want->value.booldata ? PHASE_CLOSE
                                                                   : PHASE_OPEN;
        }
    }
}

/* Forgets refusals of what is no longer asked for.  That of a replacement is
 * still asked for although the object exists and is wanted. */
static void
forget_refusals(struct object *object)
{
    bool replaced = object->old_oid != SAI_NULL_OBJECT_ID ||
                    object_needs_replacement(object);

    for (size_t i = 0; i < object->n_slots; i++) {
        if (!slot_differs(object, &object->slots[i])) {
            refusal_forget(&object->slots[i].refusal);
        }
    }
    if (object->wanted == object_exists(object) && !replaced &&
        !scheduler_groups_unknown(object)) {
        refusal_forget(&object->refusal);
        object->refused = NULL;
    }
}

/* Plans what makes 'object' as it is wanted, if it is. */
static void
plan_presence(struct plan *plan, struct object *object)
{
    bool stands = refusal_stands(&object->refusal);

    if (object->class == OBJECT_OWNED && !object->wanted) {
        return; /* Its attributes go with it. */
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
        /* Otherwise the other attributes go with those that cannot be set: a
         * threshold is of no use without its mode. */
        plan_attributes(plan, object);
        /* Whether its places are free by then is looked at when the time has
         * come: their resets are steps of this plan. */
        if (object->class == OBJECT_CLAIMED && !object->wanted) {
            plan_add(plan, STEP_RELEASE, PHASE_REMOVE, object, NULL);
        }
    }
}

/* Plans the removal of what is replaced, or not wanted and not used.  What has
 * an old self stays until that is gone: whoever is still bound to the old self
 * can only go on to the new one. */
static void
plan_absence(struct plan *plan, struct object *object)
{
    bool stands = refusal_stands(&object->refusal);
    bool has_old = object->old_oid != SAI_NULL_OBJECT_ID;
    bool gone = object->class == OBJECT_OWNED && !object->wanted &&
                object_exists(object) && !has_old;

    if (object->recreate || (has_old && object->n_old_users == 0 && !stands)) {
        plan_add(plan, STEP_REMOVE_OLD, PHASE_REMOVE, object, NULL);
    }
    if (gone && *users_left(object) == 0 && !stands) {
        plan_add(plan, STEP_REMOVE, PHASE_REMOVE, object, NULL);
        for (size_t i = 0; i < object->n_slots; i++) {
            leave_targets(&object->slots[i]);
        }
    }
}

/* A total order, so that qsort() has no choice.  Removals run against the
 * direction of references, all else along it. */
static int
step_compare(const void *a, const void *b)
{
    const struct step *x = a;
    const struct step *y = b;
    int order = (x->phase > y->phase) - (x->phase < y->phase);

    if (order == 0) {
        order = rank_of(x->object) - rank_of(y->object);
        order = x->phase == PHASE_REMOVE ? -order : order;
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

/* The touched objects, sorted into ranks, each row of 'all' from 'start[r]' to
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

/* Pins all that 'slot' is bound to, and what that refers to in turn. */
static void
pin_targets(const struct slot *slot, uint64_t round)
{
    for (size_t i = 0; i < slot->n_targets; i++) {
        struct object *target = slot_targets(slot)[i];

        target->pin_round = round;
        for (size_t j = 0; j < target->n_slots; j++) {
            pin_targets(&target->slots[j], round);
        }
    }
}

/* Pins what places are bound to that stay there, although
 * what is wanted of it does not fit them any more: to replace it would make
 * something wrong of a binding that was right, or leave it behind. */
static void
find_pinned(struct graph *graph)
{
    for (struct object *object = graph->objects; object;
         object = object->hh.next) {
        for (size_t i = 0; i < object->n_slots; i++) {
            const struct slot *slot = &object->slots[i];
            bool stays = slot->frozen || refusal_stands(&slot->refusal);

            for (size_t j = 0; stays && j < slot->n_targets; j++) {
                if (!evaluate_fits(object, slot->meta->id,
                                   slot_targets(slot)[j])) {
                    pin_targets(slot, graph->round);
                }
            }
        }
    }
}

/* Finds the objects of one rank that are to be replaced; returns whether there
 * are any.  '*looked' says whether pins were looked for in this round. */
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
        if (!object_needs_replacement(object) ||
            refusal_stands(&object->refusal) ||
            object->old_oid != SAI_NULL_OBJECT_ID) {
            continue; /* One old self at a time. */
        }
        if (!*looked) {
            find_pinned(graph);
            *looked = true;
        }
        object->pinned = object->pin_round == graph->round;
        object->recreate = !object->pinned;
        any |= object->recreate;
    }
    return any;
}

/* Finds what is to be replaced, in the direction of references, and draws all
 * users of it into the round.  That walks the whole graph, which is fine:
 * replacements are rare, and there is one walk per rank that has any. */
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
        /* Touched in hash order, which is as good as any: what is decided for
         * an object does not depend on its position in the list. */
        for (object = graph->objects; object; object = object->hh.next) {
            if (object_is_stale(object)) {
                graph_touch(object);
            }
        }
    }
}

void
plan_make(struct plan *plan, struct graph *graph)
{
    struct ranks ranks;

    orch_assert(plan->n_steps == 0);
    graph->round++;
    mark_replacements(graph);
    ranks_make(&ranks, graph);
    for (size_t i = 0; i < graph->n_touched; i++) {
        forget_refusals(ranks.all[i]);
        plan_presence(plan, ranks.all[i]);
    }
    /* Users before what they use: a profile that goes makes its pool idle. */
    for (size_t i = graph->n_touched; i-- > 0;) {
        plan_absence(plan, ranks.all[i]);
    }
    if (plan->n_steps > 0) {
        qsort(plan->steps, plan->n_steps, sizeof *plan->steps, step_compare);
    }
    for (size_t i = 0; i < graph->n_touched; i++) {
        graph->touched[i]->recreate = false;
    }
    free(ranks.all);
}

void
plan_fini(struct plan *plan)
{
    free(plan->steps);
    memset(plan, 0, sizeof *plan);
}
