/* SPDX-License-Identifier: Apache-2.0 */

/* In whatever order the segments of messages arrive, the messages of each
 * source and tag are delivered in the order of sending, each as soon as it and
 * those before it are whole, and whatever is missing of other tags.
 *
 * Each permutation is of the segments of some messages of 2 sources and 3 tags.
 * After each segment, what was delivered is compared with a model that counts
 * the segments of each message.  MESSAGE_PERMUTATIONS=n runs more. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "twin/transport/message.h"

enum {
    N_PERMUTATIONS = 100000,
    SEGMENT = 100,
    N_SOURCES = 2,
    N_TAGS = 3,
    MAX_MESSAGES = 5, /* Per source and tag. */
    MAX_SEGMENTS = 4, /* Per message. */
    MAX_ALL = N_SOURCES * N_TAGS * MAX_MESSAGES * MAX_SEGMENTS,
};

struct arrival {
    uint32_t source;
    struct message_segment segment;
};

struct model {
    uint32_t n[N_SOURCES][N_TAGS]; /* Messages posted. */
    uint32_t missing[N_SOURCES][N_TAGS][MAX_MESSAGES];
    uint32_t length[N_SOURCES][N_TAGS][MAX_MESSAGES];
    uint32_t delivered[N_SOURCES][N_TAGS];
};

/* Posts messages of 'source', and adds their segments to '*n' of 'all'. */
static void
send(struct random *random, struct model *model, uint32_t source,
     struct arrival *all, uint32_t *n)
{
    static const struct message_config config = {.segment_bytes = SEGMENT};
    struct message_layer *layer = message_layer_create(&config);
    struct message_segment segment;
    uint32_t left = (uint32_t)random_below(random, N_TAGS * MAX_MESSAGES);

    while (left--) {
        const uint32_t tag = (uint32_t)random_below(random, N_TAGS);
        uint32_t *count = &model->n[source][tag];
        const uint32_t length =
            (uint32_t)random_below(random, SEGMENT * MAX_SEGMENTS + 1);

        if (*count == MAX_MESSAGES) {
            continue;
        }
        model->length[source][tag][*count] = length;
        model->missing[source][tag][*count] =
            length ? (length + SEGMENT - 1) / SEGMENT : 1;
        ++*count;
        message_post(layer, 7, tag, 0, length);
    }
    while (message_next(layer, &segment)) {
        assert_int_equal(segment.peer, 7);
        all[(*n)++] = (struct arrival){source, segment};
    }
    message_layer_destroy(layer);
}

static void
permute(struct random *random, struct arrival *all, uint32_t n)
{
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = (uint32_t)random_below(random, i);
        const struct arrival kept = all[i - 1];

        all[i - 1] = all[j];
        all[j] = kept;
    }
}

/* Takes what 'layer' delivers, and compares it with the model. */
static void
compare(struct message_layer *layer, struct model *model)
{
    struct message_completion completion;

    while (message_poll(layer, 0, &completion)) {
        uint32_t *next = &model->delivered[completion.peer][completion.tag];

        assert_true(completion.is_receive);
        assert_int_equal(completion.id, *next);
        assert_int_equal(completion.bytes,
                         model->length[completion.peer][completion.tag][*next]);
        ++*next;
    }
    for (uint32_t source = 0; source < N_SOURCES; source++) {
        for (uint32_t tag = 0; tag < N_TAGS; tag++) {
            uint32_t whole = 0;

            while (whole < model->n[source][tag] &&
                   !model->missing[source][tag][whole]) {
                whole++;
            }
            assert_int_equal(model->delivered[source][tag], whole);
        }
    }
}

static void
run(struct random *random)
{
    static const struct message_config config = {.segment_bytes = SEGMENT};
    struct message_layer *layer = message_layer_create(&config);
    struct model model = {.n = {{0}}};
    struct arrival all[MAX_ALL];
    uint32_t n = 0;

    for (uint32_t source = 0; source < N_SOURCES; source++) {
        send(random, &model, source, all, &n);
    }
    permute(random, all, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *words = all[i].segment.header.words;

        assert_true(message_arrived(layer, all[i].source,
                                    all[i].segment.length_bytes,
                                    &all[i].segment.header, 0));
        model.missing[all[i].source][words[0]][words[1]]--;
        compare(layer, &model);
    }
    assert_int_equal(message_held_bytes(layer), 0);
    message_layer_destroy(layer);
}

static void
test_any_order_of_segments(void **state)
{
    const char *many = getenv("MESSAGE_PERMUTATIONS");
    const uint64_t n = many ? strtoull(many, NULL, 10) : N_PERMUTATIONS;
    struct random random;

    (void)state;
    random_init(&random, 1);
    for (uint64_t i = 0; i < n; i++) {
        run(&random);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order_of_segments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
