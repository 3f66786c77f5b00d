/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_SERIALIZE_H
#define ORCHD_SAI_CORE_SERIALIZE_H

/* Text forms of attribute values and object ids, as in ASIC_DB.
 *
 *   numbers         decimal; "-3"
 *   booleans        "true", "false"
 *   enumerations    the full name "SAI_QUEUE_TYPE_UNICAST"; a value without a
 *                   name is its number
 *   text            unchanged
 *   objects         "oid:0x1900000000abcd", null is "oid:0x0"
 *   lists           their length and elements "2:7,9"; empty "0:null"
 *   ranges          "min,max"
 *   MAC addresses   "02:00:00:00:00:01", digits above 9 in capitals
 *   IP addresses    "10.0.0.1", "fc00::1"
 *   JSON            unchanged
 *   callbacks       "ptr:0x7f00"; can be parsed, but is valid only in the
 *                   process that wrote it
 *   structures      JSON, see sai/core/struct_json.h
 *   compound kinds  see sai/core/compound_text.h
 *
 * Keys of entries (routes and the like) are in sai/core/entry.h. */

#include <sai.h>

#include "base/status.h"
#include "sai/core/metadata.h"

struct arena;
struct text;

/* Appends '*value' of 'attribute' to 'text'.  Returns ST_OK, or ST_UNSUPPORTED
 * and appends nothing if its kind has no text form. */
enum st serialize_value(const struct metadata_attribute *attribute,
                        const sai_attribute_value_t *value,
                        struct text *text) ST_WARN_UNUSED;

/* Parses all of 'string' as a value of 'attribute' into '*value', with lists
 * allocated from 'arena'.  Returns ST_OK, ST_INVALID if 'string' is not such a
 * value, or ST_UNSUPPORTED if the kind has no text form.  On failure '*value'
 * is unchanged and '*err' (which may be NULL) describes what is allowed.  Does
 * not check that referenced objects exist. */
enum st serialize_parse_value(struct arena *arena,
                              const struct metadata_attribute *attribute,
                              const char *string, sai_attribute_value_t *value,
                              struct err *err) ST_WARN_UNUSED;

/* Appends "02:00:00:00:00:01" to 'text'. */
void serialize_mac(const sai_mac_t mac, struct text *text);

/* Parses such an address, with digits of either case.  Returns ST_OK, or
 * ST_INVALID and leaves 'mac' unchanged. */
enum st serialize_parse_mac(const char *string, sai_mac_t mac) ST_WARN_UNUSED;

/* Appends "oid:0x..." to 'text'. */
void serialize_oid(sai_object_id_t oid, struct text *text);

/* Parses "oid:0x..." into '*oid'.  Returns ST_OK, or ST_INVALID and leaves
 * '*oid' unchanged. */
enum st serialize_parse_oid(const char *string,
                            sai_object_id_t *oid) ST_WARN_UNUSED;

/* Appends the key of an object, "SAI_OBJECT_TYPE_QUEUE:oid:0x...", to 'text'.
 * 'type' is one of the release. */
void serialize_key(sai_object_type_t type, sai_object_id_t oid,
                   struct text *text);

/* Parses such a key.  Returns ST_OK, or ST_INVALID and stores nothing. */
enum st serialize_parse_key(const char *string, sai_object_type_t *type,
                            sai_object_id_t *oid) ST_WARN_UNUSED;

#endif /* sai/core/serialize.h */
