/* SPDX-License-Identifier: Apache-2.0 */

/* The head of an HTTP request, its query, and the text of an address: what is
 * accepted lies within the input and has the form that the server relies on. */

#include <config.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "orchd/control/arguments.h"
#include "orchd/http/http_address.h"
#include "orchd/http/http_query.h"
#include "orchd/http/http_request.h"
#include "orchd/page/verb_path.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/test_arguments.h"

/* Checks that 'text' ends within the 'length' bytes of 'head'. */
static void
check_within(const char *text, const char *head, size_t length)
{
    FUZZ_CHECK(text >= head && text <= head + length);
    FUZZ_CHECK(text + strlen(text) <= head + length);
}

/* Checks that a decoded text is one. */
static void
check_decoded(const char *text)
{
    for (; *text; text++) {
        FUZZ_CHECK((unsigned char)*text >= ' ' && *text != 0x7f);
    }
}

/* The arguments of a verb become JSON of the right types, or are explained. */
static void
check_arguments(const struct verb_path *verb)
{
    const struct command_texts *texts = &verb->texts;
    struct err err = {0};
    json_t *made = NULL;

    if (arguments_parse(&test_argument_list, texts->arguments,
                        texts->n_arguments, &made, &err) ||
        arguments_check(&test_argument_list, made, &err)) {
        FUZZ_CHECK(err.status == ST_INVALID && err.reason[0]);
    } else {
        const json_t *number = json_object_get(made, "number");
        const json_t *texts_ = json_object_get(made, "texts");

        FUZZ_CHECK(json_object_size(made) <= texts->n_arguments);
        FUZZ_CHECK(!number || (json_is_integer(number) &&
                               json_integer_value(number) <= 1000));
        FUZZ_CHECK(!texts_ || json_array_size(texts_));
    }
    json_decref(made);
}

/* A target as a verb with its arguments. */
static void
check_verb(const char *path, const char *text)
{
    struct http_query query;
    struct verb_path verb;

    if (!http_query_parse(text, &query)) {
        FUZZ_CHECK(query.n <= HTTP_QUERY_MAX);
        for (size_t i = 0; i < query.n; i++) {
            FUZZ_CHECK(query.pairs[i].name[0]);
            check_decoded(query.pairs[i].name);
            check_decoded(query.pairs[i].value);
        }
    }
    http_query_fini(&query);
    if (!verb_path_parse(path + 1, text, &verb)) {
        check_decoded(verb.texts.noun);
        check_decoded(verb.texts.verb);
        check_arguments(&verb);
    }
    verb_path_fini(&verb);
}

static void
check_request(const struct http_request *request, const char *head,
              size_t length)
{
    FUZZ_CHECK(request->method <= HTTP_POST);
    check_within(request->path, head, length);
    FUZZ_CHECK(request->path[0] == '/' && !strpbrk(request->path, " \t\r\n?"));
    if (*request->query) {
        check_within(request->query, head, length);
    }
    if (*request->host) {
        check_within(request->host, head, length);
    }
    if (request->origin) {
        check_within(request->origin, head, length);
    }
    /* The name of a site is not local. */
    FUZZ_CHECK(!http_request_is_local(request) ||
               !strstr(request->host, ".example"));
    (void)http_request_is_foreign(request);
    (void)http_request_has(request, "\"0123\"");
    FUZZ_CHECK(!http_request_takes_gzip(request) ||
               strcasestr(request->accept_encoding, "gzip"));
    check_verb(request->path, request->query);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = check_malloc(size + 1);
    struct http_address address;
    struct http_request request;
    struct err err = {0};
    size_t length;

    memcpy(text, data, size);
    text[size] = '\0';
    if (http_address_parse(text, &address, &err)) {
        FUZZ_CHECK(err.status == ST_INVALID && err.reason[0] && err.remedy[0]);
    } else {
        FUZZ_CHECK(address.is_unix ? address.path[0] != '\0'
                                   : http_address_size(&address) > 0);
    }
    length = http_head_length(text, size);
    FUZZ_CHECK(length <= size);
    if (length &&
        http_request_parse(text, length, &request) == HTTP_STATUS_OK) {
        check_request(&request, text, length);
    }
    free(text);
    return 0;
}
