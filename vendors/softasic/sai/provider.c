/* SPDX-License-Identifier: Apache-2.0 */

/* The provider of libsai-softasic: the switch of another process if the library
 * is connected to one, else that of this process. */

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
