/* SPDX-License-Identifier: Apache-2.0 */

/* Tells the host what happened. */

#include <config.h>

#include "vendors/softasic/notify.h"

#include <stdlib.h>

#include "base/check.h"
#include "vendors/softasic/state.h"

/* Returns the callback that attribute 'id' of the switch is, or NULL. */
static void *
callback(const struct asic *asic, sai_attr_id_t id)
{
    const sai_attribute_value_t *value =
        asic->sw ? objects_value(asic->sw, id) : NULL;

    return value ? value->ptr : NULL;
}

void
notify_port(struct asic *asic, sai_object_id_t port,
            sai_port_oper_status_t state)
{
    struct notify *notify = &asic->notify;

    if (!callback(asic, SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY)) {
        return;
    }
    notify->ports = check_realloc(notify->ports, (notify->n_ports + 1) *
                                                     sizeof *notify->ports);
    notify->ports[notify->n_ports++] = (sai_port_oper_status_notification_t){
        .port_id = port, .port_state = state};
}

void
notify_deliver(struct asic *asic)
{
    sai_port_state_change_notification_fn on_ports;
    struct notify taken;
    void *pointer;

    if (!asic || asic->notify.n_ports == 0) {
        return;
    }
    /* All is taken from the switch before the first callback, in which more
     * may happen, or the switch go away. */
    taken = asic->notify;
    asic->notify = (struct notify){0};
    pointer = callback(asic, SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY);
    on_ports = (sai_port_state_change_notification_fn)(uintptr_t)pointer;
    if (on_ports) {
        on_ports(taken.n_ports, taken.ports);
    }
    free(taken.ports);
}

void
notify_forget(struct asic *asic)
{
    free(asic->notify.ports);
    asic->notify = (struct notify){0};
}
