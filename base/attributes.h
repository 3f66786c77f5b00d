/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_ATTRIBUTES_H
#define ORCHD_BASE_ATTRIBUTES_H

/* What the compiler is told about functions beyond their types. */

/* The result says whether it worked: it must be looked at. */
#define ST_WARN_UNUSED __attribute__((warn_unused_result))

/* Argument number 'first' and those after it fit the format in argument number
 * 'nth' (0: they are a va_list). */
#define ST_PRINTF(nth, first) __attribute__((format(printf, nth, first)))

#endif /* base/attributes.h */
