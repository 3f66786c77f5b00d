/* SPDX-License-Identifier: Apache-2.0 */

/* The rows of function tables, compared with the facts of all releases: every
 * table has in each release the length that is known of it, and each verb of
 * each type is where the function of that name is. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/text.h"
#include "sai/core/metadata.h"
#include "sai/loader/function_table.h"

/* Loads a file of facts, or skips the test. */
static json_t *
load_file(const char *name)
{
    const char *shared = getenv("ORCHD_SHARED");
    char path[512];
    json_t *facts;

    if (!shared ||
        !text_format(path, sizeof path, "%s/data/sai/%s", shared, name)) {
        print_message("ORCHD_SHARED names no folder with facts\n");
        skip();
    }
    facts = json_load_file(path, 0, NULL);
    if (!facts) {
        print_message("%s cannot be read\n", path);
        skip();
    }
    return facts;
}

/* Loads the facts about all APIs, or skips the test. */
static json_t *
load_facts(void)
{
    json_t *facts = load_file("abi.json");
    json_t *more = load_file("abi_more.json");

    json_object_update_missing(json_object_get(facts, "apis"),
                               json_object_get(more, "apis"));
    json_decref(more);
    return facts;
}

/* Returns "buffer_pool" for SAI_OBJECT_TYPE_BUFFER_POOL. */
static void
object_name(sai_object_type_t type, char *name, size_t size)
{
    (void)text_copy(name, size,
                    metadata_type_name(type) + strlen("SAI_OBJECT_TYPE_"));
    for (char *c = name; *c; c++) {
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    }
}

/* Returns the facts of the API with that id, NULL if they do not have it. */
static json_t *
facts_of(json_t *facts, sai_api_t api)
{
    const char *name;
    json_t *value;

    json_object_foreach(json_object_get(facts, "apis"), name, value)
    {
        if (json_integer_value(json_object_get(value, "api_id")) ==
            (json_int_t)api) {
            return value;
        }
    }
    return NULL;
}

/* Returns the release as SAI_VERSION(), 0 for what is no release that can be
 * loaded. */
static uint64_t
release(const char *name)
{
    unsigned int part[3];

    return sscanf(name, "v%u.%u.%u", &part[0], &part[1], &part[2]) == 3 &&
                   (part[0] > 1 || part[1] >= 9)
               ? part[0] * 10000u + part[1] * 100u + part[2]
               : 0;
}

static void
test_tables_are_as_long_as_each_release_has_them(void **state)
{
    json_t *facts = load_facts();
    size_t n_objects;
    const struct metadata_object *objects = metadata_objects(&n_objects);
    int n_compared = 0;

    (void)state;
    for (size_t i = 0; i < n_objects; i++) {
        const sai_api_t api = objects[i].api;
        json_t *releases = json_object_get(facts_of(facts, objects[i].api),
                                           "slots_by_release");
        const char *name;
        json_t *n;

        json_object_foreach(releases, name, n)
        {
            const uint64_t version = release(name);
            size_t expected = (size_t)json_integer_value(n);

            /* The last two changed places and are not used before. */
            if (api == SAI_API_NEXT_HOP_GROUP && version < 11100) {
                expected = 14;
            }
            if (version) {
                assert_int_equal(function_table_n_slots(api, version),
                                 expected);
                n_compared++;
            }
        }
    }
    assert_true(n_compared > 500);
    json_decref(facts);
}

/* How the functions are called: "create_" + object + "" and so on; 'several'
 * are those whose name has a plural, which is not compared. */
static const struct {
    enum op op;
    const char *before, *behind;
    bool several;
} names[] = {
    {OP_CREATE, "create_", "", false},
    {OP_REMOVE, "remove_", "", false},
    {OP_SET, "set_", "_attribute", false},
    {OP_GET, "get_", "_attribute", false},
    {OP_GET_STATS, "get_", "_stats_ext", false},
    {OP_CREATE_MANY, "create_", "s", true},
    {OP_REMOVE_MANY, "remove_", "s", true},
    {OP_SET_MANY, "set_", "s_attribute", true},
    {OP_GET_MANY, "get_", "s_attribute", true},
};

/* Returns the name of the function in a slot. */
static const char *
slot_name(json_t *api, size_t offset)
{
    return json_string_value(json_object_get(
        json_array_get(json_object_get(api, "slots"), offset / sizeof(void *)),
        "name"));
}

static void
test_verbs_are_where_their_functions_are(void **state)
{
    json_t *facts = load_facts();
    size_t n_objects;
    const struct metadata_object *objects = metadata_objects(&n_objects);

    (void)state;
    for (size_t i = 0; i < n_objects; i++) {
        const struct function_table_row *row =
            function_table_find(objects[i].type);
        json_t *api = facts_of(facts, objects[i].api);
        char object[64], name[128];

        if (!row || !api) { /* The arguments of another function. */
            continue;
        }
        object_name(row->type, object, sizeof object);
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            const size_t offset = function_table_offset(row, names[k].op);
            const size_t stem = strlen(object) - 1; /* "entr" of "entries". */

            if (!offset && names[k].op != OP_CREATE) {
                continue;
            }
            (void)text_format(name, sizeof name, "%s%s%s", names[k].before,
                              object, names[k].behind);
            if (!names[k].several) {
                assert_string_equal(slot_name(api, offset), name);
                continue;
            }
            assert_memory_equal(slot_name(api, offset), name,
                                strlen(names[k].before) + stem);
            assert_string_equal(slot_name(api, offset) +
                                    strlen(slot_name(api, offset)) -
                                    strlen(names[k].behind),
                                names[k].behind);
        }
    }
    json_decref(facts);
}

/* A bulk function that exists is used. */
static void
test_every_bulk_function_has_a_row(void **state)
{
    json_t *facts = load_facts();
    const char *name;
    json_t *api;
    int n_found = 0;
    size_t n_objects;
    const struct metadata_object *objects = metadata_objects(&n_objects);

    (void)state;
    json_object_foreach(json_object_get(facts, "apis"), name, api)
    {
        const sai_api_t id =
            (sai_api_t)json_integer_value(json_object_get(api, "api_id"));
        json_t *slot;
        size_t k;

        json_array_foreach(json_object_get(api, "slots"), k, slot)
        {
            const char *type =
                json_string_value(json_object_get(slot, "fn_type"));
            bool found = false;

            if (!function_table_n_slots(id, SAI_API_VERSION) || !type ||
                strncmp(type, "sai_bulk_", 9)) {
                continue;
            }
            for (size_t i = 0; i < n_objects; i++) {
                const struct function_table_row *row =
                    function_table_find(objects[i].type);

                for (int op = OP_CREATE_MANY; row && op <= OP_GET_MANY; op++) {
                    found |= row->api == id &&
                             function_table_offset(row, (enum op)op) ==
                                 k * sizeof(void *);
                }
            }
            if (!found) {
                fail_msg("%s is in no row",
                         json_string_value(json_object_get(slot, "name")));
            }
            n_found++;
        }
    }
    assert_true(n_found > 40);
    json_decref(facts);
}

static void
test_types_that_are_modelled_have_a_row(void **state)
{
    size_t n;
    const struct metadata_object *objects = metadata_objects(&n);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        const sai_object_type_t type = objects[i].type;

        /* Arguments of a function, not objects. */
        if (type != SAI_OBJECT_TYPE_FDB_FLUSH &&
            type != SAI_OBJECT_TYPE_HOSTIF_PACKET) {
            assert_non_null(function_table_find(type));
        } else {
            assert_null(function_table_find(type));
        }
    }
    assert_null(function_table_find(SAI_OBJECT_TYPE_UDF));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_are_as_long_as_each_release_has_them),
        cmocka_unit_test(test_verbs_are_where_their_functions_are),
        cmocka_unit_test(test_every_bulk_function_has_a_row),
        cmocka_unit_test(test_types_that_are_modelled_have_a_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
