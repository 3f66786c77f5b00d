/* SPDX-License-Identifier: Apache-2.0 */

/* Whatever the order of events, each message of sU-RDMA is delivered once and
 * in order, no SEND meets an empty receive queue, and no connection stands
 * still.
 *
 * Two ends send messages of random sizes to each other over queue pairs that
 * keep their order, with random limits; which of the next events comes first is
 * random.  SU_RDMA_SEEDS=n runs more seeds, SU_RDMA_SEED=n one. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/storage/su_rdma.h"
#include "tests/support/seeds.h"

enum { N_MESSAGES = 60, N_WORKS = 8192, N_SEEDS = 3000 };

/* A direction of a connection: what an end has posted, up to where it has
 * arrived, and up to where it has completed. */
struct direction {
    struct su_work works[N_WORKS];
    uint32_t posted, arrived, completed;
};

struct connection {
    uint64_t seed;
    struct random random;
    struct su_config config;
    struct slab_pool *pools[2];
    struct su *ends[2];
    struct direction ways[2];
    uint32_t receives[2]; /* Posted at each end. */
    uint32_t sizes[2][N_MESSAGES];
    uint32_t n_posted[2];
};

static void
expect(const struct connection *connection, bool holds, const char *text)
{
    if (!holds) {
        fail_msg("seed %llu: %s", (unsigned long long)connection->seed, text);
    }
}

/* Checks that as many bytes are delivered to 'end' as the messages in front
 * have. */
static void
check_order(const struct connection *connection, int end)
{
    const uint64_t n = su_n_delivered(connection->ends[end]);
    struct su_stats stats;
    uint64_t least = 0;

    su_get_stats(connection->ends[end], &stats);
    expect(connection, n <= N_MESSAGES, "too many messages are delivered");
    for (uint64_t i = 0; i < n; i++) {
        least += connection->sizes[!end][i];
    }
    expect(connection, stats.delivered_bytes >= least,
           "a message is delivered before its bytes");
    expect(connection,
           n == N_MESSAGES ? stats.delivered_bytes == least
                           : stats.delivered_bytes <
                                 least + connection->sizes[!end][n] + (n == 0),
           "bytes are delivered out of order, or twice");
}

static void
check(const struct connection *connection)
{
    for (int end = 0; end < 2; end++) {
        const char *wrong = su_check(connection->ends[end]);

        expect(connection, !wrong, wrong ? wrong : "");
        wrong = slab_pool_check(connection->pools[end]);
        expect(connection, !wrong, wrong ? wrong : "");
        expect(connection,
               connection->receives[end] <= connection->config.credits,
               "more receive buffers are posted than there are");
        check_order(connection, end);
    }
}

static bool
post(struct connection *connection, int end)
{
    uint32_t *n = &connection->n_posted[end];

    if (*n == N_MESSAGES ||
        su_post(connection->ends[end], connection->sizes[end][*n])) {
        return false;
    }
    ++*n;
    return true;
}

static bool
ask(struct connection *connection, int end)
{
    struct direction *way = &connection->ways[end];

    expect(connection, way->posted < N_WORKS, "too much work");
    if (!su_next(connection->ends[end], &way->works[way->posted])) {
        return false;
    }
    expect(connection,
           way->posted - way->completed < su_most_work(&connection->config),
           "more work is outstanding than announced");
    way->posted++;
    return true;
}

static bool
arrive(struct connection *connection, int end)
{
    struct direction *way = &connection->ways[end];
    const struct su_work *work = &way->works[way->arrived];

    if (way->arrived == way->posted) {
        return false;
    }
    way->arrived++;
    if (work->operation == SU_OP_SEND) {
        expect(connection, connection->receives[!end] > 0,
               "a SEND meets an empty receive queue");
        connection->receives[!end]--;
        su_received(connection->ends[!end], &work->control);
        connection->receives[!end] += su_take_receives(connection->ends[!end]);
    }
    return true;
}

static bool
complete(struct connection *connection, int end)
{
    struct direction *way = &connection->ways[end];

    if (way->completed == way->arrived) {
        return false;
    }
    way->completed++;
    su_completed(connection->ends[end]);
    connection->receives[end] += su_take_receives(connection->ends[end]);
    return true;
}

/* Lets one of the possible events happen.  Returns false if there is none. */
static bool
step(struct connection *connection)
{
    static bool (*const events[])(struct connection *,
                                  int) = {post, ask, arrive, complete};
    const uint64_t first = random_below(&connection->random, 8);

    for (uint64_t i = 0; i < 8; i++) {
        const uint64_t one = (first + i) % 8;

        if (events[one / 2](connection, (int)(one % 2))) {
            return true;
        }
    }
    return false;
}

static uint32_t
draw_size(struct random *random, const struct su_config *config)
{
    const uint32_t limits[] = {config->small_bytes, config->medium_bytes,
                               4 * config->medium_bytes};
    const uint32_t limit = limits[random_below(random, 3)];

    return random_below(random, 4) ? 1 + (uint32_t)random_below(random, limit)
                                   : limit;
}

static void
draw(struct connection *connection)
{
    struct random *random = &connection->random;
    struct su_config *config = &connection->config;

    config->mode = (enum su_mode)random_below(random, SU_N_MODES);
    config->small_bytes = 1 + (uint32_t)random_below(random, 4096);
    config->medium_bytes =
        config->small_bytes + (uint32_t)random_below(random, 65536);
    if (config->mode == SU_MODE_SEND) {
        config->small_bytes += 2048; /* Not too many pieces. */
        config->medium_bytes = config->small_bytes + 100;
    }
    config->chunk_bytes =
        random_below(random, 2)
            ? config->medium_bytes / 2 +
                  (uint32_t)random_below(random, 3 * config->medium_bytes)
            : 0;
    config->credits = SU_MIN_CREDITS + (uint32_t)random_below(random, 20);
    config->slots = 1 + (uint32_t)random_below(random, 5);
    config->depth = 1 + (uint32_t)random_below(random, 30);
    for (int end = 0; end < 2; end++) {
        const bool is_idle = random_below(random, 4) == 0;

        connection->n_posted[end] = is_idle ? N_MESSAGES : 0;
        for (uint32_t i = 0; i < N_MESSAGES; i++) {
            connection->sizes[end][i] = is_idle ? 0 : draw_size(random, config);
        }
    }
}

static void
run(uint64_t seed)
{
    static struct connection connection; /* Large. */
    uint32_t n_posted[2];

    memset(&connection, 0, sizeof connection);
    connection.seed = seed;
    random_init(&connection.random, seed);
    draw(&connection);
    for (int end = 0; end < 2; end++) {
        const struct slab_pool_config pool = {
            .slab_bytes = UINT64_C(1)
                          << (12 + random_below(&connection.random, 10)),
            .limit_bytes = UINT64_C(1)
                           << (21 + random_below(&connection.random, 6)),
            .page_bytes = 4096,
            .kept_slabs = (uint32_t)random_below(&connection.random, 4)};

        n_posted[end] = connection.n_posted[end];
        assert_int_equal(slab_pool_create(&pool, &connection.pools[end]),
                         ST_OK);
        assert_int_equal(su_create(&connection.config, connection.pools[end],
                                   &connection.ends[end]),
                         ST_OK);
        connection.receives[end] = connection.config.credits;
    }
    while (step(&connection)) {
        check(&connection);
    }
    for (int end = 0; end < 2; end++) {
        const uint64_t n = N_MESSAGES - n_posted[end];
        struct slab_pool_stats stats;

        expect(&connection, connection.n_posted[end] == N_MESSAGES,
               "messages cannot be posted");
        expect(&connection, su_n_sent(connection.ends[end]) == n,
               "an end stands still");
        expect(&connection, su_n_delivered(connection.ends[!end]) == n,
               "messages are lost");
        slab_pool_get_stats(connection.pools[end], &stats);
        expect(&connection,
               stats.used_bytes == su_lent_bytes(&connection.config),
               "buffers are lost");
    }
    for (int end = 0; end < 2; end++) {
        struct slab_pool_stats stats;

        su_destroy(connection.ends[end]);
        slab_pool_get_stats(connection.pools[end], &stats);
        expect(&connection, stats.used_bytes == 0,
               "buffers are not given back");
        slab_pool_destroy(connection.pools[end]);
    }
}

static void
test_each_once_in_order(void **state)
{
    (void)state;
    for_seeds("SU_RDMA", N_SEEDS, run);
}

/* An end that goes away in the middle gives its memory back. */
static void
test_memory_of_an_end_that_stops(void **state)
{
    const struct slab_pool_config pool_config = {
        .slab_bytes = 2 << 20, .limit_bytes = 64 << 20, .page_bytes = 4096};
    const struct su_config config = {.small_bytes = 4096,
                                     .medium_bytes = 65536,
                                     .credits = 8,
                                     .slots = 2,
                                     .depth = 8};
    struct slab_pool *pool;
    struct slab_pool_stats stats;
    struct su *su;
    struct su_work work;

    (void)state;
    assert_int_equal(slab_pool_create(&pool_config, &pool), ST_OK);
    assert_int_equal(su_create(&config, pool, &su), ST_OK);
    assert_int_equal(su_post(su, 1 << 20), ST_OK);
    assert_int_equal(su_post(su, 0), ST_INVALID);
    assert_true(su_next(su, &work));
    assert_int_equal(work.control.kind, SU_DESCRIPTION);
    su_received(su, &(struct su_control){.kind = SU_DESCRIPTION,
                                         .bytes = 1 << 20,
                                         .ends = true});
    assert_true(su_next(su, &work));
    assert_int_equal(work.operation, SU_OP_READ);
    slab_pool_get_stats(pool, &stats);
    assert_int_equal(stats.used_bytes, su_lent_bytes(&config) + (2 << 20));
    su_destroy(su);
    slab_pool_get_stats(pool, &stats);
    assert_int_equal(stats.used_bytes, 0);
    assert_null(slab_pool_check(pool));
    slab_pool_destroy(pool);
}

static void
test_refusals(void **state)
{
    static const struct su_config good = {.small_bytes = 4096,
                                          .medium_bytes = 65536,
                                          .credits = 8,
                                          .slots = 2,
                                          .depth = 1};
    struct su_config bad[8];
    struct err err = {0};
    struct su *su;

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        bad[i] = good;
    }
    bad[0].mode = SU_N_MODES;
    bad[1].small_bytes = 0;
    bad[2].medium_bytes = 4095;
    bad[3].chunk_bytes = SU_MAX_MESSAGE_BYTES + 1;
    bad[4].credits = SU_MIN_CREDITS - 1;
    bad[5].slots = 0;
    bad[6].depth = SU_MAX_DEPTH + 1;
    bad[7].small_bytes = bad[7].medium_bytes = 2 << 20;
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(su_create(&bad[i], NULL, &su), ST_INVALID);
        assert_int_equal(su_config_check(&bad[i], &err), ST_INVALID);
        assert_true(err.reason[0]);
    }
    assert_int_equal(su_create(&good, NULL, &su), ST_OK);
    assert_int_equal(su_post(su, 1), ST_OK);
    assert_int_equal(su_post(su, 1), ST_NO_RESOURCE);
    su_destroy(su);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_once_in_order),
        cmocka_unit_test(test_memory_of_an_end_that_stops),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
