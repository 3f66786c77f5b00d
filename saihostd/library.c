/* SPDX-License-Identifier: Apache-2.0 */

/* Symbols and slots of a loaded library. */

#include <config.h>

#include "saihostd/library.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "sai/remote/host_objects.h"
#include "vendors/softasic/remote/ops_host.h"
#include "vendors/softasic/softasic.h"

/* Stores the exported function 'name' in the function pointer at 'function',
 * whose type varies; all function pointers have the same representation. */
static void
resolve(struct loader *loader, const char *name, void *function)
{
    void *symbol = loader_symbol(loader, name);

    memcpy(function, &symbol, sizeof symbol);
}

/* Finds the extras of softasic beside SAI. */
static void
find_extras(struct library *library)
{
    const struct softasic_ops *ops = NULL;
    softasic_ops_fn *get_ops;
    softasic_front_fn *get_front;

    resolve(library->loader, SOFTASIC_OPS_SYMBOL, &get_ops);
    resolve(library->loader, SOFTASIC_FRONT_SYMBOL, &get_front);
    if (get_front) {
        library->front = get_front(SOFTASIC_FRONT_VERSION);
    }
    if (get_ops) {
        ops = get_ops(SOFTASIC_OPS_VERSION);
    }
    if (ops) {
        ops_host_init(&library->extras, ops);
        library->host.extras = &library->extras;
    }
}

/* Checks that softasic supports the chip of its profile. */
static enum st
check_chip(struct library *library, struct err *err)
{
    struct softasic_choice choice;

    if (!library->front) {
        return ST_OK;
    }
    if (library->front->choose(&choice) == SAI_STATUS_SUCCESS) {
        text_copy(library->warning, sizeof library->warning, choice.reason);
        return ST_OK;
    }
    (void)err_set(err, ST_INVALID, "chip", "%s", choice.reason);
    err_set_remedy(err, "%s", choice.remedy);
    return ST_INVALID;
}

enum st
library_open(const struct loader_options *options, struct library *library,
             struct err *err)
{
    struct host_library *host = &library->host;
    enum st status;

    memset(library, 0, sizeof *library);
    status = loader_open(options, &library->loader, err);
    if (status) {
        return status;
    }
    host->backend = loader_backend(library->loader);
    host->release = loader_version(library->loader);
#define X(member) resolve(library->loader, #member, &host->member);
    HOST_FUNCTIONS(X)
#undef X
    host->clear_port = (sai_clear_port_all_stats_fn)loader_function(
        library->loader, SAI_API_PORT,
        offsetof(sai_port_api_t, clear_port_all_stats));
    host->remove_neighbors =
        (sai_remove_all_neighbor_entries_fn)loader_function(
            library->loader, SAI_API_NEIGHBOR,
            offsetof(sai_neighbor_api_t, remove_all_neighbor_entries));
    host->flush_fdb = (sai_flush_fdb_entries_fn)loader_function(
        library->loader, SAI_API_FDB,
        offsetof(sai_fdb_api_t, flush_fdb_entries));
    library->objects = host_objects_create();
    host->objects = library->objects;
    find_extras(library);
    status = check_chip(library, err);
    if (status) {
        library_close(library);
    }
    return status;
}

void
library_close(struct library *library)
{
    loader_close(library->loader);
    host_objects_destroy(library->objects);
    memset(library, 0, sizeof *library);
}
