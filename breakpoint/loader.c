/* SPDX-License-Identifier: Apache-2.0 */

/* Lists that grow while a scenario is loaded. */

#include <config.h>

#include "breakpoint/loader.h"

#include <libfyaml.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"

struct items
items_of(struct fy_node *node)
{
    struct items items = {node, 1};

    if (node && fy_node_is_sequence(node)) {
        int n = fy_node_sequence_item_count(node);

        items.n = n > 0 ? (size_t)n : 0;
    }
    return items;
}

struct fy_node *
items_get(const struct items *items, size_t i)
{
    return items->node && fy_node_is_sequence(items->node)
               ? fy_node_sequence_get_by_index(items->node, (int)i)
               : items->node;
}

/* Returns 'array' of 'n' elements of 'size' with room for one more.  Its room
 * is always a power of two. */
static void *
grown(void *array, size_t n, size_t size)
{
    if (n & (n - 1)) {
        return array;
    }
    return check_realloc(array, (n ? 2 * n : 1) * size);
}

size_t
loader_add_object(struct loader *loader, const struct target_object *object)
{
    for (size_t i = 0; i < loader->n_objects; i++) {
        const struct target_object *other = &loader->objects[i];

        if (other->kind == object->kind && other->index == object->index &&
            !strcmp(other->name, object->name)) {
            return i;
        }
    }
    loader->objects =
        grown(loader->objects, loader->n_objects, sizeof *loader->objects);
    loader->objects[loader->n_objects] = *object;
    return loader->n_objects++;
}

/* Returns the index of 'name' in a list of names, 'n' if it is not there. */
static size_t
name_find(const char *const *names, size_t n, const char *name)
{
    size_t i = 0;

    while (i < n && strcmp(names[i], name)) {
        i++;
    }
    return i;
}

size_t
loader_add_rx_port(struct loader *loader, const char *port)
{
    size_t i = name_find(loader->rx_ports, loader->n_rx_ports, port);

    if (i == loader->n_rx_ports) {
        loader->rx_ports = grown(loader->rx_ports, loader->n_rx_ports,
                                 sizeof *loader->rx_ports);
        loader->rx_ports[loader->n_rx_ports++] = port;
    }
    return i;
}

bool
loader_has_snap(const struct loader *loader, const char *name)
{
    return name_find(loader->snaps, loader->n_snaps, name) < loader->n_snaps;
}

void
loader_add_snap(struct loader *loader, const char *name)
{
    loader->snaps =
        grown(loader->snaps, loader->n_snaps, sizeof *loader->snaps);
    loader->snaps[loader->n_snaps++] = name;
}

const char *
loader_format(struct loader *loader, const char *format, ...)
{
    char buffer[512];
    va_list args;

    va_start(args, format);
    text_vformat(buffer, sizeof buffer, format, args);
    va_end(args);
    return arena_strdup(loader->arena, buffer);
}

void
loader_fini(struct loader *loader)
{
    free(loader->objects);
    free(loader->rx_ports);
    free(loader->snaps);
}

enum st
loader_object(struct loader *loader, struct fy_node *node,
              struct target_object *object)
{
    static const char forms[] = "'port NAME', 'pg NAME.INDEX', "
                                "'queue NAME.INDEX' or 'pool NAME'";
    const char *text = NULL;
    const char *blank;
    char *dot;
    uint64_t index = 0;
    enum st st =
        document_text(loader->document, node, "an object", &text, loader->err);

    if (st) {
        return st;
    }
    blank = strchr(text, ' ');
    if (!blank || !blank[1] ||
        !target_kind_find(text, (size_t)(blank - text), &object->kind)) {
        return document_fail(loader->document, node, loader->err,
                             "expected %s, found '%s'", forms, text);
    }
    object->name = blank + 1;
    object->index = 0;
    if (target_kind_indexed(object->kind)) {
        char *name = arena_strdup(loader->arena, blank + 1);

        dot = strrchr(name, '.');
        if (!dot || dot == name || parse_u64(dot + 1, 0, 255, &index)) {
            return document_fail(loader->document, node, loader->err,
                                 "expected %s, found '%s'", forms, text);
        }
        *dot = '\0';
        object->name = name;
        object->index = (unsigned int)index;
    }
    return ST_OK;
}
