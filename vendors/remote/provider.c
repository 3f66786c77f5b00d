/* SPDX-License-Identifier: Apache-2.0 */

/* The provider of libsai-remote. */

#include <config.h>

#include "vendors/libsai/libsai.h"
#include "vendors/remote/remote.h"

const struct libsai *
libsai_provider(void)
{
    return remote_provider();
}
