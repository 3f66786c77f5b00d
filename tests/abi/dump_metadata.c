/* SPDX-License-Identifier: Apache-2.0 */

/* Prints the compiled metadata of SAI as JSON, for comparison with facts from
 * elsewhere (compare_metadata.py). */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "sai/core/metadata.h"

static const char *const default_names[] = {
    [METADATA_DEFAULT_NONE] = "none",
    [METADATA_DEFAULT_CONST] = "const",
    [METADATA_DEFAULT_EMPTY] = "empty",
    [METADATA_DEFAULT_INTERNAL] = "internal",
    [METADATA_DEFAULT_VENDOR] = "vendor",
    [METADATA_DEFAULT_SAME_AS] = "attrvalue",
};

static const char *const condition_names[] = {
    [METADATA_ALWAYS] = "always",
    [METADATA_REQUIRED_IF_ANY] = "condition any",
    [METADATA_REQUIRED_IF_ALL] = "condition all",
    [METADATA_VALID_IF_ANY] = "validonly any",
    [METADATA_VALID_IF_ALL] = "validonly all",
    [METADATA_VALID_IF_FIRST_AND_ANY] = "validonly first and any",
};

static void
dump_attribute(const struct metadata_attribute *row)
{
    const char *separator = "";

    printf("{\"name\":\"%s\",\"id\":%" PRIu32
           ",\"kind\":\"%s\",\"flags\":%u,\"since\":%u",
           row->name, row->id, kind_layout(row->kind)->name, row->flags,
           row->since);
    printf(",\"default_kind\":\"%s\",\"default\":%" PRId64,
           default_names[row->default_kind], row->default_value);
    printf(",\"enum\":\"%s\",\"null\":%s",
           row->enumeration ? row->enumeration->name : "",
           row->null_allowed ? "true" : "false");
    printf(",\"objects\":[");
    for (size_t i = 0; row->objects && row->objects[i]; i++) {
        printf("%s\"%s\"", separator, metadata_type_name(row->objects[i]));
        separator = ",";
    }
    printf("],\"condition\":\"%s\",\"terms\":[",
           condition_names[row->condition]);
    separator = "";
    for (size_t i = 0; i < row->n_terms; i++) {
        printf("%s[%" PRIu32 ",%" PRId64 "]", separator, row->terms[i].id,
               row->terms[i].value);
        separator = ",";
    }
    printf("]}");
}

static void
dump_object(const struct metadata_object *object)
{
    printf("{\"name\":\"%s\",\"type\":%d,\"attributes\":[", object->name,
           (int)object->type);
    for (size_t i = 0; i < object->n_attributes; i++) {
        printf("%s\n", i ? "," : "");
        dump_attribute(&object->attributes[i]);
    }
    printf("],\n\"aliases\":[");
    for (size_t i = 0; i < object->n_aliases; i++) {
        printf("%s[\"%s\",%" PRIu32 "]", i ? "," : "", object->aliases[i].name,
               object->aliases[i].id);
    }
    printf("],\n\"stats\":[");
    for (size_t i = 0; i < object->n_stats; i++) {
        printf("%s[\"%s\",%" PRIu32 ",%u]", i ? "," : "", object->stats[i].name,
               object->stats[i].id, object->stats[i].since);
    }
    printf("]}");
}

int
main(void)
{
    size_t n;
    const struct metadata_object *objects = metadata_objects(&n);

    printf("[");
    for (size_t i = 0; i < n; i++) {
        printf("%s\n", i ? "," : "");
        dump_object(&objects[i]);
    }
    printf("]\n");
    return 0;
}
