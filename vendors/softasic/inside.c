/* SPDX-License-Identifier: Apache-2.0 */

/* What answers behind the exported functions of libsai-softasic. */

#include <config.h>

#include "vendors/libsai/libsai.h"
#include "vendors/softasic/entry.h"

const struct libsai *
libsai_inside(void)
{
    return entry_inside();
}
