/* SPDX-License-Identifier: Apache-2.0 */

/* Arguments as JSON, and what those commands do that orchctl does not have. */

#include <config.h>

#include "orchd/control/command_table.h"

#include <string.h>

#include "orchd/control/command.h"

/* Of commands that orchctl has no verb for, or another one of that name. */
static const struct {
    const char *noun, *verb, *text;
} summaries[] = {
    {"asic", "chip", "describe the chip, by the names of its file"},
    {"breakpoint", "begin",
     "reserve the switch for this connection, with everything restored"},
    {"breakpoint", "acl", "replace the access list of a port"},
    {"breakpoint", "block", "stop or resume transmission of a port"},
    {"breakpoint", "clear", "reset watermarks of objects to the present fill"},
    {"breakpoint", "configure",
     "write rows of CONFIG_DB, and answer with the status of each"},
    {"breakpoint", "flow",
     "let the peer of a port send a flow to that of another"},
    {"breakpoint", "flow_stop", "stop a flow"},
    {"breakpoint", "peer", "set the properties of the peer of a port"},
    {"breakpoint", "read", "read all counters of objects, at one moment"},
    {"breakpoint", "received",
     "take the frames that have left a port since the last call, each as "
     "[dscp, queue, ecn, pcp, vlan, ip_id, size, frames]"},
    {"breakpoint", "restore", "undo what this connection has changed"},
    {"breakpoint", "run", "let the time of the switch pass"},
    {"breakpoint", "send", "send packets one after another"},
    {"breakpoint", "set", "set an attribute of SAI"},
    {"breakpoint", "settle", "let the switch forward all that it can forward"},
    {"breakpoint", "start",
     "make counters of objects count from 0, and watermarks from the present "
     "fill"},
    {"breakpoint", "storm", "let the peer of a port send pause frames"},
    {"breakpoint", "storm_stop", "stop the pause frames of a peer"},
    {"breakpoint", "trace",
     "record the order and all headers of the frames that leave a port"},
    {"config", "field", "return a field of a row in force"},
    {"config", "history-diff",
     "compare two generations of CONFIG_DB, or one with now"},
    {"config", "rollback-plan",
     "return the rows and SAI calls that a rollback would change"},
    {"config", "row", "return a row in force"},
    {"twin", "watermarks",
     "return the watermarks of COUNTERS_DB by the names of their objects"},
};

static const char *const effects[] = {
    [COMMAND_CHANGES] = "changes",
    [COMMAND_SETS] = "sets",
    [COMMAND_VIEWS] = "views",
};

static const char *const types[] = {
    [ARGUMENT_TEXT] = "text",     [ARGUMENT_TEXTS] = "texts",
    [ARGUMENT_NUMBER] = "number", [ARGUMENT_FLAG] = "flag",
    [ARGUMENT_OBJECT] = "object", [ARGUMENT_ARRAY] = "array",
};

/* Returns an argument as an object. */
static json_t *
argument_json(const struct argument *argument)
{
    json_t *json =
        json_pack("{s:s, s:s, s:b}", "name", argument->name, "type",
                  types[argument->type], "required", (int)argument->required);

    if (argument->type == ARGUMENT_NUMBER) {
        json_object_set_new(json, "min", json_integer(argument->min));
        json_object_set_new(json, "max", json_integer(argument->max));
    }
    if (argument->words) {
        json_t *words = json_array();

        for (size_t i = 0; argument->words[i]; i++) {
            json_array_append_new(words, json_string(argument->words[i]));
        }
        json_object_set_new(json, "words", words);
    }
    return json;
}

/* Returns a command as an object. */
static json_t *
command_json(const struct command *command)
{
    json_t *arguments = json_array(), *json;

    for (const struct argument *argument = command->arguments;
         argument && argument->name; argument++) {
        json_array_append_new(arguments, argument_json(argument));
    }
    json = json_pack("{s:s, s:s, s:s, s:o}", "noun", command->noun, "verb",
                     command->verb, "effect", effects[command->effect],
                     "arguments", arguments);
    for (size_t i = 0; i < sizeof summaries / sizeof summaries[0]; i++) {
        if (!strcmp(summaries[i].noun, command->noun) &&
            !strcmp(summaries[i].verb, command->verb)) {
            json_object_set_new(json, "summary",
                                json_string(summaries[i].text));
        }
    }
    return json;
}

json_t *
command_table_json(void)
{
    json_t *list = json_array();

    for (size_t i = 0; command_list(i); i++) {
        for (const struct command *command = command_list(i); command->noun;
             command++) {
            json_array_append_new(list, command_json(command));
        }
    }
    return list;
}
