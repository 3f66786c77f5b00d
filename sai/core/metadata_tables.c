/* SPDX-License-Identifier: Apache-2.0 */

/* The tables, made from the .def files.
 *
 * Each table includes the list of all .def files once, with the macros of its
 * rows defined accordingly.  A new attribute is one new row in the file of its
 * object type; a new object type is one new file and its lines in the list. */

#include <config.h>

#include "sai/core/metadata_tables.h"

#define COUNT(array)      (sizeof(array) / sizeof((array)[0]))
#define NAME_LENGTH(name) (sizeof(#name) - 1)

/* Enumerations: the members of each, then the table. */

#define SAI_ENUM_BEGIN(e)                                                      \
    static const struct metadata_enumerator e##_members[] = {
#define SAI_FLAGS_BEGIN(e)          SAI_ENUM_BEGIN(e)
#define SAI_ENUM_VALUE(name, value) {name, NAME_LENGTH(name), #name},
#define SAI_ENUM_END(e)                                                        \
    }                                                                          \
    ;
#include "all.def"

#define ENUM_ROW(e, is_flags)                                                  \
    {"sai_" #e "_t", e##_members, COUNT(e##_members), is_flags},

const struct metadata_enum metadata_tables_enums[] = {
#define SAI_ENUM_BEGIN(e)  ENUM_ROW(e, false)
#define SAI_FLAGS_BEGIN(e) ENUM_ROW(e, true)
#include "all.def"
};

/* Attributes.  The columns of a row become designated initialisers: ROW_ and
 * the first word of the column name the macro that makes them. */

#define ROW_BOOL                       .kind = KIND_BOOL
#define ROW_CHARDATA                   .kind = KIND_CHARDATA
#define ROW_U8                         .kind = KIND_U8
#define ROW_S8                         .kind = KIND_S8
#define ROW_U16                        .kind = KIND_U16
#define ROW_U32                        .kind = KIND_U32
#define ROW_S32                        .kind = KIND_S32
#define ROW_U64                        .kind = KIND_U64
#define ROW_POINTER                    .kind = KIND_POINTER
#define ROW_MAC                        .kind = KIND_MAC
#define ROW_U16RANGE                   .kind = KIND_U16RANGE
#define ROW_U32RANGE                   .kind = KIND_U32RANGE
#define ROW_TIMESPEC                   .kind = KIND_TIMESPEC
#define ROW_RX_STATE                   .kind = KIND_RX_STATE
#define ROW_REACHABILITY               .kind = KIND_REACHABILITY
#define ROW_LATCHSTATUS                .kind = KIND_LATCHSTATUS
#define ROW_U8LIST                     .kind = KIND_U8LIST
#define ROW_S8LIST                     .kind = KIND_S8LIST
#define ROW_U32LIST                    .kind = KIND_U32LIST
#define ROW_S32LIST                    .kind = KIND_S32LIST
#define ROW_QOSMAP                     .kind = KIND_QOSMAP
#define ROW_MAPLIST                    .kind = KIND_MAPLIST
#define ROW_ACLRESOURCE                .kind = KIND_ACLRESOURCE
#define ROW_ACLCHAINLIST               .kind = KIND_ACLCHAINLIST
#define ROW_ACLCAPABILITY              .kind = KIND_ACLCAPABILITY
#define ROW_SYSPORTCONFIG              .kind = KIND_SYSPORTCONFIG
#define ROW_SYSPORTCONFIGLIST          .kind = KIND_SYSPORTCONFIGLIST
#define ROW_PORTERROR                  .kind = KIND_PORTERROR
#define ROW_PORTEYEVALUES              .kind = KIND_PORTEYEVALUES
#define ROW_PORTPAM4EYEVALUES          .kind = KIND_PORTPAM4EYEVALUES
#define ROW_PORTLANELATCHSTATUSLIST    .kind = KIND_PORTLANELATCHSTATUSLIST
#define ROW_PORTFREQUENCYOFFSETPPMLIST .kind = KIND_PORTFREQUENCYOFFSETPPMLIST
#define ROW_PORTSNRLIST                .kind = KIND_PORTSNRLIST
#define ROW_PRBS_RX_STATUS_LIST        .kind = KIND_PRBS_RX_STATUS_LIST
#define ROW_PRBS_RX_STATE_LIST         .kind = KIND_PRBS_RX_STATE_LIST
#define ROW_PRBS_BER_LIST              .kind = KIND_PRBS_BER_LIST

#define ROW_IPADDR         .kind = KIND_IPADDR
#define ROW_JSON           .kind = KIND_JSON
#define ROW_PORTSERDESTAPS .kind = KIND_PORTSERDESTAPS

#define ROW_ACLFIELD_BOOL    .kind = KIND_ACLFIELD_BOOL
#define ROW_ACLFIELD_U8      .kind = KIND_ACLFIELD_U8
#define ROW_ACLFIELD_U16     .kind = KIND_ACLFIELD_U16
#define ROW_ACLFIELD_U32     .kind = KIND_ACLFIELD_U32
#define ROW_ACLFIELD_S32     .kind = KIND_ACLFIELD_S32
#define ROW_ACLFIELD_U64     .kind = KIND_ACLFIELD_U64
#define ROW_ACLFIELD_MAC     .kind = KIND_ACLFIELD_MAC
#define ROW_ACLFIELD_IP4     .kind = KIND_ACLFIELD_IP4
#define ROW_ACLFIELD_IP6     .kind = KIND_ACLFIELD_IP6
#define ROW_ACLFIELD_U8LIST  .kind = KIND_ACLFIELD_U8LIST
#define ROW_ACLACTION_BOOL   .kind = KIND_ACLACTION_BOOL
#define ROW_ACLACTION_U8     .kind = KIND_ACLACTION_U8
#define ROW_ACLACTION_U16    .kind = KIND_ACLACTION_U16
#define ROW_ACLACTION_U32    .kind = KIND_ACLACTION_U32
#define ROW_ACLACTION_S32    .kind = KIND_ACLACTION_S32
#define ROW_ACLACTION_MAC    .kind = KIND_ACLACTION_MAC
#define ROW_ACLACTION_IP4    .kind = KIND_ACLACTION_IP4
#define ROW_ACLACTION_IP6    .kind = KIND_ACLACTION_IP6
#define ROW_ACLACTION_IPADDR .kind = KIND_ACLACTION_IPADDR
#define ROW_ACLMASK          .kind = KIND_ACLMASK
#define ROW_IP6              .kind = KIND_IP6

#define ROW_ENUM(e)                                                            \
    .kind = KIND_S32,                                                          \
    .enumeration = &metadata_tables_enums[METADATA_TABLES_ENUM_##e]
#define ROW_ENUMLIST(e)                                                        \
    .kind = KIND_S32LIST,                                                      \
    .enumeration = &metadata_tables_enums[METADATA_TABLES_ENUM_##e]

#define ROW_ACLFIELD_ENUM(e)                                                   \
    .kind = KIND_ACLFIELD_S32,                                                 \
    .enumeration = &metadata_tables_enums[METADATA_TABLES_ENUM_##e]
#define ROW_ACLACTION_ENUM(e)                                                  \
    .kind = KIND_ACLACTION_S32,                                                \
    .enumeration = &metadata_tables_enums[METADATA_TABLES_ENUM_##e]

/* T() and EQ() end in a comma, so that lists of them need no other. */
#define T(TYPE) SAI_OBJECT_TYPE_##TYPE,
#define TYPES(...)                                                             \
    .objects = (const sai_object_type_t[])                                     \
    {                                                                          \
        __VA_ARGS__ SAI_OBJECT_TYPE_NULL                                       \
    }
#define ROW_OID(...)         .kind = KIND_OID, TYPES(__VA_ARGS__)
#define ROW_OID_OR_NULL(...) ROW_OID(__VA_ARGS__), .null_allowed = true
#define ROW_OBJLIST(...)     .kind = KIND_OBJLIST, TYPES(__VA_ARGS__)

#define ROW_ACLFIELD_OID(...) .kind = KIND_ACLFIELD_OID, TYPES(__VA_ARGS__)
#define ROW_ACLFIELD_OBJLIST(...)                                              \
    .kind = KIND_ACLFIELD_OBJLIST, TYPES(__VA_ARGS__)
#define ROW_ACLACTION_OID(...) .kind = KIND_ACLACTION_OID, TYPES(__VA_ARGS__)
#define ROW_ACLACTION_OBJLIST(...)                                             \
    .kind = KIND_ACLACTION_OBJLIST, TYPES(__VA_ARGS__)
#define ROW_ACLACTION_OID_OR_NULL(...)                                         \
    ROW_ACLACTION_OID(__VA_ARGS__), .null_allowed = true

#define MANDATORY_ON_CREATE METADATA_FLAG_MANDATORY_ON_CREATE
#define CREATE_ONLY         METADATA_FLAG_CREATE_ONLY
#define CREATE_AND_SET      METADATA_FLAG_CREATE_AND_SET
#define READ_ONLY           METADATA_FLAG_READ_ONLY
#define KEY                 METADATA_FLAG_KEY

#define ROW_NO_DEFAULT .default_kind = METADATA_DEFAULT_NONE
#define ROW_EMPTY_LIST .default_kind = METADATA_DEFAULT_EMPTY
#define ROW_INTERNAL   .default_kind = METADATA_DEFAULT_INTERNAL
#define ROW_VENDOR     .default_kind = METADATA_DEFAULT_VENDOR
#define ROW_SAME_AS(TYPE, attribute)                                           \
    .default_kind = METADATA_DEFAULT_SAME_AS,                                  \
    .default_object = SAI_OBJECT_TYPE_##TYPE,                                  \
    .default_value = (int64_t)(attribute)
#define ROW_DEFAULT(x)                                                         \
    .default_kind = METADATA_DEFAULT_CONST, .default_value = (int64_t)(x)

#define EQ(name, x) {name, (int64_t)(x)},
#define TERMS(which, ...)                                                      \
    .condition = METADATA_##which,                                             \
    .terms = (const struct metadata_term[]){__VA_ARGS__},                      \
    .n_terms = COUNT(((const struct metadata_term[]){__VA_ARGS__}))
#define ROW_ALWAYS               .condition = METADATA_ALWAYS
#define ROW_REQUIRED_IF_ANY(...) TERMS(REQUIRED_IF_ANY, __VA_ARGS__)
#define ROW_REQUIRED_IF_ALL(...) TERMS(REQUIRED_IF_ALL, __VA_ARGS__)
#define ROW_VALID_IF_ANY(...)    TERMS(VALID_IF_ANY, __VA_ARGS__)
#define ROW_VALID_IF_ALL(...)    TERMS(VALID_IF_ALL, __VA_ARGS__)
#define ROW_VALID_IF_FIRST_AND_ANY(...)                                        \
    TERMS(VALID_IF_FIRST_AND_ANY, __VA_ARGS__)

/* The release, and what may follow it. */
#define ROW_NO_LIMIT .unit = METADATA_UNIT_NONE
#define ROW_UNIT(u)  .unit = METADATA_UNIT_##u
#define ROW_RANGE(low, high)                                                   \
    .has_range = true, .min = (int64_t)(low), .max = (int64_t)(high)
#define ROW_RANGE_OF(low, high, u) ROW_RANGE(low, high), ROW_UNIT(u)
#define TAIL(since_, limit_, ...)  .since = since_, ROW_##limit_

#define SAI_ATTR_BEGIN(object, OBJECT)                                         \
    static const struct metadata_attribute object##_attributes[] = {
#define SAI_ATTR(attribute, number, kind_, flags_, default_, condition_, ...)  \
    {.name = #attribute,                                                       \
     .name_length = NAME_LENGTH(attribute),                                    \
     TAIL(__VA_ARGS__, NO_LIMIT, ~),                                           \
     .id = attribute,                                                          \
     .flags = flags_,                                                          \
     ROW_##kind_,                                                              \
     ROW_##default_,                                                           \
     ROW_##condition_},
#define SAI_ATTR_END(object, OBJECT)                                           \
    }                                                                          \
    ;
#define SAI_ATTR_END_EXTENSIBLE(object, OBJECT) SAI_ATTR_END(object, OBJECT)
#include "all.def"

/* Aliases and counters.  Most object types have none; each array ends with an
 * empty row that does not count, as C knows no empty arrays. */

#define SAI_OBJECT_BEGIN(TYPE, object, API, ...)                               \
    static const struct metadata_alias object##_aliases[] = {
#define SAI_ATTR_ALIAS(alias, attribute) {#alias, NAME_LENGTH(alias), alias},
#define SAI_OBJECT_END(TYPE, object)                                           \
    {                                                                          \
        NULL, 0, 0                                                             \
    }                                                                          \
    }                                                                          \
    ;
#include "all.def"

#define SAI_OBJECT_BEGIN(TYPE, object, API, ...)                               \
    static const struct metadata_stat object##_stats[] = {
#define SAI_STAT(stat, number, since_) {#stat, NAME_LENGTH(stat), since_, stat},
#define SAI_OBJECT_END(TYPE, object)                                           \
    {                                                                          \
        NULL, 0, 0, 0                                                          \
    }                                                                          \
    }                                                                          \
    ;
#include "all.def"

/* Object types. */

const struct metadata_object metadata_tables_objects[] = {
#define SAI_OBJECT_BEGIN(TYPE, object, API, ...)                               \
    {.type = SAI_OBJECT_TYPE_##TYPE,                                           \
     .api = SAI_API_##API,                                                     \
     .name = "SAI_OBJECT_TYPE_" #TYPE,                                         \
     .attributes = object##_attributes,                                        \
     .aliases = object##_aliases,                                              \
     .stats = object##_stats,                                                  \
     .n_attributes = COUNT(object##_attributes),                               \
     .n_aliases = COUNT(object##_aliases) - 1,                                 \
     .n_stats = COUNT(object##_stats) - 1},
#include "all.def"
};
