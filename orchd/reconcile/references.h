/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_REFERENCES_H
#define ORCHD_RECONCILE_REFERENCES_H

/* The rows that use an object: those that refer to it, and, if it is a port,
 * those that bind something to its queues or priority groups.
 *
 * SAI refuses to remove an object in use, so an operator has to change these
 * rows first.  The first eight by name are listed, the others counted: a
 * profile of a large switch has hundreds of users. */

struct object;
struct text;

/* Adds the names of the rows that use 'object' to the list 'text'. */
void references_name(struct text *text, const struct object *object);

#endif /* orchd/reconcile/references.h */
