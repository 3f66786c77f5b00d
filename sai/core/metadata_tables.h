/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_METADATA_TABLES_H
#define ORCHD_SAI_CORE_METADATA_TABLES_H

/* The constant tables behind sai/core/metadata.h, and the form of their rows.
 *
 * Whoever wants to know something asks sai/core/metadata.h, which finds rows by
 * id or by name; it includes this, as its answers are pointers to rows.
 *
 * One row per object type, in the order of METADATA_OBJECTS, and one per
 * enumeration, in the order of enum/all.def; the enumerators below are their
 * indices.  All is made from the .def files when it is compiled. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/kind.h"

/* X(TYPE): the modelled object types. */
#define METADATA_OBJECTS(X)                                                    \
    X(SWITCH)                                                                  \
    X(PORT)                                                                    \
    X(BUFFER_POOL)                                                             \
    X(BUFFER_PROFILE)                                                          \
    X(INGRESS_PRIORITY_GROUP)                                                  \
    X(QUEUE)                                                                   \
    X(QOS_MAP)                                                                 \
    X(SCHEDULER)                                                               \
    X(SCHEDULER_GROUP)                                                         \
    X(WRED)                                                                    \
    X(SWITCH_TUNNEL)                                                           \
    X(PORT_POOL)                                                               \
    X(PORT_CONNECTOR)                                                          \
    X(PORT_SERDES)                                                             \
    X(PORT_LLR_PROFILE)                                                        \
    X(HOSTIF)                                                                  \
    X(HOSTIF_TRAP)                                                             \
    X(HOSTIF_TRAP_GROUP)                                                       \
    X(HOSTIF_USER_DEFINED_TRAP)                                                \
    X(HOSTIF_TABLE_ENTRY)                                                      \
    X(HOSTIF_PACKET)                                                           \
    X(VLAN)                                                                    \
    X(VLAN_MEMBER)                                                             \
    X(BRIDGE)                                                                  \
    X(BRIDGE_PORT)                                                             \
    X(FDB_ENTRY)                                                               \
    X(FDB_FLUSH)                                                               \
    X(VIRTUAL_ROUTER)                                                          \
    X(ROUTER_INTERFACE)                                                        \
    X(NEXT_HOP)                                                                \
    X(NEXT_HOP_GROUP)                                                          \
    X(NEXT_HOP_GROUP_MEMBER)                                                   \
    X(NEXT_HOP_GROUP_MAP)                                                      \
    X(NEIGHBOR_ENTRY)                                                          \
    X(ROUTE_ENTRY)                                                             \
    X(LAG)                                                                     \
    X(LAG_MEMBER)

/* One member of an enumeration. */
struct metadata_enumerator {
    int32_t value;
    uint16_t name_length;
    const char *name;
};

/* An enumeration; 'members' is sorted by value.  Where a value has two names
 * the first is the one that is written. */
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
    METADATA_DEFAULT_EMPTY,    /* The list without elements. */
    METADATA_DEFAULT_INTERNAL, /* Known to the device: read it. */
    METADATA_DEFAULT_VENDOR,   /* Up to its maker: read it. */
    METADATA_DEFAULT_SAME_AS,  /* That of another object; see below. */
};

enum metadata_condition {
    METADATA_ALWAYS,
    METADATA_REQUIRED_IF_ANY, /* Does not exist unless one term holds. */
    METADATA_REQUIRED_IF_ALL,
    METADATA_VALID_IF_ANY, /* Without effect unless one term holds. */
    METADATA_VALID_IF_ALL,
    METADATA_VALID_IF_FIRST_AND_ANY, /* The first term and one of the rest. */
};

/* X(UNIT, text): what a number counts. */
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

    /* Of SAME_AS: the default is what attribute 'default_value' of the object
     * of this type has that this one belongs to (its switch, its router). */
    sai_object_type_t default_object;

    /* Of a plain number, or of the elements of a list of them. */
    enum metadata_unit unit;
    bool has_range; /* Both ends included. */
    int64_t min;
    int64_t max;

    /* Of an S32 or of the elements of an S32LIST; NULL: a plain number. */
    const struct metadata_enum *enumeration;

    /* Of an OID or of the elements of an OBJLIST: the types that it may have,
     * ended by SAI_OBJECT_TYPE_NULL.  Else NULL. */
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
    const char *name; /* "SAI_OBJECT_TYPE_QUEUE". */
    const struct metadata_attribute *attributes;
    const struct metadata_alias *aliases;
    const struct metadata_stat *stats;
    uint16_t n_attributes;
    uint16_t n_aliases;
    uint16_t n_stats;
};

/* TABLES_QUEUE, ...: indices of metadata_tables_objects. */
enum {
#define X(TYPE) TABLES_##TYPE,
    METADATA_OBJECTS(X)
#undef X
        TABLES_N_OBJECTS,
};

/* TABLES_ENUM_queue_type, ...: indices of metadata_tables_enums. */
enum {
#define SAI_ENUM_BEGIN(e)  TABLES_ENUM_##e,
#define SAI_FLAGS_BEGIN(e) TABLES_ENUM_##e,
#define SAI_ENUM_VALUE(name, value)
#define SAI_ENUM_MARK(name, value)
#define SAI_ENUM_END(e)
#include "enum/all.def"
#undef SAI_ENUM_BEGIN
#undef SAI_FLAGS_BEGIN
#undef SAI_ENUM_VALUE
#undef SAI_ENUM_MARK
#undef SAI_ENUM_END
    METADATA_TABLES_N_ENUMS,
};

/* One row each; see above for the indices. */
extern const struct metadata_object metadata_tables_objects[TABLES_N_OBJECTS];
extern const struct metadata_enum
    metadata_tables_enums[METADATA_TABLES_N_ENUMS];

#endif /* sai/core/metadata_tables.h */
