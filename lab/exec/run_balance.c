/* SPDX-License-Identifier: Apache-2.0 */

/* Whether every frame of a run is accounted for:
 *
 *   sent + copied = received + dropped + on links + in adapters + in switches
 *
 * in frames and in bytes.  'dropped' is the sum of what was reported as drops,
 * one by one; the others are counted where the frames are (fabric.h).  So a
 * frame that something loses without a report makes a difference. */

#include <config.h>

#include <inttypes.h>

#include "lab/exec/run_state.h"
#include "lab/measure/results.h"

/* The sides of the equation, and what they consist of. */
struct balance {
    struct fabric_balance fabric;
    struct fabric_amount dropped;
    struct fabric_amount in;  /* Sent and copied. */
    struct fabric_amount out; /* All others. */
};

static void
add(struct fabric_amount *sum, const struct fabric_amount *amount)
{
    sum->frames += amount->frames;
    sum->bytes += amount->bytes;
}

_Static_assert(sizeof(struct balance) % sizeof(uint64_t) == 0,
               "a balance is an array of numbers");

/* Of all ranks. */
static void
take(const struct run *run, struct balance *balance)
{
    const struct fabric_balance *fabric = &balance->fabric;

    *balance = (struct balance){0};
    fabric_take_balance(run->fabric, &balance->fabric);
    for (int i = 0; i < SINK_N_DROP_REASONS; i++) {
        add(&balance->dropped, &run->dropped[i]);
    }
    run_ranks_sum(run, (uint64_t *)(void *)balance,
                  sizeof *balance / sizeof(uint64_t));
    add(&balance->in, &fabric->sent);
    add(&balance->in, &fabric->copied);
    add(&balance->out, &fabric->received);
    add(&balance->out, &balance->dropped);
    add(&balance->out, &fabric->on_links);
    add(&balance->out, &fabric->in_adapters);
    add(&balance->out, &fabric->in_switches);
}

enum st
run_balance_check(const struct run *run, struct err *err)
{
    struct balance balance;
    const struct fabric_balance *fabric = &balance.fabric;

    take(run, &balance);
    if (balance.in.frames == balance.out.frames &&
        balance.in.bytes == balance.out.bytes) {
        return ST_OK;
    }
    return err_set(
        err, ST_DEVICE, "balance",
        "%" PRId64 " frames and %" PRId64 " bytes are not accounted for at the "
        "end: %" PRIu64 " frames sent, %" PRIu64 " copied; %" PRIu64
        " received, %" PRIu64 " reported as dropped, %" PRIu64
        " on links, %" PRIu64 " in adapters, %" PRIu64 " in switches",
        (int64_t)(balance.in.frames - balance.out.frames),
        (int64_t)(balance.in.bytes - balance.out.bytes), fabric->sent.frames,
        fabric->copied.frames, fabric->received.frames, balance.dropped.frames,
        fabric->on_links.frames, fabric->in_adapters.frames,
        fabric->in_switches.frames);
}

void
run_balance_describe(const struct run *run, struct results *results)
{
    struct balance balance;

    take(run, &balance);
    {
        const struct {
            const char *packets, *bytes;
            const struct fabric_amount *amount;
        } rows[] = {
#define ROW(name, member)                                                      \
    {"fabric_" name "_packets", "fabric_" name "_bytes", &balance.member}
            ROW("sent", fabric.sent),
            ROW("copied", fabric.copied),
            ROW("received", fabric.received),
            ROW("dropped", dropped),
            ROW("on_links", fabric.on_links),
            ROW("in_adapters", fabric.in_adapters),
            ROW("in_switches", fabric.in_switches),
#undef ROW
        };

        for (size_t i = 0; results && i < sizeof rows / sizeof rows[0]; i++) {
            results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                                rows[i].packets, rows[i].amount->frames);
            results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                                rows[i].bytes, rows[i].amount->bytes);
        }
    }
}
