/* SPDX-License-Identifier: Apache-2.0 */

/* Images and instances of switches for tests and benchmarks. */

#include <config.h>

#include "tests/support/image_setup.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "twin/chip/chip.h"

/* Ends the process unless 'st' is ST_OK. */
static void
must(enum st st, const struct err *err)
{
    if (st) {
        (void)fprintf(stderr, "%s: %s\n", err->code, err->reason);
        abort();
    }
}

struct switch_images *
image_setup_images(void)
{
    const struct switch_images_options options = {
        .yang_dir = SCHEMA_DIR, .chips_dir = CHIPS, .strict = true};
    struct switch_images *images;
    struct err err = {0};

    must(switch_images_create(&options, &images, &err), &err);
    return images;
}

char *
image_setup_read(const char *path)
{
    char name[1024];
    FILE *file;
    char *text;
    size_t n;

    (void)snprintf(name, sizeof name, "%s/%s", TOP_SRCDIR, path);
    file = fopen(name, "re");
    if (!file) {
        perror(name);
        abort();
    }
    text = check_malloc(1 << 20);
    n = fread(text, 1, (1 << 20) - 1, file);
    text[n] = '\0';
    (void)fclose(file);
    return text;
}

const struct switch_image *
image_setup_image(struct switch_images *images, const char *path,
                  const char *chip)
{
    char *text = image_setup_read(path);
    const struct switch_request request = {
        .path = path, .config = text, .chip = chip};
    const struct switch_image *image;
    struct err err = {0};

    must(switch_images_get(images, &request, &image, &err), &err);
    free(text);
    return image;
}

struct switch_instance *
image_setup_instance(const struct switch_image *image, struct engine *engine,
                     uint32_t number, uint64_t mac)
{
    const struct switch_instance_options options = {
        .engine = engine,
        .entity_base = number * switch_image_chip(image)->ports,
        .mac = mac};
    struct switch_instance *instance;
    struct err err = {0};

    must(switch_image_instantiate(image, &options, &instance, &err), &err);
    return instance;
}
