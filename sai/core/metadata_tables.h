/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_METADATA_TABLES_H
#define ORCHD_SAI_CORE_METADATA_TABLES_H

/* The constant tables behind sai/core/metadata.h, and the form of their rows.
 *
 * sai/core/metadata.h finds rows by id or by name.  It includes this header,
 * because it returns pointers to rows.
 *
 * There is one row per object type and one per enumeration, in the order of
 * sai/include/all.def.  The enumerators below are their indices.  The compiler
 * makes all tables from the .def files. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/kind.h"

/* One member of an enumeration. */
struct metadata_enumerator {
    int32_t value;
    uint16_t name_length;
    const char *name;
};

/* An enumeration; 'members' is sorted by value.  If a value has two names,
 * output uses the first. */
struct metadata_enum {
    const char *name; /* "sai_queue_type_t". */
    const struct metadata_enumerator *members;
    uint16_t n_members;
    bool flags; /* Members are bits; any combination is a value. */
};

/* METADATA_FLAG_*, the tags of an attribute. */
#define METADATA_FLAG_MANDATORY_ON_CREATE 0x01u
#define METADATA_FLAG_CREATE_ONLY         0x02u
#define METADATA_FLAG_CREATE_AND_SET      0x04u
#define METADATA_FLAG_READ_ONLY           0x08u
#define METADATA_FLAG_KEY                 0x10u

enum metadata_default {
    METADATA_DEFAULT_NONE,     /* Mandatory or read-only. */
    METADATA_DEFAULT_CONST,    /* 'default_value'. */
    METADATA_DEFAULT_EMPTY,    /* The empty list. */
    METADATA_DEFAULT_INTERNAL, /* Depends on the device: read it. */
    METADATA_DEFAULT_VENDOR,   /* Depends on the vendor: read it. */
    METADATA_DEFAULT_SAME_AS,  /* That of another object; see below. */
};

enum metadata_condition {
    METADATA_ALWAYS,
    METADATA_REQUIRED_IF_ANY, /* Exists only if one term holds. */
    METADATA_REQUIRED_IF_ALL,
    METADATA_VALID_IF_ANY, /* Has an effect only if one term holds. */
    METADATA_VALID_IF_ALL,
    METADATA_VALID_IF_FIRST_AND_ANY, /* The first term and one of the rest. */
};

/* X(UNIT, text): the unit of a number. */
#define METADATA_UNITS(X)                                                      \
    X(NONE, "")                                                                \
    X(BYTES, "bytes")                                                          \
    X(KILOBYTES, "kB")                                                         \
    X(BYTES_PER_SECOND, "bytes/s")                                             \
    X(BYTES_OR_PACKETS, "bytes or packets")                                    \
    X(BYTES_OR_PACKETS_PER_SECOND, "bytes/s or packets/s")                     \
    X(MBITS_PER_SECOND, "Mbit/s")                                              \
    X(PACKETS, "packets")                                                      \
    X(ENTRIES, "entries")                                                      \
    X(PERCENT, "percent")                                                      \
    X(SECONDS, "s")                                                            \
    X(MILLISECONDS, "ms")                                                      \
    X(MICROSECONDS, "us")                                                      \
    X(NANOSECONDS, "ns")                                                       \
    X(CELSIUS, "degrees Celsius")

enum metadata_unit {
#define X(UNIT, text) METADATA_UNIT_##UNIT,
    METADATA_UNITS(X)
#undef X
};

/* "Attribute 'id' of the same object has 'value'." */
struct metadata_term {
    sai_attr_id_t id;
    int64_t value;
};

/* One attribute. */
struct metadata_attribute {
    const char *name; /* "SAI_QUEUE_ATTR_TYPE". */
    uint16_t name_length;
    uint16_t since; /* Release, 10000 * major + 100 * minor + revision. */
    sai_attr_id_t id;
    enum kind kind;
    unsigned int flags; /* METADATA_FLAG_*. */

    enum metadata_default default_kind;
    int64_t default_value; /* In the member of 'kind'; 0 is all zeros. */

    /* For SAME_AS: the default is the value of attribute 'default_value' of the
     * object of this type to which this object belongs (its switch or its
     * router). */
    sai_object_type_t default_object;

    /* For a plain number or the elements of a list of numbers. */
    enum metadata_unit unit;
    bool has_range; /* Both ends included. */
    int64_t min;
    int64_t max;

    /* For an S32 or the elements of an S32LIST; NULL: a plain number. */
    const struct metadata_enum *enumeration;

    /* For an OID or the elements of an OBJLIST: the allowed object types,
     * terminated by SAI_OBJECT_TYPE_NULL.  Else NULL. */
    const sai_object_type_t *objects;
    bool null_allowed; /* An OID may be SAI_NULL_OBJECT_ID. */

    enum metadata_condition condition;
    uint16_t n_terms;
    const struct metadata_term *terms;
};

/* A second name of an attribute. */
struct metadata_alias {
    const char *name;
    uint16_t name_length;
    sai_attr_id_t id;
};

/* One counter. */
struct metadata_stat {
    const char *name; /* "SAI_QUEUE_STAT_PACKETS". */
    uint16_t name_length;
    uint16_t since;
    sai_stat_id_t id;
};

/* One modelled object type; the arrays are sorted by id. */
struct metadata_object {
    sai_object_type_t type;
    sai_api_t api;    /* The function table that has its functions. */
    const char *name; /* "SAI_OBJECT_TYPE_QUEUE". */
    const struct metadata_attribute *attributes;
    const struct metadata_alias *aliases;
    const struct metadata_stat *stats;
    uint16_t n_attributes;
    uint16_t n_aliases;
    uint16_t n_stats;
};

/* METADATA_TABLES_QUEUE, ...: indices of metadata_tables_objects. */
enum {
#define SAI_OBJECT_BEGIN(TYPE, object, API, ...) METADATA_TABLES_##TYPE,
#include "all.def"
    METADATA_TABLES_N_OBJECTS,
};

/* METADATA_TABLES_ENUM_queue_type, ...: indices of metadata_tables_enums. */
enum {
#define SAI_ENUM_BEGIN(e)  METADATA_TABLES_ENUM_##e,
#define SAI_FLAGS_BEGIN(e) METADATA_TABLES_ENUM_##e,
#include "all.def"
    METADATA_TABLES_N_ENUMS,
};

/* One row each; see above for the indices. */
extern const struct metadata_object
    metadata_tables_objects[METADATA_TABLES_N_OBJECTS];
extern const struct metadata_enum
    metadata_tables_enums[METADATA_TABLES_N_ENUMS];

#endif /* sai/core/metadata_tables.h */
