/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_SECRET_H
#define ORCHD_BASE_SECRET_H

/* Recognises secrets by the names of their fields, so that lists of settings
 * and archives for support show SECRET_MASK instead of them.
 *
 * The words are those of SONiC's tables (TACPLUS, RADIUS, MACSEC_PROFILE, SNMP,
 * BGP) and of common use.  A name that ends in "_file" or "_path" says where a
 * secret is, and is none itself. */

#include <stdbool.h>

struct text;

#define SECRET_MASK "(masked)"

/* Returns whether the field 'name' holds a secret: whether it contains one of
 * the words, in upper or lower case. */
bool secret_is_name(const char *name);

/* Appends 'line' to 'text' with SECRET_MASK for each value that follows the
 * name of a secret: "passkey = x", "\"passkey\": \"x\"", "MY_TOKEN=x", and the
 * key of a row such as "SNMP_COMMUNITY|x". */
void secret_add_masked(struct text *text, const char *line);

#endif /* base/secret.h */
