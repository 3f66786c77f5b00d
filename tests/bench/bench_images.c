/* SPDX-License-Identifier: Apache-2.0 */

/* What it costs to configure the switches of a fabric.
 *
 *   bench_images [SWITCHES [CONFIG [CHIP [ROUTES]]]]
 *
 * Creates an image of CONFIG by the whole pipeline and SWITCHES instances of
 * it on one engine; then a peer on each port and ROUTES routes, half of them
 * by one peer, half by all peers of the upper ports, as in a fat tree.  Prints
 * the time of each part, and per switch the bytes of SAI state and those in
 * memory, most of which are the twin's. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "lab/builder/switch_routes.h"
#include "tests/bench/measure.h"
#include "tests/support/image_setup.h"
#include "twin/event/engine.h"

static struct address
address_of(uint32_t number)
{
    const uint8_t bytes[] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16),
                             (uint8_t)(number >> 8), (uint8_t)number};

    return address_make(ADDRESS_V4, bytes);
}

/* Adds peers and routes to switch 'number'. */
static struct switch_routes *
add_routes(struct switch_instance *instance, uint32_t number, uint32_t n_routes)
{
    size_t n;
    const struct switch_image_port *ports =
        switch_image_ports(switch_instance_image(instance), &n);
    struct switch_peer *peers = check_calloc(n + 1, sizeof *peers);
    uint32_t *upper = check_calloc(n + 1, sizeof *upper);
    struct switch_routes *routes;
    struct err err = {0};

    for (uint32_t i = 0; i < n; i++) {
        peers[i] = (struct switch_peer){
            ports[i].slot, address_of(0x64400001u + number * 256 + 2 * i),
            0x020000000000u + number * 256u + i};
        upper[i] = i;
    }
    if (switch_routes_create(instance, peers, n, &routes, &err)) {
        (void)fprintf(stderr, "%s\n", err.reason);
        abort();
    }
    for (uint32_t r = 0; r < n_routes; r++) {
        const uint32_t lower = r % ((uint32_t)n / 2);
        const bool up = r >= n_routes / 2;
        const struct switch_route route = {
            .prefix = address_of(0x0a000000u + (r << 8)),
            .length = 24,
            .peers = up ? &upper[n / 2] : &lower,
            .n_peers = up ? (uint32_t)(n - n / 2) : 1};

        if (switch_routes_set(routes, &route, 1, &err)) {
            (void)fprintf(stderr, "%s\n", err.reason);
            abort();
        }
    }
    free(peers);
    free(upper);
    return routes;
}

static double
cold_bytes(struct switch_instance **instances, size_t n)
{
    double bytes = 0;

    for (size_t i = 0; i < n; i++) {
        bytes += (double)switch_instance_bytes(instances[i]);
    }
    return bytes / (double)n;
}

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
    struct switch_images *images = image_setup_images();
    const double schema = measure_cpu_ns() / 1e9;
    const struct switch_image *image = image_setup_image(images, config, chip);
    const double ready = measure_cpu_ns() / 1e9;
    const double before = (double)measure_resident_bytes();
    const uint32_t n_routes =
        argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : 48;
    struct switch_routes **routes =
        check_calloc(n + 1, sizeof(struct switch_routes *));
    double made, bytes, resident, routed;

    for (size_t i = 0; i < n; i++) {
        instances[i] = image_setup_instance(image, engine, (uint32_t)i,
                                            0x020100000000u + i);
    }
    made = measure_cpu_ns() / 1e9;
    resident = (double)measure_resident_bytes() - before;
    bytes = cold_bytes(instances, n);
    routed = measure_cpu_ns() / 1e9;
    for (size_t i = 0; i < n; i++) {
        routes[i] = add_routes(instances[i], (uint32_t)i, n_routes);
    }
    routed = measure_cpu_ns() / 1e9 - routed;
    printf("{\"bench\": \"images\", \"switches\": %zu, \"schema_s\": %.3f, "
           "\"image_s\": %.3f, \"instances_s\": %.3f, \"routes_s\": %.3f, "
           "\"ms_per_switch\": %.3f, \"sai_bytes\": %.0f, "
           "\"resident_bytes\": %.0f, \"routes\": %u, "
           "\"sai_bytes_with_routes\": %.0f, "
           "\"resident_bytes_with_routes\": %.0f}\n",
           n, schema - start, ready - schema, made - ready, routed,
           (made - ready + routed) * 1e3 / (double)n, bytes,
           resident / (double)n, n_routes, cold_bytes(instances, n),
           ((double)measure_resident_bytes() - before) / (double)n);
    for (size_t i = 0; i < n; i++) {
        switch_routes_destroy(routes[i]);
        switch_instance_destroy(instances[i]);
    }
    switch_images_destroy(images);
    engine_destroy(engine);
    free(routes);
    free(instances);
    return 0;
}
