/* SPDX-License-Identifier: Apache-2.0 */

/* A read-only host of one switch: a backend that refuses to change it, and the
 * queries of the library in this process. */

#include <config.h>

#include "vendors/softasic/remote/asic_host.h"

#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "vendors/libsai/libsai.h"
#include "vendors/softasic/remote/ops_host.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/sai/in_process.h"
#include "vendors/softasic/sai/library.h"

/* The backend ------------------------------------------------------------- */

static sai_status_t
refuse_create(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
              const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    (void)backend;
    (void)n;
    (void)attributes;
    (void)oid;
    /* A client then connects to the switch that there is. */
    return type == SAI_OBJECT_TYPE_SWITCH ? SAI_STATUS_ITEM_ALREADY_EXISTS
                                          : SAI_STATUS_NOT_SUPPORTED;
}

static sai_status_t
refuse_remove(struct sai_backend *backend, sai_object_type_t type,
              sai_object_id_t oid)
{
    (void)backend;
    (void)type;
    (void)oid;
    return SAI_STATUS_NOT_SUPPORTED;
}

static sai_status_t
refuse_set(struct sai_backend *backend, sai_object_type_t type,
           sai_object_id_t oid, const sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);

    (void)backend;
    (void)oid;
    return meta && meta->kind == KIND_POINTER ? SAI_STATUS_SUCCESS
                                              : SAI_STATUS_NOT_SUPPORTED;
}

static sai_status_t
read_attributes(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    const struct asic_backend *host = (struct asic_backend *)(void *)backend;

    return asic_get(host->asic, type, oid, n, attributes);
}

static sai_status_t
read_stats(struct sai_backend *backend, sai_object_type_t type,
           sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
           sai_stats_mode_t mode, uint64_t *values)
{
    const struct asic_backend *host = (struct asic_backend *)(void *)backend;

    return mode == SAI_STATS_MODE_READ
               ? asic_stats(host->asic, type, oid, n, ids, mode, values)
               : SAI_STATUS_NOT_SUPPORTED;
}

/* The extras -------------------------------------------------------------- */

static bool
call_extra(const void *context, uint32_t number, struct wire_in *in,
           struct wire_out *out)
{
    struct host_extras whole;

    ops_host_init(&whole, context);
    if (whole.writes(context, number)) {
        wire_put_u32(out, (uint32_t)SAI_STATUS_NOT_SUPPORTED);
        return true;
    }
    return whole.call(context, number, in, out);
}

/* The library -------------------------------------------------------------- */

void
asic_host_init(struct asic_host *host, struct asic *asic)
{
    static const struct sai_backend_ops ops = {.create = refuse_create,
                                               .remove = refuse_remove,
                                               .set = refuse_set,
                                               .get = read_attributes,
                                               .get_stats = read_stats};
    const struct libsai *here = in_process_provider();
    struct library *library = library_get();

    library->is_initialized = true;
    library->asic = asic;
    asic_backend_init(&host->backend, asic);
    host->backend.backend.ops = &ops;
    ops_host_init(&host->extras, softasic_ops(SOFTASIC_OPS_VERSION));
    host->extras.call = call_extra;
    host->library = (struct host_library){
        .backend = &host->backend.backend,
        .release = SAI_API_VERSION,
        .sai_object_type_query = here->object_type,
        .sai_switch_id_query = here->switch_id,
        .sai_get_maximum_attribute_count = here->max_attributes,
        .sai_get_object_count = here->object_count,
        .sai_get_object_key = here->object_keys,
        .sai_object_type_get_availability = here->availability,
        .sai_query_attribute_capability = here->attribute_capability,
        .sai_query_attribute_enum_values_capability = here->enum_values,
        .sai_query_stats_capability = here->stats_capability,
        .sai_query_object_stage = here->object_stage,
        .sai_dbg_generate_dump = here->dump,
        .sai_log_set = here->log_set,
        .extras = &host->extras,
    };
}
