/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REPORT_OBJECT_NAMES_H
#define ORCHD_REPORT_OBJECT_NAMES_H

/* Values of SAI attributes for users: as in ASIC_DB, but with object names
 * ("BUFFER_PROFILE|x") instead of ids. */

#include <jansson.h>

#include <sai.h>

#include "base/text.h"
#include "orchd/translate/name.h"
#include "sai/core/metadata.h"

struct agent;
struct object_names;

/* Returns an empty register.  End with object_names_destroy(), which accepts
 * NULL. */
struct object_names *object_names_create(void);
void object_names_destroy(struct object_names *names);

/* Records the name of an object, which is copied; a later name of the same id
 * replaces it. */
void object_names_note(struct object_names *names, sai_object_id_t oid,
                       const struct object_name *name);

/* Records the names of all objects that 'agent' has on the ASIC; those of
 * queues and the like, which are most of them but hardly ever a value, only
 * when an id has no name so far.  So 'agent' is borrowed, and must not take a
 * turn before object_names_destroy(). */
void object_names_note_all(struct object_names *names,
                           const struct agent *agent);

/* Appends the name of 'oid' to 'text' and returns true; without a name, returns
 * false. */
bool object_names_add(struct object_names *names, sai_object_id_t oid,
                      struct text *text);

/* Returns a value of 'meta': null for no object, or for an empty list of
 * them. */
json_t *object_names_value(struct object_names *names,
                           const struct metadata_attribute *meta,
                           const sai_attribute_value_t *value);

/* Returns the part of the name of 'meta' after "SAI_TYPE_ATTR_". */
const char *object_names_attribute(const struct metadata_attribute *meta);

#endif /* orchd/report/object_names.h */
