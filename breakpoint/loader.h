/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_LOADER_H
#define ORCHD_BREAKPOINT_LOADER_H

/* What the functions that load a scenario share: the lists that grow while
 * steps refer to objects, ports and snapshots, and the walk through lists.
 *
 * Lists.  An item of any list may be a block of items,
 *
 *     - for: {port: [Ethernet0, Ethernet4], prio: 3..4}
 *       when: $prio != 4
 *       each: [...]
 *
 * which stands for the items of 'each', once for every combination of the
 * variables of 'for' (the last one changes fastest), if 'when' holds there; or
 * the items of a part of the scenario, {use: NAME, with: {parameter: value}}.
 * So steps, claims, objects, ports and rows need not be written out.
 *
 * Internal to the loading of scenarios. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "breakpoint/document.h"
#include "breakpoint/map_keys.h"
#include "breakpoint/scenario.h"
#include "breakpoint/target.h"
#include "breakpoint/values.h"

struct arena;
struct scenario_files;
struct fy_node;

/* A list that grows; the elements are on the heap. */
struct list {
    void *elements;
    size_t n, room;
};

/* Returns the next element of 'list', zeroed, of 'size' bytes.  Elements before
 * may have moved. */
void *list_add(struct list *list, size_t size);

/* Returns a copy of the elements in 'arena', and frees 'list'. */
void *list_take(struct list *list, size_t size, struct arena *arena);

/* Frees 'list'. */
void list_fini(struct list *list);

struct loader {
    struct document *document;
    struct values *values;
    struct scenario_files *files;
    struct arena *arena; /* Of the scenario. */
    struct err *err;
    struct list parts;  /* struct fy_node *: maps of names to lists. */
    size_t n_items;     /* Of all lists so far. */
    unsigned int depth; /* Of blocks in blocks. */

    struct list objects;  /* struct target_object */
    struct list rx_ports; /* struct rx_port */
    struct list snaps;    /* const char * */
    struct list flows;    /* const char *: those that have begun. */
    bool is_whole;        /* What is not above does not exist. */
};

/* Takes one item of a list. */
typedef enum st loader_item_fn(struct loader *loader, struct fy_node *node,
                               void *context);

/* Calls 'fn' for each item of 'node', which may be a list, the name of one
 * ("$ports") or a single item; until it fails. */
enum st loader_each(struct loader *loader, struct fy_node *node,
                    loader_item_fn *fn, void *context) ST_WARN_UNUSED;

/* Reads a map; see map_keys_read(). */
enum st loader_map(struct loader *loader, struct fy_node *node,
                   const char *what, const struct map_key *keys, size_t n,
                   void *base, uint64_t *seen) ST_WARN_UNUSED;

#define N_MAP_KEYS(keys) (sizeof(keys) / sizeof(keys)[0])

/* Stores the text of 'node', or of each item of it as an array of names. */
enum st loader_text(struct loader *loader, struct fy_node *node,
                    const char *what, const char **text) ST_WARN_UNUSED;
enum st loader_names(struct loader *loader, struct fy_node *node,
                     const char *const **names, size_t *n) ST_WARN_UNUSED;

/* Computes 'node' or its items, numbers below 'n_bits', as bits. */
enum st loader_bits(struct loader *loader, struct fy_node *node,
                    const char *what, unsigned int n_bits,
                    uint32_t *bits) ST_WARN_UNUSED;

/* Stores where 'node' stands. */
void loader_position(struct loader *loader, struct fy_node *node,
                     struct file_position *place);

/* Parses "pg Ethernet0.3" of 'node' into '*object'. */
enum st loader_object(struct loader *loader, struct fy_node *node,
                      struct target_object *object) ST_WARN_UNUSED;

/* Return the index of an object or a port in the scenario's lists, to which it
 * is added if it is new. */
size_t loader_add_object(struct loader *loader,
                         const struct target_object *object);
size_t loader_add_rx_port(struct loader *loader, const char *port, bool traced);

/* Checks that 'name' (NULL will do) is that of a snapshot taken above 'node'.
 */
enum st loader_check_snap(struct loader *loader, struct fy_node *node,
                          const char *name) ST_WARN_UNUSED;

/* Notes that a flow called 'name' has begun. */
void loader_add_flow(struct loader *loader, const char *name);

/* Takes a snapshot called 'name'; ST_INVALID if there is one already. */
enum st loader_add_snap(struct loader *loader, struct fy_node *node,
                        const char *name) ST_WARN_UNUSED;

/* Returns formatted text that lives as long as the scenario. */
const char *loader_format(struct loader *loader, const char *format, ...)
    ST_PRINTF(2, 3);

/* Frees the lists. */
void loader_fini(struct loader *loader);

/* Loads the value of a step's verb into 'step'. */
typedef enum st step_load_fn(struct loader *loader, struct fy_node *node,
                             struct step *step);

#endif /* breakpoint/loader.h */
