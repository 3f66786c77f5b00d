/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TRANSLATE_TRANSLATE_H
#define ORCHD_TRANSLATE_TRANSLATE_H

/* From a row to the SAI attributes that it wants, and of which objects.
 *
 * One declarative table per CONFIG_DB table (rules.c) says which field becomes
 * which attribute and how.  A row wants the same attributes of each object that
 * it speaks of: "BUFFER_PG|Ethernet0,Ethernet4|3-4" wants BUFFER_PROFILE of
 * four priority groups.  References stay names here; the graph in reconcile/
 * resolves them.
 *
 * Pure: the content was judged by the schema, so a value that cannot be
 * converted is a bug, except where this version cannot do what the row asks. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "orchd/intent/intent.h"
#include "orchd/translate/name.h"
#include "sai/core/metadata.h"

/* One attribute that a row wants.  The wants of a row that speaks of no object
 * are mere mentions of others: they have no attribute, but a text. */
struct want {
    const struct metadata_attribute *meta;
    const char *text;
    sai_object_type_t type; /* Of the objects that it is about. */
    bool conditional;  /* Wanted only while the condition of 'meta' holds. */
    const char *field; /* Where it comes from, for reports. */
    const char *port;  /* Only of what is on this port; NULL: of all. */

    /* The value; its lists live in the arena.  Zeroed for references. */
    sai_attribute_value_t value;

    /* What an object id (or list of them) refers to; none is the null id. */
    const struct object_name *refs;
    size_t n_refs;
};

/* What a row wants.  In the arena given to translate_row(), but for the names
 * and values of fields that it speaks of ('text', 'field', 'port'): these are
 * the row's. */
struct demand {
    const struct object_name *objects;
    size_t n_objects;
    const struct want *wants; /* Of each object of their type; ordered by type
                               * and attribute id. */
    size_t n_wants;

    /* The row stands for the object: it exists because of the row. */
    bool defines;

    /* The row has no effect of its own: it names an object that is not to be
     * there because of it. */
    bool idle;

    /* How specific the row is among those of its table that want something of
     * the same object: the smallest wins (fewer indexes, then fewer ports;
     * equals are ordered by key). */
    unsigned int width;
    unsigned int n_ports;
};

/* Translates the effective content of 'row', of a live table, into '*demand',
 * and names fields that this version does nothing with in 'warnings'.  Returns
 * ST_OK; ST_UNSUPPORTED if the row asks for what this version does not do, or
 * ST_NOT_FOUND if for what the buffer model in force does not have, so that it
 * has to wait: 'err' says what. */
enum st translate_row(const struct row *row, struct arena *arena,
                      struct demand *demand, struct text *warnings,
                      struct err *err) ST_WARN_UNUSED;

/* Returns the type of the objects named after 'table', or
 * SAI_OBJECT_TYPE_NULL if none are. */
sai_object_type_t translate_object_type(enum table table);

/* Returns the attribute that takes the value of 'field' of a row of 'table',
 * the first of several.  The table must have the field, and not be a map. */
sai_attr_id_t translate_field_attribute(enum table table, const char *field);

/* Returns whether some row may want attribute 'id' of an object of 'type', and
 * in '*table' (NULL: not asked for) of which table, the first if there are
 * several. */
bool translate_may_want(sai_object_type_t type, sai_attr_id_t id,
                        enum table *table);

#endif /* orchd/translate/translate.h */
