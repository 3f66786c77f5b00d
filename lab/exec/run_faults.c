/* SPDX-License-Identifier: Apache-2.0 */

/* The faults of a run: links that fail or lose frames, and routes that follow;
 * receive pipelines of adapters that stop, and ports that pause permanently.
 *
 * When a link goes down, both ends know at once: their own next hops over it
 * are withdrawn.  All other routes follow after the convergence time, as with a
 * routing protocol.  A link that flaps does so each time. */

#include <config.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "base/random.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"

/* The first of the seeds of faults (fabric_seed()); other items of a fabric are
 * below. */
#define FIRST_FAULT (UINT64_C(1) << 40)

/* Finds the port at end 'end' of 'link' if it is one of a switch. */
static struct run_switch *
switch_at(const struct run *run, uint32_t link, unsigned int end)
{
    const uint32_t node = run->topology->links[link].node[end];

    return run_is_host(run, node) ? NULL : &run->switches[node];
}

enum st
run_link_set(struct run *run, uint32_t link, bool up, struct err *err)
{
    enum st st = ST_OK;

    link_set_up(run->links[link], up);
    if (!up) {
        run->observed[link].downs++;
        run_captures_link_down(run, link);
    }
    for (unsigned int end = 0; !st && end < 2; end++) {
        struct run_switch *sw = switch_at(run, link, end);

        if (sw && !sw->is_headless) {
            st = switch_routes_set_link(
                sw->routes, sw->slots[run->topology->links[link].port[end]], up,
                err);
        }
    }
    return st;
}

enum st
run_link_hold(struct run *run, uint32_t link, bool is_down, struct err *err)
{
    uint32_t *holds = &run->observed[link].holds;
    const bool was_down = *holds > 0;

    *holds = is_down ? *holds + 1 : *holds - 1;
    return was_down == (*holds > 0) ? ST_OK
                                    : run_link_set(run, link, was_down, err);
}

/* The routing protocol has heard of the fault. */
static void
on_convergence(struct event *event, int64_t now_ps)
{
    struct run_fault *fault = EVENT_OWNER(event, struct run_fault, convergence);
    struct err err = {0};

    (void)now_ps;
    if (fabric_routes_set_link(fault->run->routes, fault->link,
                               !fault->run->observed[fault->link].holds) &&
        run_routes_update(fault->run, &err)) {
        run_fail(fault->run, &err);
    }
}

/* The link of 'fault' goes down, or up. */
static void
set_down(struct run_fault *fault, bool is_down)
{
    const int64_t now_ps = run_now(fault->run);
    const int64_t convergence_ps = fault->run->scenario->fabric.convergence_ps;
    struct err err = {0};

    fault->is_down = is_down;
    if (run_link_hold(fault->run, fault->link, is_down, &err)) {
        run_fail(fault->run, &err);
    }
    if (convergence_ps < INT64_MAX - now_ps) {
        engine_schedule(fault->run->engine, &fault->convergence,
                        now_ps + convergence_ps);
    }
}

/* A link that flaps goes down or up. */
static void
on_flap(struct event *event, int64_t now_ps)
{
    struct run_fault *fault = EVENT_OWNER(event, struct run_fault, flap);

    set_down(fault, !fault->is_down);
    engine_schedule(fault->run->engine, event, now_ps + fault->spec->time_ps);
}

/* A link begins or ends to flap. */
static void
set_flapping(struct run_fault *fault)
{
    if (fault->is_on) {
        on_flap(&fault->flap, run_now(fault->run));
        return;
    }
    engine_cancel(fault->run->engine, &fault->flap);
    if (fault->is_down) {
        set_down(fault, false);
    }
}

/* Outages -------------------------------------------------------------------
 */

/* The routing protocol has heard of the links. */
static void
on_outage_convergence(struct event *event, int64_t now_ps)
{
    struct run_outage *outage =
        EVENT_OWNER(event, struct run_outage, convergence);
    struct run *run = outage->run;
    struct err err = {0};
    bool changes = false;

    (void)now_ps;
    for (uint32_t i = 0; i < run->topology->nodes[outage->node].n_ports; i++) {
        const uint32_t link =
            topology_port(run->topology, outage->node, i)->link;

        changes |= fabric_routes_set_link(run->routes, link,
                                          !run->observed[link].holds);
    }
    if (changes && run_routes_update(run, &err)) {
        run_fail(run, &err);
    }
}

void
run_outage_init(struct run_outage *outage, struct run *run, uint32_t node,
                uint32_t entity, uint32_t number)
{
    *outage = (struct run_outage){
        .run = run,
        .node = node,
        .convergence = event_make(EVENT_TIMER_COMMAND, entity, number,
                                  on_outage_convergence)};
}

enum st
run_outage_set(struct run_outage *outage, bool is_down, struct err *err)
{
    struct run *run = outage->run;
    const int64_t convergence_ps = run->scenario->fabric.convergence_ps;
    enum st st = ST_OK;

    for (uint32_t i = 0; !st && i < run->topology->nodes[outage->node].n_ports;
         i++) {
        st = run_link_hold(run,
                           topology_port(run->topology, outage->node, i)->link,
                           is_down, err);
    }
    if (convergence_ps < INT64_MAX - run_now(run)) {
        engine_schedule(run->engine, &outage->convergence,
                        run_now(run) + convergence_ps);
    }
    return st;
}

/* Defects -------------------------------------------------------------------
 */

/* Returns what 'fault' does to the frames of a direction of its link. */
static struct link_fault
defect_of(const struct run_fault *fault)
{
    static const int64_t byte_bits = 8;
    const int64_t rate_bps =
        (int64_t)fault->run->topology->links[fault->link].rate_bps;
    const struct fault_spec *spec = fault->spec;
    const bool is_random =
        spec->kind == FAULT_LOSS || spec->kind == FAULT_CORRUPT;

    return (struct link_fault){
        .loss = is_random ? ratio_threshold(&spec->loss) : 0,
        .seed = fault->run->seed,
        .every = spec->kind == FAULT_DROP_EVERY ? (uint32_t)spec->every : 0,
        .corrupts = spec->kind == FAULT_CORRUPT,
        .clears_ce = spec->kind == FAULT_CLEAR_CE,
        .delay_ps = spec->kind == FAULT_DELAY ? spec->time_ps : 0,
        .byte_ps = byte_bits * PS_PER_S / rate_bps};
}

/* A defect of a link begins or ends. */
static void
on_defect(const struct run_fault *fault)
{
    const struct fault_spec *spec = fault->spec;
    const struct link_fault defect = defect_of(fault);

    for (unsigned int i = 0; i < 2; i++) {
        if (spec->direction == FAULT_BOTH ||
            i == (spec->direction == FAULT_FORWARD ? fault->end
                                                   : 1 - fault->end)) {
            link_set_fault(fault->run->links[fault->link], i,
                           fault->is_on ? &defect : NULL);
        }
    }
}

/* The receive pipeline of the host stops, or works again. */
static void
on_stall(const struct run_fault *fault)
{
    const struct topology_link *link =
        &fault->run->topology->links[fault->link];

    nic_set_stalled(run_host(fault->run, link->node[fault->end])->nic,
                    fault->is_on);
}

/* The port of the switch pauses its peer, or stops pausing it. */
static void
on_storm(const struct run_fault *fault)
{
    const struct topology_link *link =
        &fault->run->topology->links[fault->link];
    const uint32_t port = link->port[fault->end];
    struct run_switch *sw = switch_at(fault->run, fault->link, fault->end);
    const uint8_t priorities = (uint8_t)fault->spec->storm;

    for (int p = 0; p < RUN_PRIORITIES; p++) {
        sw->pauses[port * RUN_PRIORITIES + (uint32_t)p].is_defect =
            fault->is_on && priorities >> p & 1;
    }
    orch_assert(sim_port_set_storm(switch_instance_sim(sw->instance),
                                   sw->slots[port],
                                   fault->is_on ? priorities : 0) == ST_OK);
}

/* Returns when a fault of 'spec' that begins at 'start_ps' ends. */
static int64_t
end_of(const struct fault_spec *spec, int64_t start_ps)
{
    return spec->for_ps == QUANTITY_INFINITE ||
                   start_ps > INT64_MAX - spec->for_ps
               ? INT64_MAX
               : start_ps + spec->for_ps;
}

/* A fault begins or ends. */
static void
on_fault(struct event *event, int64_t now_ps)
{
    struct run_fault *fault = EVENT_OWNER(event, struct run_fault, timer);

    fault->is_on = !fault->is_on;
    switch (fault->spec->kind) {
    case FAULT_DOWN:
        set_down(fault, fault->is_on);
        break;
    case FAULT_FLAP:
        set_flapping(fault);
        break;
    case FAULT_STALL:
        on_stall(fault);
        break;
    case FAULT_STORM:
        on_storm(fault);
        break;
    default:
        on_defect(fault);
    }
    if (fault->is_on && end_of(fault->spec, now_ps) != INT64_MAX) {
        engine_schedule(fault->run->engine, event, end_of(fault->spec, now_ps));
    }
}

/* Faults of run_set() -------------------------------------------------------
 */

/* Returns the kind that stands for all those which exclude 'kind'. */
static enum fault_kind
class_of(enum fault_kind kind)
{
    switch (kind) {
    case FAULT_FLAP:
        return FAULT_DOWN;
    case FAULT_DROP_EVERY:
    case FAULT_CORRUPT:
    case FAULT_CLEAR_CE:
    case FAULT_DELAY:
        return FAULT_LOSS;
    default:
        return kind;
    }
}

/* Returns whether two faults exclude each other on one link: it is up or down,
 * and has one defect. */
static bool
are_of_a_kind(enum fault_kind a, enum fault_kind b)
{
    return class_of(a) == class_of(b);
}

/* Returns a fault of 'link' that lasts and takes it down, or loses frames. */
static struct run_fault *
find_lasting(struct run *run, uint32_t link, bool is_down)
{
    const enum fault_kind kind = is_down ? FAULT_DOWN : FAULT_LOSS;

    for (size_t i = 0; i < run->scenario->n_faults; i++) {
        struct run_fault *fault = &run->faults[i];

        if (fault->is_on && fault->link == link &&
            are_of_a_kind(fault->spec->kind, kind)) {
            return fault;
        }
    }
    for (struct run_fault *fault = run->set_faults; fault;
         fault = fault->next) {
        if (fault->is_on && fault->link == link &&
            are_of_a_kind(fault->spec->kind, kind)) {
            return fault;
        }
    }
    return NULL;
}

/* Ends 'fault' now, and not when the scenario says so. */
static void
end_fault(struct run_fault *fault)
{
    engine_cancel(fault->run->engine, &fault->timer);
    on_fault(&fault->timer, run_now(fault->run));
}

enum st
run_fault_end(struct run *run, uint32_t link, enum fault_kind kind,
              struct err *err)
{
    const bool is_down = kind == FAULT_DOWN;
    struct run_fault *fault = find_lasting(run, link, is_down);

    if (!fault) {
        return err_set(err, ST_EXISTS, "link",
                       is_down ? "the link is up already"
                               : "the link loses nothing already");
    }
    while (fault) {
        end_fault(fault);
        fault = find_lasting(run, link, is_down);
    }
    return ST_OK;
}

enum st
run_fault_begin(struct run *run, uint32_t link, const struct fault_spec *spec,
                struct err *err)
{
    const bool is_down = spec->kind == FAULT_DOWN;
    struct run_fault *fault = find_lasting(run, link, is_down);
    struct fault_spec *own;

    if (fault && is_down) {
        return err_set(err, ST_EXISTS, "link", "the link is down already");
    }
    for (; fault; fault = find_lasting(run, link, is_down)) {
        end_fault(fault);
    }
    own = arena_alloc(run->arena, 1, sizeof *own);
    *own = *spec;
    fault = arena_alloc(run->arena, 1, sizeof *fault);
    *fault = (struct run_fault){
        .next = run->set_faults,
        .run = run,
        .spec = own,
        .link = link,
        .timer = event_make(EVENT_TIMER_COMMAND, 0,
                            (uint32_t)run->scenario->n_faults + run->n_changes,
                            on_fault),
        .convergence = event_make(
            EVENT_TIMER_COMMAND, 0,
            (uint32_t)run->scenario->n_faults + run->n_changes, on_convergence),
    };
    run->set_faults = fault;
    on_fault(&fault->timer, run_now(run));
    return ST_OK;
}

/* Faults of the scenario ----------------------------------------------------
 */

/* Returns the directions of its link that 'fault' changes, a bit each. */
static unsigned int
directions_of(const struct run_fault *fault)
{
    const unsigned int end =
        fault->spec->direction == FAULT_FORWARD ? fault->end : 1 - fault->end;

    if (fault->spec->kind == FAULT_STALL || fault->spec->kind == FAULT_STORM) {
        return 1U << fault->end;
    }
    return class_of(fault->spec->kind) == FAULT_DOWN ||
                   fault->spec->direction == FAULT_BOTH
               ? 3
               : 1U << end;
}

/* Checks that fault 'number' and those before it are not on one link at one
 * time: a link is up or down, and has one defect. */
static enum st
check_alone(const struct run *run, size_t number, struct err *err)
{
    const struct run_fault *fault = &run->faults[number];

    for (size_t i = 0; i < number; i++) {
        const struct run_fault *other = &run->faults[i];

        if (other->link == fault->link &&
            are_of_a_kind(other->spec->kind, fault->spec->kind) &&
            (directions_of(other) & directions_of(fault)) &&
            other->start_ps < end_of(fault->spec, fault->start_ps) &&
            fault->start_ps < end_of(other->spec, other->start_ps)) {
            return scenario_fail(
                run->scenario, &fault->spec->place, err,
                "another fault of %s lasts at the same time (line %u); one has "
                "to end ('for') before the next begins ('at')",
                fault->spec->link, (unsigned int)other->spec->place.line);
        }
    }
    return ST_OK;
}

/* Checks that the node which 'fault' names first can have it. */
static enum st
check_place(const struct run_fault *fault, struct err *err)
{
    const struct run *run = fault->run;
    const struct fault_spec *spec = fault->spec;
    const uint32_t node = run->topology->links[fault->link].node[fault->end];
    const char *name = run->topology->nodes[node].name;

    if (spec->kind == FAULT_STALL) {
        if (!run_is_host(run, node)) {
            return scenario_fail(run->scenario, &spec->place, err,
                                 "'stall' is of an adapter, and %s is a "
                                 "switch: name the host first in 'link'",
                                 name);
        }
        if (!run_host(run, node)->profile->nic.pcie.lanes ||
            !run_host(run, node)->profile->nic.rx.size_bytes) {
            return scenario_fail(run->scenario, &spec->place, err,
                                 "%s has no receive buffer that could fill: "
                                 "give it 'pcie' and 'rx_fifo'",
                                 name);
        }
    }
    if (spec->kind == FAULT_STORM && run_is_host(run, node)) {
        return scenario_fail(run->scenario, &spec->place, err,
                             "'storm' is of the port of a switch, and %s is a "
                             "host: use 'stall', or name the switch first in "
                             "'link'",
                             name);
    }
    return ST_OK;
}

/* Draws when fault 'number' begins. */
static int64_t
draw_start(const struct run *run, const struct fault_spec *spec, size_t number)
{
    struct random random;

    if (!spec->jitter_ps) {
        return spec->at_ps;
    }
    random_init(&random, fabric_seed(run->fabric, FIRST_FAULT + number));
    return spec->at_ps +
           (int64_t)random_below(&random, (uint64_t)spec->jitter_ps + 1);
}

enum st
run_faults_create(struct run *run, struct err *err)
{
    const struct scenario *scenario = run->scenario;

    run->faults =
        arena_alloc(run->arena, scenario->n_faults + 1, sizeof *run->faults);
    for (size_t i = 0; i < scenario->n_faults; i++) {
        struct run_fault *fault = &run->faults[i];
        enum st st;

        *fault = (struct run_fault){.run = run, .spec = &scenario->faults[i]};
        st = references_link(scenario, run->topology, fault->spec->link,
                             &fault->spec->place, run->arena, &fault->link,
                             &fault->end, err);
        if (st) {
            return st;
        }
        fault->timer =
            event_make(EVENT_TIMER_COMMAND, 0, (uint32_t)i, on_fault);
        fault->convergence =
            event_make(EVENT_TIMER_COMMAND, 0, (uint32_t)i, on_convergence);
        fault->flap = event_make(EVENT_TIMER_COMMAND, 0, (uint32_t)i, on_flap);
        fault->start_ps = draw_start(run, fault->spec, i);
        st = check_place(fault, err);
        st = st ? st : check_alone(run, i, err);
        if (st) {
            return st;
        }
        if (fault->start_ps == 0) {
            /* Before the first frame, whatever the order of events says. */
            on_fault(&fault->timer, 0);
        } else {
            engine_schedule(run->engine, &fault->timer, fault->start_ps);
        }
    }
    return ST_OK;
}
