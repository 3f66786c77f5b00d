/* SPDX-License-Identifier: Apache-2.0 */

/* Deadlocks of PFC: queues that wait for each other in a cycle.
 *
 * Problem: a queue that is paused for long may only be slow.  It is in a
 * deadlock if it waits, over other queues, for itself.
 *
 * Idea: a *wait-for graph*.  Its vertices are the queues that stand still: they
 * have packets, they are paused, and they have sent nothing since the last
 * look, which is longer ago than a pause can last without being repeated (839
 * us at 40 Gb/s).  A queue waits for another one if the switch at the other end
 * of its link pauses it, and packets of the priority group that asks for that
 * pause are in the other queue.  A cycle of this graph is a deadlock: the pause
 * of each of its queues ends only when the next one sends.  (A watchdog may end
 * it, or a route that changes, or a link that goes down.)
 *
 * Only the links between switches matter: what a host pauses is no cycle.
 * Queue, priority and priority group have the same number, as elsewhere in the
 * lab.  One deadlock is followed at a time, the shortest cycle.
 *
 * Reference: E. G. Coffman, M. J. Elphick and A. Shoshani, "System deadlocks",
 * Computing Surveys 3(2), 1971. */

#include <config.h>

#include "base/check.h"
#include "base/digraph.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"

#define NOT_PAUSED UINT64_MAX

/* A queue of a port of a switch. */
struct vertex {
    uint32_t node, port;
    uint8_t priority;
    uint64_t sent; /* Packets until the last look; NOT_PAUSED: then it was
                    * not paused. */
    bool stands;   /* It stands still since then. */
};

struct run_deadlock {
    struct run *run;
    struct event timer;
    struct vertex *vertices; /* By switch, port and priority. */
    uint32_t n;
    uint32_t *first; /* The first vertex of each switch. */
    /* That of the deadlock that lasts. */
    uint32_t *cycle;
    struct sink_deadlock *reports; /* By step. */
    uint32_t length;               /* 0: there is none. */
    uint32_t n_found;
    bool is_idle; /* No pause lasted at the last look. */
};

/* Returns the number of the queue 'priority' of port 'port' of 'node'. */
static uint32_t
number_of(const struct run_deadlock *deadlock, uint32_t node, uint32_t port,
          uint8_t priority)
{
    return deadlock->first[node] + port * RUN_PRIORITIES + priority;
}

static const struct mmu *
mmu_of(const struct run *run, uint32_t node)
{
    return sim_mmu(switch_instance_sim(run->switches[node].instance));
}

/* Looks whether 'vertex' stands still. */
static void
look_at(const struct run *run, struct vertex *vertex)
{
    const struct run_switch *sw = &run->switches[vertex->node];
    const uint32_t slot = sw->slots[vertex->port];
    const struct mmu *mmu = mmu_of(run, vertex->node);
    struct mmu_queue_stats stats;

    if (!sim_queue_is_paused(switch_instance_sim(sw->instance), slot,
                             vertex->priority)) {
        vertex->sent = NOT_PAUSED;
        vertex->stands = false;
        return;
    }
    mmu_queue_get(mmu, mmu_queue_id(mmu, slot, vertex->priority), &stats);
    vertex->stands = stats.queued_packets && stats.packets == vertex->sent;
    vertex->sent = stats.packets;
}

/* Adds up the packets that have come from the queue 'from' and are in the queue
 * 'to' of the switch at the other end of its link. */
static void
count_waiting(const struct run *run, const struct vertex *from,
              const struct vertex *to, uint64_t *packets, uint64_t *bytes)
{
    const struct topology_port *at =
        topology_port(run->topology, from->node, from->port);
    const struct run_switch *sw = &run->switches[at->peer];
    const struct mmu *mmu = mmu_of(run, at->peer);
    const uint32_t pg =
        mmu_pg_id(mmu, sw->slots[at->peer_port], from->priority);

    *packets = *bytes = 0;
    if (mmu_pg_is_xoff(mmu, pg)) {
        mmu_queue_count(mmu,
                        mmu_queue_id(mmu, sw->slots[to->port], to->priority),
                        pg, packets, bytes);
    }
}

/* Returns the wait-for graph. */
static struct digraph *
make_graph(const struct run_deadlock *deadlock)
{
    const struct topology *topology = deadlock->run->topology;
    struct digraph *graph = digraph_create(deadlock->n);

    for (uint32_t i = 0; i < deadlock->n; i++) {
        const struct vertex *from = &deadlock->vertices[i];
        const uint32_t peer =
            topology_port(topology, from->node, from->port)->peer;

        if (!from->stands || run_is_host(deadlock->run, peer)) {
            continue;
        }
        for (uint32_t p = 0; p < topology->nodes[peer].n_ports; p++) {
            const uint32_t to = number_of(deadlock, peer, p, from->priority);
            uint64_t packets = 0, bytes;

            if (deadlock->vertices[to].stands) {
                count_waiting(deadlock->run, from, &deadlock->vertices[to],
                              &packets, &bytes);
            }
            if (packets) {
                digraph_add(graph, i, to);
            }
        }
    }
    return graph;
}

/* Returns when the last pause of the cycle began. */
static int64_t
start_of(const struct run_deadlock *deadlock)
{
    int64_t start_ps = 0;

    for (uint32_t i = 0; i < deadlock->length; i++) {
        const struct vertex *of = &deadlock->vertices[deadlock->cycle[i]];
        const struct run_pause *pause =
            run_pause_at(deadlock->run, of->node, of->port, of->priority);

        if (pause && pause->id != SINK_NO_PAUSE &&
            pause->report.start_ps > start_ps) {
            start_ps = pause->report.start_ps;
        }
    }
    return start_ps;
}

/* Notes the deadlock of 'cycle'. */
static void
begin(struct run_deadlock *deadlock)
{
    const int64_t start_ps = start_of(deadlock);

    for (uint32_t i = 0; i < deadlock->length; i++) {
        const struct vertex *of = &deadlock->vertices[deadlock->cycle[i]];
        const struct vertex *next =
            &deadlock->vertices[deadlock->cycle[(i + 1) % deadlock->length]];
        struct sink_deadlock *report = &deadlock->reports[i];

        *report = (struct sink_deadlock){.number = deadlock->n_found,
                                         .step = i,
                                         .node = of->node,
                                         .port = of->port,
                                         .priority = of->priority,
                                         .start_ps = start_ps,
                                         .found_ps = run_now(deadlock->run),
                                         .end_ps = -1};
        count_waiting(deadlock->run, of, next, &report->packets,
                      &report->bytes);
    }
    deadlock->n_found++;
}

/* Reports the deadlock that was followed, which has ended at 'end_ps'. */
static void
end(struct run_deadlock *deadlock, int64_t end_ps)
{
    const struct sink *sink = deadlock->run->sink;

    for (uint32_t i = 0; i < deadlock->length; i++) {
        deadlock->reports[i].end_ps = end_ps;
        if (sink->deadlock_ended) {
            sink->deadlock_ended(sink->context, &deadlock->reports[i]);
        }
    }
    deadlock->length = 0;
}

/* Returns whether the deadlock that is followed has not lost a queue. */
static bool
lasts(const struct run_deadlock *deadlock)
{
    bool stands = deadlock->length > 0;

    for (uint32_t i = 0; i < deadlock->length; i++) {
        stands &= deadlock->vertices[deadlock->cycle[i]].stands;
    }
    return stands;
}

static void
on_look(struct event *event, int64_t now_ps)
{
    struct run_deadlock *deadlock =
        EVENT_OWNER(event, struct run_deadlock, timer);
    struct run *run = deadlock->run;
    const bool was_idle = deadlock->is_idle;

    deadlock->is_idle = run->n_lasting == 0;
    for (uint32_t i = 0; i < deadlock->n && !(was_idle && deadlock->is_idle);
         i++) {
        look_at(run, &deadlock->vertices[i]);
    }
    if (!lasts(deadlock) && !was_idle) {
        struct digraph *graph;

        end(deadlock, now_ps);
        graph = make_graph(deadlock);
        deadlock->length = digraph_find_cycle(graph, deadlock->cycle);
        digraph_destroy(graph);
        if (deadlock->length) {
            begin(deadlock);
        }
    }
    engine_schedule(run->engine, event,
                    now_ps + run->scenario->record.deadlocks_ps);
}

void
run_deadlock_create(struct run *run)
{
    const struct topology *topology = run->topology;
    struct run_deadlock *deadlock;
    uint32_t n = 0;

    if (!run->scenario->record.deadlocks_ps) {
        return;
    }
    deadlock = arena_alloc(run->arena, 1, sizeof *deadlock);
    *deadlock = (struct run_deadlock){
        .run = run,
        .timer = event_make(EVENT_TIMER_OBSERVE, 2, 0, on_look),
        .first = arena_alloc(run->arena, topology->n_switches + 1U,
                             sizeof *deadlock->first)};
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        deadlock->first[i] = n;
        n += topology->nodes[i].n_ports * RUN_PRIORITIES;
    }
    deadlock->n = n;
    deadlock->vertices =
        arena_alloc(run->arena, n + 1U, sizeof *deadlock->vertices);
    deadlock->cycle = arena_alloc(run->arena, n + 1U, sizeof *deadlock->cycle);
    deadlock->reports =
        arena_alloc(run->arena, n + 1U, sizeof *deadlock->reports);
    for (uint32_t i = 0, v = 0; i < topology->n_switches; i++) {
        for (uint32_t k = 0; k < topology->nodes[i].n_ports * RUN_PRIORITIES;
             k++) {
            deadlock->vertices[v++] =
                (struct vertex){.node = i,
                                .port = k / RUN_PRIORITIES,
                                .priority = (uint8_t)(k % RUN_PRIORITIES)};
        }
    }
    run->deadlock = deadlock;
    engine_schedule(run->engine, &deadlock->timer,
                    run->scenario->record.deadlocks_ps);
}

void
run_deadlock_finish(struct run *run)
{
    if (run->deadlock) {
        end(run->deadlock, -1);
    }
}

void
run_deadlock_report(const struct run *run, struct results *results)
{
    const struct run_deadlock *deadlock = run->deadlock;

    if (deadlock) {
        results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                            "deadlocks", deadlock->n_found);
        results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                            "deadlocks_lasting", deadlock->length > 0);
    }
}
