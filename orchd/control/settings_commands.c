/* SPDX-License-Identifier: Apache-2.0 */

/* "show settings" and "config-file reload": the configuration of the daemon
 * itself. */

#include <config.h>

#include "base/text.h"
#include "orchd/control/command.h"

static void
show_settings(struct call *call)
{
    const struct control_services *services = &call->context->services;

    call_done(call, services->show_settings(services->context));
}

/* Fails if the file has errors; then nothing has changed. */
static void
reload(struct call *call)
{
    const struct control_services *services = &call->context->services;
    json_t *report = services->reload(services->context);
    size_t n = 0, i;
    json_t *problem;
    struct err err;

    json_array_foreach(json_object_get(report, "problems"), i, problem)
    {
        n += !json_is_true(json_object_get(problem, "warning"));
    }
    if (!n) {
        call_done(call, report);
        return;
    }
    err_set(
        &err, ST_BUSY, "settings-invalid",
        "the configuration has %zu error%s; the previous one stays in force", n,
        text_plural(n));
    err_set_remedy(&err, "correct the file and reload it again");
    call_no(call, &err, report);
}

const struct command settings_commands[] = {
    {"config-file", "reload", reload, NULL, COMMAND_CHANGES},
    {"show", "settings", show_settings, NULL, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
