/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TRANSLATE_TRANSLATE_H
#define ORCHD_TRANSLATE_TRANSLATE_H

/* From a row to the SAI attributes that it sets, and the objects it sets them
 * on.
 *
 * One declarative table per CONFIG_DB table (rules.c) maps each field to an
 * attribute.  A row sets the same attributes on each object that it applies to:
 * "BUFFER_PG|Ethernet0,Ethernet4|3-4" sets BUFFER_PROFILE of four priority
 * groups.  References remain names here; the graph in reconcile/ resolves them.
 *
 * Pure: the schema has validated the content, so a value that cannot be
 * converted is a bug, except where this version does not support what the row
 * asks. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "orchd/intent/intent.h"
#include "orchd/translate/name.h"
#include "sai/core/metadata.h"

/* One attribute that a row sets.  Rows that apply to no object only refer to
 * others: their wants have no attribute, but a text. */
struct want {
    const struct metadata_attribute *meta;
    const char *text;
    sai_object_type_t type; /* Of the objects that it applies to. */
    bool conditional : 1;   /* Applies only while the condition of 'meta'
                             * holds. */
    bool only_voqs : 1;     /* Only for queues of system ports. */
    uint32_t n_refs : 30;   /* The length of 'refs'. */
    const char *field;      /* The source of the value, for reports. */
    const char *port;       /* Only for objects on this port; NULL: all. */

    /* The value; its lists live in the arena.  Zeroed for references. */
    sai_attribute_value_t value;

    /* What an object id (or list of them) refers to; nothing is the null id. */
    const struct object_name *refs;
};

/* What a row sets.  All in the arena given to translate_row(), except names and
 * values of fields ('text', 'field', 'port'), which belong to the row. */
struct demand {
    const struct object_name *objects;
    const struct want *wants; /* For each object of their type; ordered by type
                               * and attribute id. */
    uint32_t n_objects, n_wants;

    /* How specific the row is among the rows of its table that apply to the
     * same object: the smallest wins (fewer indexes, then fewer ports, then the
     * smaller key). */
    unsigned int width;
    uint16_t n_ports;

    /* The object exists because of the row. */
    bool defines;

    /* The row has no effect: its object must not exist because of it. */
    bool idle;
};

/* Translates the effective content of 'row' into '*demand', and adds fields
 * without effect in this version to 'warnings'.  Returns ST_OK; ST_UNSUPPORTED
 * if this version does not support what the row asks for; or ST_NOT_FOUND if it
 * asks for something that the current buffer model does not have, so that it
 * has to wait.  'err' says what. */
enum st translate_row(const struct row *row, struct arena *arena,
                      struct demand *demand, struct text *warnings,
                      struct err *err) ST_WARN_UNUSED;

/* Returns the type of the objects named after 'table', or SAI_OBJECT_TYPE_NULL
 * if there are none. */
sai_object_type_t translate_object_type(enum table table);

/* Returns the attribute that takes the value of 'field' of a row of 'table',
 * the first of several.  The table must have the field, and not be a map. */
sai_attr_id_t translate_field_attribute(enum table table, const char *field);

/* Returns whether some row may set attribute 'id' of an object of 'type', and
 * stores in '*table' (may be NULL) the first table with such rows. */
bool translate_may_want(sai_object_type_t type, sai_attr_id_t id,
                        enum table *table);

#endif /* orchd/translate/translate.h */
