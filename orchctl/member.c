/* SPDX-License-Identifier: Apache-2.0 */

/* Members of JSON objects. */

#include <config.h>

#include "orchctl/member.h"

const char *
member_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

long long
member_number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}
