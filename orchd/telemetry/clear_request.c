/* SPDX-License-Identifier: Apache-2.0 */

/* Parses two words, which come from any client of Redis. */

#include <config.h>

#include "orchd/telemetry/clear_request.h"

#include <jansson.h>
#include <string.h>

#include "base/text.h"

/* Longer than any valid request. */
#define PAYLOAD_MAX 256

/* Fills 'err': 'payload' is not a valid request; 'what' says why. */
static enum st
refuse(struct err *err, const char *payload, const char *what)
{
    char allowed[256];
    struct text classes = {0};

    for (int i = 0; i < N_WATERMARK_CLASSES; i++) {
        text_add_item(&classes, "|",
                      watermark_class_name((enum watermark_class)i));
    }
    text_format(allowed, sizeof allowed, "[\"USER\"|\"PERSISTENT\", \"%s\"]",
                text_string(&classes));
    text_fini(&classes);
    err_set(err, ST_INVALID, "watermark-request",
            "%.64s is not a request to clear watermarks: %s", payload, what);
    err_set_field(err, NULL, payload, allowed);
    err_set_remedy(err, "publish %s", allowed);
    return ST_INVALID;
}

/* Returns element 'i' of 'array' if it is a string, else "". */
static const char *
word(const json_t *array, size_t i)
{
    const char *text = json_string_value(json_array_get(array, i));

    return text ? text : "";
}

enum st
clear_request_parse(const char *payload, enum watermark_table *table,
                    enum watermark_class *class, struct err *err)
{
    enum watermark_table named = WATERMARK_PERIODIC;
    json_t *array = strlen(payload) <= PAYLOAD_MAX
                        ? json_loads(payload, JSON_REJECT_DUPLICATES, NULL)
                        : NULL;
    enum st status = ST_OK;

    if (json_array_size(array) != 2) {
        status = refuse(err, payload, "it is not an array of two words");
    } else if (!watermark_table_find(word(array, 0), &named) ||
               named == WATERMARK_PERIODIC) {
        status = refuse(err, payload, "the first word is unknown");
    } else if (!watermark_class_find(word(array, 1), class)) {
        status = refuse(err, payload, "the second word is unknown");
    } else {
        *table = named;
    }
    json_decref(array);
    return status;
}
