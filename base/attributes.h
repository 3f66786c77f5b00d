/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_ATTRIBUTES_H
#define ORCHD_BASE_ATTRIBUTES_H

/* Attributes that tell the compiler more about a function than its type. */

/* The caller must check the result, which reports failure. */
#define ST_WARN_UNUSED __attribute__((warn_unused_result))

/* Argument number 'nth' is a printf format for the arguments from number
 * 'first' on (0: they are a va_list). */
#define ST_PRINTF(nth, first) __attribute__((format(printf, nth, first)))

#endif /* base/attributes.h */
