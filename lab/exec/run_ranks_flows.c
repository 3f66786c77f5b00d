/* SPDX-License-Identifier: Apache-2.0 */

/* Flows between hosts of different ranks.
 *
 * A flow is reported by the rank of its source.  What the destination has
 * counted until then is on its rank, which may be ahead, but at most to the end
 * of the window: it keeps what it has counted in this window (the journal), and
 * answers after the window.  The messages of a stream are judged by the rank of
 * its destination, which gets to know after each window when they were
 * posted. */

#include <config.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_ranks_state.h"

/* What ranks say about flows. */
enum note_kind {
    NOTE_POST,  /* A message was posted to a stream at 't_ps'. */
    NOTE_QUERY, /* What has the destination counted before 't_ps', 'order'? */
    NOTE_ANSWER,
    NOTE_HOP, /* The flow passes port 'number' of node 'order'. */
};

struct note {
    enum note_kind kind;
    uint32_t flow;
    int64_t t_ps;    /* ANSWER: the end of the last message. */
    uint64_t order;  /* ANSWER: bytes. */
    uint64_t number; /* POST: of the message.  ANSWER: marked packets. */
};

/* A flow whose report waits for an answer. */
struct deferred {
    struct sink_flow report;
    uint32_t rank; /* Of its destination. */
    bool takes_bytes, takes_end;
};

/* Adds a note for 'rank'. */
static void
add_note(struct run *run, uint32_t rank, const struct note *note)
{
    *(struct note *)item_list_add__(&run->ranks->notes[rank], sizeof *note) =
        *note;
}

bool
run_ranks_cross(const struct run_flow *flow)
{
    return run_owns(flow->run, flow->source) !=
           run_owns(flow->run, flow->destination);
}

void
run_ranks_note_counted(const struct run_flow *flow, uint32_t bytes,
                       bool is_marked)
{
    run_journal_note(&flow->run->ranks->journal, flow->run->engine,
                     flow->number, bytes, is_marked);
}

void
run_ranks_follow(struct run *run)
{
    struct run_ranks *ranks = run->ranks;

    if (!ranks) {
        return;
    }
    run_ranks_number_headers__(run);
    for (uint32_t i = 0; i < run->n_flows; i++) {
        ranks->n_finite += run_owns(run, run->flows[i].source) &&
                           run_flow_is_finite(&run->flows[i]);
    }
}

bool
run_ranks_defer(struct run_flow *flow, const struct sink_flow *report,
                bool takes_bytes, bool takes_end)
{
    struct run *run = flow->run;
    uint32_t rank;

    if (!run_ranks_cross(flow)) {
        return false;
    }
    rank = run->owners[flow->destination];
    *(struct deferred *)item_list_add__(&run->ranks->deferred,
                                        sizeof(struct deferred)) =
        (struct deferred){*report, rank, takes_bytes, takes_end};
    add_note(run, rank,
             &(struct note){.kind = NOTE_QUERY,
                            .flow = flow->number,
                            .t_ps = run_now(run),
                            .order = engine_order(run->engine)});
    return true;
}

void
run_ranks_note_post(const struct run_flow *flow, uint64_t number)
{
    if (run_ranks_cross(flow)) {
        add_note(flow->run, flow->run->owners[flow->destination],
                 &(struct note){.kind = NOTE_POST,
                                .flow = flow->number,
                                .t_ps = run_now(flow->run),
                                .number = number});
    }
}

bool
run_ranks_cannot_fail(const struct run_flow *flow)
{
    return run_ranks_cross(flow) && (!run_owns(flow->run, flow->source) ||
                                     flow->traffic->kind == TRAFFIC_PING);
}

/* Answers the query 'note' of 'rank'. */
static void
answer(struct run *run, uint32_t rank, const struct note *note)
{
    const struct run_flow *flow = &run->flows[note->flow];
    const struct nic_flow *received =
        nic_received(run_flow_end(flow, false)->nic, flow->peer_qp);
    struct note reply = {.kind = NOTE_ANSWER,
                         .flow = note->flow,
                         .t_ps = flow->end_ps,
                         .order = received->bytes,
                         .number = received->marked};

    if (received->last_ps >= note->t_ps) {
        run_journal_take_off(&run->ranks->journal, note->flow,
                             &(struct moment){note->t_ps, note->order},
                             &reply.order, &reply.number);
    }
    add_note(run, rank, &reply);
}

/* Takes up the notes that 'rank' has sent. */
static void
read_notes(struct run *run, uint32_t rank, const struct note *notes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct run_flow *flow = &run->flows[notes[i].flow];

        if (notes[i].kind == NOTE_POST) {
            flow->posted_ps[notes[i].number % flow->depth] = notes[i].t_ps;
        } else if (notes[i].kind == NOTE_QUERY) {
            answer(run, rank, &notes[i]);
        } else if (notes[i].kind == NOTE_HOP) {
            run_flow_add_hop(flow, (uint32_t)notes[i].order,
                             (uint32_t)notes[i].number);
        }
    }
}

/* Reports the flows for which 'notes' of 'rank' are the answers, in their
 * order. */
static void
report_deferred(struct run *run, uint32_t rank, const struct note *notes)
{
    struct deferred *deferred = run->ranks->deferred.items;

    for (size_t i = 0; i < run->ranks->deferred.n; i++) {
        if (deferred[i].rank == rank) {
            struct sink_flow *report = &deferred[i].report;

            orch_assert(notes->flow == report->flow);
            report->marked = notes->number;
            report->bytes =
                deferred[i].takes_bytes ? notes->order : report->bytes;
            report->end_ps =
                deferred[i].takes_end ? notes->t_ps : report->end_ps;
            run_flow_emit(run, report);
            notes++;
        }
    }
}

void
run_ranks_exchange_notes__(struct run *run)
{
    struct run_ranks *ranks = run->ranks;
    struct communicator *comm = ranks->comm;
    const size_t size = sizeof(struct note);

    for (int turn = 0; turn < 2; turn++) {
        comm->exchange(comm, run_ranks_pack__(ranks, ranks->notes, size),
                       ranks->in);
        run_ranks_empty__(ranks, ranks->notes);
        for (uint32_t r = 0; r < comm->n_ranks; r++) {
            if (turn == 0) {
                read_notes(run, r, ranks->in[r].bytes, ranks->in[r].n / size);
            } else if (ranks->in[r].n) {
                report_deferred(run, r, ranks->in[r].bytes);
            }
        }
    }
    ranks->deferred.n = 0;
}

/* Sends the hops of flows to rank 0. */
static void
send_hops(struct run *run)
{
    for (uint32_t i = 0; run->rank != 0 && i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];

        for (uint8_t k = 0; k < flow->n_hops; k++) {
            add_note(run, 0,
                     &(struct note){.kind = NOTE_HOP,
                                    .flow = i,
                                    .order = flow->hops[k].node,
                                    .number = flow->hops[k].port});
        }
    }
}

void
run_ranks_finish_flows(struct run *run)
{
    if (run->ranks) {
        send_hops(run);
        run_ranks_exchange_notes__(run);
    }
}
