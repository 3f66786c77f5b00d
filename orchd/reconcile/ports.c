/* SPDX-License-Identifier: Apache-2.0 */

/* Reads and matches the ports of the ASIC.
 *
 * The register is a plain list: a chip has a few hundred ports, and each is
 * looked up once. */

#include <config.h>

#include "orchd/reconcile/ports.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/bridge_members.h"
#include "sai/core/bulk_get.h"
#include "sai/core/status.h"

struct entry {
    sai_object_id_t oid;
    sai_u32_list_t lanes; /* Owned. */
    bool claimed;
};

struct ports {
    struct entry *list;
    size_t n;
    struct bridge_members *members;
    sai_u32_list_t left; /* Lanes of removed ports that were members of the
                          * default VLAN.  Owned. */
};

struct ports *
ports_create(void)
{
    struct ports *ports = check_calloc(1, sizeof *ports);

    ports->members = bridge_members_create();
    return ports;
}

/* Forgets all ports; the register may be filled again. */
static void
ports_clear_list(struct ports *ports)
{
    for (size_t i = 0; i < ports->n; i++) {
        free(ports->list[i].lanes.list);
    }
    free(ports->list);
    ports->list = NULL;
    ports->n = 0;
}

void
ports_destroy(struct ports *ports)
{
    if (ports) {
        ports_clear_list(ports);
        bridge_members_destroy(ports->members);
        free(ports->left.list);
        free(ports);
    }
}

/* Makes '*to', which is empty, a copy of 'from'. */
static void
copy_list(sai_u32_list_t *to, const sai_u32_list_t *from)
{
    to->count = from->count;
    to->list = check_calloc(from->count, sizeof *from->list);
    memcpy(to->list, from->list, from->count * sizeof *from->list);
}

/* Fills the register with the ports of the switch and their lanes. */
static sai_status_t
read_ports(struct ports *ports, struct sai_backend *backend)
{
    const sai_attribute_value_t *oids;
    struct bulk_get list, lanes = {0};
    sai_status_t status;

    bulk_get_read(&list, backend, SAI_OBJECT_TYPE_SWITCH,
                  SAI_SWITCH_ATTR_PORT_LIST, 1, &backend->switch_id);
    status = list.statuses[0];
    oids = bulk_get_value(&list, 0);
    if (oids) {
        bulk_get_read(&lanes, backend, SAI_OBJECT_TYPE_PORT,
                      SAI_PORT_ATTR_HW_LANE_LIST, oids->objlist.count,
                      oids->objlist.list);
    }
    ports->list = check_calloc(lanes.n, sizeof *ports->list);
    for (uint32_t i = 0; i < lanes.n && status == SAI_STATUS_SUCCESS; i++) {
        const sai_attribute_value_t *value = bulk_get_value(&lanes, i);

        status = lanes.statuses[i];
        ports->list[i].oid = oids->objlist.list[i];
        if (value) {
            copy_list(&ports->list[i].lanes, &value->u32list);
        }
        ports->n++;
    }
    bulk_get_fini(&lanes);
    bulk_get_fini(&list);
    return status;
}

enum st
ports_read(struct ports *ports, struct sai_backend *backend, struct err *err)
{
    sai_status_t status;

    ports_clear_list(ports);
    bridge_members_destroy(ports->members); /* Of another switch, perhaps. */
    ports->members = bridge_members_create();
    ports->left.count = 0;
    status = read_ports(ports, backend);
    if (status != SAI_STATUS_SUCCESS) {
        return err_set(
            err, st_from_sai(status), "ports-unreadable",
            "the list of ports of the ASIC cannot be read (SAI status %d)",
            (int)status);
    }
    return ST_OK;
}

/* Removes entry 'i' from the register. */
static void
forget(struct ports *ports, size_t i)
{
    free(ports->list[i].lanes.list);
    ports->n--;
    ports->list[i] = ports->list[ports->n];
}

/* The order matters: it says which lane is the first of the port. */
static bool
same_lanes(const sai_u32_list_t *a, const sai_u32_list_t *b)
{
    return a->count == b->count &&
           !memcmp(a->list, b->list, a->count * sizeof *a->list);
}

bool
ports_share_a_lane(const sai_u32_list_t *a, const sai_u32_list_t *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            if (a->list[i] == b->list[j]) {
                return true;
            }
        }
    }
    return false;
}

sai_object_id_t
ports_take(struct ports *ports, const sai_u32_list_t *lanes)
{
    for (size_t i = 0; i < ports->n; i++) {
        struct entry *port = &ports->list[i];

        if (!port->claimed && same_lanes(&port->lanes, lanes)) {
            port->claimed = true;
            return port->oid;
        }
    }
    return SAI_NULL_OBJECT_ID;
}

bool
ports_has_free(const struct ports *ports, const sai_u32_list_t *lanes)
{
    for (size_t i = 0; i < ports->n; i++) {
        if (!ports->list[i].claimed &&
            same_lanes(&ports->list[i].lanes, lanes)) {
            return true;
        }
    }
    return false;
}

bool
ports_lane_range(const struct ports *ports, uint32_t *least, uint32_t *most)
{
    *least = UINT32_MAX;
    *most = 0;
    for (size_t i = 0; i < ports->n; i++) {
        const sai_u32_list_t *lanes = &ports->list[i].lanes;

        for (uint32_t j = 0; j < lanes->count; j++) {
            *least = lanes->list[j] < *least ? lanes->list[j] : *least;
            *most = lanes->list[j] > *most ? lanes->list[j] : *most;
        }
    }
    return *least <= *most;
}

bool
ports_taken(const struct ports *ports, const sai_u32_list_t *lanes)
{
    for (size_t i = 0; i < ports->n; i++) {
        if (ports->list[i].claimed &&
            same_lanes(&ports->list[i].lanes, lanes)) {
            return true;
        }
    }
    return false;
}

bool
ports_overlap(const struct ports *ports, const sai_u32_list_t *lanes)
{
    for (size_t i = 0; i < ports->n; i++) {
        if (ports->list[i].claimed &&
            ports_share_a_lane(&ports->list[i].lanes, lanes)) {
            return true;
        }
    }
    return false;
}

bool
ports_are_at_hand(const struct ports *ports, const sai_u32_list_t *lanes)
{
    bool free = true;

    for (size_t i = 0; i < ports->n; i++) {
        const struct entry *port = &ports->list[i];

        if (!port->claimed && same_lanes(&port->lanes, lanes)) {
            return true;
        }
        free = free && !ports_share_a_lane(&port->lanes, lanes);
    }
    return free;
}

/* Adds 'lanes' to those of former members of the default VLAN. */
static void
note_left(struct ports *ports, const sai_u32_list_t *lanes)
{
    sai_u32_list_t *left = &ports->left;

    left->list = check_realloc(left->list, (left->count + lanes->count + 1) *
                                               sizeof *left->list);
    memcpy(&left->list[left->count], lanes->list,
           lanes->count * sizeof *left->list);
    left->count += lanes->count;
}

/* Removes entry 'i' from the ASIC and from the register. */
static sai_status_t
remove_port(struct ports *ports, struct sai_backend *backend, size_t i,
            sai_object_type_t *refused)
{
    bool was_member = false;
    const sai_status_t status = bridge_members_remove_port(
        ports->members, backend, ports->list[i].oid, refused, &was_member);

    if (was_member) {
        note_left(ports, &ports->list[i].lanes);
    }
    if (status == SAI_STATUS_SUCCESS) {
        forget(ports, i);
    }
    return status;
}

void
ports_rejoin(struct ports *ports, struct sai_backend *backend,
             sai_object_id_t oid, const sai_u32_list_t *lanes)
{
    sai_u32_list_t *left = &ports->left;
    uint32_t n = 0;

    if (!ports_share_a_lane(left, lanes)) {
        return;
    }
    (void)bridge_members_restore(ports->members, backend, oid);
    for (uint32_t i = 0; i < left->count; i++) {
        const sai_u32_list_t lane = {1, &left->list[i]};

        if (!ports_share_a_lane(&lane, lanes)) {
            left->list[n++] = left->list[i];
        }
    }
    left->count = n;
}

sai_status_t
ports_clear(struct ports *ports, struct sai_backend *backend,
            const sai_u32_list_t *lanes, sai_object_type_t *refused)
{
    /* From the end, because forget() moves the last entry into the gap. */
    for (size_t i = ports->n; i-- > 0;) {
        sai_status_t status;

        if (ports->list[i].claimed ||
            !ports_share_a_lane(&ports->list[i].lanes, lanes)) {
            continue;
        }
        status = remove_port(ports, backend, i, refused);
        if (status != SAI_STATUS_SUCCESS) {
            return status;
        }
    }
    return SAI_STATUS_SUCCESS;
}

bool
ports_give_up(struct ports *ports, struct sai_backend *backend)
{
    for (size_t i = ports->n; i-- > 0;) {
        if (!ports->list[i].claimed) {
            sai_object_type_t refused;

            return remove_port(ports, backend, i, &refused) ==
                   SAI_STATUS_SUCCESS;
        }
    }
    return false;
}

void
ports_add(struct ports *ports, sai_object_id_t oid, const sai_u32_list_t *lanes)
{
    struct entry *port;

    ports->list =
        check_realloc(ports->list, (ports->n + 1) * sizeof *ports->list);
    port = &ports->list[ports->n++];
    port->oid = oid;
    port->claimed = true;
    copy_list(&port->lanes, lanes);
}

static bool
is_claimed(const struct ports *ports, sai_object_id_t oid)
{
    for (size_t i = 0; i < ports->n; i++) {
        if (ports->list[i].oid == oid) {
            return ports->list[i].claimed;
        }
    }
    return false;
}

bool
ports_is_listed(struct sai_backend *backend, sai_object_id_t oid)
{
    const sai_attribute_value_t *list;
    struct bulk_get column;
    bool found;

    bulk_get_read(&column, backend, SAI_OBJECT_TYPE_SWITCH,
                  SAI_SWITCH_ATTR_PORT_LIST, 1, &backend->switch_id);
    list = bulk_get_value(&column, 0);
    found = !list; /* Unreadable does not mean gone. */
    for (uint32_t i = 0; list && i < list->objlist.count; i++) {
        found |= list->objlist.list[i] == oid;
    }
    bulk_get_fini(&column);
    return found;
}

void
ports_lose(struct ports *ports, struct sai_backend *backend,
           sai_object_id_t oid)
{
    struct ports fresh = {0};

    for (size_t i = ports->n; i-- > 0;) {
        if (ports->list[i].oid == oid) {
            forget(ports, i);
        }
    }
    if (read_ports(&fresh, backend) != SAI_STATUS_SUCCESS) {
        ports_clear_list(&fresh);
        return;
    }
    for (size_t i = 0; i < fresh.n; i++) {
        fresh.list[i].claimed = is_claimed(ports, fresh.list[i].oid);
    }
    ports_clear_list(ports);
    ports->list = fresh.list;
    ports->n = fresh.n;
}

sai_object_id_t *
ports_unclaimed(const struct ports *ports, uint32_t *n)
{
    sai_object_id_t *oids = check_calloc(ports->n + 1, sizeof *oids);

    *n = 0;
    for (size_t i = 0; i < ports->n; i++) {
        if (!ports->list[i].claimed) {
            oids[(*n)++] = ports->list[i].oid;
        }
    }
    return oids;
}

void
ports_give(struct ports *ports, sai_object_id_t oid)
{
    for (size_t i = 0; i < ports->n; i++) {
        if (ports->list[i].oid == oid) {
            ports->list[i].claimed = false;
        }
    }
}
