/* SPDX-License-Identifier: Apache-2.0 */

/* The verbs of softasic as a backend. */

#include <config.h>

#include "tests/fuzz/switch.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "vendors/softasic/sai/library.h"
#include "vendors/softasic/sai/local_verbs.h"

static sai_status_t
switch_create(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
              const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    return local_verbs_create(type, oid, backend->switch_id, n, attributes);
}

static sai_status_t
switch_remove(struct sai_backend *backend, sai_object_type_t type,
              sai_object_id_t oid)
{
    (void)backend;
    return local_verbs_remove(type, oid);
}

static sai_status_t
switch_set(struct sai_backend *backend, sai_object_type_t type,
           sai_object_id_t oid, const sai_attribute_t *attribute)
{
    (void)backend;
    return local_verbs_set(type, oid, attribute);
}

static sai_status_t
switch_get(struct sai_backend *backend, sai_object_type_t type,
           sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    (void)backend;
    return local_verbs_get(type, oid, n, attributes);
}

static sai_status_t
switch_get_stats(struct sai_backend *backend, sai_object_type_t type,
                 sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                 sai_stats_mode_t mode, uint64_t *values)
{
    (void)backend;
    return local_verbs_stats(type, oid, n, ids, mode, values);
}

static const struct sai_backend_ops switch_ops = {
    .create = switch_create,
    .remove = switch_remove,
    .set = switch_set,
    .get = switch_get,
    .get_stats = switch_get_stats,
};

static struct sai_backend the_switch = {&switch_ops, SAI_NULL_OBJECT_ID};

static const char *
profile_get(sai_switch_profile_id_t id, const char *name)
{
    (void)id;
    if (strcmp(name, "SOFTASIC_MODEL") == 0) {
        return "small";
    }
    return strcmp(name, "SOFTASIC_MODEL_DIR") == 0 ? FUZZ_DIR "/chips" : NULL;
}

struct sai_backend *
switch_begin(void)
{
    static const sai_service_method_table_t services = {.profile_get_value =
                                                            profile_get};
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};

    FUZZ_CHECK(sai_api_initialize(0, &services) == SAI_STATUS_SUCCESS);
    for (sai_api_t api = SAI_API_SWITCH; api < SAI_API_MAX; api++) {
        (void)sai_log_set(api, SAI_LOG_LEVEL_CRITICAL);
    }
    FUZZ_CHECK(local_verbs_create_switch(&the_switch.switch_id, 1, &init) ==
               SAI_STATUS_SUCCESS);
    return &the_switch;
}

const struct asic *
switch_asic(void)
{
    return library_get()->asic;
}

void
switch_end(void)
{
    FUZZ_CHECK(sai_api_uninitialize() == SAI_STATUS_SUCCESS);
}
