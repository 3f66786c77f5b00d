/* SPDX-License-Identifier: Apache-2.0 */

/* Credit-based flow control of ports, as an extension of SAI. */

#include <config.h>

#include "vendors/softasic/program/credits.h"

#include <stddef.h>
#include <string.h>

#include "base/check.h"
#include "twin/switch/port_credit.h"
#include "vendors/softasic/cbfc.h"

_Static_assert((int)SOFTASIC_CBFC_VCS == (int)CREDIT_MAX_VCS &&
                   (int)SOFTASIC_CBFC_QUEUES == (int)SIM_CREDIT_QUEUES &&
                   (int)SOFTASIC_CBFC_TCS == (int)SIM_CREDIT_TCS &&
                   (int)SOFTASIC_CBFC_POOLS == (int)CREDIT_MAX_POOLS &&
                   (int)SOFTASIC_CBFC_MODULUS == (int)CREDIT_MODULUS,
               "cbfc.h has the values of the twin");

struct port_credits {
    bool is_enabled;
    struct sim_credit_config config;
};

enum { RANGE_END = 0x1000ffff };

/* A number of the configuration. */
struct number {
    softasic_cbfc_port_attr_t id;
    size_t offset; /* Of the uint32_t or int32_t in sim_credit_config. */
    int32_t least, most;
};

#define AT(member) offsetof(struct sim_credit_config, member)

static const struct number numbers[] = {
    {SAI_PORT_ATTR_SOFTASIC_CBFC_CREDIT_SIZE, AT(unit.size_bytes),
     CREDIT_MIN_SIZE, CREDIT_MAX_SIZE},
    {SAI_PORT_ATTR_SOFTASIC_CBFC_CREDIT_OVERHEAD, AT(unit.overhead_bytes),
     CREDIT_MIN_OVERHEAD, CREDIT_MAX_OVERHEAD},
    {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_LIMIT, AT(limit), 0, CREDIT_MAX},
    {SAI_PORT_ATTR_SOFTASIC_CBFC_CC_TIMER, AT(cc_timer_us), 0,
     SIM_CREDIT_MAX_CC_US},
    {SAI_PORT_ATTR_SOFTASIC_CBFC_CF_MIN_SPACING, AT(cf_min_bytes),
     SIM_CREDIT_MIN_CF_MIN, SIM_CREDIT_MAX_CF_MIN},
    {SAI_PORT_ATTR_SOFTASIC_CBFC_CF_MAX_SPACING, AT(cf_max_bytes),
     SIM_CREDIT_MIN_CF_MAX, SIM_CREDIT_MAX_CF_MAX},
};

#undef AT

/* Returns the row of attribute 'id', NULL if it is no number. */
static const struct number *
find_number(sai_attr_id_t id)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].id == id) {
            return &numbers[i];
        }
    }
    return NULL;
}

bool
credits_has_attribute(sai_object_type_t type, sai_attr_id_t id)
{
    return type == SAI_OBJECT_TYPE_PORT &&
           id >= SAI_PORT_ATTR_SOFTASIC_CBFC_START && id <= RANGE_END;
}

/* Returns the credits of 'port'; of one without, the defaults. */
static struct port_credits
credits_of(const struct asic *asic, const struct objects_item *port)
{
    const struct port_credits *credits = asic->ports[port->handle].credits;

    return credits ? *credits
                   : (struct port_credits){.config = sim_credit_defaults()};
}

/* Setting ---------------------------------------------------------------- */

/* Returns whether the keys of 'map' are below 'n_keys' and different, and its
 * values from 'least' to 'most'. */
static bool
is_valid(const sai_map_list_t *map, uint32_t n_keys, int32_t least,
         int32_t most)
{
    uint64_t seen = 0;

    if (map->count > n_keys || (map->count && !map->list)) {
        return false;
    }
    for (uint32_t i = 0; i < map->count; i++) {
        const sai_map_t *row = &map->list[i];

        if (row->key >= n_keys || seen >> row->key & 1 || row->value < least ||
            row->value > most) {
            return false;
        }
        seen |= UINT64_C(1) << row->key;
    }
    return true;
}

/* Sets the VCs of 'n' queues or traffic classes. */
static bool
set_vcs(const sai_map_list_t *map, uint8_t *vcs, uint32_t n)
{
    if (!is_valid(map, n, 0, CREDIT_MAX_VCS - 1)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        vcs[i] = (uint8_t)(i % CREDIT_MAX_VCS);
    }
    for (uint32_t i = 0; i < map->count; i++) {
        vcs[map->list[i].key] = (uint8_t)map->list[i].value;
    }
    return true;
}

/* Sets the credits of the VCs. */
static bool
set_vc_credits(const sai_map_list_t *map, struct sim_credit_config *config)
{
    if (!is_valid(map, CREDIT_MAX_VCS, 0, CREDIT_MAX)) {
        return false;
    }
    for (uint32_t i = 0; i < CREDIT_MAX_VCS; i++) {
        config->vcs[i].sends = false;
    }
    for (uint32_t i = 0; i < map->count; i++) {
        config->vcs[map->list[i].key].sends = true;
        config->vcs[map->list[i].key].profile.reserved =
            (uint32_t)map->list[i].value;
    }
    return true;
}

/* Sets the sizes of the pools. */
static bool
set_pool_sizes(const sai_map_list_t *map, struct sim_credit_config *config)
{
    if (!is_valid(map, CREDIT_MAX_POOLS, 0, CREDIT_MAX)) {
        return false;
    }
    memset(config->pool_size, 0, sizeof config->pool_size);
    for (uint32_t i = 0; i < map->count; i++) {
        config->pool_size[map->list[i].key] = (uint32_t)map->list[i].value;
    }
    return true;
}

/* Sets the pools of the VCs. */
static bool
set_vc_pools(const sai_map_list_t *map, struct sim_credit_config *config)
{
    if (!is_valid(map, CREDIT_MAX_VCS, 0, CREDIT_MAX_POOLS - 1)) {
        return false;
    }
    for (uint32_t i = 0; i < CREDIT_MAX_VCS; i++) {
        config->vcs[i].profile.pool = CREDIT_POOL_NONE;
    }
    for (uint32_t i = 0; i < map->count; i++) {
        config->vcs[map->list[i].key].profile.pool =
            (uint8_t)map->list[i].value;
    }
    return true;
}

/* Sets the thresholds of kind 'mode' of the VCs. */
static bool
set_thresholds(const sai_map_list_t *map, enum credit_threshold mode,
               struct sim_credit_config *config)
{
    const bool is_static = mode == CREDIT_THRESHOLD_STATIC;

    if (!is_valid(map, CREDIT_MAX_VCS, is_static ? 1 : CREDIT_MIN_DYNAMIC,
                  is_static ? CREDIT_MAX : CREDIT_MAX_DYNAMIC)) {
        return false;
    }
    for (uint32_t i = 0; i < CREDIT_MAX_VCS; i++) {
        if (config->vcs[i].profile.mode == mode) {
            config->vcs[i].profile.mode = CREDIT_THRESHOLD_NONE;
        }
    }
    for (uint32_t i = 0; i < map->count; i++) {
        struct credit_profile *profile = &config->vcs[map->list[i].key].profile;

        profile->mode = mode;
        if (is_static) {
            profile->static_limit = (uint32_t)map->list[i].value;
        } else {
            profile->dynamic_exponent = (int8_t)map->list[i].value;
        }
    }
    return true;
}

/* Sets what is a map. */
static sai_status_t
set_map(struct sim_credit_config *config, sai_attr_id_t id,
        const sai_map_list_t *map)
{
    bool is_good;

    switch ((int)id) {
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_CREDITS:
        is_good = set_vc_credits(map, config);
        break;
    case SAI_PORT_ATTR_SOFTASIC_CBFC_QUEUE_TO_VC:
        is_good = set_vcs(map, config->queue_vc, SIM_CREDIT_QUEUES);
        break;
    case SAI_PORT_ATTR_SOFTASIC_CBFC_TC_TO_VC:
        is_good = set_vcs(map, config->tc_vc, SIM_CREDIT_TCS);
        break;
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SIZE:
        is_good = set_pool_sizes(map, config);
        break;
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_POOL:
        is_good = set_vc_pools(map, config);
        break;
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_STATIC_TH:
        is_good = set_thresholds(map, CREDIT_THRESHOLD_STATIC, config);
        break;
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_DYNAMIC_TH:
        is_good = set_thresholds(map, CREDIT_THRESHOLD_DYNAMIC, config);
        break;
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SHARED_SIZE:
        return SAI_STATUS_INVALID_ATTRIBUTE_0; /* Read-only. */
    default:
        return SAI_STATUS_UNKNOWN_ATTRIBUTE_0;
    }
    return is_good ? SAI_STATUS_SUCCESS : SAI_STATUS_INVALID_ATTR_VALUE_0;
}

static bool
set_number(const struct number *number, const sai_attribute_value_t *value,
           struct sim_credit_config *config)
{
    /* A number of 32 bits that has a sign only where it may be negative. */
    const int64_t given =
        number->least < 0 ? (int64_t)value->s32 : (int64_t)value->u32;
    const uint32_t stored = (uint32_t)given;

    if (given < number->least || given > number->most) {
        return false;
    }
    memcpy((char *)config + number->offset, &stored, sizeof stored);
    return true;
}

/* Changes 'config' as 'attribute' says. */
static sai_status_t
change(struct sim_credit_config *config, const sai_attribute_t *attribute)
{
    const struct number *number = find_number(attribute->id);
    const sai_attribute_value_t *value = &attribute->value;

    if (attribute->id == SAI_PORT_ATTR_SOFTASIC_CBFC_RECEIVER_VCS) {
        for (uint32_t i = 0; i < CREDIT_MAX_VCS; i++) {
            config->vcs[i].receives = value->u32 >> i & 1;
        }
        return SAI_STATUS_SUCCESS;
    }
    if (number) {
        return set_number(number, value, config)
                   ? SAI_STATUS_SUCCESS
                   : SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    return set_map(config, attribute->id, &value->maplist);
}

/* Enables or disables 'credits' of the port in slot 'port'. */
static sai_status_t
enable(struct asic *asic, uint32_t port, struct port_credits *credits,
       bool is_enabled, struct err *err)
{
    enum st st;

    if (is_enabled && asic->ports[port].wire) {
        (void)err_set(err, ST_UNSUPPORTED, "credits",
                      "the port is connected to a network interface, which "
                      "passes frames only, and not the ordered sets that "
                      "bring credits back");
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    if (is_enabled == credits->is_enabled) {
        return SAI_STATUS_SUCCESS;
    }
    st = sim_port_set_credits(asic->sim, port,
                              is_enabled ? &credits->config : NULL);
    if (st == ST_UNSUPPORTED) {
        (void)err_set(err, st, "credits",
                      "the frames of a chassis wait at other line cards, not "
                      "at the port that would have the credits");
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    if (st == ST_INVALID) {
        /* All others were checked when they were set. */
        (void)err_set(err, ST_NO_RESOURCE, "credits",
                      "the virtual channels of a pool have reserved more "
                      "credits than it has; reserve less, or make it larger");
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    orch_assert(st == ST_OK);
    credits->is_enabled = is_enabled;
    return SAI_STATUS_SUCCESS;
}

/* A CF update arrives at the port in slot 'port'. */
static sai_status_t
update(struct asic *asic, uint32_t port, const sai_map_list_t *map)
{
    struct sim_credit_stats stats;

    if (sim_port_get_credits(asic->sim, port, &stats)) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    if (!is_valid(map, CREDIT_MAX_VCS, 0, CREDIT_MAX)) {
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    /* Tried on a copy, so that all of it is done or nothing. */
    for (uint32_t i = 0; i < map->count; i++) {
        if (!credit_sender_update(&stats.sender, map->list[i].key,
                                  (uint32_t)map->list[i].value)) {
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
    }
    for (uint32_t i = 0; i < map->count; i++) {
        const enum st st = sim_port_credit_update(
            asic->sim, port, map->list[i].key, (uint32_t)map->list[i].value);

        orch_assert(st == ST_OK);
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
credits_set(struct asic *asic, const struct objects_item *port,
            const sai_attribute_t *attribute, struct err *err)
{
    struct port_credits credits;
    sai_status_t status;

    if (port == asic->cpu_port) {
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    if (attribute->id == SAI_PORT_ATTR_SOFTASIC_CBFC_UPDATE) {
        return update(asic, port->handle, &attribute->value.maplist);
    }
    credits = credits_of(asic, port);
    if (attribute->id == SAI_PORT_ATTR_SOFTASIC_CBFC_ENABLE) {
        status = enable(asic, port->handle, &credits, attribute->value.booldata,
                        err);
    } else {
        status = change(&credits.config, attribute);
        if (status == SAI_STATUS_SUCCESS && credits.is_enabled) {
            (void)err_set(err, ST_BUSY, "credits",
                          "CBFC of the port is enabled: disable it, and "
                          "enable it again at both ends of the link");
            status = SAI_STATUS_OBJECT_IN_USE;
        }
    }
    if (status == SAI_STATUS_SUCCESS) {
        struct port_credits **kept = &asic->ports[port->handle].credits;

        *kept = *kept ? *kept : check_malloc(sizeof **kept);
        **kept = credits;
    }
    return status;
}

/* Getting ---------------------------------------------------------------- */

/* Stores the 'n' rows in '*map', by SAI's rules for lists. */
static sai_status_t
get_map(const sai_map_t *rows, uint32_t n, sai_map_list_t *map)
{
    const bool has_room = map->count >= n && (map->list || n == 0);

    map->count = n;
    if (!has_room) {
        return SAI_STATUS_BUFFER_OVERFLOW;
    }
    for (uint32_t i = 0; i < n; i++) {
        map->list[i] = rows[i];
    }
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
get_vcs(const uint8_t *vcs, uint32_t n, sai_map_list_t *map)
{
    sai_map_t rows[SIM_CREDIT_QUEUES];

    for (uint32_t i = 0; i < n; i++) {
        rows[i] = (sai_map_t){.key = i, .value = vcs[i]};
    }
    return get_map(rows, n, map);
}

static sai_status_t
get_vc_credits(const struct sim_credit_config *config, sai_map_list_t *map)
{
    sai_map_t rows[CREDIT_MAX_VCS];
    uint32_t n = 0;

    for (uint32_t i = 0; i < CREDIT_MAX_VCS; i++) {
        if (config->vcs[i].sends) {
            rows[n++] = (sai_map_t){
                .key = i, .value = (int32_t)config->vcs[i].profile.reserved};
        }
    }
    return get_map(rows, n, map);
}

/* Returns what the VCs of pool 'pool' have reserved of it. */
static uint64_t
reserved_of(const struct sim_credit_config *config, uint32_t pool)
{
    uint64_t credits = 0;

    for (uint32_t i = 0; i < CREDIT_MAX_VCS; i++) {
        if (config->vcs[i].sends && config->vcs[i].profile.pool == pool) {
            credits += config->vcs[i].profile.reserved;
        }
    }
    return credits;
}

/* Gets the sizes of the pools, all of them or what is shared. */
static sai_status_t
get_pool_sizes(const struct sim_credit_config *config, bool is_shared,
               sai_map_list_t *map)
{
    sai_map_t rows[CREDIT_MAX_POOLS];

    for (uint32_t i = 0; i < CREDIT_MAX_POOLS; i++) {
        const uint64_t reserved = is_shared ? reserved_of(config, i) : 0;
        const uint64_t size = config->pool_size[i];

        rows[i] = (sai_map_t){
            .key = i,
            .value = (int32_t)(size > reserved ? size - reserved : 0)};
    }
    return get_map(rows, CREDIT_MAX_POOLS, map);
}

/* Gets what the VCs have that have it: a pool, or a threshold of a kind. */
static sai_status_t
get_shares(const struct sim_credit_config *config, sai_attr_id_t id,
           sai_map_list_t *map)
{
    sai_map_t rows[CREDIT_MAX_VCS];
    uint32_t n = 0;

    for (uint32_t i = 0; i < CREDIT_MAX_VCS; i++) {
        const struct credit_profile *profile = &config->vcs[i].profile;

        rows[n].key = i;
        if (id == SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_POOL) {
            rows[n].value = profile->pool;
            n += profile->pool != CREDIT_POOL_NONE;
        } else if (id == SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_STATIC_TH) {
            rows[n].value = (int32_t)profile->static_limit;
            n += profile->mode == CREDIT_THRESHOLD_STATIC;
        } else {
            rows[n].value = profile->dynamic_exponent;
            n += profile->mode == CREDIT_THRESHOLD_DYNAMIC;
        }
    }
    return get_map(rows, n, map);
}

/* Gets one attribute. */
static sai_status_t
get(const struct port_credits *credits, sai_attribute_t *attribute)
{
    const struct number *number = find_number(attribute->id);
    const struct sim_credit_config *config = &credits->config;
    sai_attribute_value_t *value = &attribute->value;

    if (number) {
        memcpy(&value->u32, (const char *)config + number->offset,
               sizeof value->u32);
        return SAI_STATUS_SUCCESS;
    }
    switch ((int)attribute->id) {
    case SAI_PORT_ATTR_SOFTASIC_CBFC_ENABLE:
        value->booldata = credits->is_enabled;
        return SAI_STATUS_SUCCESS;
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_CREDITS:
        return get_vc_credits(config, &value->maplist);
    case SAI_PORT_ATTR_SOFTASIC_CBFC_QUEUE_TO_VC:
        return get_vcs(config->queue_vc, SIM_CREDIT_QUEUES, &value->maplist);
    case SAI_PORT_ATTR_SOFTASIC_CBFC_TC_TO_VC:
        return get_vcs(config->tc_vc, SIM_CREDIT_TCS, &value->maplist);
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SIZE:
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SHARED_SIZE:
        return get_pool_sizes(
            config,
            attribute->id ==
                SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SHARED_SIZE,
            &value->maplist);
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_POOL:
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_STATIC_TH:
    case SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_DYNAMIC_TH:
        return get_shares(config, attribute->id, &value->maplist);
    case SAI_PORT_ATTR_SOFTASIC_CBFC_RECEIVER_VCS:
        value->u32 = 0;
        for (uint32_t i = 0; i < CREDIT_MAX_VCS; i++) {
            value->u32 |= (uint32_t)config->vcs[i].receives << i;
        }
        return SAI_STATUS_SUCCESS;
    case SAI_PORT_ATTR_SOFTASIC_CBFC_UPDATE:
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0; /* Write-only. */
    default:
        return SAI_STATUS_UNKNOWN_ATTRIBUTE_0;
    }
}

sai_status_t
credits_get(const struct asic *asic, const struct objects_item *port,
            uint32_t n, sai_attribute_t *attributes)
{
    struct port_credits credits;
    sai_status_t overflow = SAI_STATUS_SUCCESS;

    if (port == asic->cpu_port) {
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    credits = credits_of(asic, port);
    for (uint32_t i = 0; i < n; i++) {
        const sai_status_t status =
            credits_has_attribute(SAI_OBJECT_TYPE_PORT, attributes[i].id)
                ? get(&credits, &attributes[i])
                : SAI_STATUS_INVALID_ATTRIBUTE_0;

        if (status == SAI_STATUS_BUFFER_OVERFLOW) {
            overflow = status; /* The others get their values, too. */
        } else if (status != SAI_STATUS_SUCCESS) {
            return status - (sai_status_t)i;
        }
    }
    return overflow;
}
