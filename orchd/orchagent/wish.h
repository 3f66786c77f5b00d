/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_WISH_H
#define ORCHD_ORCHAGENT_WISH_H

/* What was asked for, and whether ASIC_DB has it: the memory of evidence.h.
 *
 * Internal to orchagent/.  A handle stands for one object that was asked for; a
 * wish is one of its attributes.  There are two kinds of handles:
 *
 *   parts    of the switch, which exist without us: the switch itself, ports,
 *            priority groups, queues, scheduler groups.  They have names, and
 *            each of their wishes is confirmed by itself.
 *   objects  that orchagent creates: pools, profiles, maps, schedulers, WRED
 *            profiles.  They are confirmed as a whole.  While the creation of
 *            one is not confirmed, its handle is a draft without an id. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

struct asic_row;
struct asic_rows;
struct handle;
struct metadata_attribute;
struct wishes;

struct wish {
    const struct metadata_attribute *meta;
    sai_attribute_value_t value; /* Owned; ids are those of handles. */
    int64_t since;               /* When it was first asked for. */
    bool confirmed;              /* At the last comparison. */
    bool doubted;                /* The last review found that it has gone. */
};

struct handle {
    sai_object_id_t oid; /* As handed out; SAI_NULL_OBJECT_ID: a draft. */
    sai_object_type_t type;
    char *name;    /* Of the port, or of the row: "BUFFER_POOL|x". */
    int index;     /* Of a priority group, queue or group; else -1. */
    bool leaving;  /* Its removal was asked for. */
    int64_t since; /* When an object, or its removal, was first asked for. */
    int64_t asked; /* When a draft was last asked for. */
    bool confirmed, doubted; /* Of an object; as for a wish. */
    sai_object_id_t seen;    /* Its id in ASIC_DB when it was confirmed. */
    struct wish *wishes;
    size_t n;

    /* Of a scheduler: the number of scheduler groups that want it, and of those
     * of ASIC_DB that have it as of these epochs. */
    size_t n_wanting, n_having;
    uint64_t rows_epoch, own_epoch;
    uint64_t epoch; /* Increases with each change of its wishes. */

    /* Of a part: its row at the last review, and its wishes as of then. */
    uint64_t reviewed_row, reviewed_own;

    /* Of a part or a pool: its id, as of an epoch of the maps. */
    sai_object_id_t named;
    uint64_t named_at;

    /* Of an object: the last comparison, of the row with this epoch and its
     * wishes as of that one; if it refers to others, also as of these epochs of
     * all rows and all objects. */
    uint64_t compared_row, compared_own;
    uint64_t compared_others_rows, compared_others_own;
    bool compared_equal;
};

/* Returns an empty memory that compares with 'rows', borrowed; free it with
 * wishes_destroy(), which accepts NULL. */
struct wishes *wishes_create(const struct asic_rows *rows);
void wishes_destroy(struct wishes *wishes);

/* Returns a number that increases with each change of a wish. */
uint64_t wishes_epoch(const struct wishes *wishes);

/* Sets the lanes of a port, as the field of its row; NULL: it has no row. */
void wishes_set_lanes(struct wishes *wishes, const char *name,
                      const char *lanes);

/* Returns the lanes of the port 'name', which exists in ASIC_DB: those
 * of its row in ASIC_DB, else of LANES; in the order of its row of CONFIG_DB if
 * that names the same lanes as LANES, or LANES names none.  NULL:
 * unknown.  Borrowed until the next call. */
const sai_u32_list_t *wishes_lanes(struct wishes *wishes, const char *name);

/* Returns how many ports have rows, how many of these ASIC_DB has, and of how
 * many of those STATE_DB has the limits. */
size_t wishes_n_ports(const struct wishes *wishes, size_t *n_there,
                      size_t *n_limited);

/* Returns the handle with this id, or NULL. */
struct handle *wishes_find(const struct wishes *wishes, sai_object_id_t oid);

/* Returns the handle of a part, creating it if needed. */
struct handle *wishes_part(struct wishes *wishes, sai_object_type_t type,
                           const char *name, int index);
bool handle_is_part(const struct handle *handle);

/* Returns the part that is the port with the lanes in 'attributes', if ASIC_DB
 * has one; else NULL. */
struct handle *wishes_find_lanes(struct wishes *wishes, uint32_t n,
                                 const sai_attribute_t *attributes);

/* Returns the draft of the object 'name', creating it if needed; the second one
 * only finds it. */
struct handle *wishes_draft(struct wishes *wishes, sai_object_type_t type,
                            const char *name, int64_t now);
struct handle *wishes_find_draft(const struct wishes *wishes,
                                 sai_object_type_t type, const char *name);

/* Makes a draft a confirmed object; returns its new id.  Of a part, returns its
 * id. */
sai_object_id_t wishes_adopt(struct wishes *wishes, struct handle *handle);

/* Forgets the wishes of an object that are not among the 'n' 'attributes'. */
void wishes_keep(struct wishes *wishes, struct handle *handle, uint32_t n,
                 const sai_attribute_t *attributes, int64_t now);

/* Sets a wish; and finds one, or NULL. */
void wishes_set(struct wishes *wishes, struct handle *handle,
                const sai_attribute_t *attribute, int64_t now);
struct wish *handle_wish(const struct handle *handle, sai_attr_id_t id);

/* Returns since when a wish is asked for as it is, with all that it is
 * confirmed with. */
int64_t handle_since(const struct handle *handle, const struct wish *wish);

/* Compares a wish of a part, or an object as a whole, with ASIC_DB. */
bool wishes_check(struct wishes *wishes, struct handle *handle,
                  struct wish *wish);

/* Returns whether ASIC_DB has the part, or an object as wanted. */
bool wishes_is_there(const struct wishes *wishes, struct handle *handle);

/* Returns whether a wish asks for the default of an attribute of a port, or of
 * a part of it, that has neither a row nor a place in ASIC_DB: nothing of it
 * has to be reset. */
bool wishes_reset_is_over(const struct wishes *wishes,
                          const struct handle *handle, const struct wish *wish);

/* Returns the value of an attribute in ASIC_DB; NULL: unknown. */
const sai_attribute_value_t *wishes_seen(const struct wishes *wishes,
                                         const struct handle *handle,
                                         const struct metadata_attribute *meta);

/* Returns whether attribute 'id' of the object 'name' is to have its default,
 * if anything, but has another value in ASIC_DB, although no more than such
 * attributes may be the reason why the object is not confirmed: orchagent has
 * left it as it was. */
bool wishes_left_over(const struct wishes *wishes, sai_object_type_t type,
                      const char *name, sai_attr_id_t id);

/* Returns whether ASIC_DB no longer has what an object stood for: the one that
 * was last seen is gone, or there are no more of its content than other handles
 * want. */
bool wishes_gone(const struct wishes *wishes, struct handle *handle);

/* Forgets the wishes of a part that is gone; frees an object. */
void wishes_forget(struct wishes *wishes, struct handle *handle);
void wishes_drop(struct wishes *wishes, struct handle *handle);

/* Compares all that is confirmed again, and marks what has gone as
 * doubted, from 'now' on.  Returns whether there is any. */
bool wishes_review(struct wishes *wishes, int64_t now);

/* For wish_text.h: the rows; the id that a part, or a pool, has in ASIC_DB; and
 * whether 'row' has 'wanted', or lacks an attribute whose default that is. */
const struct asic_rows *wishes_rows(const struct wishes *wishes);
sai_object_id_t wishes_named_oid(const struct wishes *wishes,
                                 const struct handle *handle);
bool wishes_agree(const struct wishes *wishes, const struct asic_row *row,
                  const struct metadata_attribute *meta,
                  const sai_attribute_value_t *wanted);

#endif /* orchd/orchagent/wish.h */
