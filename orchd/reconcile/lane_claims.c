/* SPDX-License-Identifier: Apache-2.0 */

/* Arbitrates lanes.
 *
 * Runs for each round in which lanes have changed, and there are many while a
 * configuration is loaded.  In the usual case no two ports have a lane in
 * common and none moves.  A set of all lanes shows that, and only the ports
 * that have changed are compared with it. */

#include <config.h>

#include "orchd/reconcile/lane_claims.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/check.h"
#include "base/lanes.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/lane_set.h"
#include "orchd/reconcile/ports.h"
#include "sai/core/attr_value.h"
#include "sai/core/status.h"

/* A port, its lanes on the ASIC, and the lanes that its row names. */
struct candidate {
    struct object *port;
    struct lanes held, wanted; /* Empty: none. */
    uint32_t least, most;      /* The range of all these lanes. */
    bool at_hand;              /* The ASIC has a free port with them. */
    bool refused;              /* The device refused to create it. */
    bool leaves;               /* It gives up what it holds. */
    bool granted;              /* It gets other lanes than it holds. */
    bool follows;              /* Another port leaves these. */
    struct object *blocker;    /* Why it does not. */
    struct object *partner;    /* Another port with one of its lanes. */
};

const struct want *
lane_claims_wanted(const struct object *port)
{
    for (const struct claim *claim = port->claims; claim;
         claim = claim->next_on_object) {
        const struct demand *demand = &claim->source->demand;

        for (size_t i = 0; demand->defines && i < demand->n_wants; i++) {
            if (demand->wants[i].meta->id == SAI_PORT_ATTR_HW_LANE_LIST) {
                return &demand->wants[i];
            }
        }
    }
    return NULL;
}

static void
add_range(struct candidate *candidate, const struct lanes *lanes)
{
    for (uint32_t i = 0; i < lanes->n; i++) {
        if (lanes->list[i] < candidate->least) {
            candidate->least = lanes->list[i];
        }
        if (lanes->list[i] > candidate->most) {
            candidate->most = lanes->list[i];
        }
    }
}

static void
candidate_init(struct candidate *candidate, struct object *port)
{
    const struct slot *slot = object_slot(port, SAI_PORT_ATTR_HW_LANE_LIST);
    /* The slot has the want of a row that was ready and has not changed. */
    const struct want *want =
        slot && slot->want ? slot->want : lane_claims_wanted(port);

    candidate->port = port;
    candidate->least = UINT32_MAX;
    if (slot && slot->held && object_exists(port)) {
        candidate->held =
            (struct lanes){slot->value.u32list.list, slot->value.u32list.count};
    }
    if (want) {
        candidate->wanted =
            (struct lanes){want->value.u32list.list, want->value.u32list.count};
    }
    if (want && candidate->held.n &&
        attr_value_equal(want->meta->kind, &slot->value, &want->value)) {
        candidate->wanted.n = 0; /* It has them. */
    }
    candidate->refused =
        !object_exists(port) && (port->refusal.status != SAI_STATUS_SUCCESS ||
                                 port->port_children->was_refused);
    add_range(candidate, &candidate->held);
    add_range(candidate, &candidate->wanted);
}

/* Determines which ports could be adopted.  That takes a search in the list of
 * the ASIC's ports, so it is done only if it matters. */
static void
find_at_hand(struct candidate *candidates, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct candidate *candidate = &candidates[i];
        const struct ports *ports = candidate->port->graph->ports;
        const struct want *want = lane_claims_wanted(candidate->port);

        if (ports && candidate->wanted.n) {
            candidate->at_hand = ports_has_free(ports, &want->value.u32list);
        }
    }
}

/* --- Rows that want the same lanes -------------------------------------- */

static bool
candidates_collide(const struct lanes *wanted, const struct lanes *other)
{
    return wanted->n && other->n && lanes_collide(wanted, other);
}

/* Returns what prevents 'candidates[i]' from getting its lanes, or NULL. */
static struct object *
find_blocker(struct candidate *candidates, size_t n, size_t i)
{
    struct candidate *candidate = &candidates[i];

    candidate->follows = false;
    for (size_t j = 0; j < n; j++) {
        const struct candidate *other = &candidates[j];
        bool held;

        if (j == i || other->most < candidate->least ||
            other->least > candidate->most) {
            continue;
        }
        /* A port that is not on the ASIC yet waits until the lanes are free;
         * one that moves gives up its own at the same time. */
        held = candidates_collide(&candidate->wanted, &other->held);
        candidate->follows |= held;
        if ((held && (!other->leaves || !candidate->held.n)) ||
            (j < i && other->granted &&
             candidates_collide(&candidate->wanted, &other->wanted))) {
            return other->port;
        }
    }
    return NULL;
}

/* Grants lanes.  'together': ports that move count as gone from their lanes,
 * as long as they get others.  Returns whether a port can move. */
static bool
grant(struct candidate *candidates, size_t n, bool together)
{
    bool again = true, moves = false;

    for (size_t i = 0; i < n; i++) {
        candidates[i].granted = false;
        candidates[i].leaves =
            together && candidates[i].held.n && candidates[i].wanted.n;
    }
    while (again) {
        again = moves = false;
        for (size_t i = 0; i < n; i++) {
            struct candidate *candidate = &candidates[i];

            if (!candidate->wanted.n) {
                continue;
            }
            candidate->blocker = find_blocker(candidates, n, i);
            candidate->granted = !candidate->blocker;
            again |= candidate->leaves && !candidate->granted;
            candidate->leaves &= candidate->granted;
            moves |= candidate->held.n && candidate->granted;
        }
    }
    return moves;
}

/* Finds the port that shares one lane with each. */
static void
find_partners(struct candidate *candidates, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct candidate *a = &candidates[i];
        const struct lanes *mine = a->granted ? &a->wanted : &a->held;

        for (size_t j = 0; j < n && !a->partner; j++) {
            const struct candidate *b = &candidates[j];

            if (j != i && b->most >= a->least && b->least <= a->most &&
                lanes_n_shared(mine, b->granted ? &b->wanted : &b->held)) {
                a->partner = b->port;
            }
        }
    }
}

/* --- Results ------------------------------------------------------------ */

static int
compare_precedence(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = (x->refused > y->refused) - (x->refused < y->refused);

    if (!order) {
        order = (x->at_hand < y->at_hand) - (x->at_hand > y->at_hand);
    }
    return order ? order : object_name_compare(&x->port->name, &y->port->name);
}

/* Stores the results, and marks the port if one has changed. */
static void
note(const struct candidate *candidate)
{
    struct port_children *children = candidate->port->port_children;
    const bool moves =
        candidate->held.n && candidate->wanted.n && !candidate->blocker;
    const bool unprepared =
        moves && !candidate->follows && !candidate->at_hand &&
        !lanes_n_shared(&candidate->held, &candidate->wanted);
    const bool refused =
        moves && !unprepared &&
        candidate->port->refusal.status != SAI_STATUS_SUCCESS &&
        st_retry(st_from_sai(candidate->port->refusal.status)) ==
            ST_RETRY_NEVER;

    if (children->lanes_blocker != candidate->blocker ||
        children->lanes_partner != candidate->partner ||
        children->unprepared != unprepared ||
        children->move_refused != refused) {
        children->lanes_blocker = candidate->blocker;
        children->lanes_partner = candidate->partner;
        children->unprepared = unprepared;
        children->move_refused = refused;
        graph_mark(candidate->port);
    }
}

/* --- The usual case ----------------------------------------------------- */

/* Puts the lanes of 'port' into the set.  Returns whether it may keep or get
 * the lanes that it names, and has no other result, as far as the set shows: it
 * does not move, and has no lane in common with another port. */
static bool
note_simple(const struct graph *graph, struct object *port)
{
    struct port_children *children = port->port_children;
    struct candidate candidate = {0};
    const struct lanes *lanes;

    candidate_init(&candidate, port);
    lanes = candidate.held.n ? &candidate.held : &candidate.wanted;
    if ((candidate.held.n && candidate.wanted.n) || children->lanes_blocker ||
        children->lanes_partner || children->unprepared ||
        children->move_refused || !lane_set_add(graph->lane_set, lanes)) {
        return false;
    }
    if (lanes->n) {
        children->noted_lanes = check_realloc(
            children->noted_lanes, lanes->n * sizeof *children->noted_lanes);
        memcpy(children->noted_lanes, lanes->list,
               lanes->n * sizeof *children->noted_lanes);
    }
    children->n_noted_lanes = lanes->n;
    return true;
}

/* Returns whether all ports are simple, given that all but those in the list
 * were at the last time, when their lanes were noted. */
static bool
are_still_simple(const struct graph *graph)
{
    for (struct port_children *children = graph->relaned; children;
         children = children->next_relaned) {
        port_unnote_lanes(children->port);
    }
    for (const struct port_children *children = graph->relaned; children;
         children = children->next_relaned) {
        if (!note_simple(graph, children->port)) {
            return false;
        }
    }
    return true;
}

/* Does the same for all ports. */
static bool
are_simple(struct graph *graph)
{
    if (graph->lane_set) {
        return are_still_simple(graph);
    }
    graph->lane_set = check_calloc(1, sizeof *graph->lane_set);
    for (struct object *port = graph->ports_first; port;
         port = port->port_children->next_port) {
        port->port_children->n_noted_lanes = 0;
        if (!note_simple(graph, port)) {
            return false;
        }
    }
    return true;
}

/* Empties the list of ports that have changed. */
static void
forget_changes(struct graph *graph)
{
    struct port_children *children, *next;

    LL_FOREACH_SAFE2(graph->relaned, children, next, next_relaned)
    {
        children->is_relaned = false;
    }
    graph->relaned = NULL;
}

/* --- All ports ---------------------------------------------------------- */

void
lane_claims_arbitrate(struct graph *graph)
{
    struct candidate *candidates;
    size_t n = 0;

    if (!graph->relaned) {
        return;
    }
    if (are_simple(graph)) {
        forget_changes(graph);
        return;
    }
    forget_changes(graph);
    free(graph->lane_set);
    graph->lane_set = NULL;
    for (const struct object *port = graph->ports_first; port;
         port = port->port_children->next_port) {
        n++;
    }
    candidates = check_calloc(n + 1, sizeof *candidates);
    n = 0;
    for (struct object *port = graph->ports_first; port;
         port = port->port_children->next_port) {
        candidate_init(&candidates[n++], port);
    }
    find_at_hand(candidates, n);
    qsort(candidates, n, sizeof *candidates, compare_precedence);
    if (!grant(candidates, n, false)) {
        (void)grant(candidates, n, true);
    }
    find_partners(candidates, n);
    for (size_t i = 0; i < n; i++) {
        note(&candidates[i]);
    }
    free(candidates);
}
