/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_LIBRARY_H
#define ORCHD_SAIHOSTD_LIBRARY_H

/* A libsai as a host wants it: its verbs as a backend, its other functions, and
 * what it has beside SAI. */

#include "sai/loader/loader.h"
#include "sai/remote/sai_host.h"
#include "vendors/softasic/front_panel.h"

struct library {
    struct loader *loader;
    struct host_library host;
    struct host_extras extras;
    const struct softasic_front *front; /* NULL: it has none. */
};

/* Opens the library of 'options', as loader_open() says.  On ST_OK '*library'
 * ends with library_close().  ST_INVALID, too: it is softasic, and cannot be
 * the chip that the profile asks for. */
enum st library_open(const struct loader_options *options,
                     struct library *library, struct err *err) ST_WARN_UNUSED;

/* Uninitialises it.  Accepts one that is all zeros. */
void library_close(struct library *library);

#endif /* saihostd/library.h */
