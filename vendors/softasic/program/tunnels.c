/* SPDX-License-Identifier: Apache-2.0 */

/* Tunnels: the twin's are data of their objects; its terminations are found by
 * the ids of theirs. */

#include <config.h>

#include "vendors/softasic/program/tunnels.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/forwarding/tunnel.h"
#include "vendors/softasic/program/addresses.h"
#include "vendors/softasic/program/qos_maps.h"
#include "vendors/softasic/program/supported_attributes.h"

#define TERM(NAME) SAI_TUNNEL_TERM_TABLE_ENTRY_ATTR_##NAME

/* The data of a tunnel.  What was cleared comes first, where counters.h looks
 * for it. */
struct tunnel_data {
    uint64_t cleared[TUNNELS_N_STATS];
    struct tunnel tunnel;
};

bool
tunnels_handles_type(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_TUNNEL ||
           type == SAI_OBJECT_TYPE_TUNNEL_TERM_TABLE_ENTRY;
}

bool
tunnels_simulates(const struct objects_item *item)
{
    const sai_attr_id_t id = item->type == SAI_OBJECT_TYPE_TUNNEL
                                 ? (sai_attr_id_t)SAI_TUNNEL_ATTR_TYPE
                                 : (sai_attr_id_t)TERM(TUNNEL_TYPE);

    return objects_number(item, id) == SAI_TUNNEL_TYPE_IPINIP;
}

const struct tunnel *
tunnels_get(const struct objects_item *item)
{
    const struct tunnel_data *data = item->data;

    return &data->tunnel;
}

/* Tunnels -------------------------------------------------------------- */

/* Returns the table of the map to which attribute 'id' refers, or NULL. */
static const struct classify_map *
map_of(const struct asic *asic, const struct objects_item *item,
       sai_attr_id_t id)
{
    const struct objects_item *map = objects_referent(asic->objects, item, id);

    return map ? map->data : NULL;
}

/* Programs the attributes of a tunnel. */
static void
program_tunnel(const struct asic *asic, struct objects_item *item)
{
    struct tunnel *tunnel = &((struct tunnel_data *)item->data)->tunnel;

    if (!tunnels_simulates(item)) {
        return;
    }
    tunnel->interface =
        objects_referent(asic->objects, item, SAI_TUNNEL_ATTR_OVERLAY_INTERFACE)
            ->handle;
    tunnel->pipes_ttl = objects_number(item, SAI_TUNNEL_ATTR_DECAP_TTL_MODE) ==
                        SAI_TUNNEL_TTL_MODE_PIPE_MODEL;
    tunnel->pipes_dscp =
        objects_number(item, SAI_TUNNEL_ATTR_DECAP_DSCP_MODE) ==
        SAI_TUNNEL_DSCP_MODE_PIPE_MODEL;
    tunnel->copies_ecn = objects_number(item, SAI_TUNNEL_ATTR_DECAP_ECN_MODE) ==
                         SAI_TUNNEL_DECAP_ECN_MODE_COPY_FROM_OUTER;
    tunnel->dscp_to_tc =
        map_of(asic, item, SAI_TUNNEL_ATTR_DECAP_QOS_DSCP_TO_TC_MAP);
    tunnel->tc_to_pg =
        map_of(asic, item, SAI_TUNNEL_ATTR_DECAP_QOS_TC_TO_PRIORITY_GROUP_MAP);
}

static sai_status_t
create_tunnel(struct asic *asic, struct objects_item *item,
              sai_attr_id_t *blame)
{
    for (uint32_t i = 0; i < item->n_values; i++) {
        *blame = item->values[i].id;
        if (qos_maps_check_reference(asic, item, *blame) !=
            SAI_STATUS_SUCCESS) {
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
    }
    item->data = check_calloc(1, sizeof(struct tunnel_data));
    program_tunnel(asic, item);
    return SAI_STATUS_SUCCESS;
}

/* Entries -------------------------------------------------------------- */

/* Stores in '*address' and '*mask' what attribute 'id' of an entry, and the
 * mask 'mask_id' if its type has one, compare. */
static void
read_address(const struct objects_item *item, sai_attr_id_t id,
             sai_attr_id_t mask_id, struct address *address,
             struct address *mask)
{
    const sai_attribute_value_t *value = objects_value(item, id);
    const sai_attribute_value_t *bits = objects_value(item, mask_id);

    *address = (struct address){.family = ADDRESS_NONE};
    *mask = (struct address){.family = ADDRESS_NONE};
    if (!value) {
        return;
    }
    *address = addresses_ip(&value->ipaddr);
    if (bits) {
        *mask = addresses_ip(&bits->ipaddr);
    } else {
        memset(mask, 0xff, sizeof *mask);
        mask->family = address->family;
        *mask = address_mask(
            mask, address_bits((enum address_family)address->family));
    }
    for (int i = 0; i < ADDRESS_BYTES; i++) {
        address->bytes[i] &= mask->bytes[i];
    }
}

/* Returns what 'item' matches. */
static struct tunnel_end
end_of(const struct asic *asic, const struct objects_item *item)
{
    const struct objects_item *router =
        objects_referent(asic->objects, item, TERM(VR_ID));
    const struct objects_item *tunnel =
        objects_referent(asic->objects, item, TERM(ACTION_TUNNEL_ID));
    struct tunnel_end end = {
        .domain = router->handle,
        .priority = (uint32_t)objects_number(item, TERM(PRIORITY)),
        .tunnel = &((struct tunnel_data *)tunnel->data)->tunnel,
        .key = item->oid,
    };

    read_address(item, TERM(DST_IP), TERM(DST_IP_MASK), &end.dst,
                 &end.dst_mask);
    read_address(item, TERM(SRC_IP), TERM(SRC_IP_MASK), &end.src,
                 &end.src_mask);
    return end;
}

/* Refuses addresses that cannot match. */
static sai_status_t
check_addresses(const struct tunnel_end *end, sai_attr_id_t *blame,
                struct err *err)
{
    const char *what = NULL;

    if (end->dst.family != end->dst_mask.family) {
        *blame = TERM(DST_IP_MASK);
        what = "the destination and its mask are of different families";
    } else if (end->src.family != end->src_mask.family) {
        *blame = TERM(SRC_IP_MASK);
        what = "the source and its mask are of different families";
    } else if (end->src.family != ADDRESS_NONE &&
               end->dst.family != ADDRESS_NONE &&
               end->src.family != end->dst.family) {
        *blame = TERM(SRC_IP);
        what = "source and destination are of different families";
    }
    if (!what) {
        return SAI_STATUS_SUCCESS;
    }
    err_set(err, ST_INVALID, "tunnel-address", "%s", what);
    return SAI_STATUS_INVALID_ATTR_VALUE_0;
}

static sai_status_t
program_entry(struct asic *asic, const struct objects_item *item,
              sai_attr_id_t *blame, struct err *err)
{
    const struct objects_item *tunnel =
        objects_referent(asic->objects, item, TERM(ACTION_TUNNEL_ID));
    struct tunnel_end end;
    sai_status_t status;

    if (objects_number(tunnel, SAI_TUNNEL_ATTR_TYPE) !=
        objects_number(item, TERM(TUNNEL_TYPE))) {
        *blame = TERM(TUNNEL_TYPE);
        err_set(err, ST_INVALID, "tunnel-type",
                "the tunnel is of another type than its entry");
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    if (!tunnels_simulates(item)) {
        return SAI_STATUS_SUCCESS;
    }
    end = end_of(asic, item);
    status = check_addresses(&end, blame, err);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (tunnel_table_twin(sim_tunnels(asic->sim), &end)) {
        err_set(err, ST_EXISTS, "tunnel-entry",
                "there is an entry for the same packets");
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    }
    sim_tunnel_set(asic->sim, &end);
    return SAI_STATUS_SUCCESS;
}

int64_t
tunnels_family(const struct asic *asic, const struct objects_item *item)
{
    struct address addresses[2];
    struct address mask;

    (void)asic;
    read_address(item, TERM(DST_IP), TERM(DST_IP_MASK), &addresses[0], &mask);
    read_address(item, TERM(SRC_IP), TERM(SRC_IP_MASK), &addresses[1], &mask);
    return addresses[0].family == ADDRESS_V6 ||
                   addresses[1].family == ADDRESS_V6
               ? SAI_IP_ADDR_FAMILY_IPV6
               : SAI_IP_ADDR_FAMILY_IPV4;
}

/* By type -------------------------------------------------------------- */

sai_status_t
tunnels_create(struct asic *asic, struct objects_item *item,
               sai_attr_id_t *blame, struct err *err)
{
    const sai_status_t status =
        supported_attributes_check_all(item, blame, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (objects_count(asic->objects, item->type) > TUNNELS_MAX) {
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    return item->type == SAI_OBJECT_TYPE_TUNNEL
               ? create_tunnel(asic, item, blame)
               : program_entry(asic, item, blame, err);
}

sai_status_t
tunnels_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
            struct err *err)
{
    sai_attr_id_t blame;
    sai_status_t status = supported_attributes_check(item, id, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (item->type != SAI_OBJECT_TYPE_TUNNEL) {
        return program_entry(asic, item, &blame, err);
    }
    status = qos_maps_check_reference(asic, item, id);
    if (status == SAI_STATUS_SUCCESS) {
        program_tunnel(asic, item);
    }
    return status;
}

sai_status_t
tunnels_remove(struct asic *asic, struct objects_item *item)
{
    if (item->type == SAI_OBJECT_TYPE_TUNNEL) {
        free(item->data);
        item->data = NULL;
    } else {
        sim_tunnel_remove(asic->sim, item->oid);
    }
    return SAI_STATUS_SUCCESS;
}
