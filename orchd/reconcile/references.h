/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_REFERENCES_H
#define ORCHD_RECONCILE_REFERENCES_H

/* Who keeps an object as it is: the rows that refer to it, and, if it is a
 * port, those that have a binding on it.
 *
 * SAI refuses to remove what is in use, so these are the rows that an operator
 * has to change first.  The first eight by name are named, whatever the order
 * in which they were written, and the others counted: a profile of a large
 * switch has hundreds of users. */

struct object;
struct text;

/* Adds the names of the keepers of 'object' to the list 'text'. */
void references_name(struct text *text, const struct object *object);

#endif /* orchd/reconcile/references.h */
