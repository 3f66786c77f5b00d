/* SPDX-License-Identifier: Apache-2.0 */

/* Writes the synthetic run of lab_results.h, for tests of programs:
 *
 *     write_run FILE finish|die|other
 *
 * "die" kills itself after some progress; "other" is a run with one more drop.
 */

#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "lab/measure/sink.h"
#include "tests/support/lab_results.h"

#define US INT64_C(1000000)

int
main(int argc, char **argv)
{
    struct results *results;

    if (argc != 3) {
        fprintf(stderr, "usage: write_run FILE finish|die|other\n");
        return 2;
    }
    results = lab_results_start(argv[1]);
    lab_results_record(results);
    if (!strcmp(argv[2], "die")) {
        orch_assert(!results_progress(results, 99 * US, 1, NULL));
        lab_results_messages(results, 100);
        raise(SIGKILL);
    }
    if (!strcmp(argv[2], "other")) {
        const struct sink *sink = results_sink(results);
        const struct sink_drop drop = {.t_ps = 71500000,
                                       .node = 0,
                                       .port = 1,
                                       .priority = 3,
                                       .reason = SINK_DROP_WRED,
                                       .flow = 4,
                                       .psn = 9,
                                       .bytes = 100};

        sink->dropped(sink->context, &drop);
    }
    lab_results_finish(results);
    return 0;
}
