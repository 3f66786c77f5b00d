/* SPDX-License-Identifier: Apache-2.0 */

/* What answers behind the exported functions of libsai-softasic: the switch of
 * another process if one was connected to, else that of this one. */

#include <config.h>

#include "vendors/libsai/libsai.h"
#include "vendors/remote/connection.h"
#include "vendors/remote/remote.h"
#include "vendors/softasic/sai/in_process.h"

const struct libsai *
libsai_provider(void)
{
    return connection_client() ? remote_provider() : in_process_provider();
}
