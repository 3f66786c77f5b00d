/* SPDX-License-Identifier: Apache-2.0 */

/* The head of an HTTP request, and the text of an address: what is accepted
 * lies within the input and has the form that the server relies on. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "orchd/http/http_address.h"
#include "orchd/http/http_request.h"
#include "tests/fuzz/fuzz.h"

/* Checks that 'text' ends within the 'length' bytes of 'head'. */
static void
check_within(const char *text, const char *head, size_t length)
{
    FUZZ_CHECK(text >= head && text <= head + length);
    FUZZ_CHECK(text + strlen(text) <= head + length);
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
