/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_LOADER_H
#define ORCHD_BREAKPOINT_LOADER_H

/* State and helpers shared by the functions that load a scenario: the lists of
 * objects, ports and snapshots that steps refer to, and the walk through the
 * lists of a scenario.
 *
 * Lists.  An item of any list may be a block of items,
 *
 *     - for: {port: [Ethernet0, Ethernet4], prio: 3..4}
 *       when: $prio != 4
 *       each: [...]
 *
 * which stands for the items of 'each', repeated for every combination of the
 * variables of 'for' (the last one changes fastest) for which 'when' holds; or
 * for the items of a part of the scenario, {use: NAME, with: {parameter:
 * value}}.  Steps, claims, objects, ports and rows can all be written this way.
 *
 * Internal to the loader. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "breakpoint/map_keys.h"
#include "breakpoint/scenario.h"
#include "breakpoint/target.h"
#include "breakpoint/values.h"
#include "yaml/document.h"

struct arena;
struct scenario_files;
struct fy_node;

/* A growing list; its elements are on the heap. */
struct list {
    void *elements;
    size_t n, room;
};

/* Appends a zeroed element of 'size' bytes to 'list' and returns it.  Earlier
 * elements may move. */
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
    size_t n_items;     /* In all lists so far. */
    unsigned int depth; /* Of nested blocks. */

    struct list objects;  /* struct target_object */
    struct list rx_ports; /* struct rx_port */
    struct list snaps;    /* const char * */
    struct list flows;    /* const char *: flows started so far. */
    bool is_whole;        /* Names must be defined by earlier steps. */
};

/* Processes one item of a list. */
typedef enum st loader_item_fn(struct loader *loader, struct fy_node *node,
                               void *context);

/* Calls 'fn' for each item of 'node', which may be a list, a reference to one
 * ("$ports") or a single item.  Stops at the first failure. */
enum st loader_each(struct loader *loader, struct fy_node *node,
                    loader_item_fn *fn, void *context) ST_WARN_UNUSED;

/* Reads a map; see map_keys_read(). */
enum st loader_map(struct loader *loader, struct fy_node *node,
                   const char *what, const struct map_key *keys, size_t n,
                   void *base, uint64_t *seen) ST_WARN_UNUSED;

#define N_MAP_KEYS(keys) (sizeof(keys) / sizeof(keys)[0])

/* Store the text of 'node', or an array with the text of each of its items. */
enum st loader_text(struct loader *loader, struct fy_node *node,
                    const char *what, const char **text) ST_WARN_UNUSED;
enum st loader_names(struct loader *loader, struct fy_node *node,
                     const char *const **names, size_t *n) ST_WARN_UNUSED;

/* Computes 'node', a number below 'n_bits' or a list of them, as a bit mask. */
enum st loader_bits(struct loader *loader, struct fy_node *node,
                    const char *what, unsigned int n_bits,
                    uint32_t *bits) ST_WARN_UNUSED;

/* Stores the position of 'node'. */
void loader_position(struct loader *loader, struct fy_node *node,
                     struct file_position *place);

/* Parses "pg Ethernet0|3" of 'node' into '*object'. */
enum st loader_object(struct loader *loader, struct fy_node *node,
                      struct target_object *object) ST_WARN_UNUSED;

/* Return the index of an object or a port in the scenario's lists; add it if it
 * is new. */
size_t loader_add_object(struct loader *loader,
                         const struct target_object *object);
size_t loader_add_rx_port(struct loader *loader, const char *port, bool traced);

/* Checks that 'name' (or NULL) is the name of a snapshot that a step before
 * 'node' takes. */
enum st loader_check_snap(struct loader *loader, struct fy_node *node,
                          const char *name) ST_WARN_UNUSED;

/* Records that a step starts a flow called 'name'. */
void loader_add_flow(struct loader *loader, const char *name);

/* Records that a step takes a snapshot called 'name'.  ST_INVALID: an earlier
 * step does so already. */
enum st loader_add_snap(struct loader *loader, struct fy_node *node,
                        const char *name) ST_WARN_UNUSED;

/* Returns formatted text that is valid as long as the scenario. */
const char *loader_format(struct loader *loader, const char *format, ...)
    ST_PRINTF(2, 3);

/* Frees the lists. */
void loader_fini(struct loader *loader);

/* Loads the value of a step's verb into 'step'. */
typedef enum st step_load_fn(struct loader *loader, struct fy_node *node,
                             struct step *step);

#endif /* breakpoint/loader.h */
