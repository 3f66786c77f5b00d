/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_REMOTE_OPS_HOST_H
#define ORCHD_SOFTASIC_REMOTE_OPS_HOST_H

/* The operations of softasic.h as the extras of a SAI host
 * (sai/remote/library.h): a client in another process can call them. */

#include "sai/remote/library.h"
#include "vendors/softasic/softasic.h"

/* Makes '*extras' those of 'ops', which is borrowed. */
void ops_host_init(struct host_extras *extras, const struct softasic_ops *ops);

#endif /* vendors/softasic/remote/ops_host.h */
