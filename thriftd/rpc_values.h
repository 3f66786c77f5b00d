/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_THRIFTD_RPC_VALUES_H
#define ORCHD_THRIFTD_RPC_VALUES_H

/* Attributes of SAI as structures of Thrift, and back (switch_sai.thrift).
 *
 * The interface has a field for each kind of value.  Which one an attribute
 * uses follows from its kind in SAI. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "thriftd/tbinary.h"

struct metadata_attribute;
struct text;

/* Converts 'value', a sai_thrift_attribute_t, into 'attribute' of 'type'.
 * ST_INVALID: an id or value is missing or not known; ST_UNSUPPORTED: of a kind
 * that no call of the interface sends.  Both fill 'err'. */
enum st rpc_values_get(const struct tbinary_value *value,
                       sai_object_type_t type, sai_attribute_t *attribute,
                       struct err *err) ST_WARN_UNUSED;

/* Appends a sai_thrift_attribute_t of 'meta', a list of 'n' objects or 32-bit
 * numbers: 'list' is an array of sai_object_id_t or uint32_t, as its kind
 * says. */
void rpc_values_put_list(struct text *out,
                         const struct metadata_attribute *meta, uint32_t n,
                         const void *list);

/* Append a sai_thrift_attribute_t with attribute 'id', a number. */
void rpc_values_put_s32(struct text *out, sai_attr_id_t id, int32_t value);
void rpc_values_put_u32(struct text *out, sai_attr_id_t id, uint32_t value);

#endif /* thriftd/rpc_values.h */
