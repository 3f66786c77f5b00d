/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "base/view_path.h"

#include <string.h>

#include "base/text.h"

enum st
view_path(const char *socket, char *buffer, size_t size)
{
    const char *slash = strrchr(socket, '/');
    const char *name = slash ? slash + 1 : socket;
    const char *dot = strrchr(name, '.');
    const int directory = (int)(name - socket);
    int length = (int)strlen(name);
    bool fits;

    if (!strcmp(name, "control.sock")) {
        fits = text_format(buffer, size, "%.*sview.sock", directory, socket);
    } else {
        if (dot && !strcmp(dot, ".sock")) {
            length = (int)(dot - name);
        }
        fits = text_format(buffer, size, "%.*s%.*s-view.sock", directory,
                           socket, length, name);
    }
    return fits ? ST_OK : ST_INVALID;
}
