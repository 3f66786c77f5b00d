/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_LIBRARY_H
#define ORCHD_SAIHOSTD_LIBRARY_H

/* A loaded libsai: its verbs as a backend, its other functions, and its extras
 * beside SAI. */

#include "sai/loader/loader.h"
#include "sai/remote/sai_host.h"
#include "vendors/softasic/front_panel.h"

struct library {
    struct loader *loader;
    struct host_library host;
    struct host_extras extras;
    struct host_objects *objects;
    const struct softasic_front *front; /* NULL: it has none. */
    char warning[320];                  /* About the chip of softasic, or "". */
};

/* Opens the library of 'options', as loader_open() does.  On ST_OK close
 * '*library' with library_close().  Also ST_INVALID if it is softasic and does
 * not support the chip of the profile. */
enum st library_open(const struct loader_options *options,
                     struct library *library, struct err *err) ST_WARN_UNUSED;

/* Uninitialises and unloads it.  Accepts one that is all zeros. */
void library_close(struct library *library);

#endif /* saihostd/library.h */
