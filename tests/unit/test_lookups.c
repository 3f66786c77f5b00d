/* SPDX-License-Identifier: Apache-2.0 */

/* The lookup caches of an adapter: against a slow model, against the share of
 * hits that theory expects, and the rate at which a receive FIFO drains. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/oracle/receiver.h"
#include "twin/nic/lookup_cache.h"
#include "twin/nic/lookups.h"
#include "twin/nic/rx_fifo.h"

enum {
    KIB = 1024,
    MIB = 1024 * KIB,
    PAGE = 4 * KIB,
    ENTRIES = 2048,
    ENTITY = 7,
    PACKET = 1082,
    PAYLOAD = 1024,
    LOSSLESS = 3,
    MODEL_MAX = 32,
};

/* The cache --------------------------------------------------------------- */

/* A cache as a list, the last used first. */
struct model {
    uint64_t numbers[MODEL_MAX];
    uint32_t n, capacity;
};

static bool
model_use(struct model *model, uint64_t number)
{
    uint32_t at = 0;
    bool hit;

    while (at < model->n && model->numbers[at] != number) {
        at++;
    }
    hit = at < model->n;
    if (!hit && model->n < model->capacity) {
        model->n++;
    } else if (!hit) {
        at = model->n - 1;
    }
    memmove(&model->numbers[1], &model->numbers[0],
            at * sizeof model->numbers[0]);
    model->numbers[0] = number;
    return hit;
}

static void
test_a_cache_is_a_list_in_order_of_use(void **state)
{
    struct random random;

    (void)state;
    random_init(&random, 1);
    for (uint32_t capacity = 1; capacity <= MODEL_MAX; capacity++) {
        struct lookup_cache *cache = lookup_cache_create(capacity);
        struct model model = {.capacity = capacity};

        for (int i = 0; i < 3000; i++) {
            /* Numbers that have the same low or the same high bits. */
            const uint64_t number = random_below(&random, 40)
                                    << (random_below(&random, 2) * 32);

            assert_int_equal(lookup_cache_use(cache, number),
                             model_use(&model, number));
            assert_int_equal(lookup_cache_n(cache), model.n);
        }
        lookup_cache_destroy(cache);
    }
}

/* Lookups ----------------------------------------------------------------- */

/* Returns the share of hits of 'n' messages of one packet, after as many that
 * warm the cache. */
static double
share_of_hits(const struct lookups_config *config, uint32_t n)
{
    struct lookups *lookups = lookups_create(config, ENTITY);
    struct lookups_stats before, after;
    double hits;

    for (uint32_t i = 0; i < n; i++) {
        (void)lookups_find(lookups, 0, PAYLOAD, true);
    }
    lookups_get(lookups, &before);
    for (uint32_t i = 0; i < n; i++) {
        (void)lookups_find(lookups, 0, PAYLOAD, true);
    }
    lookups_get(lookups, &after);
    hits = (double)(after.translation_hits - before.translation_hits);
    assert_int_equal(after.translation_hits + after.translation_misses, 2 * n);
    lookups_destroy(lookups);
    return hits / n;
}

static void
test_random_messages_hit_as_often_as_theory_says(void **state)
{
    static const uint32_t pages[] = {PAGE, 64 * KIB, 2 * MIB};

    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        for (uint64_t n_pages = ENTRIES / 2; n_pages <= 16 * ENTRIES;
             n_pages *= 2) {
            const struct lookups_config config = {.translations = ENTRIES,
                                                  .page_bytes = pages[i],
                                                  .region_bytes =
                                                      n_pages * pages[i],
                                                  .seed = n_pages};
            const double theory = receiver_hit_ratio(ENTRIES, (double)n_pages);

            assert_true(fabs(share_of_hits(&config, 100000) - theory) < 0.01);
        }
    }
}

/* A ring that is larger than the cache can hold never hits; one that is not
 * always does, once it has been filled. */
static void
test_sequential_messages_hit_all_or_nothing(void **state)
{
    struct lookups_config config = {
        .translations = ENTRIES, .page_bytes = PAGE, .is_sequential = true};

    (void)state;
    config.region_bytes = (uint64_t)ENTRIES * PAGE;
    assert_true(share_of_hits(&config, 2 * ENTRIES) >= 1);
    config.region_bytes += PAGE;
    assert_true(share_of_hits(&config, 2 * ENTRIES) <= 0);
}

/* The packets of a message share its pages, whatever comes between them. */
static void
test_packets_of_a_message_follow_each_other(void **state)
{
    const struct lookups_config config = {
        .translations = 2, .page_bytes = PAGE, .region_bytes = 1024 * MIB};
    struct lookups *lookups = lookups_create(&config, ENTITY);

    (void)state;
    for (uint32_t packet = 0; packet < 8; packet++) {
        const uint32_t misses = packet % (PAGE / PAYLOAD) == 0;

        for (uint32_t qp = 0; qp < 2; qp++) {
            assert_int_equal(lookups_find(lookups, qp, PAYLOAD, packet == 0),
                             misses);
        }
    }
    /* Acknowledgements write nothing. */
    assert_int_equal(lookups_find(lookups, 0, 0, false), 0);
    /* One that is larger than a page touches two or more. */
    assert_int_equal(lookups_find(lookups, 0, PAGE + 1, true), 2);
    lookups_destroy(lookups);
}

/* A message that does not fit the end of the region goes on at its start. */
static void
test_messages_wrap_at_the_end_of_the_region(void **state)
{
    const struct lookups_config config = {.translations = 3,
                                          .page_bytes = PAGE,
                                          .region_bytes = 3 * PAGE,
                                          .is_sequential = true};
    struct lookups *lookups = lookups_create(&config, ENTITY);

    (void)state;
    assert_int_equal(lookups_find(lookups, 0, 2 * PAGE, true), 2);
    assert_int_equal(lookups_find(lookups, 0, 2 * PAGE, true), 1);
    assert_int_equal(lookups_find(lookups, 0, PAGE, false), 0);
    lookups_destroy(lookups);
}

static void
test_contexts_come_on_top_of_translations(void **state)
{
    const struct lookups_config config = {.contexts = 2,
                                          .translations = 16,
                                          .page_bytes = PAGE,
                                          .region_bytes = 16 * PAGE,
                                          .is_sequential = true};
    struct lookups *lookups = lookups_create(&config, ENTITY);
    struct lookups_stats stats;

    (void)state;
    assert_int_equal(lookups_find(lookups, 0, PAGE, true), 2);
    assert_int_equal(lookups_find(lookups, 1, PAGE, true), 2);
    assert_int_equal(lookups_find(lookups, 0, 0, false), 0);
    assert_int_equal(lookups_find(lookups, 2, 0, false), 1);
    assert_int_equal(lookups_find(lookups, 1, 0, false), 1);
    lookups_get(lookups, &stats);
    assert_int_equal(stats.context_misses, 4);
    assert_int_equal(stats.context_hits, 1);
    assert_int_equal(stats.translation_misses, 2);
    assert_int_equal(stats.translation_hits, 0);
    lookups_destroy(lookups);
}

/* Contexts alone: those of SRD, which are beside those of queue pairs. */
static void
test_contexts_are_found_by_themselves(void **state)
{
    static const uint64_t far = UINT64_C(1) << 32;
    const struct lookups_config both = {.contexts = 2,
                                        .translations = 16,
                                        .page_bytes = PAGE,
                                        .region_bytes = 16 * PAGE};
    const struct lookups_config none = {
        .translations = 16, .page_bytes = PAGE, .region_bytes = 16 * PAGE};
    struct lookups *lookups = lookups_create(&both, ENTITY);
    struct lookups_stats stats;

    (void)state;
    assert_int_equal(lookups_find_context(lookups, 7), 1);
    assert_int_equal(lookups_find_context(lookups, far + 7), 1);
    assert_int_equal(lookups_find_context(lookups, 7), 0);
    assert_int_equal(lookups_find(lookups, 7, 0, false), 0);
    assert_int_equal(lookups_find_context(lookups, 8), 1);
    assert_int_equal(lookups_find_context(lookups, far + 7), 1);
    lookups_get(lookups, &stats);
    assert_int_equal(stats.context_misses, 4);
    assert_int_equal(stats.context_hits, 2);
    assert_int_equal(stats.translation_misses, 0);
    lookups_destroy(lookups);
    lookups = lookups_create(&none, ENTITY);
    assert_int_equal(lookups_find_context(lookups, 7), 0);
    lookups_destroy(lookups);
}

/* What an adapter draws depends on its seed and its entity only. */
static void
test_addresses_are_those_of_seed_and_entity(void **state)
{
    static const struct {
        uint64_t seed;
        uint32_t entity;
        bool same;
    } rows[] = {{1, ENTITY, true}, {2, ENTITY, false}, {1, 8, false}};

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct lookups *pair[2];
        bool same = true;

        for (size_t i = 0; i < 2; i++) {
            const struct lookups_config config = {.translations = 64,
                                                  .page_bytes = PAGE,
                                                  .region_bytes = 128 * PAGE,
                                                  .seed =
                                                      i ? rows[row].seed : 1};

            pair[i] = lookups_create(&config, i ? rows[row].entity : ENTITY);
        }
        for (int i = 0; i < 1000; i++) {
            same &= lookups_find(pair[0], 0, PAYLOAD, true) ==
                    lookups_find(pair[1], 0, PAYLOAD, true);
        }
        assert_int_equal(same, rows[row].same);
        lookups_destroy(pair[0]);
        lookups_destroy(pair[1]);
    }
}

static void
test_settings_are_checked(void **state)
{
    const struct lookups_config good = {
        .translations = ENTRIES, .page_bytes = PAGE, .region_bytes = 10 * PAGE};
    struct lookups_config bad[4] = {good, good, good, good};
    struct lookups_config other[2] = {good, good};
    const struct lookups_config none = {.page_bytes = 1};

    (void)state;
    bad[0].page_bytes = 1000;
    bad[1].region_bytes = PAGE + 1;
    bad[2].region_bytes = 0;
    bad[3].contexts = LOOKUP_CACHE_MAX + 1;
    assert_true(lookups_are_valid(&good));
    assert_true(lookups_are_equal(&good, &good));
    assert_true(lookups_are_valid(&none));
    assert_null(lookups_create(&none, ENTITY));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(lookups_are_valid(&bad[i]));
        assert_false(lookups_are_equal(&good, &bad[i]));
    }
    other[0].is_sequential = true;
    other[1].seed = 1;
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        assert_true(lookups_are_valid(&other[i]));
        assert_false(lookups_are_equal(&good, &other[i]));
    }
}

/* The rate ---------------------------------------------------------------- */

/* Returns the rate at which a FIFO that never gets empty passes on packets,
 * each a message of its own. */
static double
measure_bps(const struct lookups_config *config, uint32_t overlap,
            int64_t read_ps)
{
    enum { N = 60000, WARM = 20000 };
    const struct rx_fifo_config fifo_config = {
        .lossless = 1 << LOSSLESS,
        .bits_per_s = rx_fifo_pcie_rate(8, 8000, 256),
        .latency_ps = read_ps,
        .outstanding = 1024,
        .lookups = overlap,
        .lookup_ps = read_ps};
    struct rx_fifo *fifo = rx_fifo_create(&fifo_config);
    struct lookups *lookups = lookups_create(config, ENTITY);
    int64_t start_ps = 0, end_ps = 0;

    for (uint32_t i = 0; i < N; i++) {
        rx_fifo_add(fifo, i, PACKET, LOSSLESS,
                    lookups_find(lookups, 0, PAYLOAD, true), 0);
    }
    for (uint32_t i = 0; i < N; i++) {
        start_ps = i == WARM ? rx_fifo_next_ps(fifo) : start_ps;
        end_ps = rx_fifo_next_ps(fifo);
        assert_int_equal(rx_fifo_take(fifo), i);
    }
    rx_fifo_destroy(fifo);
    lookups_destroy(lookups);
    return (double)(N - WARM - 1) * PACKET * 8 / (double)(end_ps - start_ps) *
           1e12;
}

static void
test_a_fifo_drains_as_fast_as_theory_says(void **state)
{
    const double bus_bps = receiver_pcie_bps(8, 8e9, 256);
    const int64_t read_ps = 700000;

    (void)state;
    for (uint32_t overlap = 1; overlap <= 8; overlap *= 2) {
        for (uint64_t n_pages = ENTRIES; n_pages <= 16 * ENTRIES;
             n_pages *= 2) {
            const struct lookups_config config = {.translations = ENTRIES,
                                                  .page_bytes = PAGE,
                                                  .region_bytes =
                                                      n_pages * PAGE,
                                                  .seed = 3};
            const double misses =
                1 - receiver_hit_ratio(ENTRIES, (double)n_pages);
            const double theory = receiver_drain_bps(PACKET, bus_bps, misses,
                                                     (double)read_ps, overlap);
            const double measured = measure_bps(&config, overlap, read_ps);

            assert_true(fabs(measured / theory - 1) < 0.01);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cache_is_a_list_in_order_of_use),
        cmocka_unit_test(test_random_messages_hit_as_often_as_theory_says),
        cmocka_unit_test(test_sequential_messages_hit_all_or_nothing),
        cmocka_unit_test(test_packets_of_a_message_follow_each_other),
        cmocka_unit_test(test_messages_wrap_at_the_end_of_the_region),
        cmocka_unit_test(test_contexts_come_on_top_of_translations),
        cmocka_unit_test(test_contexts_are_found_by_themselves),
        cmocka_unit_test(test_addresses_are_those_of_seed_and_entity),
        cmocka_unit_test(test_settings_are_checked),
        cmocka_unit_test(test_a_fifo_drains_as_fast_as_theory_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
