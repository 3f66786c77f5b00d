/* SPDX-License-Identifier: Apache-2.0 */

/* Continues after a name, not after a pointer. */

#include <config.h>

#include "orchd/reconcile/graph_walk.h"

#include <string.h>

#include <utlist.h>

#include "orchd/reconcile/graph.h"

void
graph_walk_fini(struct graph_walk *walk)
{
    text_fini(&walk->name);
    row_answer_fini(&walk->answer);
    memset(walk, 0, sizeof *walk);
}

static struct object_name
source_name(const struct source *source)
{
    return (struct object_name){source->key, source->table, -1};
}

static int
source_compare(const struct source *a, const struct source *b)
{
    const struct object_name x = source_name(a), y = source_name(b);

    return object_name_compare(&x, &y);
}

static int
object_compare(const struct object *a, const struct object *b)
{
    return object_name_compare(&a->name, &b->name);
}

void
graph_sort_objects(struct graph *graph)
{
    if (!graph->objects_sorted) {
        DL_SORT2(graph->objects, object_compare, previous, next);
        graph->objects_sorted = true;
    }
}

void
graph_sort_sources(struct graph *graph)
{
    if (!graph->sources_sorted) {
        DL_SORT2(graph->sources, source_compare, previous, next);
        graph->sources_sorted = true;
    }
}

/* Returns the name that was visited last. */
static struct object_name
last_name(const struct graph_walk *walk)
{
    return (struct object_name){text_string(&walk->name), walk->table,
                                walk->index};
}

static void
note_name(struct graph_walk *walk, const struct object_name *name)
{
    walk->begun = true;
    walk->table = name->table;
    walk->index = name->index;
    text_clear(&walk->name);
    text_add(&walk->name, name->name);
}

struct object *
graph_walk_object(struct graph *graph, struct graph_walk *walk)
{
    const struct object_name last = last_name(walk);
    struct object *object =
        walk->begun ? graph_find_object(graph, &last) : NULL;

    graph_sort_objects(graph);
    if (object) {
        object = object->next;
    } else {
        object = graph->objects;
        while (walk->begun && object &&
               object_name_compare(&object->name, &last) <= 0) {
            object = object->next;
        }
    }
    if (object) {
        note_name(walk, &object->name);
    }
    return object;
}

struct source *
graph_walk_source(struct graph *graph, struct graph_walk *walk)
{
    const struct object_name last = last_name(walk);
    struct source *source =
        walk->begun ? graph_find_source(graph, last.table, last.name) : NULL;
    struct object_name name;

    graph_sort_sources(graph);
    if (source) {
        source = source->next;
    } else {
        source = graph->sources;
        while (walk->begun && source) {
            name = source_name(source);
            if (object_name_compare(&name, &last) > 0) {
                break;
            }
            source = source->next;
        }
    }
    if (source) {
        name = source_name(source);
        note_name(walk, &name);
    }
    return source;
}
