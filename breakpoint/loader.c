/* SPDX-License-Identifier: Apache-2.0 */

/* Growing lists, and the walk through the lists of a scenario. */

#include <config.h>

#include "breakpoint/loader.h"

#include <libfyaml.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"

/* More items than any scenario has, and few enough for memory.  Nested loops
 * could otherwise ask for any number. */
#define ITEMS_MAX 50000
#define DEPTH_MAX 16

/* --- Growing lists ------------------------------------------------------- */

void *
list_add(struct list *list, size_t size)
{
    char *element;

    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->elements = check_realloc(list->elements, list->room * size);
    }
    element = (char *)list->elements + list->n++ * size;
    memset(element, 0, size);
    return element;
}

void *
list_take(struct list *list, size_t size, struct arena *arena)
{
    void *copy = arena_alloc(arena, list->n + 1, size);

    if (list->n) {
        memcpy(copy, list->elements, list->n * size);
    }
    list_fini(list);
    return copy;
}

void
list_fini(struct list *list)
{
    free(list->elements);
    memset(list, 0, sizeof *list);
}

/* --- Blocks of items ----------------------------------------------------- */

/* A block as written in a scenario. */
struct block_yaml {
    struct fy_node *variables, *when, *each;
    const char *use;
    struct fy_node *with;
};

static const struct map_key block_keys[] = {
    {"for", MAP_KEY_NODE, false, offsetof(struct block_yaml, variables), 0, 0,
     NULL},
    {"when", MAP_KEY_NODE, false, offsetof(struct block_yaml, when), 0, 0,
     NULL},
    {"each", MAP_KEY_NODE, false, offsetof(struct block_yaml, each), 0, 0,
     NULL},
    {"use", MAP_KEY_TEXT, false, offsetof(struct block_yaml, use), 0, 0, NULL},
    {"with", MAP_KEY_NODE, false, offsetof(struct block_yaml, with), 0, 0,
     NULL},
};

/* A walk through a block: the block and the function to call for its items. */
struct block_walk {
    const struct block_yaml *block;
    int variable; /* Index of the next variable to bind. */
    loader_item_fn *fn;
    void *context;
};

static enum st walk_variables(struct loader *loader, struct block_walk *walk);

/* Returns whether 'node' is a block. */
static bool
is_block(struct fy_node *node)
{
    return node && fy_node_is_mapping(node) &&
           (document_member(node, "each") || document_member(node, "use"));
}

/* Walks the items for one combination of values. */
static enum st
walk_each(struct loader *loader, struct block_walk *walk)
{
    int64_t holds = 1;
    enum st st = ST_OK;

    if (walk->block->when) {
        st = values_number(loader->values, walk->block->when, "when", INT64_MIN,
                           INT64_MAX, &holds, loader->err);
    }
    return st || !holds ? st
                        : loader_each(loader, walk->block->each, walk->fn,
                                      walk->context);
}

/* Continues with the next variable; the caller has bound one. */
static enum st
walk_deeper(struct loader *loader, struct block_walk *walk)
{
    enum st st;

    walk->variable++;
    st = walk_variables(loader, walk);
    walk->variable--;
    values_unbind(loader->values);
    return st;
}

/* Binds 'name' to the values of one item: the item itself, or each number of a
 * range. */
static enum st
walk_value(struct loader *loader, struct block_walk *walk, const char *name,
           struct fy_node *node)
{
    int64_t low = 0, high = 0;
    bool is_range = false;
    enum st st = values_range(loader->values, node, name, &low, &high,
                              &is_range, loader->err);

    if (!st && !is_range) {
        st = values_bind(loader->values, name, node, loader->err);
        return st ? st : walk_deeper(loader, walk);
    }
    for (int64_t i = low; !st && i <= high; i++) {
        values_bind_number(loader->values, name, i);
        st = walk_deeper(loader, walk);
        if (!st && ++loader->n_items > ITEMS_MAX) {
            st = document_fail(loader->document, node, loader->err,
                               "more than %d items in all lists", ITEMS_MAX);
        }
    }
    return st;
}

/* Binds the next variable to each of its values. */
static enum st
walk_variables(struct loader *loader, struct block_walk *walk)
{
    struct fy_node_pair *pair =
        walk->block->variables ? fy_node_mapping_get_by_index(
                                     walk->block->variables, walk->variable)
                               : NULL;
    struct fy_node *list;
    const char *name = NULL;
    enum st st = ST_OK;

    if (!pair) {
        return walk_each(loader, walk);
    }
    st = document_scalar(loader->document, fy_node_pair_key(pair),
                         "the name of a variable", &name, loader->err);
    list = values_list(loader->values, fy_node_pair_value(pair));
    if (st || !list || !fy_node_is_sequence(list)) {
        return st ? st : walk_value(loader, walk, name, list);
    }
    for (int i = 0; !st && i < fy_node_sequence_item_count(list); i++) {
        st = walk_value(loader, walk, name,
                        fy_node_sequence_get_by_index(list, i));
    }
    return st;
}

/* Finds the part that a block uses: the last one defined with that name. */
static enum st
find_part(struct loader *loader, struct fy_node *node, struct block_yaml *block)
{
    struct fy_node **parts = loader->parts.elements;
    struct nearest nearest;
    char hint[NEAREST_HINT_SIZE];
    const char *name;

    nearest_init(&nearest, block->use, strlen(block->use));
    for (size_t i = loader->parts.n; i--;) {
        struct fy_node_pair *pair;
        void *iterator = NULL;

        while ((pair = fy_node_mapping_iterate(parts[i], &iterator))) {
            enum st st =
                document_scalar(loader->document, fy_node_pair_key(pair),
                                "a part", &name, loader->err);

            if (st) {
                return st;
            }
            if (!strcmp(name, block->use)) {
                block->each = fy_node_pair_value(pair);
                return ST_OK;
            }
            nearest_try(&nearest, name);
        }
    }
    return document_fail(
        loader->document, node, loader->err, "there is no part '%s'%s%s",
        block->use, nearest_hint(&nearest, hint),
        loader->parts.n ? "" : ": the scenario has no 'parts'");
}

/* Walks a part with the values that 'with' binds; they are bound before those
 * of 'for'. */
static enum st
walk_part(struct loader *loader, struct block_walk *walk)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;
    const char *name = NULL;
    size_t n = 0;
    enum st st = ST_OK;

    while (!st && walk->block->with &&
           (pair = fy_node_mapping_iterate(walk->block->with, &iterator))) {
        st = document_scalar(loader->document, fy_node_pair_key(pair),
                             "the name of a variable", &name, loader->err);
        st = st ? st
                : values_bind(loader->values, name, fy_node_pair_value(pair),
                              loader->err);
        n += !st;
    }
    st = st ? st : walk_variables(loader, walk);
    while (n--) {
        values_unbind(loader->values);
    }
    return st;
}

/* Walks a block. */
static enum st
walk_block(struct loader *loader, struct fy_node *node, loader_item_fn *fn,
           void *context)
{
    struct block_yaml block = {0};
    struct block_walk walk = {&block, 0, fn, context};
    uint64_t seen;
    enum st st = loader_map(loader, node, "a block", block_keys,
                            N_MAP_KEYS(block_keys), &block, &seen);

    if (!st && loader->depth == DEPTH_MAX) {
        st = document_fail(loader->document, node, loader->err,
                           "more than %d blocks in blocks", DEPTH_MAX);
    }
    if (!st && !block.use != (block.each != NULL)) {
        st = document_fail(loader->document, node, loader->err,
                           "a block needs either each or use");
    }
    if (!st && ((block.variables && !fy_node_is_mapping(block.variables)) ||
                (block.with && !fy_node_is_mapping(block.with)))) {
        st = document_fail(
            loader->document,
            block.with && !fy_node_is_mapping(block.with) ? block.with
                                                          : block.variables,
            loader->err, "expected a map of variables to their values");
    }
    st = st || !block.use ? st : find_part(loader, node, &block);
    if (!st) {
        loader->depth++;
        st = walk_part(loader, &walk);
        loader->depth--;
    }
    return st;
}

/* Processes one item, which may be a block. */
static enum st
walk_item(struct loader *loader, struct fy_node *node, loader_item_fn *fn,
          void *context)
{
    if (++loader->n_items > ITEMS_MAX) {
        return document_fail(loader->document, node, loader->err,
                             "more than %d items in all lists", ITEMS_MAX);
    }
    if (is_block(node)) {
        return walk_block(loader, node, fn, context);
    }
    if (node && fy_node_is_mapping(node) && document_member(node, "for")) {
        return document_fail(loader->document, node, loader->err,
                             "'for' needs 'each', the list of items to repeat");
    }
    return fn(loader, node, context);
}

enum st
loader_each(struct loader *loader, struct fy_node *node, loader_item_fn *fn,
            void *context)
{
    struct fy_node *list = values_list(loader->values, node);
    enum st st = ST_OK;

    if (!list || !fy_node_is_sequence(list)) {
        return walk_item(loader, list, fn, context);
    }
    for (int i = 0; !st && i < fy_node_sequence_item_count(list); i++) {
        st = walk_item(loader, fy_node_sequence_get_by_index(list, i), fn,
                       context);
    }
    return st;
}

/* --- Values of common kinds ---------------------------------------------- */

enum st
loader_map(struct loader *loader, struct fy_node *node, const char *what,
           const struct map_key *keys, size_t n, void *base, uint64_t *seen)
{
    return map_keys_read(loader->values, node, what, keys, n, base, seen,
                         loader->err);
}

enum st
loader_text(struct loader *loader, struct fy_node *node, const char *what,
            const char **text)
{
    return values_text(loader->values, node, what, text, loader->err);
}

/* A loader_item_fn for loader_names(). */
static enum st
take_name(struct loader *loader, struct fy_node *node, void *names)
{
    const char *name = NULL;
    enum st st = loader_text(loader, node, "a name", &name);

    if (!st) {
        *(const char **)list_add(names, sizeof name) = name;
    }
    return st;
}

enum st
loader_names(struct loader *loader, struct fy_node *node,
             const char *const **names, size_t *n)
{
    struct list list = {0};
    enum st st = loader_each(loader, node, take_name, &list);

    *n = list.n;
    *names = list_take(&list, sizeof(const char *), loader->arena);
    return st;
}

/* What loader_bits() collects. */
struct bits {
    const char *what;
    unsigned int n;
    uint32_t bits;
};

/* A loader_item_fn for loader_bits(). */
static enum st
take_bit(struct loader *loader, struct fy_node *node, void *context)
{
    struct bits *bits = context;
    int64_t low = 0, high = 0;
    bool is_range = false;
    enum st st = values_range(loader->values, node, bits->what, &low, &high,
                              &is_range, loader->err);

    if (!st && !is_range) {
        st = values_number(loader->values, node, bits->what, 0, bits->n - 1,
                           &low, loader->err);
        high = low;
    }
    if (!st && (low < 0 || high >= (int64_t)bits->n)) {
        st = document_fail(loader->document, node, loader->err,
                           "expected %s to be in 0..%u", bits->what,
                           bits->n - 1);
    }
    for (int64_t i = low; !st && i <= high; i++) {
        bits->bits |= UINT32_C(1) << i;
    }
    return st;
}

enum st
loader_bits(struct loader *loader, struct fy_node *node, const char *what,
            unsigned int n_bits, uint32_t *bits)
{
    struct bits taken = {what, n_bits, 0};
    enum st st = loader_each(loader, node, take_bit, &taken);

    *bits = taken.bits;
    return st;
}

void
loader_position(struct loader *loader, struct fy_node *node,
                struct file_position *place)
{
    place->file = document_file(loader->document, node);
    document_position(loader->document, node, &place->line, &place->column);
}

/* --- What the scenario refers to ----------------------------------------- */

size_t
loader_add_object(struct loader *loader, const struct target_object *object)
{
    struct target_object *objects = loader->objects.elements;
    struct target_object *added;

    for (size_t i = 0; i < loader->objects.n; i++) {
        const struct target_object *other = &objects[i];

        if (other->kind == object->kind && other->index == object->index &&
            !strcmp(other->name, object->name)) {
            return i;
        }
    }
    added = list_add(&loader->objects, sizeof *added);
    *added = *object;
    return loader->objects.n - 1;
}

size_t
loader_add_rx_port(struct loader *loader, const char *port, bool traced)
{
    struct rx_port *ports = loader->rx_ports.elements;
    struct rx_port *added;

    for (size_t i = 0; i < loader->rx_ports.n; i++) {
        if (!strcmp(ports[i].name, port)) {
            ports[i].traced = ports[i].traced || traced;
            return i;
        }
    }
    added = list_add(&loader->rx_ports, sizeof *added);
    *added = (struct rx_port){port, traced};
    return loader->rx_ports.n - 1;
}

void
loader_add_flow(struct loader *loader, const char *name)
{
    *(const char **)list_add(&loader->flows, sizeof name) = name;
}

/* Checks that an earlier step starts the flow that 'node' refers to. */
static enum st
check_flow_begun(struct loader *loader, struct fy_node *node, const char *name)
{
    const char **flows = loader->flows.elements;
    struct nearest nearest;
    char hint[NEAREST_HINT_SIZE];

    nearest_init(&nearest, name, strlen(name));
    for (size_t i = 0; i < loader->flows.n; i++) {
        if (!strcmp(flows[i], name)) {
            return ST_OK;
        }
        nearest_try(&nearest, flows[i]);
    }
    return document_fail(loader->document, node, loader->err,
                         "no earlier step starts a flow '%s'%s", name,
                         nearest_hint(&nearest, hint));
}

/* Returns whether an earlier step takes a snapshot called 'name'. */
static bool
has_snap(const struct loader *loader, const char *name)
{
    const char **snaps = loader->snaps.elements;

    for (size_t i = 0; i < loader->snaps.n; i++) {
        if (!strcmp(snaps[i], name)) {
            return true;
        }
    }
    return false;
}

enum st
loader_check_snap(struct loader *loader, struct fy_node *node, const char *name)
{
    const char **snaps = loader->snaps.elements;
    struct nearest nearest;
    char hint[NEAREST_HINT_SIZE];

    if (!name || has_snap(loader, name)) {
        return ST_OK;
    }
    nearest_init(&nearest, name, strlen(name));
    for (size_t i = 0; i < loader->snaps.n; i++) {
        nearest_try(&nearest, snaps[i]);
    }
    return document_fail(loader->document, node, loader->err,
                         "no earlier step takes a snap '%s'%s", name,
                         nearest_hint(&nearest, hint));
}

enum st
loader_add_snap(struct loader *loader, struct fy_node *node, const char *name)
{
    if (has_snap(loader, name)) {
        return document_fail(loader->document, node, loader->err,
                             "an earlier step already takes a snap '%s'", name);
    }
    *(const char **)list_add(&loader->snaps, sizeof name) = name;
    return ST_OK;
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
    list_fini(&loader->objects);
    list_fini(&loader->rx_ports);
    list_fini(&loader->snaps);
    list_fini(&loader->flows);
    list_fini(&loader->parts);
}

enum st
loader_object(struct loader *loader, struct fy_node *node,
              struct target_object *object)
{
    static const char syntax[] = "'port NAME', 'pg PORT|INDEX', "
                                 "'queue PORT|INDEX', 'pool NAME', 'flow NAME' "
                                 "or 'peer NAME'";
    const char *text = NULL;
    const char *blank;
    size_t length;
    enum st st = loader_text(loader, node, "an object", &text);

    if (st) {
        return st;
    }
    blank = strchr(text, ' ');
    if (!blank || !blank[1] ||
        !target_kind_find(text, (size_t)(blank - text), &object->kind)) {
        return document_fail(loader->document, node, loader->err,
                             "expected %s, found '%s'", syntax, text);
    }
    object->name = blank + 1;
    object->index = 0;
    if (target_kind_indexed(object->kind)) {
        if (parse_place(blank + 1, 255, &length, &object->index)) {
            return document_fail(loader->document, node, loader->err,
                                 "expected %s, found '%s'", syntax, text);
        }
        object->name = arena_strndup(loader->arena, blank + 1, length);
    }
    return object->kind == TARGET_FLOW && loader->is_whole
               ? check_flow_begun(loader, node, object->name)
               : ST_OK;
}
