/* SPDX-License-Identifier: Apache-2.0 */

/* Frames that leave for another rank, and come from there.
 *
 * A frame is a record of fixed size.  The headers of its flow are on each rank,
 * and a record has their number; a pause has its times instead. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_ranks_state.h"
#include "twin/qos/pause_frame.h"

/* In 'headers' of a record. */
#define HEADERS_NONE  UINT32_MAX
#define HEADERS_PAUSE (UINT32_MAX - 1)

/* A frame on its way to another rank. */
struct frame_record {
    int64_t arrives_ps;
    uint32_t direction;     /* 2 * link + the end that sends. */
    uint32_t headers;       /* 2 * flow + 1 if they are of its destination. */
    struct sim_frame frame; /* Its payload is only valid where it is sent. */
    /* A struct pause_frame, or what a frame without 'borrows' carries. */
    uint8_t more[NIC_EXTENSION_BYTES];
};

_Static_assert(sizeof(struct frame_record) == 120, "a record has no holes");
_Static_assert(sizeof(struct pause_frame) <= NIC_EXTENSION_BYTES,
               "a pause fits into a record");

/* One end of a link between ranks, which sends. */
struct cut {
    struct run *run;
    uint32_t rank; /* Of the other end. */
    uint32_t direction;
};

/* Fails the run because of a frame that cannot cross. */
static void
fail_frame(struct run *run, const struct cut *cut, const char *why)
{
    const struct topology_link *link =
        &run->topology->links[cut->direction / 2];
    struct err err = {0};

    err_set(&err, ST_UNSUPPORTED, "ranks",
            "a frame from %s to %s, which are on different ranks, %s",
            run->topology->nodes[link->node[cut->direction % 2]].name,
            run->topology->nodes[link->node[1 - cut->direction % 2]].name, why);
    run_fail(run, &err);
}

/* Returns the headers of 'frame', HEADERS_NONE if they are of no flow. */
static uint32_t
headers_of(const struct run_ranks *ranks, const struct sim_frame *frame)
{
    const uint32_t number = frame_flow_number(frame);

    return number < ranks->n_headers ? ranks->headers_of[number] : HEADERS_NONE;
}

/* Puts what 'frame' carries beyond its headers into 'record'.  Returns false if
 * that is neither a pause nor an extension. */
static bool
pack_more(struct frame_record *record, const struct sim_frame *frame)
{
    const uint8_t *more = nic_extension(frame);
    struct pause_frame pause = {.kind = PAUSE_FRAME_PFC};

    if (record->headers == HEADERS_PAUSE) {
        if (!pause_frame_parse(frame->payload->bytes, frame->payload->length,
                               &pause)) {
            return false;
        }
        memcpy(record->more, &pause, sizeof pause);
    } else if (more) {
        memcpy(record->more, more, NIC_EXTENSION_BYTES);
    }
    return true;
}

/* Returns the payload of the frame of 'record'. */
static struct sim_payload *
unpack_payload(const struct run *run, const struct frame_record *record)
{
    struct sim_payload *headers;
    struct pause_frame pause;
    uint8_t bytes[PAUSE_FRAME_BYTES];

    if (record->headers == HEADERS_PAUSE) {
        memcpy(&pause, record->more, sizeof pause);
        pause_frame_build(&pause, record->frame.src_mac, bytes);
        return sim_payload_create(PAUSE_FRAME_BYTES, bytes);
    }
    headers = run->flows[record->headers / 2].headers[record->headers % 2];
    return record->frame.borrows
               ? headers
               : nic_extend(headers, record->more, NIC_EXTENSION_BYTES);
}

/* Of a struct link_tap: a frame leaves for another rank. */
static void
on_sent(void *context, const struct sim_frame *frame, int64_t end_ps,
        int64_t delay_ps, bool is_lost)
{
    const struct cut *cut = context;
    struct run *run = cut->run;
    struct run_ranks *ranks = run->ranks;
    const uint32_t headers = frame->dst_mac == PAUSE_FRAME_ADDRESS
                                 ? HEADERS_PAUSE
                                 : headers_of(ranks, frame);
    struct frame_record *record;

    if (is_lost) {
        return;
    }
    if (headers == HEADERS_NONE) {
        fail_frame(run, cut, "was changed by a switch, as trimming does");
        return;
    }
    record = item_list_add__(&ranks->frames[cut->rank], sizeof *record);
    *record = (struct frame_record){.arrives_ps = end_ps + delay_ps,
                                    .direction = cut->direction,
                                    .headers = headers,
                                    .frame = *frame};
    if (!pack_more(record, frame)) {
        fail_frame(run, cut, "is neither a pause nor of a flow");
    }
    if (record->arrives_ps <= ranks->bound_ps) {
        fail_frame(run, cut, "is faster than the smallest one is thought");
    }
}

/* Puts the frame of 'record' on its way. */
static void
import(struct run *run, const struct frame_record *record)
{
    struct frame_pool *pool = frame_pool_of(run->engine);
    const uint32_t index = frame_take(pool);
    struct sim_frame *frame = frame_at(pool, index);

    *frame = record->frame;
    frame->payload = unpack_payload(run, record);
    if (frame->opcode) {
        frame->flow_number = frame->payload->number;
    }
    link_import(run->links[record->direction / 2], record->direction % 2, index,
                record->arrives_ps);
}

void
run_ranks_exchange_frames__(struct run *run)
{
    struct run_ranks *ranks = run->ranks;
    struct communicator *comm = ranks->comm;

    comm->exchange_neighbors(
        comm,
        run_ranks_pack__(ranks, ranks->frames, sizeof(struct frame_record)),
        ranks->in);
    for (uint32_t r = 0; r < comm->n_ranks && !run->has_failed; r++) {
        const struct frame_record *records = ranks->in[r].bytes;

        for (size_t i = 0; i < ranks->in[r].n / sizeof *records; i++) {
            import(run, &records[i]);
        }
    }
    run_ranks_empty__(ranks, ranks->frames);
}

void
run_ranks_join(struct run *run, uint32_t number)
{
    struct run_ranks *ranks = run->ranks;
    const struct topology_link *link = &run->topology->links[number];

    for (unsigned int e = 0; ranks && run_ranks_cuts__(ranks, link) && e < 2;
         e++) {
        if (run_owns(run, link->node[e])) {
            struct cut *cut = arena_alloc(run->arena, 1, sizeof *cut);

            *cut = (struct cut){.run = run,
                                .rank = ranks->owners[link->node[1 - e]],
                                .direction = 2 * number + e};
            link_set_tap(run->links[number], e,
                         &(struct link_tap){on_sent, cut, true});
        }
    }
}

void
run_ranks_number_headers__(struct run *run)
{
    struct run_ranks *ranks = run->ranks;
    struct frame_pool *pool = frame_pool_of(run->engine);

    for (uint32_t i = 0; i < run->n_flows; i++) {
        for (unsigned int k = 0; k < 2; k++) {
            if (!run->flows[i].headers[k]->number) {
                run->flows[i].headers[k]->number = frame_pool_flow(pool);
            }
        }
    }
    ranks->n_headers = pool->n_flows + 1;
    ranks->headers_of =
        check_malloc(ranks->n_headers * sizeof *ranks->headers_of);
    memset(ranks->headers_of, 0xff,
           ranks->n_headers * sizeof *ranks->headers_of);
    for (uint32_t i = 0; i < run->n_flows; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            ranks->headers_of[run->flows[i].headers[k]->number] = 2 * i + k;
        }
    }
}
