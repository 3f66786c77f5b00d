/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_REMOTE_ASIC_HOST_H
#define ORCHD_SOFTASIC_REMOTE_ASIC_HOST_H

/* One running switch of a process, offered to clients of a SAI host
 * (sai/remote/sai_host.h), who may look at it and change nothing.
 *
 * Motivation: a fabric has many switches in one process, and SAI's entry points
 * know one.  To show one of them to orchd, which sees it as a switch that ran
 * before orchd started, the process lends it to its SAI library.
 *
 * Reading changes nothing either: counters cannot be cleared, so watermarks are
 * the same however often a client polls them.  Every other call that would
 * change the switch is answered NOT_SUPPORTED, except that callbacks are
 * accepted; they are never called. */

#include "sai/remote/library.h"
#include "vendors/softasic/sai/asic_backend.h"

struct asic;

struct asic_host {
    struct asic_backend backend;
    struct host_extras extras;
    struct host_library library; /* For sai_host_create(). */
};

/* Fills '*host' for 'asic', which is borrowed and becomes the switch of the SAI
 * library in this process: there can be only one, and the library must not be
 * used otherwise. */
void asic_host_init(struct asic_host *host, struct asic *asic);

#endif /* vendors/softasic/remote/asic_host.h */
