/* SPDX-License-Identifier: Apache-2.0 */

/* Writes a page about each object type of SAI, and an index of the pages.
 *
 * usage: print_pages INCLUDE_DIR OUTPUT_DIR
 *
 * All properties come from the compiled metadata, so a page cannot differ from
 * what the code does.  The metadata do not keep comments: these come from the
 * .def files in INCLUDE_DIR, which also say which rows belong together.  The
 * program fails unless the tables and the files have the same rows. */

#include <config.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"

/* The length of "SAI_OBJECT_TYPE_", with which the name of each type begins. */
#define TYPE_PREFIX_LENGTH (sizeof "SAI_OBJECT_TYPE_" - 1)

/* Reports that the tables or the files are wrong and ends the program. */
static void
fail(const char *what, const char *name)
{
    fprintf(stderr, "print_pages: %s: %s\n", name, what);
    exit(1);
}

/* Returns the contents of a file, which the caller frees. */
static char *
read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    struct text text = {0};
    char buffer[4096];
    size_t n;

    if (!file) {
        fail("cannot be read", path);
    }
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) {
        text_add_bytes(&text, buffer, n);
    }
    (void)fclose(file);
    return text_take(&text);
}

static void
write_file(const char *directory, const char *name, const char *contents)
{
    struct text path = {0};
    FILE *file;

    text_addf(&path, "%s/%s.md", directory, name);
    file = fopen(text_string(&path), "w");
    if (!file || fputs(contents, file) < 0 || fclose(file)) {
        fail("cannot be written", text_string(&path));
    }
    text_fini(&path);
}

/* Returns "queue" for "SAI_OBJECT_TYPE_QUEUE"; the caller frees it. */
static char *
short_name(const struct metadata_object *object)
{
    char *name = check_strdup(object->name + TYPE_PREFIX_LENGTH);

    for (char *c = name; *c; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    return name;
}

/* Appends the words between 'start' and 'end', the inside of a comment, as one
 * line, without the sentence about tables that all files have. */
static void
add_words(const char *start, const char *end, struct text *text)
{
    const char *boilerplate = strstr(start, "saitypes.h says how");
    const size_t before = text->length;
    bool space = false;

    if (boilerplate && boilerplate < end) {
        end = boilerplate;
    }
    for (const char *c = start; c < end; c++) {
        bool is_margin = c[0] == '*' && c[-1] == ' ' && c[-2] == '\n';

        if (isspace((unsigned char)*c) || is_margin) {
            space = true;
            continue;
        }
        text_add(text, space && text->length > before ? " " : "");
        text_add_char(text, *c);
        space = false;
    }
}

/* A .def file as a sequence of comments, rows and gaps. */
struct scan {
    const char *cursor;
    const char *macro; /* Of a row: "SAI_ATTR(". */
};

enum event { EVENT_COMMENT, EVENT_ROW, EVENT_GAP, EVENT_END };

/* Stores the words of the next comment, or the name in the next row, in
 * '*text'. A gap is an empty line; it ends a group of rows. */
static enum event
scan_next(struct scan *scan, struct text *text)
{
    const size_t length = strlen(scan->macro);

    text_clear(text);
    for (; *scan->cursor; scan->cursor++) {
        const char *at = scan->cursor;

        if (!strncmp(at, "/*", 2)) {
            const char *end = strstr(at, "*/");

            scan->cursor = end ? end + 2 : at + strlen(at);
            add_words(at + 2, end ? end : scan->cursor, text);
            return EVENT_COMMENT;
        }
        if (!strncmp(at, scan->macro, length)) {
            size_t n = strcspn(at + length, ",");

            scan->cursor = at + length + n;
            text_add_bytes(text, at + length, n);
            return EVENT_ROW;
        }
        if (!strncmp(at, "\n\n", 2)) {
            scan->cursor = at + 2;
            return EVENT_GAP;
        }
    }
    return EVENT_END;
}

/* "1.15.0".  The facts say nothing about releases before 1.7.0, and for
 * switches and ports before 1.9.0. */
static void
add_release(unsigned int since, struct text *text)
{
    text_addf(text, "%s%u.%u.%u", since <= 10700 ? "<= " : "", since / 10000,
              since / 100 % 100, since % 100);
}

/* Returns the part of 'name' behind 'infix', or all of it. */
static const char *
without_prefix(const char *name, const char *infix)
{
    const char *at = strstr(name, infix);

    return at ? at + strlen(infix) : name;
}

static void
add_type(const struct metadata_attribute *row, struct text *text)
{
    const char *separator = " of ";

    if (row->enumeration) {
        text_addf(text, "%s`%s`", row->kind == KIND_S32LIST ? "list of " : "",
                  row->enumeration->name);
        return;
    }
    text_add(text, kind_layout(row->kind)->name);
    for (const sai_object_type_t *type = row->objects; type && *type; type++) {
        text_addf(text, "%s%s", separator,
                  metadata_type_name(*type) + TYPE_PREFIX_LENGTH);
        separator = ", ";
    }
    if (row->null_allowed) {
        text_add(text, " or null");
    }
}

static void
add_flags(const struct metadata_attribute *row, struct text *text)
{
    static const struct {
        unsigned int flag;
        const char *name;
    } names[] = {
        {METADATA_FLAG_READ_ONLY, "read-only"},
        {METADATA_FLAG_CREATE_ONLY, "create-only"},
        {METADATA_FLAG_CREATE_AND_SET, "create and set"},
        {METADATA_FLAG_MANDATORY_ON_CREATE, "mandatory"},
        {METADATA_FLAG_KEY, "key"},
    };
    const char *separator = "";

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (row->flags & names[i].flag) {
            text_addf(text, "%s%s", separator, names[i].name);
            separator = ", ";
        }
    }
}

/* Adds a default that does not depend on the device. */
static void
add_constant(const struct metadata_attribute *row, struct text *text)
{
    sai_attribute_value_t value;

    if (!metadata_default(row, &value)) {
        fail("has no default", row->name);
    }
    if (row->kind == KIND_OID) {
        text_add(text, "null");
    } else if (row->kind == KIND_POINTER) {
        text_add(text, "none");
    } else if (row->kind == KIND_CHARDATA) {
        text_add(text, "empty");
    } else if (serialize_value(row, &value, text)) {
        fail("has no text form", row->name);
    }
}

static void
add_default(const struct metadata_attribute *row, struct text *text)
{
    switch (row->default_kind) {
    case METADATA_DEFAULT_NONE:
        break;
    case METADATA_DEFAULT_CONST:
        add_constant(row, text);
        break;
    case METADATA_DEFAULT_EMPTY:
        text_add(text, "empty");
        break;
    case METADATA_DEFAULT_INTERNAL:
        text_add(text, "of the device");
        break;
    case METADATA_DEFAULT_VENDOR:
        text_add(text, "of the vendor");
        break;
    case METADATA_DEFAULT_SAME_AS:
        text_addf(text, "as `%s`",
                  metadata_attribute(row->default_object,
                                     (sai_attr_id_t)row->default_value)
                      ->name);
        break;
    }
}

static void
add_range(const struct metadata_attribute *row, struct text *text)
{
    if (row->has_range) {
        text_addf(text, "%" PRId64 "..%" PRId64, row->min, row->max);
    }
}

/* Adds "NAME = value". */
static void
add_term(const struct metadata_object *object, const struct metadata_term *term,
         struct text *text)
{
    const struct metadata_attribute *other =
        metadata_attribute(object->type, term->id);
    sai_attribute_value_t value;

    metadata_set_number(other->kind, term->value, &value);
    text_addf(text, "`%s` = ", without_prefix(other->name, "_ATTR_"));
    if (serialize_value(other, &value, text)) {
        fail("has no text form", other->name);
    }
}

static void
add_condition(const struct metadata_object *object,
              const struct metadata_attribute *row, struct text *text)
{
    static const struct {
        const char *verb;
        const char *first; /* Between the first two terms. */
        const char *rest;
    } words[] = {
        [METADATA_ALWAYS] = {"", "", ""},
        [METADATA_REQUIRED_IF_ANY] = {"exists if ", " or ", " or "},
        [METADATA_REQUIRED_IF_ALL] = {"exists if ", " and ", " and "},
        [METADATA_VALID_IF_ANY] = {"acts if ", " or ", " or "},
        [METADATA_VALID_IF_ALL] = {"acts if ", " and ", " and "},
        [METADATA_VALID_IF_FIRST_AND_ANY] = {"acts if ", " and one of ", ", "},
    };

    for (size_t i = 0; i < row->n_terms; i++) {
        text_add(text, i == 0   ? words[row->condition].verb
                       : i == 1 ? words[row->condition].first
                                : words[row->condition].rest);
        add_term(object, &row->terms[i], text);
    }
}

/* Adds the row of an attribute.  Returns false if there is no such attribute.
 */
static bool
add_attribute(const struct metadata_object *object, const char *name,
              struct text *text)
{
    const struct metadata_attribute *row =
        metadata_attribute_by_name(name, NULL);

    if (!row) {
        return false;
    }
    text_addf(text, "| %" PRIu32 " | `%s` | ", row->id,
              without_prefix(name, "_ATTR_"));
    add_type(row, text);
    text_add(text, " | ");
    add_flags(row, text);
    text_add(text, " | ");
    add_default(row, text);
    text_add(text, " | ");
    add_range(row, text);
    text_addf(text, " | %s | ", metadata_unit_name(row->unit));
    add_condition(object, row, text);
    text_add(text, " | ");
    add_release(row->since, text);
    text_add(text, " |\n");
    return true;
}

static bool
add_stat(const struct metadata_object *object, const char *name,
         struct text *text)
{
    const struct metadata_stat *row = metadata_stat_by_name(name, NULL);

    (void)object;
    if (!row) {
        return false;
    }
    text_addf(text, "| %" PRIu32 " | `%s` | ", row->id,
              without_prefix(name, "_STAT_"));
    add_release(row->since, text);
    text_add(text, " |\n");
    return true;
}

/* One of the two tables of an object. */
struct part {
    const char *macro;
    const char *head; /* Of each table of the page. */
    bool (*add)(const struct metadata_object *object, const char *name,
                struct text *text);
};

static const struct part attributes_part = {
    "SAI_ATTR(",
    "| id | attribute | type | flags | default | range | unit | condition "
    "| since |\n|---|---|---|---|---|---|---|---|---|\n",
    add_attribute,
};

static const struct part stats_part = {
    "SAI_STAT(",
    "| id | counter | since |\n|---|---|---|\n",
    add_stat,
};

/* Adds a table per group of rows, with the comment above the group as a
 * paragraph.  Fails unless there are 'expected' rows. */
static void
add_part(const struct part *part, const char *contents,
         const struct metadata_object *object, size_t expected,
         struct text *text)
{
    struct scan scan = {contents, part->macro};
    struct text comment = {0};
    struct text word = {0};
    bool is_open = false;
    enum event event;

    while ((event = scan_next(&scan, &word)) != EVENT_END) {
        if (event != EVENT_ROW) {
            is_open = false;
            text_clear(&comment);
            text_add(&comment, text_string(&word));
            continue;
        }
        if (!is_open) {
            text_addf(text, "\n%s%s%s", text_string(&comment),
                      comment.length ? "\n\n" : "", part->head);
            is_open = true;
        }
        if (!part->add(object, text_string(&word), text) || expected-- == 0) {
            fail("is not in the metadata", text_string(&word));
        }
    }
    if (expected) {
        fail("has rows that are not in the .def file", object->name);
    }
    text_fini(&comment);
    text_fini(&word);
}

/* Adds what the file says about the object type as a whole: its second comment,
 * which follows that of the licence. */
static void
add_purpose(const char *contents, struct text *text)
{
    struct scan scan = {contents, attributes_part.macro};
    struct text word = {0};
    size_t n_comments = 0;

    while (n_comments < 2) {
        enum event event = scan_next(&scan, &word);

        if (event == EVENT_END || event == EVENT_ROW) {
            fail("begins without a purpose", contents);
        }
        n_comments += event == EVENT_COMMENT;
    }
    text_add(text, text_string(&word));
    text_fini(&word);
}

/* Adds the members of each enumeration that an attribute uses, once. */
static void
add_enums(const struct metadata_object *object, struct text *text)
{
    bool any = false;

    for (size_t i = 0; i < object->n_attributes; i++) {
        const struct metadata_enum *e = object->attributes[i].enumeration;
        bool seen = !e;

        for (size_t k = 0; k < i && !seen; k++) {
            seen = object->attributes[k].enumeration == e;
        }
        if (seen) {
            continue;
        }
        text_add(text, any ? "" : "\n## Enumerations\n");
        any = true;
        text_addf(text, "\n`%s`%s:\n\n", e->name,
                  e->flags ? " (bits that may be combined)" : "");
        for (size_t m = 0; m < e->n_members; m++) {
            text_addf(text, "- `%s` = %" PRId32 "\n", e->members[m].name,
                      e->members[m].value);
        }
    }
}

static char *
read_def(const char *directory, const char *name)
{
    struct text path = {0};
    char *contents;

    text_addf(&path, "%s/object/%s.def", directory, name);
    contents = read_file(text_string(&path));
    text_fini(&path);
    return contents;
}

/* Writes the page of 'object' and adds its line to 'index'. */
static void
print_object(const struct metadata_object *object, const char *include,
             const char *output, struct text *index)
{
    char *name = short_name(object);
    char *attributes = read_def(include, name);
    const char *stats = strstr(attributes, "SAI_STAT_BEGIN(");
    struct text page = {0};

    text_addf(&page, "# %s\n\n", object->name);
    add_purpose(attributes, &page);
    text_addf(&page,
              "\n\nObject type %d.  How to read this: "
              "[README.md](README.md).\n\n## Attributes\n",
              (int)object->type);
    add_part(&attributes_part, attributes, object, object->n_attributes, &page);
    for (size_t i = 0; i < object->n_aliases; i++) {
        text_addf(
            &page, "\n`%s` is another name of `%s`.\n", object->aliases[i].name,
            metadata_attribute(object->type, object->aliases[i].id)->name);
    }
    if (object->n_stats > 0) {
        text_add(&page, "\n## Counters\n");
        add_part(&stats_part, stats ? stats : "", object, object->n_stats,
                 &page);
    }
    add_enums(object, &page);
    write_file(output, name, text_string(&page));
    text_addf(index, "| [%s](%s.md) | %u | %u |\n",
              object->name + TYPE_PREFIX_LENGTH, name, object->n_attributes,
              object->n_stats);
    text_fini(&page);
    free(attributes);
    free(name);
}

static const char introduction[] =
    "# Object types of SAI\n"
    "\n"
    "One page for each object type that orchd knows.  The build prints the\n"
    "pages from the tables that the code uses.\n"
    "\n"
    "*Type* is the member of `sai_attribute_value_t`, with the object types\n"
    "that a reference may have, or the enumeration.  *Flags* say when an\n"
    "attribute can be given: a mandatory attribute must be given at creation;\n"
    "the keys together identify the object.  *Default* is the value of the\n"
    "attribute until it is set.  *Range* is what SAI allows; a chip may allow\n"
    "less.  An attribute that *exists if* a condition holds must not be given\n"
    "otherwise.  One that *acts if* a condition holds can be given at any\n"
    "time.  *Since* is the release of SAI that introduced the attribute under\n"
    "this number.\n"
    "\n"
    "| object type | attributes | counters |\n"
    "|---|---|---|\n";

int
main(int argc, char *argv[])
{
    size_t n;
    const struct metadata_object *objects = metadata_objects(&n);
    struct text index = {0};

    if (argc != 3) {
        fprintf(stderr, "usage: print_pages INCLUDE_DIR OUTPUT_DIR\n");
        return 2;
    }
    text_add(&index, introduction);
    for (size_t i = 0; i < n; i++) {
        print_object(&objects[i], argv[1], argv[2], &index);
    }
    write_file(argv[2], "README", text_string(&index));
    text_fini(&index);
    return 0;
}
