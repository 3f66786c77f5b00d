/* SPDX-License-Identifier: Apache-2.0 */

/* Compares two switches by what a client can read. */

#include <config.h>

#include "tests/support/switch_compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vendors/softasic/program/counters.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/traffic/inspect.h"

void
switch_compare_counters(struct asic *a, struct asic *b)
{
    static const sai_object_type_t types[] = {
        SAI_OBJECT_TYPE_PORT, SAI_OBJECT_TYPE_QUEUE,
        SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, SAI_OBJECT_TYPE_BUFFER_POOL};
    sai_stat_id_t ids[256];
    uint64_t of_a[256], of_b[256];

    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const uint32_t n = counters_list(types[t], 256, ids);

        assert_int_equal(objects_count(a->objects, types[t]),
                         objects_count(b->objects, types[t]));
        for (struct objects_item *i = objects_first(a->objects, types[t]); i;
             i = objects_next(a->objects, i)) {
            assert_int_equal(asic_stats(a, i->type, i->oid, n, ids,
                                        SAI_STATS_MODE_READ, of_a),
                             SAI_STATUS_SUCCESS);
            assert_int_equal(asic_stats(b, i->type, i->oid, n, ids,
                                        SAI_STATS_MODE_READ, of_b),
                             SAI_STATUS_SUCCESS);
            assert_memory_equal(of_a, of_b, n * sizeof *of_a);
        }
    }
}

void
switch_compare_buffers(struct asic *a, struct asic *b)
{
    for (struct objects_item *i =
             objects_first(a->objects, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP);
         i; i = objects_next(a->objects, i)) {
        struct softasic_pg_state of_a, of_b;

        memset(&of_a, 0, sizeof of_a);
        memset(&of_b, 0, sizeof of_b);
        assert_int_equal(inspect_pg(a, i->oid, &of_a),
                         inspect_pg(b, i->oid, &of_b));
        assert_memory_equal(&of_a, &of_b, sizeof of_a);
    }
    for (struct objects_item *i =
             objects_first(a->objects, SAI_OBJECT_TYPE_QUEUE);
         i; i = objects_next(a->objects, i)) {
        struct softasic_queue_state of_a, of_b;

        memset(&of_a, 0, sizeof of_a);
        memset(&of_b, 0, sizeof of_b);
        assert_int_equal(inspect_queue(a, i->oid, &of_a),
                         inspect_queue(b, i->oid, &of_b));
        /* A switch of a fabric does not measure how long frames wait. */
        of_a.has_delays = of_b.has_delays = false;
        of_a.p50_delay_ps = of_b.p50_delay_ps = 0;
        of_a.p99_delay_ps = of_b.p99_delay_ps = 0;
        of_a.max_delay_ps = of_b.max_delay_ps = 0;
        assert_memory_equal(&of_a, &of_b, sizeof of_a);
    }
}
