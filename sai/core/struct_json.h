/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_STRUCT_JSON_H
#define ORCHD_SAI_CORE_STRUCT_JSON_H

/* SAI structures as JSON: QoS maps, maps of numbers, lane states, ...
 *
 * A list is {"count":N,"list":[...]}, without elements {"count":0,"list":null};
 * each element is an object with a member per field, in alphabetical order.
 * Key and value of a QoS map are objects in the element.  ASIC_DB uses the same
 * form.
 *
 * Only for kinds that are structures or lists of them.
 * sai/core/serialize.h, which calls this, has the text forms of all kinds. */

#include <saitypes.h>

#include "base/status.h"
#include "sai/core/kind.h"

struct arena;
struct text;

/* Appends '*value' to 'text'. */
void struct_json_write(enum kind kind, const sai_attribute_value_t *value,
                       struct text *text);

/* Parses 'json' into '*value', with its list allocated from 'arena'.  Members
 * may be in any order.  Missing members are 0, because older writers did not
 * know all of them.  Returns ST_OK, or ST_INVALID and leaves '*value' unchanged
 * if 'json' has another structure, an unknown member, a number out of range, or
 * a count that differs from the length of the list. */
enum st struct_json_parse(struct arena *arena, enum kind kind, const char *json,
                          sai_attribute_value_t *value) ST_WARN_UNUSED;

#endif /* sai/core/struct_json.h */
