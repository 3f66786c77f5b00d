/* SPDX-License-Identifier: Apache-2.0 */

/* Asks for the three attributes of a port, and all of a profile. */

#include <config.h>

#include "orchd/switch/llr_capability.h"

#include <stddef.h>
#include <string.h>

#include <sai.h>

#include "base/text.h"
#include "sai/core/capability.h"
#include "sai/core/metadata.h"
#include "sai/loader/loader.h"

static const char prefix[] = "SAI_PORT_LLR_PROFILE_ATTR_";

static void
read_ports(struct loader *loader, struct llr_capability *capability)
{
    static const sai_attr_id_t ids[] = {
        SAI_PORT_ATTR_LLR_MODE_LOCAL,
        SAI_PORT_ATTR_LLR_MODE_REMOTE,
        SAI_PORT_ATTR_LLR_PROFILE,
    };

    capability->capable = true;
    capability->lacking = false;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const unsigned int flags =
            loader_capability(loader, SAI_OBJECT_TYPE_PORT, ids[i]);
        const bool settable = (flags & CAPABILITY_SET) != 0;

        capability->capable &= settable;
        capability->lacking |= (flags & CAPABILITY_KNOWN) && !settable;
    }
}

void
llr_capability_read(struct loader *loader, struct llr_capability *capability)
{
    const struct metadata_object *type =
        metadata_object(SAI_OBJECT_TYPE_PORT_LLR_PROFILE);
    struct text list = {0};

    read_ports(loader, capability);
    for (uint16_t i = 0; type && i < type->n_attributes; i++) {
        const struct metadata_attribute *meta = &type->attributes[i];

        if (loader_capability(loader, SAI_OBJECT_TYPE_PORT_LLR_PROFILE,
                              meta->id) &
            (CAPABILITY_CREATE | CAPABILITY_SET)) {
            text_add_item(&list, ", ", meta->name + strlen(prefix));
        }
    }
    text_copy(capability->attributes, sizeof capability->attributes,
              text_string(&list));
    text_fini(&list);
}
