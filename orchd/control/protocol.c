/* SPDX-License-Identifier: Apache-2.0 */

/* The path of the control socket. */

#include <config.h>

#include "orchd/control/protocol.h"

#include "base/text.h"

enum st
control_default_path(const char *runtime_dir, unsigned int uid, char *buffer,
                     size_t size)
{
    bool fits;

    if (uid && runtime_dir && *runtime_dir) {
        fits = text_format(buffer, size, "%s/orchd.sock", runtime_dir);
    } else {
        fits = text_copy(buffer, size, "/run/orchd/control.sock");
    }
    return fits ? ST_OK : ST_INVALID;
}
