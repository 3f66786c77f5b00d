/* SPDX-License-Identifier: Apache-2.0 */

/* "show settings", "config-file reload" and "show env": the configuration of
 * the daemon itself, and of programs that use its Redis. */

#include <config.h>

#include <string.h>

#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/db/dbconfig_file.h"
#include "orchd/db/redis.h"

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

/* Shows where the private Redis has its files.  Without one SONiC's tools need
 * nothing: they find the Redis of the system. */
static void
show_env(struct call *call)
{
    static const char scheme[] = "unix:";
    struct redis_status status;
    struct text directory = {0}, file = {0};
    const char *socket, *slash;
    struct err err;

    redis_status(call->context->services.redis, &status);
    if (!status.is_private) {
        err_set(&err, ST_UNSUPPORTED, "redis-not-private",
                "orchd did not start the Redis that it uses (%s), and knows no "
                "files of it",
                status.endpoint);
        err_set_remedy(&err, "run SONiC's tools as they are: they read "
                             "/var/run/redis/" DBCONFIG_FILE_NAME
                             "; or start orchd with --redis spawn:DIR");
        call_no(call, &err, NULL);
        return;
    }
    socket = status.endpoint + strlen(scheme);
    slash = strrchr(socket, '/');
    text_add_bytes(&directory, socket, (size_t)(slash - socket));
    text_addf(&file, "%s/" DBCONFIG_FILE_NAME, text_string(&directory));
    call_done(call, json_pack("{s:s, s:s, s:s}", "directory",
                              text_string(&directory), "socket", socket,
                              "database_config", text_string(&file)));
    text_fini(&directory);
    text_fini(&file);
}

const struct command settings_commands[] = {
    {"config-file", "reload", reload, NULL, COMMAND_CHANGES},
    {"show", "env", show_env, NULL, COMMAND_VIEWS},
    {"show", "settings", show_settings, NULL, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
