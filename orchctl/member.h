/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_MEMBER_H
#define ORCHD_ORCHCTL_MEMBER_H

/* Members of JSON objects in replies of orchd, with defaults. */

#include <jansson.h>

/* Returns member 'name' of 'object' as text; "" if there is none.  Borrowed. */
const char *member_text(const json_t *object, const char *name);

/* Returns member 'name' of 'object' as a number; 0 if there is none. */
long long member_number(const json_t *object, const char *name);

#endif /* orchctl/member.h */
