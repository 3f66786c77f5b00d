/* SPDX-License-Identifier: Apache-2.0 */

/* Converts tables to JSON. */

#include <config.h>

#include "command/manual.h"

#include <stdio.h>

json_t *
manual_options(const struct option *options)
{
    json_t *list = json_array();

    for (; options && options->name; options++) {
        json_array_append_new(
            list, json_pack("{s:s, s:s?, s:s?, s:s}", "name", options->name,
                            "letter", option_letter(options->name), "value",
                            options->value, "help", options->help));
    }
    return list;
}

json_t *
manual_verb(const char *noun, const char *verb, const char *operands,
            const char *summary, const char *details,
            const struct option *options)
{
    return json_pack("{s:s?, s:s, s:s, s:s, s:s?, s:o}", "noun", noun, "verb",
                     verb, "operands", operands, "summary", summary, "details",
                     details, "options", manual_options(options));
}

void
manual_print(json_t *manual)
{
    json_dumpf(manual, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(manual);
}
