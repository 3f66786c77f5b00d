/* SPDX-License-Identifier: Apache-2.0 */

/* The rules of a bulk call. */

#include <config.h>

#include "vendors/softasic/sai/bulk.h"

bool
bulk_continues(struct bulk *bulk, uint32_t i)
{
    if (bulk->result == SAI_STATUS_SUCCESS ||
        bulk->mode == SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR) {
        return true;
    }
    bulk->statuses[i] = SAI_STATUS_NOT_EXECUTED;
    return false;
}

void
bulk_note(struct bulk *bulk, uint32_t i, sai_status_t status)
{
    bulk->statuses[i] = status;
    if (status != SAI_STATUS_SUCCESS) {
        bulk->result = SAI_STATUS_FAILURE;
    }
}
