/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_YANG_TYPE_H
#define ORCHD_INTENT_YANG_TYPE_H

/* Descriptions of YANG types.
 *
 * When orchd rejects a value, it says what it would accept.  That text comes
 * from the compiled type, so it cannot disagree with the check. */

#include <stdbool.h>

#include <libyang/libyang.h>

#include "base/text.h"

/* Appends the allowed values of 'type': "-8..7", "ingress, egress, both", "the
 * name of a BUFFER_POOL", the error-message of a pattern. */
void yang_type_describe(const struct lysc_type *type, struct text *text);

/* Returns the error code for a value of a wrong form: "range", "enum" or
 * "pattern". */
const char *yang_type_error_code(const struct lysc_type *type);

/* Returns whether 'type' is an integer type. */
bool yang_type_is_integer(const struct lysc_type *type);

/* Returns the type that a row is checked against: the integer of a union that
 * begins with one, because the other members are JSON spellings of it;
 * otherwise 'type'. */
const struct lysc_type *yang_type_checked(const struct lysc_type *type);

/* Appends the name of the table in the path of a reference,
 * "/p:module/p:TABLE/...". Returns false, and appends nothing, if 'type' is not
 * a reference or is a union without one. */
bool yang_type_target(const struct lysc_type *type, struct text *text);

#endif /* orchd/intent/yang_type.h */
