/* SPDX-License-Identifier: Apache-2.0 */

/* Programs the VLAN of the hosts of a T0, and follows its tables. */

#include <config.h>

#include "lab/builder/switch_vlan.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/pfc.h"
#include "base/picoseconds.h"
#include "lab/builder/switch_image.h"
#include "lab/builder/switch_sai.h"
#include "twin/event/engine.h"

enum {
    /* Of the timers: after those of queues, at the same port. */
    TIMER_FOLLOW = 1 << 11,
    TIMER_EXPIRE,
};

/* A host of the VLAN. */
struct host {
    struct switch_vlan *vlan;
    struct switch_vlan_host of;
    bool is_known;     /* The forwarding table has its address. */
    bool has_neighbor; /* So has the neighbor table. */
    /* What the access list has for it; null: nothing. */
    sai_object_id_t drops[PFC_N_PRIORITIES];
    struct event follow; /* Programs what 'is_known' demands. */
    struct event expire; /* Removes the neighbor. */
};

struct switch_vlan {
    struct switch_sai sai;
    struct switch_vlan_config config; /* Without the lists. */
    struct host *hosts;
    size_t n_hosts;
    sai_object_id_t oid;
    sai_object_id_t interface;
    sai_object_id_t access_list; /* Null: none. */
};

/* Neighbors ---------------------------------------------------------------- */

static enum st
set_neighbor(struct host *host, bool wanted, struct err *err)
{
    const struct switch_vlan *vlan = host->vlan;
    enum st st = ST_OK;

    if (wanted != host->has_neighbor) {
        st = wanted
                 ? switch_sai_add_neighbor(&vlan->sai, vlan->interface,
                                           &host->of.address, host->of.mac, err)
                 : switch_sai_remove_neighbor(&vlan->sai, vlan->interface,
                                              &host->of.address, err);
    }
    if (!st) {
        host->has_neighbor = wanted;
    }
    return st;
}

/* Makes the access list drop the packets to 'host', or no longer. */
static enum st
set_drops(struct host *host, bool wanted, struct err *err)
{
    const struct switch_vlan *vlan = host->vlan;
    enum st st = ST_OK;

    for (uint8_t tc = 0; !st && tc < PFC_N_PRIORITIES; tc++) {
        sai_object_id_t *entry = &host->drops[tc];

        if (!(vlan->config.drops >> tc & 1) ||
            wanted == (*entry != SAI_NULL_OBJECT_ID)) {
            continue;
        }
        if (wanted) {
            st = switch_sai_add_drop(&vlan->sai, vlan->access_list,
                                     &host->of.address, tc, entry, err);
        } else {
            st = switch_sai_remove(&vlan->sai, SAI_OBJECT_TYPE_ACL_ENTRY,
                                   *entry, err);
            *entry = SAI_NULL_OBJECT_ID;
        }
    }
    return st;
}

/* Programs what follows from whether the switch knows the port of 'host'. */
static enum st
follow(struct host *host, struct err *err)
{
    const struct switch_vlan_config *config = &host->vlan->config;
    const int64_t left_ps =
        config->arp_ageing_ps - (int64_t)config->mac_ageing_s * PS_PER_S;
    const int64_t now_ps = engine_now_ps(config->engine);
    enum st st;

    if (host->is_known) {
        engine_cancel(config->engine, &host->expire);
        st = set_neighbor(host, true, err);
        return st ? st : set_drops(host, false, err);
    }
    if (left_ps <= 0) {
        st = set_neighbor(host, false, err);
    } else {
        st = set_drops(host, true, err);
        if (left_ps < INT64_MAX - now_ps) {
            engine_schedule(config->engine, &host->expire, now_ps + left_ps);
        }
    }
    return st;
}

/* Reports that 'st' is a failure. */
static void
check(const struct switch_vlan *vlan, enum st st, const struct err *err)
{
    if (st && vlan->config.failed) {
        vlan->config.failed(vlan->config.context, err);
    }
}

static void
on_follow(struct event *event, int64_t now_ps)
{
    struct host *host = EVENT_OWNER(event, struct host, follow);
    struct err err = {0};

    (void)now_ps;
    check(host->vlan, follow(host, &err), &err);
}

static void
on_expire(struct event *event, int64_t now_ps)
{
    struct host *host = EVENT_OWNER(event, struct host, expire);
    struct err err = {0};
    enum st st = set_neighbor(host, false, &err);

    (void)now_ps;
    st = st ? st : set_drops(host, false, &err);
    check(host->vlan, st, &err);
}

/* Notes whether the switch knows the port of 'mac'. */
static void
note(struct switch_vlan *vlan, uint64_t mac, bool is_known)
{
    struct engine *engine = vlan->config.engine;

    for (size_t i = 0; i < vlan->n_hosts; i++) {
        struct host *host = &vlan->hosts[i];

        if (host->of.mac == mac && host->is_known != is_known) {
            host->is_known = is_known;
            engine_schedule(engine, &host->follow, engine_now_ps(engine));
        }
    }
}

void
switch_vlan_note_learned(struct switch_vlan *vlan, uint64_t mac)
{
    note(vlan, mac, true);
}

void
switch_vlan_note_aged(struct switch_vlan *vlan, uint64_t mac)
{
    note(vlan, mac, false);
}

/* Creation ----------------------------------------------------------------- */

/* Adds 'host' as if it had just been heard. */
static enum st
add_host(struct switch_vlan *vlan, struct host *host, struct err *err)
{
    sai_object_id_t port;
    enum st st = switch_sai_bridge_port(&vlan->sai, host->of.slot, &port, err);

    st = st ? st : switch_sai_learn(&vlan->sai, port, err);
    st = st ? st
            : switch_sai_add_address(&vlan->sai, vlan->oid, host->of.mac, port,
                                     true, err);
    st = st ? st : set_neighbor(host, true, err);
    host->is_known = st == ST_OK;
    return st;
}

/* Removes the ports from the VLAN that 'config' does not name. */
static enum st
reduce(const struct switch_vlan *vlan, const struct switch_vlan_config *config,
       struct err *err)
{
    uint32_t *slots =
        check_calloc(config->n_hosts + config->n_routers + 1, sizeof *slots);
    size_t n = 0;
    enum st st;

    for (size_t i = 0; i < config->n_hosts; i++) {
        slots[n++] = config->hosts[i].slot;
    }
    for (size_t i = 0; i < config->n_routers; i++) {
        slots[n++] = config->routers[i].slot;
    }
    st = switch_sai_reduce_vlan(&vlan->sai, vlan->oid, slots, n, err);
    free(slots);
    return st;
}

/* Adds the addresses of the routers. */
static enum st
add_routers(const struct switch_vlan *vlan,
            const struct switch_vlan_config *config, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < config->n_routers; i++) {
        const struct switch_vlan_host *router = &config->routers[i];
        sai_object_id_t port;

        st = switch_sai_bridge_port(&vlan->sai, router->slot, &port, err);
        st = st ? st
                : switch_sai_add_address(&vlan->sai, vlan->oid, router->mac,
                                         port, false, err);
    }
    return st;
}

/* Programs the VLAN without its hosts. */
static enum st
program(struct switch_vlan *vlan, const struct switch_vlan_config *config,
        struct err *err)
{
    enum st st = reduce(vlan, config, err);

    st = st ? st : switch_sai_set_aging(&vlan->sai, config->mac_ageing_s, err);
    st = st ? st
            : switch_sai_add_vlan_interface(&vlan->sai, vlan->oid,
                                            &vlan->interface, err);
    st = st ? st
            : switch_sai_set_route(&vlan->sai, &config->prefix, config->length,
                                   vlan->interface, false, err);
    st = st ? st : add_routers(vlan, config, err);
    return st || !config->drops ? st
                                : switch_sai_add_access_list(
                                      &vlan->sai, &vlan->access_list, err);
}

enum st
switch_vlan_create(struct switch_instance *instance,
                   const struct switch_vlan_config *config,
                   struct switch_vlan **made, struct err *err)
{
    struct switch_vlan *vlan = check_calloc(1, sizeof *vlan);
    enum st st = switch_sai_init(&vlan->sai, instance, err);

    vlan->config = *config;
    vlan->hosts = check_calloc(config->n_hosts + 1, sizeof *vlan->hosts);
    st = st ? st : switch_sai_default_vlan(&vlan->sai, &vlan->oid, err);
    st = st ? st : program(vlan, config, err);
    for (; !st && vlan->n_hosts < config->n_hosts; vlan->n_hosts++) {
        struct host *host = &vlan->hosts[vlan->n_hosts];
        const uint32_t arg = 2 * (uint32_t)vlan->n_hosts;

        *host = (struct host){
            .vlan = vlan,
            .of = config->hosts[vlan->n_hosts],
            .follow = event_make(EVENT_TIMER_WATCH, config->entity,
                                 TIMER_FOLLOW + arg, on_follow),
            .expire = event_make(EVENT_TIMER_WATCH, config->entity,
                                 TIMER_EXPIRE + arg, on_expire)};
        st = add_host(vlan, host, err);
    }
    if (st) {
        switch_vlan_destroy(vlan);
        return st;
    }
    vlan->config.hosts = NULL;
    vlan->config.routers = NULL;
    *made = vlan;
    return ST_OK;
}

void
switch_vlan_destroy(struct switch_vlan *vlan)
{
    if (!vlan) {
        return;
    }
    for (size_t i = 0; i < vlan->n_hosts; i++) {
        engine_cancel(vlan->config.engine, &vlan->hosts[i].follow);
        engine_cancel(vlan->config.engine, &vlan->hosts[i].expire);
    }
    free(vlan->hosts);
    free(vlan);
}

uint64_t
switch_vlan_interface(const struct switch_vlan *vlan)
{
    return vlan->interface;
}

enum st
switch_vlan_forget(struct switch_vlan *vlan, struct err *err)
{
    enum st st = ST_OK;

    if (!vlan->config.mac_ageing_s) {
        return ST_OK;
    }
    for (size_t i = 0; !st && i < vlan->n_hosts; i++) {
        struct host *host = &vlan->hosts[i];

        if (host->is_known) {
            host->is_known = false;
            st = switch_sai_remove_address(&vlan->sai, vlan->oid, host->of.mac,
                                           err);
            st = st ? st : follow(host, err);
        }
    }
    return st;
}

enum st
switch_vlan_leave(struct switch_instance *instance, struct err *err)
{
    struct switch_sai sai;
    sai_object_id_t vlan;
    enum st st = switch_sai_init(&sai, instance, err);

    st = st ? st : switch_sai_default_vlan(&sai, &vlan, err);
    return st ? st : switch_sai_reduce_vlan(&sai, vlan, NULL, 0, err);
}
