/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_SETS_H
#define ORCHD_BREAKPOINT_SETS_H

/* Values that a caller puts into a scenario in place of its own
 * (parser_input.h): of parameters, the chip, rows, and any key of the file.
 *
 *     alpha                               a parameter of the scenario
 *     chip.memory_bytes                   a key of the chip file
 *     row(BUFFER_PROFILE|p).dynamic_th    a field of a row of its configuration
 *     topology.cable, steps.3.send.size   a path (yaml/path.h)
 *
 * Internal to the loader. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "breakpoint/loader.h"

struct bench;
struct config_rows;
struct parser_input;

/* The name of the values in messages, as a file. */
#define SETS_FILE "--param"

/* What a set may change; each may be NULL. */
struct sets_places {
    struct fy_node *matrix, *topology, *config, *steps;
    bool keeps_configuration; /* Topology and configuration are not applied. */
};

struct sets {
    struct fy_node *root; /* A map of names to values; NULL: none. */
    const char *chip;     /* Keys of the chip file, as YAML; NULL: none. */
    const char *label;    /* "alpha=-4,frame=64"; "": none. */
};

/* Parses the values of 'input'. */
enum st sets_read(struct loader *loader, const struct parser_input *input,
                  struct sets *sets) ST_WARN_UNUSED;

/* Puts all values into the scenario but those of rows, and stores those of the
 * chip in 'sets->chip'. */
enum st sets_apply(struct loader *loader, struct sets *sets,
                   const struct sets_places *places) ST_WARN_UNUSED;

/* Puts the values of rows into 'rows'.  'bench' (NULL: unknown) says whether
 * they can change, and which fields they can have. */
enum st sets_apply_rows(struct loader *loader, const struct sets *sets,
                        struct config_rows *rows,
                        struct bench *bench) ST_WARN_UNUSED;

#endif /* breakpoint/sets.h */
