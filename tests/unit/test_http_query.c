/* SPDX-License-Identifier: Apache-2.0 */

/* Queries of URLs, and arguments with the types of a verb made of them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/text.h"
#include "orchd/control/arguments.h"
#include "orchd/http/http_query.h"
#include "orchd/page/verb_path.h"
#include "tests/support/test_arguments.h"

static void
test_queries(void **state)
{
    static const struct {
        const char *text;
        const char *pairs; /* NULL: invalid. */
    } cases[] = {
        {"", ""},
        {"a=b", "a=b;"},
        {"a", "a=;"},
        {"a=&b=c", "a=;b=c;"},
        {"a=b=c", "a=b=c;"},
        {"a=1&a=2", "a=1;a=2;"},
        {"a%3Db=%26+%2B", "a=b=& +;"},
        {"a=%C3%A4", "a=\xc3\xa4;"},
        {"=b", NULL},
        {"a=b&", NULL},
        {"&", NULL},
        {"a=%", NULL},
        {"a=%4", NULL},
        {"a=%4g", NULL},
        {"a=%00", NULL},
        {"a=%0a", NULL},
        {"a=%7F", NULL},
        {"%=a", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct http_query query;
        const enum st st = http_query_parse(cases[i].text, &query);
        struct text pairs = {0};

        assert_int_equal(st, cases[i].pairs ? ST_OK : ST_INVALID);
        for (size_t k = 0; !st && k < query.n; k++) {
            text_addf(&pairs, "%s=%s;", query.pairs[k].name,
                      query.pairs[k].value);
        }
        assert_string_equal(text_string(&pairs), st ? "" : cases[i].pairs);
        text_fini(&pairs);
        http_query_fini(&query);
    }
}

static void
test_a_query_has_a_limit(void **state)
{
    struct http_query query;
    struct text text = {0};

    (void)state;
    for (int i = 0; i < HTTP_QUERY_MAX; i++) {
        text_add(&text, i ? "&a" : "a");
    }
    assert_int_equal(http_query_parse(text_string(&text), &query), ST_OK);
    assert_int_equal(query.n, HTTP_QUERY_MAX);
    http_query_fini(&query);
    text_add(&text, "&a");
    assert_int_equal(http_query_parse(text_string(&text), &query), ST_INVALID);
    http_query_fini(&query);
    text_fini(&text);
}

static void
test_paths_of_verbs(void **state)
{
    static const char *const bad[] = {"",      "show",  "show/",  "/ports",
                                      "a/b/c", "a/b%2", "a%0A/b", "a//b",
                                      "/",     "a/%01"};
    struct verb_path verb;

    (void)state;
    assert_int_equal(verb_path_parse("show/p%6Frts", "name=a&stats", &verb),
                     ST_OK);
    assert_string_equal(verb.texts.noun, "show");
    assert_string_equal(verb.texts.verb, "ports");
    assert_int_equal(verb.texts.n_arguments, 2);
    assert_string_equal(verb.texts.arguments[0].value, "a");
    assert_string_equal(verb.texts.arguments[1].name, "stats");
    verb_path_fini(&verb);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(verb_path_parse(bad[i], "", &verb), ST_INVALID);
        verb_path_fini(&verb);
    }
    assert_int_equal(verb_path_parse("show/ports", "=", &verb), ST_INVALID);
    verb_path_fini(&verb);
}

/* Returns the arguments that 'query' stands for as text, "invalid" or "refused"
 * if they cannot be read, or are not allowed. */
static char *
parse(const char *text)
{
    struct argument_text texts[8];
    struct http_query query;
    json_t *made = NULL;
    struct err err = {0};
    char *printed;

    assert_int_equal(http_query_parse(text, &query), ST_OK);
    for (size_t i = 0; i < query.n; i++) {
        texts[i].name = query.pairs[i].name;
        texts[i].value = query.pairs[i].value;
    }
    if (arguments_parse(&test_argument_list, texts, query.n, &made, &err)) {
        printed = strdup("invalid");
    } else if (arguments_check(&test_argument_list, made, &err)) {
        printed = strdup("refused");
    } else {
        printed = json_dumps(made, JSON_COMPACT | JSON_SORT_KEYS);
        assert_string_equal(err.reason, "");
    }
    assert_true(*printed == '{' || err.reason[0]);
    json_decref(made);
    http_query_fini(&query);
    return printed;
}

static void
test_types_of_arguments(void **state)
{
    static const struct {
        const char *query, *arguments;
    } cases[] = {
        {"", "{}"},
        {"text=12", "{\"text\":\"12\"}"},
        {"text=", "refused"},
        {"text=a&text=b", "invalid"},
        {"text=%FF", "invalid"},
        {"colour=red", "{\"colour\":\"red\"}"},
        {"colour=blue", "refused"},
        {"texts=a&texts=b", "{\"texts\":[\"a\",\"b\"]}"},
        {"texts=a", "{\"texts\":[\"a\"]}"},
        {"texts=", "refused"},
        {"number=-5", "{\"number\":-5}"},
        {"number=1000", "{\"number\":1000}"},
        {"number=1001", "refused"},
        {"number=1e2", "refused"},
        {"number=", "refused"},
        {"number=1&number=1", "invalid"},
        {"flag", "{\"flag\":true}"},
        {"flag=true", "{\"flag\":true}"},
        {"flag=1", "{\"flag\":true}"},
        {"flag=false", "{\"flag\":false}"},
        {"flag=0", "{\"flag\":false}"},
        {"flag=yes", "refused"},
        {"object=%7B%22a%22:1%7D", "{\"object\":{\"a\":1}}"},
        {"object=%5B%5D", "refused"},
        {"object=%7B", "refused"},
        {"array=%5B1%5D", "{\"array\":[1]}"},
        {"other=1", "refused"},
        {"%24list=1", "refused"},
        {"%FF=1", "invalid"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *printed = parse(cases[i].query);

        if (strcmp(printed, cases[i].arguments)) {
            fail_msg("%s: %s", cases[i].query, printed);
        }
        free(printed);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_a_query_has_a_limit),
        cmocka_unit_test(test_paths_of_verbs),
        cmocka_unit_test(test_types_of_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
