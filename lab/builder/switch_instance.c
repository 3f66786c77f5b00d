/* SPDX-License-Identifier: Apache-2.0 */

/* Instances: the switches of a fabric. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "lab/builder/switch_image_state.h"
#include "vendors/softasic/program/l3.h"
#include "vendors/softasic/program/port_lookup.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/sai/asic_share.h"

struct switch_instance {
    const struct switch_image *image;
    struct asic *asic;
    struct asic_backend backend;
};

enum st
switch_image_instantiate(const struct switch_image *image,
                         const struct switch_instance_options *options,
                         struct switch_instance **instance, struct err *err)
{
    const struct asic_share_options share = {
        .engine = options->engine,
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
        asic_destroy(instance->asic);
        free(instance);
    }
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

    l3_mac(instance->asic, instance->asic->sw, mac);
    return port_lookup_mac_number(mac);
}

struct sai_backend *
switch_instance_backend(struct switch_instance *instance)
{
    return &instance->backend.backend;
}

size_t
switch_instance_bytes(const struct switch_instance *instance)
{
    return sizeof *instance + asic_bytes(instance->asic);
}
