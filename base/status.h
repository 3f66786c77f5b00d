/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_STATUS_H
#define ORCHD_BASE_STATUS_H

/* Outcomes of fallible functions, and the explanation that goes with a bad one.
 *
 * The members of 'enum st' differ in what the caller should *do*, not in what
 * went wrong: that is said in a 'struct err'.  Codes of foreign libraries
 * (errno, SAI, hiredis, libyang) become an 'enum st' at the boundary, in one
 * function per library, and travel no further. */

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"

/* X(member, retry, slug, sentence).  'retry' says what may make the same call
 * succeed later. */
#define ST_LIST(X)                                                             \
    X(OK, NEVER, "ok", "done")                                                 \
    X(INVALID, NEVER, "invalid", "the input is wrong and its author must fix") \
    X(NOT_FOUND, EDGE, "not-found", "something named here does not exist yet") \
    X(EXISTS, EDGE, "exists", "something with this identity exists already")   \
    X(BUSY, EDGE, "busy", "it is still in use by something else")              \
    X(NO_RESOURCE, BACKOFF, "no-resource",                                     \
      "the device has no room for it now")                                     \
    X(UNSUPPORTED, NEVER, "unsupported", "the device cannot do this")          \
    X(DEVICE, BACKOFF, "device", "the device refused for a reason of its own") \
    X(IO, BACKOFF, "io", "the other side could not be reached")

enum st {
#define X(member, retry, slug, sentence) ST_##member,
    ST_LIST(X)
#undef X
};

/* What may turn a failure into success. */
enum st_retry {
    ST_RETRY_NEVER,   /* Only a change of the input. */
    ST_RETRY_EDGE,    /* Another object appears, changes or goes. */
    ST_RETRY_BACKOFF, /* The same, or simply time: try again, ever later. */
};

/* Returns the stable lower-case name of 'status', for example "no-resource". */
const char *st_name(enum st status);

/* Returns one sentence (no capital, no full stop) that explains 'status'. */
const char *st_sentence(enum st status);

/* Returns when a call that ended in 'status' is worth repeating. */
enum st_retry st_retry(enum st status);

/* A failure explained to the person who caused it.  All strings are owned by
 * the struct, cut at their capacity, and empty when they do not apply.  A
 * zeroed struct says "no error". */
struct err {
    enum st status;
    char code[64];     /* Stable slug for programs: "range", "missing-ref". */
    char field[64];    /* The field that is wrong. */
    char value[128];   /* The value it has. */
    char allowed[256]; /* What it may have. */
    char reason[320];  /* One sentence for people. */
    char remedy[256];  /* What to do about it. */
};

/* Fills '*err' (which may be NULL) with 'status', 'code' and a reason made
 * from 'format', clears its other members, and returns 'status', so that a
 * function can end in "return err_set(...)". */
enum st err_set(struct err *err, enum st status, const char *code,
                const char *format, ...) ST_PRINTF(4, 5);

/* Sets the field, the value it has and the values it may have; each may be
 * NULL to leave it empty.  Does nothing when 'err' is NULL. */
void err_set_field(struct err *err, const char *field, const char *value,
                   const char *allowed);

/* Sets the remedy from 'format'.  Does nothing when 'err' is NULL. */
void err_set_remedy(struct err *err, const char *format, ...) ST_PRINTF(2, 3);

#endif /* base/status.h */
