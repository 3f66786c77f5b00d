/* SPDX-License-Identifier: Apache-2.0 */

/* Executes queries by the exported functions of the library. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "sai/remote/execute.h"
#include "sai/remote/host_objects.h"
#include "sai/remote/message.h"

/* Allocates the list of the answer. */
static void *
make_room(struct arena *arena, const struct query *query)
{
    return query->room ? arena_alloc(arena, query->room,
                                     query_element_bytes(query->kind))
                       : NULL;
}

/* Returns whether the library does not have a function. */
static bool
is_missing(sai_status_t status)
{
    return status == SAI_STATUS_NOT_IMPLEMENTED ||
           status == SAI_STATUS_NOT_SUPPORTED;
}

/* Lists ----------------------------------------------------------------- */

/* If the library cannot list its objects, the host lists those that clients
 * have created. */
static void
query_library_keys(const struct host_library *library, struct arena *arena,
                   const struct query *query, struct query_answer *answer)
{
    answer->list = make_room(arena, query);
    answer->count = query->room;
    if (library->sai_get_object_key) {
        answer->status = library->sai_get_object_key(
            query->oid, query->type, &answer->count, answer->list);
    }
    if (library->objects && is_missing(answer->status)) {
        answer->count = query->room;
        answer->status = host_objects_list(library->objects, query->type,
                                           &answer->count, answer->list);
    }
    if (is_missing(answer->status)) {
        answer->list = NULL;
        answer->count = 0;
    }
}

static void
query_library_enum_values(const struct host_library *library,
                          struct arena *arena, const struct query *query,
                          struct query_answer *answer)
{
    sai_s32_list_t list = {query->room, make_room(arena, query)};

    if (library->sai_query_attribute_enum_values_capability) {
        answer->status = library->sai_query_attribute_enum_values_capability(
            query->oid, query->type, query->id, &list);
        answer->count = list.count;
        answer->list = list.list;
    }
}

static void
query_library_stats(const struct host_library *library, struct arena *arena,
                    const struct query *query, struct query_answer *answer)
{
    sai_stat_capability_list_t list = {query->room, make_room(arena, query)};

    if (library->sai_query_stats_capability) {
        answer->status =
            library->sai_query_stats_capability(query->oid, query->type, &list);
        answer->count = list.count;
        answer->list = list.list;
    }
}

/* Reads the file of a dump, as much as fits into a message. */
static void
read_dump(const char *path, struct arena *arena, const struct query *query,
          struct query_answer *answer)
{
    FILE *file = fopen(path, "rb");

    answer->status = SAI_STATUS_FAILURE;
    answer->list = make_room(arena, query);
    if (file && answer->list) {
        answer->count = (uint32_t)fread(answer->list, 1, query->room, file);
        answer->status = SAI_STATUS_SUCCESS;
    }
    if (file) {
        (void)fclose(file);
    }
}

/* The library writes a file on this machine; the client gets its contents. */
static void
query_library_dump(const struct host_library *library, struct arena *arena,
                   const struct query *query, struct query_answer *answer)
{
    char path[] = "/tmp/sai-dump-XXXXXX";
    int fd;

    if (!library->sai_dbg_generate_dump) {
        return;
    }
    fd = mkstemp(path);
    answer->status = SAI_STATUS_FAILURE;
    if (fd < 0) {
        return;
    }
    close(fd);
    answer->status = library->sai_dbg_generate_dump(path);
    if (answer->status == SAI_STATUS_SUCCESS) {
        read_dump(path, arena, query, answer);
    }
    unlink(path);
}

/* Numbers ---------------------------------------------------------------- */

static void
query_library_count(const struct host_library *library,
                    const struct query *query, struct query_answer *answer)
{
    uint32_t count = 0;

    if (query->kind == QUERY_COUNT && library->sai_get_object_count) {
        answer->status =
            library->sai_get_object_count(query->oid, query->type, &count);
    } else if (query->kind == QUERY_MAX_ATTRIBUTES &&
               library->sai_get_maximum_attribute_count) {
        answer->status = library->sai_get_maximum_attribute_count(
            query->oid, query->type, &count);
    }
    answer->number = count;
}

static void
query_library_object(const struct host_library *library,
                     const struct query *query, struct query_answer *answer)
{
    if (query->kind == QUERY_TYPE_OF && library->sai_object_type_query) {
        answer->number = (uint64_t)library->sai_object_type_query(query->oid);
        answer->status = SAI_STATUS_SUCCESS;
    } else if (query->kind == QUERY_SWITCH_OF && library->sai_switch_id_query) {
        answer->number = library->sai_switch_id_query(query->oid);
        answer->status = SAI_STATUS_SUCCESS;
    }
}

static void
query_library_capability(const struct host_library *library,
                         const struct query *query, struct query_answer *answer)
{
    sai_attr_capability_t capability = {0};

    if (library->sai_query_attribute_capability) {
        answer->status = library->sai_query_attribute_capability(
            query->oid, query->type, query->id, &capability);
        answer->number = (capability.create_implemented ? QUERY_CREATE : 0) |
                         (capability.set_implemented ? QUERY_SET : 0) |
                         (capability.get_implemented ? QUERY_GET : 0);
    }
}

/* Executes the queries that have attributes. */
static void
query_library_with_attributes(const struct host_library *library,
                              const struct query *query,
                              struct query_answer *answer)
{
    const struct values *values = &query->values;
    sai_object_stage_t stage = SAI_OBJECT_STAGE_BOTH;

    if (values->status != SAI_STATUS_SUCCESS) {
        answer->status = values->status;
    } else if (query->kind == QUERY_AVAILABILITY &&
               library->sai_object_type_get_availability) {
        answer->status = library->sai_object_type_get_availability(
            query->oid, query->type, values->n, values->attributes,
            &answer->number);
    } else if (query->kind == QUERY_OBJECT_STAGE &&
               library->sai_query_object_stage) {
        answer->status = library->sai_query_object_stage(
            query->oid, query->type, values->n, values->attributes, &stage);
        answer->number = (uint64_t)stage;
    } else if (query->kind == QUERY_FLUSH_FDB && library->flush_fdb) {
        answer->status =
            library->flush_fdb(query->oid, values->n, values->attributes);
    }
}

/* Orders ------------------------------------------------------------------ */

static void
do_order(const struct host_library *library, const struct query *query,
         struct query_answer *answer)
{
    if (query->kind == QUERY_CLEAR_PORT && library->clear_port) {
        answer->status = library->clear_port(query->oid);
    } else if (query->kind == QUERY_REMOVE_NEIGHBORS &&
               library->remove_neighbors) {
        answer->status = library->remove_neighbors(query->oid);
    } else if (query->kind == QUERY_LOG && library->sai_log_set) {
        answer->status = library->sai_log_set((sai_api_t)query->id,
                                              (sai_log_level_t)query->room);
    }
}

void
execute_query(const struct host_library *library, struct arena *arena,
              const struct query *query, struct query_answer *answer)
{
    *answer = (struct query_answer){.status = SAI_STATUS_NOT_IMPLEMENTED};
    switch (query->kind) {
    case QUERY_TYPE_OF:
    case QUERY_SWITCH_OF:
        query_library_object(library, query, answer);
        break;
    case QUERY_MAX_ATTRIBUTES:
    case QUERY_COUNT:
        query_library_count(library, query, answer);
        break;
    case QUERY_ATTRIBUTE_CAPABILITY:
        query_library_capability(library, query, answer);
        break;
    case QUERY_AVAILABILITY:
    case QUERY_OBJECT_STAGE:
    case QUERY_FLUSH_FDB:
        query_library_with_attributes(library, query, answer);
        break;
    case QUERY_KEYS:
        query_library_keys(library, arena, query, answer);
        break;
    case QUERY_ENUM_VALUES:
        query_library_enum_values(library, arena, query, answer);
        break;
    case QUERY_STATS_CAPABILITY:
        query_library_stats(library, arena, query, answer);
        break;
    case QUERY_DUMP:
        query_library_dump(library, arena, query, answer);
        break;
    default:
        do_order(library, query, answer);
    }
    /* The library returns more elements than fit. */
    if (answer->list && answer->count > query->room &&
        answer->status == SAI_STATUS_SUCCESS) {
        answer->status = SAI_STATUS_FAILURE;
    }
}
