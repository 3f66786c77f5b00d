/* SPDX-License-Identifier: Apache-2.0 */

/* Mutates programs of operations (fuzz.h): short runs of bytes, of which most
 * are one or two operations.
 *
 * What a program costs grows with its length, and most of what it finds is in
 * its last operations: programs are kept short in most cases. */

#include <config.h>

#include "tests/fuzz/mutate.h"

enum { SHORT = 48, RUN = 12 };

static struct span
some_run(struct mutation *m, size_t size)
{
    struct span run = {mutate_below(m, size), 1 + mutate_below(m, RUN)};

    if (run.length > size - run.start) {
        run.length = size - run.start;
    }
    return run;
}

static void
put_bytes(struct mutation *m, struct span span)
{
    uint8_t bytes[RUN];
    const size_t n = 1 + mutate_below(m, RUN);

    for (size_t i = 0; i < n; i++) {
        bytes[i] = (uint8_t)mutate_below(m, 256);
    }
    mutate_replace(m, span, bytes, n);
}

static void
mutate(struct mutation *m)
{
    const struct span from = some_run(m, m->size), to = some_run(m, m->size);
    const struct span before = {to.start, 0};

    switch (mutate_below(m, 5)) {
    case 0:
        mutate_replace(m, to, NULL, 0);
        break;
    case 1:
        mutate_replace(m, to, m->data + from.start, from.length);
        break;
    case 2:
        mutate_replace(m, before, m->data + from.start, from.length);
        break;
    case 3:
        put_bytes(m, before);
        break;
    default:
        put_bytes(m, to);
        break;
    }
}

/* Leaves out so much of the middle that a short program remains. */
static void
shorten(struct mutation *m)
{
    struct span middle;

    if (m->size > SHORT) {
        middle.length = m->size - SHORT + mutate_below(m, SHORT / 2);
        middle.start = mutate_below(m, m->size - middle.length + 1);
        mutate_replace(m, middle, NULL, 0);
    }
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                        unsigned int seed)
{
    struct mutation m = {data, size, max_size, seed};

    if (mutate_below(&m, 8)) {
        shorten(&m);
    }
    if (m.size < 2 || mutate_below(&m, 2)) {
        return LLVMFuzzerMutate(data, m.size, max_size);
    }
    for (uint32_t i = 1 + mutate_below(&m, 3); i > 0 && m.size > 1; i--) {
        mutate(&m);
    }
    return m.size;
}

size_t
LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b,
                          size_t b_size, uint8_t *out, size_t max_size,
                          unsigned int seed)
{
    struct mutation m = {.state = seed};

    return a_size && b_size ? mutate_cross(a, a_size, some_run(&m, a_size), b,
                                           some_run(&m, b_size), out, max_size)
                            : 0;
}
