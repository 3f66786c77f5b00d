/* SPDX-License-Identifier: Apache-2.0 */

/* Instances: the switches of a fabric. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "lab/builder/switch_config.h"
#include "lab/builder/switch_image_state.h"
#include "offline/pipeline.h"
#include "orchd/reconcile/agent.h"
#include "sai/stack/adoption.h"
#include "vendors/softasic/program/addresses.h"
#include "vendors/softasic/program/port_lookup.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/sai/asic_share.h"

struct switch_instance {
    const struct switch_image *image;
    struct asic *asic;
    struct asic_backend backend;

    /* NULL before the first switch_instance_set() or _listen(). */
    struct pipeline *pipeline;
    const struct listener *listener; /* Of that pipeline; may be NULL. */
    char *text;                      /* The configuration in force, canonical;
                                      * NULL: that of the image. */
};

enum st
switch_image_instantiate(const struct switch_image *image,
                         const struct switch_instance_options *options,
                         struct switch_instance **instance, struct err *err)
{
    const struct asic_share_options share = {
        .engine = options->engine,
        .entity = options->entity_base,
        .mac = options->mac,
        .has_ecmp_seed = options->has_ecmp_seed,
        .ecmp_seed = options->ecmp_seed,
    };
    struct switch_instance *made = check_calloc(1, sizeof *made);
    const enum st st = asic_share(image->asic, &share, &made->asic, err);

    if (st) {
        free(made);
        return st;
    }
    made->image = image;
    asic_backend_init(&made->backend, made->asic);
    *instance = made;
    return ST_OK;
}

void
switch_instance_destroy(struct switch_instance *instance)
{
    if (instance) {
        pipeline_destroy(instance->pipeline);
        free(instance->text);
        asic_destroy(instance->asic);
        free(instance);
    }
}

/* Makes the pipeline consist of the rows of 'config' and lets it settle. */
static void
load(struct pipeline *pipeline, const struct switch_config *config)
{
    pipeline_set_rows(pipeline, config->rows, config->n_rows);
    pipeline_settle(pipeline);
}

/* Returns the configuration in force as a request. */
static struct switch_request
present(const struct switch_instance *instance)
{
    return (struct switch_request){.path = "the change",
                                   .config = switch_instance_config(instance)};
}

/* Gives 'instance' a pipeline of its own, which adopts what was programmed. */
static enum st
start_pipeline(struct switch_instance *instance,
               const struct switch_config *config, struct err *err)
{
    const struct switch_image *image = instance->image;
    const struct pipeline_options options = {.schema = image->schema,
                                             .strict = image->strict,
                                             .listener = instance->listener};
    const struct adoption_lister lister = {asic_backend_list,
                                           &instance->backend};
    enum st st = pipeline_create(&options, &instance->pipeline, err);

    if (!st) {
        pipeline_set_rows(instance->pipeline, config->rows, config->n_rows);
        st = pipeline_adopt_on(instance->pipeline, &instance->backend.backend,
                               &lister, image->asic->chip, err);
    }
    if (st) {
        pipeline_destroy(instance->pipeline);
        instance->pipeline = NULL;
    }
    return st;
}

enum st
switch_instance_set(struct switch_instance *instance,
                    const struct switch_set *sets, size_t n, struct err *err)
{
    const struct switch_request request = present(instance);
    struct switch_request changed = request;
    struct arena *arena = arena_create(0);
    struct switch_config before, after;
    enum st st = switch_config_read(&request, arena, &before, err);

    changed.sets = sets;
    changed.n_sets = n;
    st = st ? st : switch_config_read(&changed, arena, &after, err);
    if (!st && !instance->pipeline) {
        st = start_pipeline(instance, &before, err);
    }
    if (!st) {
        load(instance->pipeline, &after);
        st = switch_image_check_rows__(pipeline_agent(instance->pipeline),
                                       request.path, err);
        if (st) {
            load(instance->pipeline, &before);
        }
    }
    if (!st) {
        free(instance->text);
        instance->text = check_strdup(after.text);
    }
    arena_destroy(arena);
    return st;
}

/* Reads the configuration in force. */
static enum st
read_present(const struct switch_instance *instance, struct arena *arena,
             struct switch_config *config, struct err *err)
{
    const struct switch_request request = present(instance);

    return switch_config_read(&request, arena, config, err);
}

/* Gives 'instance' a pipeline of its own instead of the one that it may
 * have. */
static enum st
replace_pipeline(struct switch_instance *instance, struct err *err)
{
    struct arena *arena = arena_create(0);
    struct switch_config config;
    enum st st = read_present(instance, arena, &config, err);

    if (!st) {
        pipeline_destroy(instance->pipeline);
        instance->pipeline = NULL;
        st = start_pipeline(instance, &config, err);
    }
    arena_destroy(arena);
    return st;
}

enum st
switch_instance_restart(struct switch_instance *instance,
                        struct switch_restart *found, struct err *err)
{
    struct adoption_figures figures;
    enum st st = replace_pipeline(instance, err);

    if (st) {
        return st;
    }
    pipeline_adoption(instance->pipeline, &figures);
    *found = (struct switch_restart){.n_adopted = figures.n_adopted,
                                     .n_created = figures.n_created,
                                     .n_set = figures.n_set,
                                     .n_removed = figures.n_removed};
    return switch_image_check_rows__(pipeline_agent(instance->pipeline),
                                     present(instance).path, err);
}

/* Returns the row of a port, in 'arena', as 'row' is, but shut. */
static struct field_row
shut(const struct field_row *row, struct arena *arena)
{
    struct field *fields =
        arena_alloc(arena, row->n_fields + 1, sizeof *fields);
    size_t n = 0;

    for (size_t i = 0; i < row->n_fields; i++) {
        if (strcmp(row->fields[i].name, "admin_status")) {
            fields[n++] = row->fields[i];
        }
    }
    fields[n++] = (struct field){"admin_status", "down"};
    return (struct field_row){row->key, fields, n};
}

/* Reduces 'config' to that of a switch that was just initialized: its ports,
 * which are shut, and what says which chip it is. */
static void
reduce(struct switch_config *config, struct arena *arena)
{
    size_t n = 0;

    for (size_t i = 0; i < config->n_rows; i++) {
        const struct field_row *row = &config->rows[i];

        if (!strncmp(row->key, "PORT|", strlen("PORT|"))) {
            config->rows[n++] = shut(row, arena);
        } else if (!strncmp(row->key, "DEVICE_METADATA|",
                            strlen("DEVICE_METADATA|"))) {
            config->rows[n++] = *row;
        }
    }
    config->n_rows = n;
}

enum st
switch_instance_reset(struct switch_instance *instance, struct err *err)
{
    struct arena *arena = arena_create(0);
    struct switch_config config;
    enum st st = read_present(instance, arena, &config, err);

    if (!st && !instance->pipeline) {
        st = start_pipeline(instance, &config, err);
    }
    if (!st) {
        reduce(&config, arena);
        load(instance->pipeline, &config);
        st = switch_image_check_rows__(pipeline_agent(instance->pipeline),
                                       present(instance).path, err);
    }
    arena_destroy(arena);
    return st;
}

enum st
switch_instance_listen(struct switch_instance *instance,
                       const struct listener *listener, struct err *err)
{
    instance->listener = listener;
    return replace_pipeline(instance, err);
}

void
switch_instance_settle(struct switch_instance *instance)
{
    if (instance->pipeline) {
        pipeline_settle(instance->pipeline);
    }
}

struct agent *
switch_instance_agent(const struct switch_instance *instance)
{
    return pipeline_agent(instance->pipeline ? instance->pipeline
                                             : instance->image->pipeline);
}

const char *
switch_instance_config(const struct switch_instance *instance)
{
    return instance->text ? instance->text : instance->image->text;
}

const struct switch_image *
switch_instance_image(const struct switch_instance *instance)
{
    return instance->image;
}

struct sim *
switch_instance_sim(struct switch_instance *instance)
{
    return instance->asic->sim;
}

struct asic *
switch_instance_asic(struct switch_instance *instance)
{
    return instance->asic;
}

uint64_t
switch_instance_mac(const struct switch_instance *instance)
{
    sai_mac_t mac;

    addresses_mac(instance->asic, instance->asic->sw, mac);
    return port_lookup_mac_number(mac);
}

struct sai_backend *
switch_instance_backend(struct switch_instance *instance)
{
    return &instance->backend.backend;
}

/* A visit of switch_instance_each_pool(). */
struct pool_visit {
    const struct switch_instance *instance;
    void (*visit)(void *context, const char *name, uint32_t pool);
    void *context;
};

static void
visit_pool(void *visit_, const struct object *object)
{
    const struct pool_visit *visit = visit_;
    const struct objects_item *item;

    if (object->name.table == TABLE_BUFFER_POOL) {
        item = objects_find(visit->instance->asic->objects, object->oid);
        if (item) {
            visit->visit(visit->context, object->name.name, item->handle);
        }
    }
}

void
switch_instance_each_pool(const struct switch_instance *instance,
                          void (*visit)(void *context, const char *name,
                                        uint32_t pool),
                          void *context)
{
    struct pool_visit state = {instance, visit, context};

    agent_each_object(switch_instance_agent(instance), visit_pool, &state);
}

uint64_t
switch_instance_shared_bytes(const struct switch_instance *instance,
                             uint32_t pool)
{
    struct mmu_pool_stats stats;

    return mmu_pool_get(sim_mmu(instance->asic->sim), pool, &stats)
               ? 0
               : chip_cells_to_bytes(switch_image_chip(instance->image),
                                     stats.shared_size);
}

size_t
switch_instance_bytes(const struct switch_instance *instance)
{
    return sizeof *instance + asic_bytes(instance->asic);
}
