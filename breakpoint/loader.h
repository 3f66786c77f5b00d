/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_LOADER_H
#define ORCHD_BREAKPOINT_LOADER_H

/* What the functions that load a scenario share: the lists that grow while
 * steps refer to objects, ports and snapshots.
 *
 * Internal to the loading of scenarios: parser.c has the steps that do
 * something, claims.c those that expect something. */

#include <stddef.h>

#include "base/status.h"
#include "breakpoint/document.h"
#include "breakpoint/scenario.h"
#include "breakpoint/target.h"

struct arena;
struct fy_node;

struct loader {
    struct document *document;
    struct arena *arena; /* Of the scenario. */
    struct err *err;

    /* The lists of the scenario so far; on the heap. */
    struct target_object *objects;
    size_t n_objects;
    const char **rx_ports;
    size_t n_rx_ports;
    const char **snaps;
    size_t n_snaps;
};

/* The items of a list; a node that is not a list is a list of one. */
struct items {
    struct fy_node *node;
    size_t n;
};
struct items items_of(struct fy_node *node);
struct fy_node *items_get(const struct items *items, size_t i);

/* Parses "pg Ethernet0.3" of 'node' into '*object'. */
enum st loader_object(struct loader *loader, struct fy_node *node,
                      struct target_object *object) ST_WARN_UNUSED;

/* Return the index of an object or a port in the scenario's lists, to which it
 * is added if it is new. */
size_t loader_add_object(struct loader *loader,
                         const struct target_object *object);
size_t loader_add_rx_port(struct loader *loader, const char *port);

/* Returns whether a snapshot called 'name' has been taken; takes one. */
bool loader_has_snap(const struct loader *loader, const char *name);
void loader_add_snap(struct loader *loader, const char *name);

/* Returns formatted text that lives as long as the scenario. */
const char *loader_format(struct loader *loader, const char *format, ...)
    ST_PRINTF(2, 3);

/* Frees the lists. */
void loader_fini(struct loader *loader);

/* Loads the value of a step's verb into 'step'. */
typedef enum st step_load_fn(struct loader *loader, struct fy_node *node,
                             struct step *step);

/* In claims.c. */
step_load_fn claims_load_expect;
step_load_fn claims_load_expect_pfc;
step_load_fn claims_load_expect_rx;

#endif /* breakpoint/loader.h */
