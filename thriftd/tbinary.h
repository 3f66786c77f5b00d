/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_THRIFTD_TBINARY_H
#define ORCHD_THRIFTD_TBINARY_H

/* Reads and writes messages of Apache Thrift's binary protocol.
 *
 * A message is a name, a type and a sequence number, and one structure: the
 * arguments of a call, or its result.  Values describe themselves: a field has
 * a type and an id, a list the type of its elements.  So a message is read
 * without its IDL, into a tree, in which callers look for fields by id.
 * Fields may be absent, and unknown ones are ignored, as in every
 * implementation.
 *
 * Messages come without frames on a byte stream: tbinary_read() finds their end
 * by reading.  Two forms exist: the strict one begins with a version, the old
 * one with the length of the name.  Both are read; an answer has the form of
 * its call.
 *
 * Nothing from outside is trusted: a message has at most TBINARY_BYTES_MAX
 * bytes and TBINARY_DEPTH_MAX levels, and no length is believed before the
 * bytes are there.  All numbers are in network byte order.
 *
 * Reference: "Thrift Binary protocol encoding" in the specification of Apache
 * Thrift. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct text;

#define TBINARY_BYTES_MAX UINT32_C(65536)
#define TBINARY_DEPTH_MAX 8
#define TBINARY_NAME_MAX  127

enum tbinary_type {
    TBINARY_STOP = 0,
    TBINARY_BOOL = 2,
    TBINARY_BYTE = 3,
    TBINARY_DOUBLE = 4,
    TBINARY_I16 = 6,
    TBINARY_I32 = 8,
    TBINARY_I64 = 10,
    TBINARY_STRING = 11,
    TBINARY_STRUCT = 12,
    TBINARY_MAP = 13,
    TBINARY_SET = 14,
    TBINARY_LIST = 15,
};

enum tbinary_kind {
    TBINARY_CALL = 1,
    TBINARY_REPLY = 2,
    TBINARY_EXCEPTION = 3,
    TBINARY_ONEWAY = 4,
};

/* Types of application exceptions. */
enum tbinary_exception {
    TBINARY_UNKNOWN_METHOD = 1,
    TBINARY_INVALID_MESSAGE_TYPE = 2,
    TBINARY_INTERNAL_ERROR = 6,
    TBINARY_PROTOCOL_ERROR = 7,
};

/* A value.  Lists, sets and maps (keys and values in turn) have 'items'. */
struct tbinary_value {
    enum tbinary_type type;
    uint32_t n;            /* Bytes of a string, items. */
    int64_t number;        /* Of BOOL to I64; the bits of a DOUBLE. */
    const uint8_t *string; /* Not terminated; borrowed from the message. */
    const struct tbinary_value *items;
    const struct tbinary_field *fields; /* Of a STRUCT; NULL: none. */
};

struct tbinary_field {
    int16_t id;
    struct tbinary_value value;
    const struct tbinary_field *next;
};

struct tbinary_message {
    enum tbinary_kind kind;
    int32_t sequence;
    bool strict; /* Its form, and that of the answer. */
    char name[TBINARY_NAME_MAX + 1];
    struct tbinary_value body;
};

enum tbinary_outcome {
    TBINARY_WHOLE,
    TBINARY_SHORT, /* The message goes on beyond the 'n' bytes. */
    TBINARY_BAD,   /* It violates the protocol or a limit. */
};

/* Reads the message at the beginning of 'n' bytes, with memory from 'arena'.
 * TBINARY_WHOLE: '*message' is valid as long as 'bytes' and 'arena', and
 * '*length' is its length.  TBINARY_BAD: '*why' is a phrase for people; static.
 */
enum tbinary_outcome tbinary_read(const uint8_t *bytes, size_t n,
                                  struct arena *arena,
                                  struct tbinary_message *message,
                                  size_t *length, const char **why);

/* Returns the value of field 'id' of a structure if it has 'type'; NULL if not,
 * or if 'structure' is NULL or none. */
const struct tbinary_value *tbinary_field(const struct tbinary_value *structure,
                                          int16_t id, enum tbinary_type type);

/* Append to 'out': the beginning of an answer to 'call', which the result as a
 * structure follows; the beginning of a field or a list; values; the end of a
 * structure. */
void tbinary_put_answer(struct text *out, const struct tbinary_message *call,
                        enum tbinary_kind kind);
void tbinary_put_field(struct text *out, enum tbinary_type type, int16_t id);
void tbinary_put_list(struct text *out, enum tbinary_type type, uint32_t n);
void tbinary_put_bool(struct text *out, bool value);
void tbinary_put_i32(struct text *out, int32_t value);
void tbinary_put_i64(struct text *out, int64_t value);
void tbinary_put_string(struct text *out, const char *string);
void tbinary_put_stop(struct text *out);

/* Appends the whole answer that 'call' has failed, with text 'why'. */
void tbinary_put_exception(struct text *out, const struct tbinary_message *call,
                           enum tbinary_exception type, const char *why);

#endif /* thriftd/tbinary.h */
