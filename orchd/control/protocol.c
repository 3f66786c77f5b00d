/* SPDX-License-Identifier: Apache-2.0 */

/* The paths of the sockets. */

#include <config.h>

#include "orchd/control/protocol.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum st
control_default_path(const char *runtime_dir, unsigned int uid, char *buffer,
                     size_t size)
{
    bool fits;

    if (uid && runtime_dir && *runtime_dir) {
        fits = text_format(buffer, size, "%s/orchd.sock", runtime_dir);
    } else {
        fits = text_copy(buffer, size, CONTROL_SERVICE_PATH);
    }
    return fits ? ST_OK : ST_INVALID;
}

enum st
control_client_path(const char *runtime_dir, unsigned int uid,
                    const char *service, char *buffer, size_t size)
{
    const enum st st = control_default_path(runtime_dir, uid, buffer, size);

    if (!st && access(buffer, F_OK) && !access(service, F_OK) &&
        !text_copy(buffer, size, service)) {
        return ST_INVALID;
    }
    return st;
}
