/* SPDX-License-Identifier: Apache-2.0 */

/* Sending, and watching what comes of it. */

#include <config.h>

#include "tests/bench/calibrate_roles.h"

#include <string.h>

#include "base/check.h"
#include "base/text.h"

enum {
    MAX_PARTITIONS = 64,
    MAX_PACKETS = 1 << 25, /* More fit into no buffer. */
    /* What is sent before it is asked whether there is any hope. */
    STRETCH = 1 << 14,
};

/* Notes why there is no result. */
static bool
no_result(struct calibrate_switch *bench, const char *why)
{
    if (!bench->reason[0]) {
        text_copy(bench->reason, sizeof bench->reason, why);
    }
    return false;
}

/* Sends up to 'n' packets of 'flow', until 'until'. */
static bool
send_until(struct calibrate_switch *bench, const struct calibrate_flow *flow,
           uint64_t n, enum softasic_until until, struct softasic_sent *sent)
{
    const struct softasic_send send = {.from = flow->port,
                                       .to = bench->out,
                                       .n_frames = n,
                                       .frame_bytes = bench->frame_bytes,
                                       .dscp = flow->dscp,
                                       .until = until};

    return bench->ops->send(&send, sent) == SAI_STATUS_SUCCESS ||
           no_result(bench, "the switch takes no such packet");
}

/* Sends until the PG of 'flow' is XOFF.  '*n' is the number of packets.  A PG
 * that drops packets without XOFF will not get there. */
static bool
fill_to_xoff(struct calibrate_switch *bench, const struct calibrate_flow *flow,
             int64_t *n)
{
    struct softasic_sent sent = {0};

    *n = 0;
    do {
        if (!send_until(bench, flow, STRETCH, SOFTASIC_UNTIL_XOFF, &sent)) {
            return false;
        }
        *n += (int64_t)sent.n_frames;
    } while (sent.event != SOFTASIC_UNTIL_XOFF && *n < MAX_PACKETS &&
             sent.n_dropped_ingress + sent.n_dropped_egress == 0);
    return sent.event == SOFTASIC_UNTIL_XOFF || no_result(bench, "no XOFF");
}

/* Sends until a packet is dropped, at ingress or not as 'ingress' says.  '*n'
 * is the number of packets, that one included. */
static bool
fill_to_drop(struct calibrate_switch *bench, const struct calibrate_flow *flow,
             bool ingress, int64_t *n)
{
    struct softasic_sent sent;

    if (!send_until(bench, flow, MAX_PACKETS, SOFTASIC_UNTIL_DROP, &sent)) {
        return false;
    }
    *n = (int64_t)sent.n_frames;
    if (sent.event != SOFTASIC_UNTIL_DROP) {
        return no_result(bench, "no drop");
    }
    return (ingress ? sent.n_dropped_ingress : sent.n_dropped_egress) == 1 ||
           no_result(bench, "the drop is on the other side");
}

/* Partitions ---------------------------------------------------------- */

/* Returns the partition with the fewest of the PGs that are filled, the last
 * one's if several have as few. */
static uint32_t
observed_partition(const struct calibrate_switch *bench, uint32_t n)
{
    uint32_t counts[MAX_PARTITIONS] = {0};
    uint32_t found = bench->lossless[n - 1].partition;

    for (uint32_t i = 0; i < n; i++) {
        counts[bench->lossless[i].partition]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t partition = bench->lossless[i].partition;

        found = counts[partition] < counts[found] ? partition : found;
    }
    return found;
}

/* Lossless ------------------------------------------------------------- */

static bool
role_pfc(struct calibrate_switch *bench, int64_t *result)
{
    bool fine = fill_to_xoff(bench, &bench->lossless[0], result);

    *result -= bench->index_offset;
    return fine;
}

static bool
role_pfc_seq(struct calibrate_switch *bench, int64_t *result)
{
    bool fine = true;

    for (int64_t i = 0; i <= bench->row->fill_index.value && fine; i++) {
        fine = fill_to_xoff(bench, &bench->lossless[i], result);
    }
    *result -= bench->index_offset;
    return fine;
}

static bool
role_pfc_n(struct calibrate_switch *bench, int64_t *result)
{
    uint32_t n = (uint32_t)calibrate_or(&bench->row->n_pgs_filled, 1);
    uint32_t last = observed_partition(bench, n);
    bool is_xoff = false;
    bool is_full = false; /* Dropping without XOFF: there will be none. */
    bool fine = true;

    for (int64_t round = 0; fine && !is_xoff && !is_full; round++) {
        *result = round;
        for (uint32_t i = 0; i < n && fine; i++) {
            bool counts = bench->lossless[i].partition == last;
            struct softasic_sent sent;

            fine = send_until(bench, &bench->lossless[i], 1,
                              SOFTASIC_UNTIL_COUNT, &sent);
            is_xoff |= fine && counts && sent.xoff;
            is_full |= fine && counts &&
                       sent.n_dropped_ingress + sent.n_dropped_egress != 0;
        }
    }
    return fine && (is_xoff || no_result(bench, "no XOFF"));
}

static bool
role_ingr_drop(struct calibrate_switch *bench, int64_t *result)
{
    bool fine = fill_to_drop(bench, &bench->lossless[0], true, result);

    *result -= bench->index_offset;
    return fine;
}

static bool
role_hdrm(struct calibrate_switch *bench, int64_t *result)
{
    int64_t pfc = 0;

    return fill_to_xoff(bench, &bench->lossless[0], &pfc) &&
           fill_to_drop(bench, &bench->lossless[0], true, result);
}

/* Fills the headroom of the PGs from 'first' to 'last' in turn.  '*rounds' is
 * what each of them took whole. */
static bool
share_headroom(struct calibrate_switch *bench, uint32_t first, uint32_t last,
               int64_t *rounds)
{
    struct softasic_sent sent = {0};

    for (*rounds = 0; *rounds < MAX_PACKETS; ++*rounds) {
        for (uint32_t i = first; i <= last; i++) {
            if (!send_until(bench, &bench->lossless[i], 1, SOFTASIC_UNTIL_COUNT,
                            &sent)) {
                return false;
            }
            if (sent.n_dropped_ingress) {
                return true;
            }
        }
    }
    return no_result(bench, "no drop");
}

static bool
role_hdrm_full(struct calibrate_switch *bench, int64_t *result)
{
    uint32_t n = bench->shares_headroom ? bench->n_per_port : 1;
    int64_t pfc;

    for (uint32_t i = 0; i < n; i++) {
        if (!fill_to_xoff(bench, &bench->lossless[i], &pfc)) {
            return false;
        }
    }
    if (!share_headroom(bench, 0, n - 1, result)) {
        return false;
    }
    *result += bench->index_offset;
    return true;
}

/* Lets the PG of 'flow', which is XOFF, take the headroom that is its own, and
 * nothing of what others of its port leave to it. */
static bool
take_own_headroom(struct calibrate_switch *bench,
                  const struct calibrate_flow *flow)
{
    const uint64_t own = (uint64_t)calibrate_or(&bench->row->pg_xoff, 0);
    struct softasic_pg_state pg;
    struct softasic_sent sent;
    uint64_t step; /* What a packet takes; the first may have been there. */

    if (bench->ops->pg_state(flow->pg, &pg) != SAI_STATUS_SUCCESS) {
        return no_result(bench, "the PG cannot be read");
    }
    step = pg.headroom.bytes;
    while (step == 0 || pg.headroom.bytes + step <= own) {
        const uint64_t before = pg.headroom.bytes;

        if (!send_until(bench, flow, 1, SOFTASIC_UNTIL_COUNT, &sent)) {
            return false;
        }
        if (sent.n_dropped_ingress ||
            bench->ops->pg_state(flow->pg, &pg) != SAI_STATUS_SUCCESS) {
            return no_result(bench, "there is not as much headroom");
        }
        step = pg.headroom.bytes - before;
    }
    return true;
}

/* All but the last take their own headroom, the last what is left. */
static bool
role_hdrm_partial(struct calibrate_switch *bench, int64_t *result)
{
    uint32_t n = (uint32_t)calibrate_or(&bench->row->n_pgs_filled, 1);
    uint32_t partition = observed_partition(bench, n);
    uint32_t last = n - 1;
    int64_t taken = 0;

    while (bench->lossless[last].partition != partition) {
        last--;
    }
    for (uint32_t i = 0; i <= last; i++) {
        if (bench->lossless[i].partition == partition &&
            !fill_to_xoff(bench, &bench->lossless[i], &taken)) {
            return false;
        }
    }
    for (uint32_t i = 0; i <= last; i++) {
        const struct calibrate_flow *flow = &bench->lossless[i];

        if (flow->partition == partition &&
            !(bench->shares_headroom && i < last
                  ? take_own_headroom(bench, flow)
                  : fill_to_drop(bench, flow, true, &taken))) {
            return false;
        }
    }
    *result = taken - 1 + bench->index_offset;
    return true;
}

static bool
role_xon(struct calibrate_switch *bench, int64_t *result)
{
    struct softasic_queue_state before;
    struct softasic_queue_state now = {0};
    struct softasic_pg_state pg;
    int64_t n;
    uint64_t done = 1;

    if (!fill_to_xoff(bench, &bench->lossless[0], &n) ||
        bench->ops->queue_state(bench->lossless_queue, &before) !=
            SAI_STATUS_SUCCESS ||
        !calibrate_switch_block(bench, false)) {
        return false;
    }
    while (bench->ops->pg_state(bench->lossless[0].pg, &pg) ==
               SAI_STATUS_SUCCESS &&
           pg.xoff && done) {
        if (bench->ops->step(1, &done) != SAI_STATUS_SUCCESS) {
            return no_result(bench, "time stands still");
        }
    }
    if (bench->ops->queue_state(bench->lossless_queue, &now) !=
            SAI_STATUS_SUCCESS ||
        pg.xoff) {
        return no_result(bench, "no XON");
    }
    *result = (int64_t)(before.n_frames - now.n_frames) - bench->index_offset;
    return true;
}

/* Lossy ---------------------------------------------------------------- */

static bool
role_egr_drop(struct calibrate_switch *bench, int64_t *result)
{
    return fill_to_drop(bench, &bench->lossy, false, result);
}

/* Guarantees ------------------------------------------------------------ */

/* A level that moves once guarantees are full. */
struct gauge {
    sai_object_type_t type;
    sai_object_id_t oid;
    sai_stat_id_t stat;
};

/* Sends packets of 'flow' until 'gauge' moves.  '*result' is the number of
 * those before. */
static bool
fill_until_shared(struct calibrate_switch *bench,
                  const struct calibrate_flow *flow, const struct gauge *gauge,
                  int64_t *result)
{
    uint64_t level = 0;

    for (*result = 0; *result < MAX_PACKETS; ++*result) {
        struct softasic_sent sent;

        if (!send_until(bench, flow, 1, SOFTASIC_UNTIL_COUNT, &sent) ||
            !calibrate_switch_stat(bench, gauge->type, gauge->oid, gauge->stat,
                                   &level)) {
            return false;
        }
        if (level) {
            return true;
        }
        if (sent.n_dropped_ingress + sent.n_dropped_egress) {
            break;
        }
    }
    return no_result(bench, "nothing is ever shared");
}

static bool
is_pool_test(const struct calibrate_switch *bench)
{
    return strstr(bench->row->testcase, "buf_pool") != NULL;
}

/* Returns what to watch for 'pool', and for the object in it. */
static struct gauge
gauge_of(const struct calibrate_switch *bench, sai_object_id_t pool,
         sai_object_type_t type, sai_object_id_t oid)
{
    if (is_pool_test(bench)) {
        return (struct gauge){SAI_OBJECT_TYPE_BUFFER_POOL, pool,
                              SAI_BUFFER_POOL_STAT_WATERMARK_BYTES};
    }
    return (struct gauge){
        type, oid,
        type == SAI_OBJECT_TYPE_QUEUE
            ? (sai_stat_id_t)SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES
            : (sai_stat_id_t)
                  SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES};
}

static bool
role_fill_ing_min(struct calibrate_switch *bench, int64_t *result)
{
    const struct gauge gauge =
        gauge_of(bench, bench->ingress_pool,
                 SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, bench->lossless[0].pg);

    return fill_until_shared(bench, &bench->lossless[0], &gauge, result);
}

static bool
role_fill_ing_min_lossy(struct calibrate_switch *bench, int64_t *result)
{
    const struct gauge gauge =
        gauge_of(bench, bench->ingress_pool,
                 SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, bench->lossy.pg);

    return fill_until_shared(bench, &bench->lossy, &gauge, result);
}

static bool
role_fill_egr_min(struct calibrate_switch *bench, int64_t *result)
{
    const struct gauge gauge = gauge_of(
        bench, bench->lossy_pool, SAI_OBJECT_TYPE_QUEUE, bench->lossy_queue);

    return fill_until_shared(bench, &bench->lossy, &gauge, result);
}

static bool
role_fill_egr_min_lossless(struct calibrate_switch *bench, int64_t *result)
{
    const struct gauge gauge =
        gauge_of(bench, bench->lossless_pool, SAI_OBJECT_TYPE_QUEUE,
                 bench->lossless_queue);

    return fill_until_shared(bench, &bench->lossless[0], &gauge, result);
}

static bool
role_shared_res(struct calibrate_switch *bench, int64_t *result)
{
    struct softasic_sent sent;
    uint64_t bytes = 0;

    if (!send_until(bench, &bench->lossy,
                    (uint64_t)bench->row->extra_reserved.value,
                    SOFTASIC_UNTIL_COUNT, &sent) ||
        !calibrate_switch_stat(
            bench, SAI_OBJECT_TYPE_BUFFER_POOL, bench->ingress_pool,
            SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES, &bytes)) {
        return false;
    }
    *result = (int64_t)bytes;
    return sent.n_dropped_ingress + sent.n_dropped_egress == 0 ||
           no_result(bench, "packets were dropped");
}

/* By name --------------------------------------------------------------- */

static const struct {
    const char *name;
    bool (*run)(struct calibrate_switch *bench, int64_t *result);
} roles[] = {
    {"pfc", role_pfc},
    {"pfc_n", role_pfc_n},
    {"pfc_seq", role_pfc_seq},
    {"ingr_drop", role_ingr_drop},
    {"hdrm", role_hdrm},
    {"hdrm_full", role_hdrm_full},
    {"hdrm_partial", role_hdrm_partial},
    {"xon", role_xon},
    {"egr_drop", role_egr_drop},
    {"fill_ing_min", role_fill_ing_min},
    {"fill_ing_min_lossless", role_fill_ing_min},
    {"fill_ing_min_lossy", role_fill_ing_min_lossy},
    {"fill_egr_min", role_fill_egr_min},
    {"fill_egr_min_lossy", role_fill_egr_min},
    {"fill_egr_min_lossless", role_fill_egr_min_lossless},
    {"shared_res", role_shared_res},
};

static size_t
role_find(const char *role)
{
    size_t i = 0;

    while (i < sizeof roles / sizeof roles[0] &&
           strcmp(roles[i].name, role) != 0) {
        i++;
    }
    return i;
}

bool
calibrate_role_exists(const char *role)
{
    return role_find(role) < sizeof roles / sizeof roles[0];
}

bool
calibrate_role_run(struct calibrate_switch *bench, int64_t *result)
{
    size_t role = role_find(bench->row->role);

    orch_assert(role < sizeof roles / sizeof roles[0]);
    return roles[role].run(bench, result);
}
