/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_JSON_READER_H
#define ORCHD_CONTROL_JSON_READER_H

/* Parses a JSON text in slices.
 *
 * Motivation: a request to load the configuration of 512 ports has half a
 * megabyte, and may have 16 MiB.  json_loadb() parses it in one piece, for 20
 * ms per megabyte, in which orchd would do nothing else.
 *
 * The reader walks through the text with a stack.  A value of at most
 * JSON_READER_PART bytes is parsed by jansson in one piece; larger arrays and
 * objects are entered.  So a slice exceeds its budget by at most one part.
 * Indivisible is only what is nested more than JSON_READER_DEPTH deep, and one
 * long string. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define JSON_READER_PART  4096
#define JSON_READER_DEPTH 16

struct json_reader;

/* Returns a reader of the 'length' bytes of 'text', which are copied.  End with
 * json_reader_destroy(), which accepts NULL. */
struct json_reader *json_reader_create(const char *text, size_t length);
void json_reader_destroy(struct json_reader *reader);

/* Parses about 'budget' more bytes.  Returns whether some are left; if not,
 * json_reader_take() returns the value. */
bool json_reader_read(struct json_reader *reader, size_t budget);

/* Returns what json_loadb() with JSON_REJECT_DUPLICATES does, an array or an
 * object, which the caller releases; NULL if the text is none, and the reason
 * in 'err', ST_INVALID. */
json_t *json_reader_take(struct json_reader *reader, struct err *err);

/* Returns what has been parsed, to free it in slices; NULL: nothing.  The
 * reader has ended. */
json_t *json_reader_give_up(struct json_reader *reader);

#endif /* orchd/control/json_reader.h */
