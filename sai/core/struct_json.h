/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_STRUCT_JSON_H
#define ORCHD_SAI_CORE_STRUCT_JSON_H

/* Structures of SAI as JSON: QoS maps, maps of numbers, lane states, ...
 *
 * A list is {"count":N,"list":[...]}, without elements {"count":0,"list":null};
 * each element is an object with a member per field, in alphabetical order.
 * Key and value of a QoS map are objects in the element.  This is the form
 * that other programs find in ASIC_DB.
 *
 * Only for the kinds that struct_json_handles() names; the text forms of all
 * kinds are in sai/core/serialize.h, which calls this. */

#include <stdbool.h>

#include <saitypes.h>

#include "base/status.h"
#include "sai/core/kind.h"

struct arena;
struct text;

/* Returns whether values of 'kind' are structures or lists of them. */
bool struct_json_handles(enum kind kind);

/* Appends '*value' to 'text'. */
void struct_json_write(enum kind kind, const sai_attribute_value_t *value,
                       struct text *text);

/* Parses 'json' into '*value', whose list is then a piece of 'arena'.  Members
 * may come in any order, and those that are missing are 0: older writers did
 * not know all of them.  Returns ST_OK, or ST_INVALID (and leaves '*value'
 * alone) if 'json' is no such value: another form, a member without a meaning,
 * a number that does not fit, a count that is not that of the list. */
enum st struct_json_parse(struct arena *arena, enum kind kind, const char *json,
                          sai_attribute_value_t *value) ST_WARN_UNUSED;

#endif /* sai/core/struct_json.h */
