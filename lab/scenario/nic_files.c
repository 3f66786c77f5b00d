/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the files of adapters. */

#include <config.h>

#include "lab/scenario/nic_files.h"

#include <string.h>

const struct nic_file *
nic_files_find(const struct nic_files *files, const char *name)
{
    for (size_t i = 0; i < files->n; i++) {
        if (!strcmp(files->files[i].name, name)) {
            return &files->files[i];
        }
    }
    return NULL;
}
