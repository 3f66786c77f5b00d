/* SPDX-License-Identifier: Apache-2.0 */

/* The table of flows: what its entries have counted is never lost, however it
 * grows and whatever displaces them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/line_pool.h"
#include "base/random.h"
#include "twin/switch/flow_table.h"

enum { FLOWS = 3000, ROUNDS = 40000, PORTS = 7 };

static uint64_t n_reported;
static uint64_t octets_reported;

/* A flow_table_end_fn. */
static void
on_end(const struct flow_table *table, const struct flow_entry *entry)
{
    (void)table;
    n_reported += entry->n_frames;
    octets_reported += entry->octets;
}

/* Uses the entry of flow 'number' from port 'in', which is made if there is
 * none. */
static void
use(struct flow_table *table, uint32_t number, uint32_t in, uint32_t octets)
{
    struct flow_entry *entry = NULL;
    uint32_t at;

    if (table->entries) {
        const uint32_t place = flow_table_place__(table, number, in);

        for (uint32_t i = 0; i < 2; i++) {
            if (flow_entry_is__(&table->entries[place ^ i], number, in)) {
                entry = &table->entries[place ^ i];
            }
        }
    }
    if (!entry) {
        entry = flow_table_add(table, number, in, &at);
        *entry = (struct flow_entry){.number = number,
                                     .src_and_in = (uint64_t)in << 48};
    }
    entry->n_frames++;
    entry->octets += octets;
    table->counts = true;
}

static void
test_counts_survive_growth(void **state)
{
    struct line_pool *memory = line_pool_create(NULL);
    struct flow_table table = {.memory = memory, .end = on_end};
    struct random random;
    uint64_t octets = 0;

    (void)state;
    n_reported = octets_reported = 0;
    random_init(&random, 1);
    for (uint32_t i = 1; i <= ROUNDS; i++) {
        /* More and more flows, so that it grows while entries have counts. */
        const uint64_t most = 1 + i * (uint64_t)FLOWS / ROUNDS;
        const uint32_t number = 1 + (uint32_t)random_below(&random, most);
        const uint32_t length = 60 + (uint32_t)random_below(&random, 1000);

        use(&table, number, number % PORTS, length);
        octets += length;
    }
    assert_int_equal(table.bits, FLOW_TABLE_MAX_BITS);
    flow_table_report(&table);
    assert_int_equal(n_reported, ROUNDS);
    assert_int_equal(octets_reported, octets);
    /* What was reported is not reported again. */
    flow_table_clear(&table, 1);
    assert_int_equal(n_reported, ROUNDS);
    flow_table_fini(&table);
    line_pool_destroy(memory);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_survive_growth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
