/* SPDX-License-Identifier: Apache-2.0 */

/* Continues after a name, not after a pointer. */

#include <config.h>

#include "orchd/reconcile/graph_walk.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/check.h"
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
    return (struct object_name){source_key(source), source->table, -1};
}

/* Compare two elements for qsort(), by pointers to them. */
static int
source_compare(const void *a, const void *b)
{
    const struct object_name x = source_name(*(struct source *const *)a);
    const struct object_name y = source_name(*(struct source *const *)b);

    return object_name_compare(&x, &y);
}

static int
object_compare(const void *a, const void *b)
{
    return object_name_compare(&(*(struct object *const *)a)->name,
                               &(*(struct object *const *)b)->name);
}

typedef int compare_fn(const void *a, const void *b);

/* Merges 'added' into 'list', which has room for it. */
static void
merge(void **list, size_t n, void *const *added, size_t n_added,
      compare_fn *compare)
{
    size_t to = n + n_added;

    while (n_added) {
        const bool is_old = n && compare(&list[n - 1], &added[n_added - 1]) > 0;

        list[--to] = is_old ? list[--n] : added[--n_added];
    }
}

/* Sorts 'n' elements of which the first ones, mostly, are sorted, and the last
 * ones have been added since: that takes a comparison of each of the former,
 * and some more of each of the latter.  A merge sort of 18,000 objects would
 * take tens of milliseconds. */
static void
sort_added(void **list, size_t n, compare_fn *compare)
{
    size_t n_sorted = 1;
    void **added;

    while (n_sorted < n && compare(&list[n_sorted - 1], &list[n_sorted]) < 0) {
        n_sorted++;
    }
    if (n_sorted < n) {
        added = check_malloc((n - n_sorted) * sizeof *added);
        memcpy(added, list + n_sorted, (n - n_sorted) * sizeof *added);
        qsort(added, n - n_sorted, sizeof *added, compare);
        merge(list, n_sorted, added, n - n_sorted, compare);
        free(added);
    }
}

/* Sorts a list of utlist, of elements that have 'previous' and 'next'. */
#define SORT(head, type, compare)                                              \
    do {                                                                       \
        size_t n = 0, i = 0;                                                   \
        void **list;                                                           \
        type *item;                                                            \
                                                                               \
        DL_COUNT2(head, item, n, next);                                        \
        list = check_malloc((n + 1) * sizeof *list);                           \
        DL_FOREACH2(head, item, next)                                          \
        {                                                                      \
            list[i++] = item;                                                  \
        }                                                                      \
        sort_added(list, n, compare);                                          \
        (head) = NULL;                                                         \
        for (i = 0; i < n; i++) {                                              \
            item = list[i];                                                    \
            DL_APPEND2(head, item, previous, next);                            \
        }                                                                      \
        free(list);                                                            \
    } while (0)

void
graph_sort_objects(struct graph *graph)
{
    if (!graph->objects_sorted) {
        SORT(graph->objects, struct object, object_compare);
        graph->objects_sorted = true;
    }
}

void
graph_sort_sources(struct graph *graph)
{
    if (!graph->sources_sorted) {
        SORT(graph->sources, struct source, source_compare);
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
