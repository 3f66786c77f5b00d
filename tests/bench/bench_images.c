/* SPDX-License-Identifier: Apache-2.0 */

/* What it costs to configure the switches of a fabric.
 *
 *   bench_images [SWITCHES [CONFIG [CHIP]]]
 *
 * Creates an image of CONFIG by the whole pipeline and SWITCHES instances of
 * it on one engine.  Prints the time of each part, and per switch the bytes of
 * SAI state and those in memory, most of which are the twin's. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "tests/bench/measure.h"
#include "tests/support/switch_setup.h"
#include "twin/event/engine.h"

int
main(int argc, char **argv)
{
    const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1280;
    const char *config =
        argc > 2 ? argv[2] : "examples/leaf-32x100g.config_db.json";
    const char *chip = argc > 3 ? argv[3] : NULL;
    struct switch_instance **instances =
        check_calloc(n + 1, sizeof(struct switch_instance *));
    struct engine *engine = engine_create();
    const double start = measure_cpu_ns() / 1e9;
    struct switch_images *images = switch_setup_images();
    const double schema = measure_cpu_ns() / 1e9;
    const struct switch_image *image = switch_setup_image(images, config, chip);
    const double ready = measure_cpu_ns() / 1e9;
    const double before = (double)measure_resident_bytes();
    double made, cold = 0, heap;

    for (size_t i = 0; i < n; i++) {
        instances[i] =
            switch_setup_instance(image, engine, 0x020100000000u + i);
        cold += (double)switch_instance_bytes(instances[i]);
    }
    made = measure_cpu_ns() / 1e9;
    heap = (double)measure_resident_bytes() - before;
    printf("{\"bench\": \"images\", \"switches\": %zu, \"schema_s\": %.3f, "
           "\"image_s\": %.3f, \"instances_s\": %.3f, \"ms_per_switch\": %.3f, "
           "\"sai_bytes\": %.0f, \"resident_bytes\": %.0f}\n",
           n, schema - start, ready - schema, made - ready,
           (made - ready) * 1e3 / (double)n, cold / (double)n,
           heap / (double)n);
    for (size_t i = 0; i < n; i++) {
        switch_instance_destroy(instances[i]);
    }
    switch_images_destroy(images);
    engine_destroy(engine);
    free(instances);
    return 0;
}
