/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "lab/storage/io.h"

#include "base/check.h"

static uint32_t
bit(uint32_t number)
{
    return UINT32_C(1) << number;
}

/* Adds a step that needs those of 'needs' to 'plan'.  Returns its number. */
static uint32_t
add(struct io_plan *plan, enum io_kind kind, uint8_t from, uint8_t to,
    uint32_t needs)
{
    orch_assert(plan->n_steps < IO_STEPS_MAX);
    plan->steps[plan->n_steps] = (struct io_step){kind, from, to, needs};
    return plan->n_steps++;
}

/* Adds a message, and the work of the place that it reaches.  Returns the
 * number of the latter. */
static uint32_t
add_message(struct io_plan *plan, enum io_kind kind, uint8_t from, uint8_t to,
            uint32_t needs)
{
    const uint32_t message = add(plan, kind, from, to, needs);

    return add(plan, IO_WORK, to, to, bit(message));
}

enum st
io_plan_make(struct io_plan *plan, enum io_verb verb, uint32_t n_copies,
             struct err *err)
{
    uint32_t last, command, stored;

    if (n_copies < 1 || n_copies > IO_COPIES_MAX) {
        return err_set(err, ST_INVALID, "copies", "copies have to be 1 to %d",
                       IO_COPIES_MAX);
    }
    *plan = (struct io_plan){.verb = verb,
                             .n_copies = verb == IO_READ ? 1 : n_copies};
    last = add(plan, IO_WORK, IO_CLIENT, IO_CLIENT, 0);
    last = add_message(plan, IO_REQUEST, IO_CLIENT, IO_SERVER, bit(last));
    command = add_message(plan, IO_COMMAND, IO_SERVER, IO_NODE, bit(last));
    stored = bit(add(plan, IO_DISK, IO_NODE, IO_NODE, bit(command)));
    for (uint32_t i = 1; i < plan->n_copies; i++) {
        const uint8_t node = (uint8_t)(IO_NODE + i);

        last = add_message(plan, IO_COPY, IO_NODE, node, bit(command));
        last = add(plan, IO_DISK, node, node, bit(last));
        stored |= bit(add(plan, IO_STORED, node, IO_NODE, bit(last)));
    }
    last = add(plan, IO_ANSWER, IO_NODE, IO_SERVER, stored);
    (void)add(plan, IO_REPLY, IO_SERVER, IO_CLIENT, bit(last));
    return ST_OK;
}

bool
io_carries_data(enum io_verb verb, enum io_kind kind)
{
    return verb == IO_READ
               ? kind == IO_ANSWER || kind == IO_REPLY
               : kind == IO_REQUEST || kind == IO_COMMAND || kind == IO_COPY;
}

const char *
io_kind_name(enum io_kind kind)
{
    static const char *const names[] = {
#define X(member, name) name,
        IO_STEPS(X)
#undef X
    };

    return names[kind];
}

void
io_init(struct io *io, const struct io_plan *plan)
{
    *io = (struct io){.plan = plan};
}

bool
io_next(struct io *io, int64_t now_ps, uint32_t *number)
{
    for (uint32_t i = 0; i < io->plan->n_steps; i++) {
        const uint32_t needs = io->plan->steps[i].needs;

        if (!(io->begun & bit(i)) && (io->ended & needs) == needs) {
            io->begun |= bit(i);
            io->start_ps[i] = now_ps;
            *number = i;
            return true;
        }
    }
    return false;
}

void
io_end(struct io *io, uint32_t number, int64_t now_ps)
{
    orch_assert(io->begun & ~io->ended & bit(number));
    io->ended |= bit(number);
    io->end_ps[number] = now_ps;
}

bool
io_is_over(const struct io *io)
{
    return io->ended == (uint32_t)((UINT64_C(1) << io->plan->n_steps) - 1);
}

int64_t
io_stored_ps(const struct io *io)
{
    int64_t last_ps = 0;

    for (uint32_t i = 0; i < io->plan->n_steps; i++) {
        if (io->plan->steps[i].kind == IO_DISK && io->end_ps[i] > last_ps) {
            last_ps = io->end_ps[i];
        }
    }
    return last_ps;
}
