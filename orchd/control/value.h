/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_VALUE_H
#define ORCHD_CONTROL_VALUE_H

/* SAI attribute values as JSON for users.
 *
 * Numbers and booleans are themselves; an enumerator is the tail of its name
 * in lower case (SAI_BUFFER_POOL_TYPE_INGRESS is "ingress"); an object id is
 * the name of the row that the object stands for; a map is a list of
 * {"from", "to"}. */

#include <jansson.h>

#include <sai.h>

struct agent;
struct command_context;
struct value_names;

/* Returns the names of all objects that 'agent' has on the ASIC; each is looked
 * at when it is used, so turns of the agent may come in between.  The caller
 * ends it with value_names_destroy(), which accepts NULL. */
struct value_names *value_names_create(const struct agent *agent);
void value_names_destroy(struct value_names *names);

/* Call it in each turn: the names are read again, once in the turn, if an
 * object has none. */
void value_names_turn(struct value_names *names);

/* Returns the name of 'oid', its id as text if it has none, null for none. */
json_t *value_name(struct value_names *names, sai_object_id_t oid);

/* Returns "oid:0x1a". */
json_t *value_oid(sai_object_id_t oid);

/* Reads one attribute; NULL if SAI cannot read it, or its kind has no JSON
 * form. */
json_t *value_read(const struct command_context *context,
                   sai_object_type_t type, sai_object_id_t oid,
                   sai_attr_id_t id, struct value_names *names);

#endif /* orchd/control/value.h */
