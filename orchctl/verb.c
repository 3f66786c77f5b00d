/* SPDX-License-Identifier: Apache-2.0 */

/* What the verbs of orchctl share. */

#include <config.h>

#include "orchctl/verb.h"

#include <stdio.h>
#include <string.h>

/* How much longer than the daemon orchctl waits for its answer. */
#define WAIT_GRACE_SECONDS 10

const struct verb_alone verbs_alone[] = {{"env", "show"},
                                         {"status", "show"},
                                         {"techsupport", "show"},
                                         {"report", "sweep"},
                                         {NULL, NULL}};

const char *
verb_noun_of(const char *word)
{
    size_t i = 0;

    while (verbs_alone[i].verb && strcmp(word, verbs_alone[i].verb) != 0) {
        i++;
    }
    return verbs_alone[i].noun;
}

void
verb_complain(const struct err *err)
{
    option_complain("orchctl", err);
}

void
verb_print_json(const json_t *data)
{
    json_dumpf(data, stdout, JSON_INDENT(2) | JSON_ENCODE_ANY);
    putchar('\n');
}

enum st
verb_operand_name(struct invocation *invocation, struct err *err)
{
    (void)err;
    if (invocation->n_operands) {
        json_object_set_new(invocation->arguments, "name",
                            json_string(invocation->operands[0]));
    }
    return ST_OK;
}

enum st
verb_operand_row(struct invocation *invocation, struct err *err)
{
    (void)err;
    if (invocation->n_operands) {
        json_object_set_new(invocation->arguments, "row",
                            json_string(invocation->operands[0]));
    }
    return ST_OK;
}

enum st
verb_operand_ports(struct invocation *invocation, struct err *err)
{
    json_t *ports = json_array();

    (void)err;
    for (size_t i = 0; i < invocation->n_operands; i++) {
        json_array_append_new(ports, json_string(invocation->operands[i]));
    }
    json_object_set_new(invocation->arguments, "ports", ports);
    return ST_OK;
}

void
verb_let_wait(struct invocation *invocation)
{
    json_object_set_new(invocation->arguments, "seconds",
                        json_integer(invocation->timeout_seconds));
    invocation->timeout_seconds += WAIT_GRACE_SECONDS;
}

const char *
verb_option(const struct invocation *invocation, const char *name,
            const char *otherwise)
{
    const char *text =
        json_string_value(json_object_get(invocation->arguments, name));

    return text ? text : otherwise;
}

int64_t
verb_number(const struct invocation *invocation, const char *name,
            int64_t otherwise)
{
    const json_t *value = json_object_get(invocation->arguments, name);

    return value ? json_integer_value(value) : otherwise;
}

bool
verb_flag(const struct invocation *invocation, const char *name)
{
    return json_is_true(json_object_get(invocation->arguments, name));
}
