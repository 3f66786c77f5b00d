/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_JSON_WRITER_H
#define ORCHD_CONTROL_JSON_WRITER_H

/* Serializes a JSON value, and frees it, in slices.
 *
 * Motivation: the answer to "show queues" of a switch with 512 ports has
 * megabytes.  json_dumps() and json_decref() process a value in one piece, for
 * a quarter of a second, in which orchd would do nothing else.
 *
 * The writer walks through the value with a stack.  A part of at most
 * JSON_WRITER_PART values is serialized by jansson in one piece, and then
 * freed; larger arrays and objects are entered.  So a slice exceeds its budget
 * by at most one part.  A part that has another
 * reference is serialized, but neither changed nor freed.
 *
 * Indivisible is only what is nested more than JSON_WRITER_DEPTH deep, and one
 * long string. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define JSON_WRITER_PART  64
#define JSON_WRITER_DEPTH 16

struct json_writer;
struct text;

/* Returns a writer that appends 'value' to 'text', as json_dumps() with
 * JSON_COMPACT does.  Takes ownership of 'value'; 'text' is borrowed, and NULL
 * to only free the value.  End with json_writer_destroy(). */
struct json_writer *json_writer_create(json_t *value, struct text *text);

/* Frees 'writer' and what is left of its value, in one piece.  Accepts NULL. */
void json_writer_destroy(struct json_writer *writer);

/* Processes about 'budget' more values.  (A string counts more the longer it
 * is.)  Returns whether some are left. */
bool json_writer_write(struct json_writer *writer, size_t budget);

#endif /* orchd/control/json_writer.h */
