/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_NIC_FOLDER_H
#define ORCHD_LAB_BUILDER_NIC_FOLDER_H

/* Loads the files of adapters. */

#include "base/status.h"
#include "lab/scenario/nic_files.h"

struct arena;

/* Loads all files "NAME.yaml" of 'folder' into '*files', in the order of their
 * names; what is in them is checked when a scenario uses them.  Everything is
 * in 'arena'.  ST_IO: the folder or a file cannot be read, or a file has more
 * than 1 MiB; 'err' says which. */
enum st nic_folder_load(const char *folder, struct arena *arena,
                        struct nic_files *files,
                        struct err *err) ST_WARN_UNUSED;

/* Loads the single file 'path', in which the adapter has the name of the file
 * without ".yaml".  ST_IO: it cannot be read. */
enum st nic_folder_load_file(const char *path, struct arena *arena,
                             struct nic_file *file,
                             struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/nic_folder.h */
