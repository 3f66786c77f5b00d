/* SPDX-License-Identifier: Apache-2.0 */

/* "log level": lists the modules of the log with their levels, or sets the
 * level of one at run time. */

#include <config.h>

#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "process/log.h"

/* Finds the module called 'name'. */
static enum st
find_module(struct log *log, const char *name, struct log **module,
            struct err *err)
{
    struct choices choices;

    for (*module = log; *module; *module = log_next_module(*module)) {
        if (!strcmp(log_module_name(*module), name)) {
            return ST_OK;
        }
    }
    choices_init(&choices, name);
    for (; log; log = log_next_module(log)) {
        choices_add(&choices, log_module_name(log));
    }
    err_set(err, ST_INVALID, "usage", "the log has no module '%.100s'", name);
    return choices_explain(&choices, "module", err);
}

/* Finds the level called 'name'. */
static enum st
find_level(const char *name, enum log_level *level, struct err *err)
{
    struct choices choices;

    if (log_level_find(name, level)) {
        return ST_OK;
    }
    choices_init(&choices, name);
    for (enum log_level known = 0; known < N_LOG_LEVELS; known++) {
        choices_add(&choices, log_level_name(known));
    }
    err_set(err, ST_INVALID, "usage", "the log has no level '%.100s'", name);
    return choices_explain(&choices, "level", err);
}

static json_t *
list_levels(struct log *log)
{
    json_t *list = json_array();

    for (; log; log = log_next_module(log)) {
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "module", log_module_name(log),
                            "level", log_level_name(log_get_level(log))));
    }
    return list;
}

static void
log_level(struct call *call)
{
    const char *name = call_text(call, "module", NULL);
    const char *word = call_text(call, "level", NULL);
    struct log *log = call->context->services.log, *module;
    enum log_level level;
    struct err err = {0};
    enum st st = ST_OK;

    if (!name != !word) {
        st = err_set(&err, ST_INVALID, "usage",
                     "log level needs both a module and a level, or neither");
    } else if (name) {
        st = find_module(log, name, &module, &err);
        st = st ? st : find_level(word, &level, &err);
        if (!st) {
            log_set_level(module, level);
        }
    }
    call_end(call, &err,
             st ? NULL : json_pack("{s:o}", "levels", list_levels(log)));
}

static const struct argument level_arguments[] = {
    {"module", ARGUMENT_TEXT, false, 0, 0, NULL},
    {"level", ARGUMENT_TEXT, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command log_commands[] = {
    {"log", "level", log_level, level_arguments, COMMAND_SETS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
