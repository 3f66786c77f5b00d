/* SPDX-License-Identifier: Apache-2.0 */

/* Compares two snapshots. */

#include <config.h>

#include "orchctl/diff_verb.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "orchctl/member.h"
#include "orchd/control/protocol.h"

/* Reads a snapshot.  Prints the reason if that fails. */
static json_t *
read_snapshot(const char *path)
{
    json_error_t error;
    json_t *snapshot = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    struct err err = {0};

    if (snapshot && json_is_array(json_object_get(snapshot, "objects"))) {
        return snapshot;
    }
    if (snapshot) {
        err_set(&err, ST_INVALID, "snapshot",
                "%s is not a snapshot: it has no list \"objects\"", path);
    } else if (error.line < 0) {
        err_set(&err, ST_INVALID, "snapshot", "%s", error.text);
    } else {
        err_set(&err, ST_INVALID, "snapshot", "%s:%d:%d: %s", path, error.line,
                error.column, error.text);
    }
    verb_complain(&err);
    json_decref(snapshot);
    return NULL;
}

/* Returns whether both entries are of the same object. */
static bool
same_object(const json_t *a, const json_t *b)
{
    return !strcmp(member_text(a, "kind"), member_text(b, "kind")) &&
           !strcmp(member_text(a, "name"), member_text(b, "name")) &&
           member_number(a, "index") == member_number(b, "index");
}

/* Returns the object 'wanted' in 'snapshot', or NULL if it has none. */
static const json_t *
find_object(const json_t *snapshot, const json_t *wanted)
{
    json_t *object;
    size_t i;

    json_array_foreach(json_object_get(snapshot, "objects"), i, object)
    {
        if (same_object(object, wanted)) {
            return object;
        }
    }
    return NULL;
}

/* Appends "pg Ethernet0|3". */
static void
object_name(const json_t *object, struct text *text)
{
    text_addf(text, "%s %s", member_text(object, "kind"),
              member_text(object, "name"));
    if (!strcmp(member_text(object, "kind"), "pg") ||
        !strcmp(member_text(object, "kind"), "queue")) {
        text_addf(text, "|%lld", member_number(object, "index"));
    }
}

/* Returns the changes of an object, {"counter": [before, after]}.  A counter
 * that only one snapshot has counts as 0 in the other. */
static json_t *
changes_of(const json_t *before, const json_t *after)
{
    const json_t *sides[] = {json_object_get(before, "stats"),
                             json_object_get(after, "stats")};
    json_t *changes = json_object();

    for (size_t i = 0; i < 2; i++) {
        const char *name;
        json_t *value;

        json_object_foreach((json_t *)(uintptr_t)sides[i], name, value)
        {
            json_int_t was =
                json_integer_value(json_object_get(sides[0], name));
            json_int_t is = json_integer_value(json_object_get(sides[1], name));

            if (was != is) {
                json_object_set_new(changes, name,
                                    json_pack("[I, I]", was, is));
            }
        }
    }
    return changes;
}

/* Adds the changed objects of 'snapshot' to 'result': all objects of the
 * 'first' snapshot, and the objects of the second that the first does not
 * have. */
static void
add_changes(const json_t *snapshot, const json_t *other, bool first,
            json_t *result)
{
    json_t *object;
    size_t i;

    json_array_foreach(json_object_get(snapshot, "objects"), i, object)
    {
        const json_t *counterpart = find_object(other, object);
        struct text name = {0};
        json_t *changes;

        if (!first && counterpart) {
            continue;
        }
        changes = first ? changes_of(object, counterpart)
                        : changes_of(counterpart, object);
        object_name(object, &name);
        if (json_object_size(changes)) {
            json_object_set(result, text_string(&name), changes);
        }
        json_decref(changes);
        text_fini(&name);
    }
}

static void
print_changes(const json_t *result)
{
    const char *name, *counter;
    json_t *changes, *values;

    json_object_foreach((json_t *)(uintptr_t)result, name, changes)
    {
        printf("%s\n", name);
        json_object_foreach(changes, counter, values)
        {
            json_int_t was = json_integer_value(json_array_get(values, 0));
            json_int_t is = json_integer_value(json_array_get(values, 1));

            printf("    %-40s %lld -> %lld (%+lld)\n", counter, (long long)was,
                   (long long)is, (long long)(is - was));
        }
    }
}

int
asic_diff(struct invocation *invocation)
{
    json_t *before = read_snapshot(invocation->operands[0]);
    json_t *after = before ? read_snapshot(invocation->operands[1]) : NULL;
    json_t *result = json_object();
    int code = CONTROL_USAGE;

    if (after) {
        add_changes(before, after, true, result);
        add_changes(after, before, false, result);
        code = json_object_size(result) ? CONTROL_NO : CONTROL_DONE;
        if (invocation->json) {
            verb_print_json(result);
        } else {
            print_changes(result);
        }
    }
    json_decref(result);
    json_decref(after);
    json_decref(before);
    return code;
}
