/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_IMAGE_STATE_H
#define ORCHD_LAB_BUILDER_SWITCH_IMAGE_STATE_H

/* The parts of an image, for switch_image.c and switch_instance.c only. */

#include <stdint.h>

#include "lab/builder/switch_image.h"
#include "vendors/softasic/sai/asic_backend.h"

struct arena;
struct agent;
struct pipeline;
struct schema;

struct switch_image {
    struct switch_image *next;
    struct arena *arena;   /* Owns texts and ports. */
    const char *text;      /* The canonical configuration. */
    struct schema *schema; /* Of the set of images. */
    bool strict;
    const char *key;      /* The chip that was asked for, or "". */
    const char *chip_set; /* Its changed keys, or "". */
    uint64_t hash;
    struct asic *asic; /* Never changes once the image exists. */
    struct asic_backend backend;
    struct pipeline *pipeline; /* On 'backend'. */
    struct switch_image_port *ports;
    size_t n_ports;
};

/* Checks whether all rows of the pipeline of 'agent' are in force; 'path' is
 * that of the configuration, for the message. */
enum st switch_image_check_rows__(const struct agent *agent, const char *path,
                                  struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/switch_image_state.h */
