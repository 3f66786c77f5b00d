/* SPDX-License-Identifier: Apache-2.0 */

/* What the verbs of orchlab share. */

#include <config.h>

#include "orchlab/verb.h"

#include <stdio.h>
#include <stdlib.h>

#include "process/places.h"

const char *
verb_option(const struct invocation *invocation, const char *name,
            const char *otherwise)
{
    const char *text =
        json_string_value(json_object_get(invocation->arguments, name));

    return text ? text : otherwise;
}

const char *
verb_folder(const struct invocation *invocation,
            const struct verb_folder *folder, char *path)
{
    const char *usual = getenv(folder->variable);
    struct places places;

    usual =
        verb_option(invocation, folder->option, usual && *usual ? usual : NULL);
    if (usual) {
        return usual;
    }
    places_find(&places);
    return places_data(&places, folder->in_source, folder->installed, path);
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

int
verb_fail(const struct err *err)
{
    fflush(stdout);
    option_complain("orchlab", err);
    switch (err->status) {
    case ST_INVALID:
    case ST_UNSUPPORTED:
        return LAB_USAGE;
    case ST_IO:
    case ST_NOT_FOUND:
        return LAB_UNREACHABLE;
    default:
        return LAB_NO;
    }
}

void
verb_print_json(json_t *data)
{
    json_dumpf(data, stdout, JSON_INDENT(2) | JSON_ENCODE_ANY);
    putchar('\n');
    json_decref(data);
}
