/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_COMPOUND_TEXT_H
#define ORCHD_SAI_CORE_COMPOUND_TEXT_H

/* Text forms of the two compound kinds: ACL capabilities and the taps of a
 * serdes.
 *
 *   ACLCAPABILITY   "mandatory:actions:match:exact", where actions is a list
 *                   of numbers, "true:2:5,7:SAI_..._EXACT_MATCH:false"
 *   PORTSERDESTAPS  the number of taps and the list of each, "2:2:1,-2;0:null";
 *                   empty "0:null"
 *
 * Only sai/core/serialize.h calls this. */

#include <stdbool.h>

#include <saitypes.h>

#include "base/status.h"
#include "sai/core/kind.h"

struct arena;
struct text;

/* Appends '*value' to 'text'. */
void compound_text_write(enum kind kind, const sai_attribute_value_t *value,
                         struct text *text);

/* Parses 'string' into '*value', with lists allocated from 'arena'.  Returns
 * ST_OK, or ST_INVALID and leaves '*value' unchanged. */
enum st compound_text_parse(struct arena *arena, enum kind kind,
                            const char *string,
                            sai_attribute_value_t *value) ST_WARN_UNUSED;

#endif /* sai/core/compound_text.h */
