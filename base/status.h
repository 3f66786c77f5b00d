/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_STATUS_H
#define ORCHD_BASE_STATUS_H

/* Results of functions that can fail, and explanations of failures.
 *
 * The members of 'enum st' differ in what the caller should *do*; a 'struct
 * err' says what went wrong.  One function per foreign library (errno, SAI,
 * hiredis, libyang) converts its codes to 'enum st' at the boundary, and they
 * travel no further. */

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"

/* X(member, retry, slug, sentence).  'retry' says what may make the same call
 * succeed later. */
#define ST_LIST(X)                                                             \
    X(OK, NEVER, "ok", "done")                                                 \
    X(INVALID, NEVER, "invalid", "the input is invalid")                       \
    X(NOT_FOUND, EDGE, "not-found",                                            \
      "an object that it refers to does not exist yet")                        \
    X(EXISTS, EDGE, "exists", "an object with this key exists already")        \
    X(BUSY, EDGE, "busy", "another object still uses it")                      \
    X(NO_RESOURCE, BACKOFF, "no-resource",                                     \
      "the device has no free resources for it")                               \
    X(UNSUPPORTED, NEVER, "unsupported", "the device cannot do this")          \
    X(DEVICE, BACKOFF, "device", "the device reported an error")               \
    X(IO, BACKOFF, "io", "the peer cannot be reached")

enum st {
#define X(member, retry, slug, sentence) ST_##member,
    ST_LIST(X)
#undef X
};

/* What may turn a failure into success. */
enum st_retry {
    ST_RETRY_NEVER,   /* Only a change of the input. */
    ST_RETRY_EDGE,    /* Another object appears, changes or is deleted. */
    ST_RETRY_BACKOFF, /* The same, or time: retry with growing delays. */
};

/* Returns the stable lower-case name of 'status', for example "no-resource". */
const char *st_name(enum st status);

/* Returns one sentence (no capital, no full stop) that explains 'status'. */
const char *st_sentence(enum st status);

/* Returns when a call that ended in 'status' is worth repeating. */
enum st_retry st_retry(enum st status);

/* Explains a failure to the person who can fix it.  The struct owns all
 * strings. They are truncated at their capacity, and empty if they do not
 * apply.  A zeroed struct means "no error". */
struct err {
    enum st status;
    char code[64];     /* Stable slug for programs: "range", "missing-ref". */
    char field[64];    /* The field that is wrong. */
    char value[128];   /* The value it has. */
    char allowed[256]; /* What it may have. */
    char reason[320];  /* One sentence for people. */
    char remedy[256];  /* What to do about it. */
};

/* Stores 'status', 'code' and a reason formatted by 'format' in '*err' (which
 * may be NULL), clears its other members, and returns 'status', so that a
 * function can end in "return err_set(...)". */
enum st err_set(struct err *err, enum st status, const char *code,
                const char *format, ...) ST_PRINTF(4, 5);

/* Texts that are too long end behind a whole word with " ...".
 *
 * Sets the field, its value and its allowed values.  NULL leaves a member
 * empty. Does nothing if 'err' is NULL. */
void err_set_field(struct err *err, const char *field, const char *value,
                   const char *allowed);

/* Formats the remedy.  Does nothing if 'err' is NULL. */
void err_set_remedy(struct err *err, const char *format, ...) ST_PRINTF(2, 3);

#endif /* base/status.h */
