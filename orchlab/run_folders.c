/* SPDX-License-Identifier: Apache-2.0 */

/* The folders of files from which the switches and hosts of a run are made. */

#include <config.h>

#include "orchlab/run_folders.h"

#include "lab/exec/run.h"
#include "orchlab/verb.h"

static const struct verb_folder yang_folder = {"yang-dir", "ORCHLAB_YANG_DIR",
                                               "schemas", PKGDATADIR "/yang"};
static const struct verb_folder chips_folder = {"chips", "ORCHLAB_CHIPS",
                                                "chips", PKGDATADIR "/chips"};
static const struct verb_folder configs_folder = {
    "configs", "ORCHLAB_CONFIGS", "lab/configs", PKGDATADIR "/lab/configs"};
static const struct verb_folder nics_folder = {"nics", "ORCHLAB_NICS", "nics",
                                               PKGDATADIR "/nics"};

static const struct verb_folder figures_folder = {
    "figures", "ORCHLAB_FIGURES", "lab/figs", PKGDATADIR "/lab/figs"};

const char *
run_folders_figures(const struct invocation *invocation, char *path)
{
    return verb_folder(invocation, &figures_folder, path);
}

const char *
run_folders_nics(const struct invocation *invocation, char *path)
{
    return verb_folder(invocation, &nics_folder, path);
}

void
run_folders_find(const struct invocation *invocation,
                 struct run_folders *folders, struct run_options *options)
{
    options->yang_dir = verb_folder(invocation, &yang_folder, folders->yang);
    options->chips_dir = verb_folder(invocation, &chips_folder, folders->chips);
    options->configs_dir =
        verb_folder(invocation, &configs_folder, folders->configs);
    options->nics_dir = run_folders_nics(invocation, folders->nics);
}
