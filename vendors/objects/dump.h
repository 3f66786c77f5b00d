/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OBJECTS_DUMP_H
#define ORCHD_OBJECTS_DUMP_H

/* The state of a switch as text that two switches can be compared by.
 *
 * Problem: "the ASIC ends in the same state" must not depend on the order in
 * which objects were made, so neither on object ids.  Hence objects are
 * written by what they are: one line each, sorted, and a reference is written
 * as what it refers to: by its key if it has one (a port is its lanes), else
 * in full.  Attributes that have their default values do not appear, nor do
 * children of which nothing was set, so being told a default and not being
 * told are the same.
 *
 * What it cannot tell apart: two users of one profile from users of two equal
 * ones, as long as as many equal profiles exist. */

#include "base/text.h"
#include "vendors/objects/objects.h"

/* Appends the lines of all objects in 'objects' to 'text'. */
void dump_objects(const struct objects *objects, struct text *text);

#endif /* vendors/objects/dump.h */
