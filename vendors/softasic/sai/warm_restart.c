/* SPDX-License-Identifier: Apache-2.0 */

/* Switches that outlive their client. */

#include <config.h>

#include "vendors/softasic/sai/warm_restart.h"

#include "sai/core/metadata.h"
#include "vendors/objects/objects.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/sai/library.h"

/* Removes all callbacks of 'sw': they are functions of a client that ends. */
static void
remove_callbacks(struct asic *asic)
{
    for (uint32_t i = asic->sw->n_values; i--;) {
        const sai_attr_id_t id = asic->sw->values[i].id;

        if (metadata_attribute(SAI_OBJECT_TYPE_SWITCH, id)->kind ==
            KIND_POINTER) {
            objects_unset(asic->objects, asic->sw, id);
        }
    }
    notify_fini(asic);
}

bool
warm_restart_switch(struct library *library)
{
    struct asic *asic = library->asic;
    const bool is_warm =
        objects_number(asic->sw, SAI_SWITCH_ATTR_RESTART_WARM) != 0;

    if (!is_warm &&
        objects_number(asic->sw,
                       SAI_SWITCH_ATTR_UNINIT_DATA_PLANE_ON_REMOVAL) != 0) {
        return false;
    }
    remove_callbacks(asic);
    library->left = asic;
    library->left_is_warm = is_warm;
    library->asic = NULL;
    return true;
}

bool
warm_restart_resume(struct library *library, uint32_t n,
                    const sai_attribute_t *attributes)
{
    struct asic *asic = library->left;

    if (!asic) {
        return false;
    }
    library->left = NULL;
    if (!library->left_is_warm) {
        asic_destroy(asic);
        return false;
    }
    objects_unset(asic->objects, asic->sw, SAI_SWITCH_ATTR_RESTART_WARM);
    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(SAI_OBJECT_TYPE_SWITCH, attributes[i].id);

        if (meta && meta->kind == KIND_POINTER) {
            objects_put(asic->objects, asic->sw, &attributes[i]);
        }
    }
    library->asic = asic;
    return true;
}
