/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_NIC_FILES_H
#define ORCHD_LAB_SCENARIO_NIC_FILES_H

/* The files of adapters that the key 'nic' of a host names.
 *
 * An adapter is data, as a chip is: a YAML file with its name, what it is, and
 * those keys of a host that are properties of an adapter
 * (docs/reference/nics.md).  Two adapters differ in nothing else.  The parser
 * of scenarios reads no files; lab/builder/nic_folder.h loads these. */

#include <stddef.h>

struct nic_file {
    const char *name; /* "gen1" */
    const char *path; /* For messages. */
    const char *text;
    size_t length;
};

struct nic_files {
    const struct nic_file *files; /* By name. */
    size_t n;
};

/* Returns the file of the adapter 'name', or NULL.  Borrowed. */
const struct nic_file *nic_files_find(const struct nic_files *files,
                                      const char *name);

#endif /* lab/scenario/nic_files.h */
