/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TRANSLATE_RULES_H
#define ORCHD_TRANSLATE_RULES_H

/* The translation tables: one line per field of CONFIG_DB.
 *
 * Value types, defaults and which attributes may change come from the SAI
 * metadata; ranges come from the schema.  A line adds only what neither has:
 * which field becomes which attribute, and the unit or vocabulary of its
 * text. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/intent/table.h"

/* How the text of a field becomes a value. */
enum convert {
    CONVERT_NUMBER, /* A decimal number, plus 'argument.offset'. */
    CONVERT_WORD,   /* One of 'argument.words'. */
    CONVERT_ELSE,   /* The same; any other text is the last, NULL word. */
    CONVERT_UNLESS, /* A number; no effect if it is 'argument.unless'. */
    CONVERT_LANES,  /* A comma list of numbers; becomes a u32 list. */
    CONVERT_BITS,   /* A comma list of bit numbers; becomes a mask. */
    CONVERT_ROW,    /* The name of a row of 'argument.table'. */
    CONVERT_ROWS,   /* A comma list of such, in order. */
    CONVERT_FIXED,  /* For any text: 'argument.offset'. */
    CONVERT_FILL,   /* The attribute's default, set explicitly if the text is
                     * "true" and the row has no field 'argument.unless'. */
    CONVERT_NONE,   /* Known; no effect in this version. */
};

/* The objects that a row applies to. */
enum reach {
    REACH_SELF,    /* The object that the row creates. */
    REACH_SWITCH,  /* The switch. */
    REACH_PORTS,   /* Each port of its key. */
    REACH_INDEXES, /* Each index of its key on each port. */
    REACH_QUEUES,  /* The same, and each queue of that index. */
    REACH_KEY,     /* The port in its key; none for "GLOBAL". */
    REACH_NAME,    /* The object named after it, which the ASIC has. */
    REACH_NOTHING, /* None: other modules read the row. */
    REACH_NAMED,   /* None, but its fields are port names. */
};

/* A word and the value it stands for.  A list ends with a NULL word, whose
 * value counts for CONVERT_ELSE. */
struct word {
    const char *word;
    int32_t value;
};

struct field_rule {
    const char *field; /* NULL: every row has it. */
    sai_attr_id_t attribute;
    enum convert convert;
    union {
        int64_t offset;
        const struct word *words;
        enum table table;
        const char *unless;
    } argument;

    /* Applies only while the SAI condition of the attribute holds, because that
     * depends on another row. */
    bool conditional;

    sai_object_type_t type; /* Of the objects, if it is not the table's. */
};

/* A table whose fields are the keys of a QoS map.  Entries are in the order of
 * their numeric key; other members of an entry are zero. */
struct map_rule {
    sai_qos_map_type_t type;
    size_t key_offset;   /* In sai_qos_map_params_t. */
    size_t value_offset; /* The same. */
};

struct table_rule {
    enum table table;
    enum reach reach;
    sai_object_type_t type; /* Of the objects it applies to. */
    const struct field_rule *fields;
    size_t n_fields;
    const struct map_rule *map; /* Instead of 'fields'. */
};

/* Returns the rules of 'table'. */
const struct table_rule *rules_get(enum table table);

/* Returns the rules of the row PORT_QOS_MAP|global, which applies to the switch
 * instead of ports. */
const struct table_rule *rules_get_global_qos(void);

#endif /* orchd/translate/rules.h */
