/* SPDX-License-Identifier: Apache-2.0 */

/* Images: one switch per configuration and chip, programmed by the pipeline. */

#include <config.h>

#include "lab/builder/switch_image.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "lab/builder/switch_config.h"
#include "lab/builder/switch_image_state.h"
#include "offline/pipeline.h"
#include "orchd/intent/schema.h"
#include "orchd/reconcile/agent.h"
#include "twin/chip/chip.h"
#include "twin/chip/yaml/chip_file.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/sai/asic_share.h"

struct switch_images {
    struct switch_images_options options;
    struct arena *arena; /* Owns the texts of 'options'. */
    struct schema *schema;
    struct switch_image *first; /* A list. */
    size_t n;
};

enum st
switch_images_create(const struct switch_images_options *options,
                     struct switch_images **images, struct err *err)
{
    struct switch_images *made;
    struct schema *schema;
    enum st st = schema_create(options->yang_dir, &schema, err);

    if (st) {
        return st;
    }
    made = check_calloc(1, sizeof *made);
    made->schema = schema;
    made->arena = arena_create(0);
    made->options = *options;
    made->options.yang_dir = arena_strdup(made->arena, options->yang_dir);
    made->options.chips_dir = arena_strdup(made->arena, options->chips_dir);
    *images = made;
    return ST_OK;
}

static void
image_destroy(struct switch_image *image)
{
    if (image) {
        pipeline_destroy(image->pipeline);
        asic_destroy(image->asic);
        arena_destroy(image->arena);
        free(image);
    }
}

void
switch_images_destroy(struct switch_images *images)
{
    if (!images) {
        return;
    }
    while (images->first) {
        struct switch_image *image = images->first;

        images->first = image->next;
        image_destroy(image);
    }
    schema_destroy(images->schema);
    arena_destroy(images->arena);
    free(images);
}

/* Loads the chip that 'request' or 'hwsku' names into '*chip'. */
static enum st
load_chip(const struct switch_images *images,
          const struct switch_request *request, const char *hwsku,
          struct chip **chip, struct err *err)
{
    const char *directory = images->options.chips_dir;
    const char *name = request->chip;
    struct chip *varied;
    enum st st;

    if (!name && !hwsku) {
        return err_set(err, ST_NOT_FOUND, "chip",
                       "the configuration names no chip: set hwsku in "
                       "DEVICE_METADATA|localhost, or name a chip file");
    }
    st = name ? chip_file_load(directory, name, chip, err)
              : chip_file_find(directory, hwsku, chip, err);
    if (st == ST_NOT_FOUND && !name) {
        /* Chips that no product has are hwskus of their own. */
        st = chip_file_load(directory, hwsku, chip, err);
    }
    if (!st && request->chip_set) {
        st = chip_file_vary(*chip, request->chip_set, "chip_set", &varied, err);
        chip_file_destroy(*chip);
        *chip = st ? NULL : varied;
    }
    return st;
}

/* Creates the switch of 'image', with the chip that 'request' or 'hwsku'
 * names. */
static enum st
create_switch(const struct switch_images *images, struct switch_image *image,
              const struct switch_request *request, const char *hwsku,
              struct err *err)
{
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    sai_status_t status;
    struct chip *chip = NULL;
    enum st st = load_chip(images, request, hwsku, &chip, err);

    if (st) {
        return st;
    }
    status = asic_create(chip, 1, &init, NULL, &image->asic, err);
    if (status != SAI_STATUS_SUCCESS) {
        chip_file_destroy(chip);
        return err_set(err, ST_DEVICE, "switch",
                       "the switch cannot be created (status %d)", status);
    }
    asic_backend_init(&image->backend, image->asic);
    return ST_OK;
}

/* Bytes of the name of a row that messages show. */
enum { SHOWN_KEY = 60 };

/* The first row that is not in force. */
struct refused {
    struct text row;
    struct err err;
    enum row_state state;
    bool found;
};

static void
find_refused(void *context, const struct row_status *status)
{
    struct refused *refused = context;

    /* The watchdog is not part of an image. */
    if (refused->found || status->state == ROW_STATE_APPLIED ||
        status->state == ROW_STATE_SHADOWED || status->table == TABLE_PFC_WD) {
        return;
    }
    refused->found = true;
    refused->state = status->state;
    refused->err = status->err;
    table_add_row(&refused->row, status->table, status->key);
}

enum st
switch_image_check_rows__(const struct agent *agent, const char *path,
                          struct err *err)
{
    struct refused refused = {.found = false};
    enum st st = ST_OK;

    agent_each_row(agent, find_refused, &refused);
    if (refused.found) {
        /* The list of ports in a key may be longer than a reason. */
        const bool is_long = refused.row.length > SHOWN_KEY;

        /* A row that waits lacks something: the author must add it. */
        st =
            refused.state == ROW_STATE_FAILED ? refused.err.status : ST_INVALID;
        st = st ? st : ST_DEVICE;
        *err = refused.err;
        err->status = st;
        text_format(err->reason, sizeof err->reason, "%s: %.*s%s is %s: %s",
                    path, SHOWN_KEY, text_string(&refused.row),
                    is_long ? "..." : "", row_state_name(refused.state),
                    refused.err.reason);
    }
    text_fini(&refused.row);
    return st;
}

/* Runs the pipeline on the switch of 'image'. */
static enum st
run(const struct switch_images *images, struct switch_image *image,
    const struct switch_config *config, const char *path, struct err *err)
{
    const struct pipeline_options options = {.schema = images->schema,
                                             .strict = images->options.strict};
    enum st st = pipeline_create(&options, &image->pipeline, err);

    if (!st) {
        pipeline_set_rows(image->pipeline, config->rows, config->n_rows);
        st = pipeline_start_on(image->pipeline, &image->backend.backend,
                               image->asic->chip, err);
    }
    if (!st) {
        pipeline_settle(image->pipeline);
        st = switch_image_check_rows__(pipeline_agent(image->pipeline), path,
                                       err);
    }
    return st ? st : asic_freeze(image->asic, err);
}

/* Ports --------------------------------------------------------------- */

static void
add_port(void *context, const struct object *object)
{
    struct switch_image *image = context;
    const struct objects_item *item;
    const struct row *row;
    const char *alias;

    if (object->name.table != TABLE_PORT || object->oid == SAI_NULL_OBJECT_ID) {
        return;
    }
    item = objects_find(image->asic->objects, object->oid);
    if (!item || item->handle == MMU_NONE) {
        return;
    }
    row = agent_row(pipeline_agent(image->pipeline), TABLE_PORT,
                    object->name.name);
    alias = row ? row_field(row, "alias") : NULL;
    image->ports[image->n_ports++] = (struct switch_image_port){
        .name = arena_strdup(image->arena, object->name.name),
        .alias = arena_strdup(image->arena, alias ? alias : ""),
        .slot = item->handle,
        .speed_mbps = (uint32_t)objects_number(item, SAI_PORT_ATTR_SPEED),
        .oid = object->oid,
    };
}

static int
by_slot(const void *a_, const void *b_)
{
    const struct switch_image_port *a = a_, *b = b_;

    return a->slot < b->slot ? -1 : a->slot > b->slot;
}

/* Lists the ports of 'image'. */
static void
list_ports(struct switch_image *image)
{
    image->ports = arena_alloc(image->arena, image->asic->n_ports + 1,
                               sizeof *image->ports);
    agent_each_object(pipeline_agent(image->pipeline), add_port, image);
    qsort(image->ports, image->n_ports, sizeof *image->ports, by_slot);
}

/* Getting ------------------------------------------------------------- */

static struct switch_image *
find(const struct switch_images *images, const char *text, const char *chip,
     const char *chip_set)
{
    struct switch_image *image = images->first;

    while (image && (strcmp(image->text, text) || strcmp(image->key, chip) ||
                     strcmp(image->chip_set, chip_set))) {
        image = image->next;
    }
    return image;
}

enum st
switch_images_get(struct switch_images *images,
                  const struct switch_request *request,
                  const struct switch_image **image, struct err *err)
{
    struct arena *arena = arena_create(0);
    struct switch_config config;
    struct switch_image *made;
    const char *chip = request->chip ? request->chip : "";
    const char *chip_set = request->chip_set ? request->chip_set : "";
    enum st st = switch_config_read(request, arena, &config, err);

    if (st) {
        arena_destroy(arena);
        return st;
    }
    made = find(images, config.text, chip, chip_set);
    if (made) {
        arena_destroy(arena);
        *image = made;
        return ST_OK;
    }
    made = check_calloc(1, sizeof *made);
    made->arena = arena;
    made->text = config.text;
    made->key = arena_strdup(arena, chip);
    made->chip_set = arena_strdup(arena, chip_set);
    made->schema = images->schema;
    made->strict = images->options.strict;
    st = create_switch(images, made, request, config.hwsku, err);
    st = st ? st : run(images, made, &config, request->path, err);
    if (st) {
        image_destroy(made);
        return st;
    }
    list_ports(made);
    made->hash = digest_text(digest_text(DIGEST_START, made->text),
                             made->asic->chip->name);
    made->hash = digest_text(made->hash, chip_set);
    made->next = images->first;
    images->first = made;
    images->n++;
    *image = made;
    return ST_OK;
}

size_t
switch_images_count(const struct switch_images *images)
{
    return images->n;
}

const struct switch_image_port *
switch_image_ports(const struct switch_image *image, size_t *n)
{
    *n = image->n_ports;
    return image->ports;
}

const struct switch_image_port *
switch_image_find_port(const struct switch_image *image, const char *name)
{
    for (size_t i = 0; i < image->n_ports; i++) {
        if (!strcmp(image->ports[i].name, name) ||
            (*name && !strcmp(image->ports[i].alias, name))) {
            return &image->ports[i];
        }
    }
    return NULL;
}

const struct chip *
switch_image_chip(const struct switch_image *image)
{
    return image->asic->chip;
}

uint32_t
switch_image_cell_bytes(const struct switch_image *image)
{
    return image->asic->chip->cell_bytes;
}

struct agent *
switch_image_agent(const struct switch_image *image)
{
    return pipeline_agent(image->pipeline);
}

uint64_t
switch_image_hash(const struct switch_image *image)
{
    return image->hash;
}
