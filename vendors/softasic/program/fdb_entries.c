/* SPDX-License-Identifier: Apache-2.0 */

/* The forwarding database in terms of SAI. */

#include <config.h>

#include "vendors/softasic/program/fdb_entries.h"

#include <string.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "vendors/softasic/program/l2.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/program/port_lookup.h"

/* The attributes of one entry, in the form of an object that is not in the
 * store. */
struct view {
    struct objects_item item;
    sai_attribute_t values[3]; /* Sorted by id. */
};

static struct fdb *
fdb_of(const struct asic *asic)
{
    return bridge_fdb(sim_bridge(asic->sim));
}

static sai_object_id_t
bridge_port_oid(const struct asic *asic, uint32_t slot)
{
    const struct objects_item *item = l2_bridge_port(asic, slot);

    return item ? item->oid : SAI_NULL_OBJECT_ID;
}

/* Fills 'view' from an entry of the twin. */
static void
look(const struct asic *asic, const struct fdb_entry *entry, struct view *view)
{
    *view = (struct view){
        .values = {
            {SAI_FDB_ENTRY_ATTR_TYPE,
             {.s32 = entry->is_static ? SAI_FDB_ENTRY_TYPE_STATIC
                                      : SAI_FDB_ENTRY_TYPE_DYNAMIC}},
            {SAI_FDB_ENTRY_ATTR_PACKET_ACTION,
             {.s32 = entry->discards ? SAI_PACKET_ACTION_DROP
                                     : SAI_PACKET_ACTION_FORWARD}},
            {SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID,
             {.oid = bridge_port_oid(asic, entry->port)}},
        }};
    view->item.type = SAI_OBJECT_TYPE_FDB_ENTRY;
    view->item.values = view->values;
    view->item.n_values = 3;
}

/* Applies 'attribute', which was checked by the metadata, to '*entry'. */
static sai_status_t
apply(const struct asic *asic, const sai_attribute_t *attribute,
      struct fdb_entry *entry)
{
    sai_attribute_t value = *attribute;
    const struct objects_item alone = {
        .type = SAI_OBJECT_TYPE_FDB_ENTRY, .values = &value, .n_values = 1};
    const struct objects_item *port;

    switch (attribute->id) {
    case SAI_FDB_ENTRY_ATTR_TYPE:
        entry->is_static = attribute->value.s32 == SAI_FDB_ENTRY_TYPE_STATIC;
        return SAI_STATUS_SUCCESS;
    case SAI_FDB_ENTRY_ATTR_PACKET_ACTION:
        if (attribute->value.s32 != SAI_PACKET_ACTION_FORWARD &&
            attribute->value.s32 != SAI_PACKET_ACTION_DROP) {
            return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
        }
        entry->discards = attribute->value.s32 == SAI_PACKET_ACTION_DROP;
        return SAI_STATUS_SUCCESS;
    case SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID:
        port = objects_find(asic->objects, attribute->value.oid);
        entry->port = port ? l2_slot(asic, port) : FDB_NONE;
        return SAI_STATUS_SUCCESS;
    default:
        return l2_is_default(&alone, attribute->id)
                   ? SAI_STATUS_SUCCESS
                   : SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
}

/* Resolves 'key' to VLAN and address, and finds the entry '*known', NULL if
 * there is none. */
static sai_status_t
locate(const struct asic *asic, const sai_fdb_entry_t *key,
       struct fdb_entry *entry, const struct fdb_entry **known)
{
    struct objects_item *vlan;
    sai_status_t status;

    if (!key) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (key->switch_id != asic->sw->oid) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    status =
        objects_locate(asic->objects, SAI_OBJECT_TYPE_VLAN, key->bv_id, &vlan);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    *entry = (struct fdb_entry){
        .mac = port_lookup_mac_number(key->mac_address),
        .vlan = (uint16_t)objects_number(vlan, SAI_VLAN_ATTR_VLAN_ID),
        .port = FDB_NONE};
    if (entry->mac == 0 || fdb_mac_is_group(entry->mac)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    *known = fdb_find(fdb_of(asic), entry->vlan, entry->mac);
    return SAI_STATUS_SUCCESS;
}

/* The same for an entry that must exist, which is copied to '*entry'. */
static sai_status_t
locate_known(const struct asic *asic, const sai_fdb_entry_t *key,
             struct fdb_entry *entry)
{
    const struct fdb_entry *known;
    const sai_status_t status = locate(asic, key, entry, &known);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!known) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    *entry = *known;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
fdb_entries_create(struct asic *asic, const sai_fdb_entry_t *key, uint32_t n,
                   const sai_attribute_t *attributes)
{
    const struct fdb_entry *known;
    struct fdb_entry entry;
    sai_status_t status = locate(asic, key, &entry, &known);

    if (status == SAI_STATUS_SUCCESS) {
        status = objects_check_create(asic->objects, SAI_OBJECT_TYPE_FDB_ENTRY,
                                      n, attributes);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (known) {
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    }
    for (uint32_t i = 0; i < n; i++) {
        status = apply(asic, &attributes[i], &entry);
        if (status != SAI_STATUS_SUCCESS) {
            return status - (sai_status_t)i;
        }
    }
    return fdb_set(fdb_of(asic), &entry) ? SAI_STATUS_SUCCESS
                                         : SAI_STATUS_TABLE_FULL;
}

sai_status_t
fdb_entries_remove(struct asic *asic, const sai_fdb_entry_t *key)
{
    struct fdb_entry entry;
    const sai_status_t status = locate_known(asic, key, &entry);

    if (status == SAI_STATUS_SUCCESS) {
        (void)fdb_remove(fdb_of(asic), entry.vlan, entry.mac);
    }
    return status;
}

sai_status_t
fdb_entries_set(struct asic *asic, const sai_fdb_entry_t *key,
                const sai_attribute_t *attribute)
{
    struct fdb_entry entry;
    struct view view;
    sai_status_t status = locate_known(asic, key, &entry);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    look(asic, &entry, &view);
    status = objects_check_set(asic->objects, &view.item, attribute);
    if (status == SAI_STATUS_SUCCESS) {
        status = apply(asic, attribute, &entry);
    }
    if (status == SAI_STATUS_SUCCESS) {
        (void)fdb_set(fdb_of(asic),
                      &entry); /* It replaces an entry, so there is room. */
    }
    return status;
}

sai_status_t
fdb_entries_get(const struct asic *asic, const sai_fdb_entry_t *key, uint32_t n,
                sai_attribute_t *attributes)
{
    struct fdb_entry entry;
    struct view view;
    const sai_status_t status = locate_known(asic, key, &entry);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    look(asic, &entry, &view);
    return objects_get(&view.item, n, attributes, NULL, NULL);
}

/* Notifications --------------------------------------------------------- */

/* Queues the notification of 'event' about 'entry'. */
static void
queue_event(struct asic *asic, sai_fdb_event_t event,
            const struct fdb_entry *entry)
{
    const struct objects_item *vlan = l2_vlan(asic, entry->vlan);
    struct notify_fdb note = {
        .event = event,
        .is_static = entry->is_static,
        .bridge_port = bridge_port_oid(asic, entry->port),
        .key = {.switch_id = asic->sw->oid,
                .bv_id = vlan ? vlan->oid : SAI_NULL_OBJECT_ID}};

    port_lookup_mac_bytes(entry->mac, note.key.mac_address);
    notify_fdb(asic, &note);
}

void
fdb_entries_learned(void *context, const struct fdb_entry *entry, uint32_t from)
{
    queue_event(context,
                from == FDB_NONE ? SAI_FDB_EVENT_LEARNED : SAI_FDB_EVENT_MOVE,
                entry);
}

void
fdb_entries_aged(void *context, const struct fdb_entry *entry)
{
    queue_event(context, SAI_FDB_EVENT_AGED, entry);
}

void
fdb_entries_set_aging(struct asic *asic, const struct objects_item *sw)
{
    const int64_t seconds = objects_number(sw, SAI_SWITCH_ATTR_FDB_AGING_TIME);

    /* A time beyond the range never ends. */
    bridge_set_ageing(sim_bridge(asic->sim), seconds > INT64_MAX / PS_PER_S
                                                 ? INT64_MAX
                                                 : seconds * PS_PER_S);
}

/* An fdb_each_fn; 'context' is the struct asic. */
static void
on_flushed(void *context, const struct fdb_entry *entry)
{
    queue_event(context, SAI_FDB_EVENT_FLUSHED, entry);
}

/* Fills '*filter' from the attributes of a flush, which were checked. */
static sai_status_t
read_flush(const struct asic *asic, uint32_t n,
           const sai_attribute_t *attributes, struct fdb_filter *filter)
{
    int32_t type = SAI_FDB_FLUSH_ENTRY_TYPE_DYNAMIC;

    for (uint32_t i = 0; i < n; i++) {
        const struct objects_item *item =
            objects_find(asic->objects, attributes[i].value.oid);

        switch (attributes[i].id) {
        case SAI_FDB_FLUSH_ATTR_ENTRY_TYPE:
            type = attributes[i].value.s32;
            break;
        case SAI_FDB_FLUSH_ATTR_BRIDGE_PORT_ID:
            filter->port = item ? l2_slot(asic, item) : FDB_NONE;
            break;
        case SAI_FDB_FLUSH_ATTR_BV_ID: /* The bridge spans all VLANs. */
            if (item && item->type == SAI_OBJECT_TYPE_VLAN) {
                filter->vlan =
                    (uint16_t)objects_number(item, SAI_VLAN_ATTR_VLAN_ID);
            }
            break;
        default:
            return SAI_STATUS_ATTR_NOT_SUPPORTED_0 - (sai_status_t)i;
        }
    }
    filter->statics = type != SAI_FDB_FLUSH_ENTRY_TYPE_DYNAMIC;
    filter->learned = type != SAI_FDB_FLUSH_ENTRY_TYPE_STATIC;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
fdb_entries_flush(struct asic *asic, uint32_t n,
                  const sai_attribute_t *attributes)
{
    struct fdb_filter filter = {.port = FDB_NONE};
    sai_status_t status = objects_check_create(
        asic->objects, SAI_OBJECT_TYPE_FDB_FLUSH, n, attributes);

    if (status == SAI_STATUS_SUCCESS) {
        status = read_flush(asic, n, attributes, &filter);
    }
    if (status == SAI_STATUS_SUCCESS) {
        fdb_flush(fdb_of(asic), &filter, on_flushed, asic);
    }
    return status;
}

/* A list of keys that is being filled. */
struct listing {
    const struct asic *asic;
    sai_object_key_t *next;
};

static void
list_one(void *context, const struct fdb_entry *entry)
{
    struct listing *listing = context;
    sai_fdb_entry_t *key = &listing->next->key.fdb_entry;

    memset(listing->next, 0, sizeof *listing->next);
    key->switch_id = listing->asic->sw->oid;
    key->bv_id = l2_vlan(listing->asic, entry->vlan)->oid;
    port_lookup_mac_bytes(entry->mac, key->mac_address);
    listing->next++;
}

uint32_t
fdb_entries_list(const struct asic *asic, sai_object_key_t *keys)
{
    const struct fdb_filter all = {
        .port = FDB_NONE, .statics = true, .learned = true};
    struct listing listing = {asic, keys};

    return (uint32_t)fdb_each(fdb_of(asic), &all, keys ? list_one : NULL,
                              &listing);
}
