/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_SYNCD_COUNTERS_H
#define ORCHD_ORCHAGENT_SYNCD_COUNTERS_H

/* The counters that syncd polls for orchd, and the groups that ask for them.
 *
 * Internal to orchagent/ (syncd_plan.h).  A set has a bit for each counter that
 * matters here; a group is a number below SYNCD_COUNTERS_GROUPS, with counters
 * of one object type.  Pure and constant. */

#include <stddef.h>
#include <stdint.h>

#include <sai.h>

struct field;
struct text;

#define SYNCD_COUNTERS_GROUPS 11
#define SYNCD_COUNTERS_PREFIX "ORCHD_" /* Of the names of groups. */

/* Returns the group called 'name', SYNCD_COUNTERS_GROUPS if there is none. */
int syncd_counters_find(const char *name);

/* Return the name of a group; the type of its objects; the field that lists
 * their counters. */
const char *syncd_counters_group(int group);
sai_object_type_t syncd_counters_type(int group);
const char *syncd_counters_list(int group);

/* Return the set of counters that a group asks for; of all counters of 'type',
 * also those that no group asks for; of counter 'id', empty if it does not
 * matter. */
uint32_t syncd_counters_of_group(int group);
uint32_t syncd_counters_of_type(sai_object_type_t type);
uint32_t syncd_counters_bit(sai_object_type_t type, sai_stat_id_t id);

/* Returns the set that the lists in the fields of a row name; appends the names
 * of a set as such a list. */
uint32_t syncd_counters_parse(const struct field *fields, size_t n);
void syncd_counters_names(uint32_t set, struct text *text);

#endif /* orchd/orchagent/syncd_counters.h */
