/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_YANG_TYPE_H
#define ORCHD_INTENT_YANG_TYPE_H

/* YANG types in words.
 *
 * A user whose value is refused is told what would be accepted.  That text
 * comes from the compiled type, so that it cannot disagree with the check. */

#include <stdbool.h>

#include <libyang/libyang.h>

#include "base/text.h"

/* Appends what a value of 'type' may be: "-8..7", "ingress, egress, both",
 * "the name of a BUFFER_POOL", the error-message of a pattern. */
void yang_type_describe(const struct lysc_type *type, struct text *text);

/* Returns the slug of the error that a value of a wrong form is: "range",
 * "enum" or "pattern". */
const char *yang_type_error_code(const struct lysc_type *type);

/* Returns whether 'type' is an integer type. */
bool yang_type_is_integer(const struct lysc_type *type);

/* Returns the type by which a row is judged: of a union that begins with an
 * integer that one, because what else there is is how JSON may write it;
 * otherwise 'type'. */
const struct lysc_type *yang_type_checked(const struct lysc_type *type);

/* Appends the name of the table in the path of a reference,
 * "/p:module/p:TABLE/...".  Returns false, and appends nothing, if 'type' is
 * no reference, or, being a union, has none. */
bool yang_type_target(const struct lysc_type *type, struct text *text);

#endif /* orchd/intent/yang_type.h */
