/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_ACCESS_FIELDS_H
#define ORCHD_SOFTASIC_PROGRAM_ACCESS_FIELDS_H

/* What access lists support: fields, kinds of packets, actions.
 *
 * Attributes of entries and of tables that are about one field have the same
 * id. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

enum { ACCESS_MAX_DSCP = 63 };

/* What the values of a field look like. */
enum access_form {
    ACCESS_NUMBER8,
    ACCESS_NUMBER16,
    ACCESS_MAC,
    ACCESS_BYTES4,
    ACCESS_BYTES16,
};

/* A field whose value is compared under a mask. */
struct access_field {
    sai_attr_id_t id;
    enum access_form form;
    size_t offset;   /* In struct acl_fields. */
    uint16_t most;   /* Of a number. */
    uint8_t shift;   /* Of a number, in its byte. */
    uint16_t has_is; /* ACL_IS_* and ACL_HAS_* of packets that have it. */
};

/* Returns the description of field 'id', NULL if it is not such a field. */
const struct access_field *access_fields_find(sai_attr_id_t id);

/* Return whether attribute 'id' of an entry is a field, or an action, that is
 * supported at a stage, and whether it is at 'stage'.  At egress a packet has a
 * port and a queue already, and all copies of it are one packet: it can only be
 * counted and dropped. */
bool access_fields_is_field(sai_attr_id_t id);
bool access_fields_is_action(sai_attr_id_t id);
bool access_fields_is_at(sai_acl_stage_t stage, sai_attr_id_t id);

/* Returns whether tables of 'stage' can be bound to 'point'. */
bool access_fields_binds_at(sai_acl_stage_t stage, int32_t point);

/* Stores which of the bits of 'is' of a packet (twin/forwarding/acl.h) say that
 * it is of 'type', and what they are.  Returns false if there is no such
 * type. */
bool access_fields_ip_type(int32_t type, uint16_t *value, uint16_t *mask);

/* Stores what a packet action does, enum acl_action combined.  Returns false if
 * it is not supported; at egress nothing is copied to the processor. */
bool access_fields_outcome(int32_t action, uint8_t *outcome);

/* Returns whether attribute 'id' of a table or an entry ('type') is
 * supported. */
bool access_fields_support(sai_object_type_t type, sai_attr_id_t id);

/* Returns whether attribute 'id' of a table, a group or an entry ('type') can
 * have 'value', or have it in its list.  True of attributes that are not about
 * enumerations. */
bool access_fields_value(sai_object_type_t type, sai_attr_id_t id,
                         int32_t value);

/* Stores up to 'room' of the kinds of actions of 'stage' in 'actions', and
 * returns how many there are. */
uint32_t access_fields_actions(sai_acl_stage_t stage, uint32_t room,
                               int32_t *actions);

#endif /* vendors/softasic/program/access_fields.h */
