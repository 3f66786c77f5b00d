/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl breakpoint ...": scenarios against the switch behind orchd. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "breakpoint/parser.h"
#include "breakpoint/runner.h"
#include "breakpoint/scenario.h"
#include "orchctl/client.h"
#include "orchctl/live.h"
#include "orchctl/report.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"

/* Loads all files before anything is done to a switch; on failure says which
 * one is wrong and where.  'scenarios' has room for all. */
static int
load_all(const struct invocation *invocation, struct scenario **scenarios)
{
    for (size_t i = 0; i < invocation->n_operands; i++) {
        struct err err = {0};

        if (parser_load(invocation->operands[i], &scenarios[i], &err)) {
            verb_complain(&err);
            return CONTROL_USAGE;
        }
    }
    return CONTROL_DONE;
}

/* Runs all, also after one has failed, but not after orchd has gone.  Returns
 * the worst outcome. */
static int
run_all(const struct invocation *invocation, struct scenario **scenarios,
        struct target *target)
{
    json_t *runs = json_array();
    struct run_observer observer =
        invocation->json ? report_json(runs) : report_text();
    enum run_outcome worst = RUN_PASSED;

    for (size_t i = 0; i < invocation->n_operands && worst != RUN_UNREACHABLE;
         i++) {
        enum run_outcome outcome = runner_run(scenarios[i], target, &observer);

        worst = outcome > worst ? outcome : worst;
    }
    if (invocation->json) {
        verb_print_json(runs);
    }
    json_decref(runs);
    return (int)worst;
}

/* Loads first and connects then, so that a file that is wrong is reported
 * whether orchd is there or not. */
static int
breakpoint_run(struct invocation *invocation)
{
    struct scenario **scenarios =
        check_calloc(invocation->n_operands + 1, sizeof(*scenarios));
    struct client *client = NULL;
    struct target *target = NULL;
    struct err err = {0};
    int code = load_all(invocation, scenarios);

    if (code == CONTROL_DONE) {
        if (client_connect(invocation->control, invocation->timeout_seconds,
                           &client, &err)) {
            verb_complain(&err);
            code = CONTROL_UNREACHABLE;
        } else {
            target = live_create(client);
            code = run_all(invocation, scenarios, target);
        }
    }
    live_destroy(target);
    client_close(client);
    for (size_t i = 0; i < invocation->n_operands; i++) {
        scenario_destroy(scenarios[i]);
    }
    free(scenarios);
    return code;
}

const struct verb breakpoint_verbs[] = {
    {"breakpoint", "run", "FILE...", 1, 1000, NULL,
     "Run breakpoint scenarios on the softasic behind orchd",
     "A scenario is a YAML file; docs/breakpoint.md describes the language.\n"
     "The answer is 1 if something else was seen than expected.\n",
     NULL, NULL, breakpoint_run},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
