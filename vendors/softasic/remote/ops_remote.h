/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_REMOTE_OPS_REMOTE_H
#define ORCHD_SOFTASIC_REMOTE_OPS_REMOTE_H

/* The table of softasic.h for a softasic in another process. */

#include "vendors/softasic/softasic.h"

/* Returns the table whose functions call the host of vendors/remote.  NULL if
 * there is no host, or if its library is not softasic or of another build;
 * that is logged once.  Static. */
const struct softasic_ops *ops_remote(void);

#endif /* vendors/softasic/remote/ops_remote.h */
