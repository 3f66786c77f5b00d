/* SPDX-License-Identifier: Apache-2.0 */

/* "show status": what orchd is, works on and waits for, on one page. */

#include <config.h>

#include "orchd/control/status_command.h"

#include <string.h>

#include "orchd/control/command.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/row_status.h"
#include "orchd/report/row_answers.h"

/* Counts the rows in each state. */
static json_t *
rows_json(const struct agent *agent)
{
    json_t *rows = json_object();
    struct agent_figures figures;

    agent_figures(agent, &figures);
    for (size_t i = 0; i < N_ROW_STATES; i++) {
        json_object_set_new(rows, row_state_name((enum row_state)i),
                            json_integer((json_int_t)figures.n_rows[i]));
    }
    return rows;
}

/* Counts the queues that the PFC watchdog watches, and those in a storm. */
static json_t *
watchdog_json(const struct control_services *services)
{
    json_t *queues = services->watchdog
                         ? services->watchdog(services->context, NULL)
                         : json_array();
    json_int_t n_stormed = 0;
    json_t *queue, *counts;
    size_t i;

    json_array_foreach(queues, i, queue)
    {
        const char *state = json_string_value(json_object_get(queue, "state"));

        n_stormed += state && !strcmp(state, "stormed");
    }
    counts =
        json_pack("{s:I, s:I}", "queues", (json_int_t)json_array_size(queues),
                  "stormed", n_stormed);
    json_decref(queues);
    return counts;
}

void
status_command_show(struct call *call)
{
    const struct command_context *context = call->context;
    const struct control_services *services = &context->services;
    const struct err *trouble = context->state.trouble;
    json_t *data =
        services->status ? services->status(services->context) : json_object();

    row_answers_add_text(data, "trouble", trouble ? trouble->reason : "");
    json_object_set_new(data, "redis", command_redis_json(context));
    json_object_set_new(data, "rows", rows_json(services->agent));
    row_answers_add_text(data, "hold", context->state.hold);
    json_object_set_new(data, "watchdog", watchdog_json(services));
    call_done(call, data);
}
