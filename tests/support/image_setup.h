/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_IMAGE_SETUP_H
#define ORCHD_TESTS_SUPPORT_IMAGE_SETUP_H

/* Images and instances of switches for tests and benchmarks. */

#include <stdint.h>

#include "lab/builder/switch_image.h"

/* Returns a set of images with the modules and chips of the source tree; ends
 * the process on failure. */
struct switch_images *image_setup_images(void);

/* Returns the contents of 'path', relative to the source tree, which the caller
 * frees; ends the process on failure. */
char *image_setup_read(const char *path);

/* Returns the image of the configuration at 'path' with chip 'chip' (NULL: by
 * its hwsku); ends the process on failure. */
const struct switch_image *image_setup_image(struct switch_images *images,
                                             const char *path,
                                             const char *chip);

/* Returns an instance on 'engine' with MAC address 'mac' (0: the default); ends
 * the process on failure.  Switches on one engine have different 'number's, for
 * their entities. */
struct switch_instance *image_setup_instance(const struct switch_image *image,
                                             struct engine *engine,
                                             uint32_t number, uint64_t mac);

#endif /* tests/support/image_setup.h */
