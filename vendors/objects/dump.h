/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OBJECTS_DUMP_H
#define ORCHD_OBJECTS_DUMP_H

/* The state of a switch as text, to compare two switches.
 *
 * Problem: "the ASIC ends in the same state" must not depend on the order in
 * which objects were created, and so not on object ids.  Therefore the text
 * identifies objects by their contents: one line each, sorted, and a reference
 * is replaced by the object it refers to: by its key if it has one (a port is
 * its lanes), else in full.  Attributes with default values do not appear, nor
 * do children of which nothing was set, so setting a default makes no
 * difference.
 *
 * The text does not distinguish two users of one profile from users of two
 * equal profiles, as long as there are as many equal profiles. */

#include "base/text.h"
#include "vendors/objects/objects.h"

/* Appends the lines of all objects in 'objects' to 'text'. */
void dump_objects(const struct objects *objects, struct text *text);

#endif /* vendors/objects/dump.h */
