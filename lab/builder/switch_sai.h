/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_SAI_H
#define ORCHD_LAB_BUILDER_SWITCH_SAI_H

/* The SAI calls of a routing stack, and of what keeps VLANs, on the default
 * virtual router and the bridge of one switch.
 *
 * Each function changes one thing.  On failure 'err' has what was refused and
 * SAI's status; the status of the function is that of st_from_sai(). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"

struct address;
struct sai_backend;
struct switch_instance;

struct switch_sai {
    const struct switch_image *image;
    struct sai_backend *backend;
    sai_object_id_t router; /* The default virtual router. */
};

/* Initializes '*sai' for 'instance', which must outlive it. */
enum st switch_sai_init(struct switch_sai *sai,
                        struct switch_instance *instance,
                        struct err *err) ST_WARN_UNUSED;

/* Adds a router interface on the port in 'slot', with the MTU of the port.
 * ST_INVALID if there is no such port. */
enum st switch_sai_add_interface(const struct switch_sai *sai, uint32_t slot,
                                 sai_object_id_t *interface,
                                 struct err *err) ST_WARN_UNUSED;

/* Adds the neighbor 'address' with 'mac' on 'interface'. */
enum st switch_sai_add_neighbor(const struct switch_sai *sai,
                                sai_object_id_t interface,
                                const struct address *address, uint64_t mac,
                                struct err *err) ST_WARN_UNUSED;

enum st switch_sai_add_next_hop(const struct switch_sai *sai,
                                sai_object_id_t interface,
                                const struct address *address,
                                sai_object_id_t *next_hop,
                                struct err *err) ST_WARN_UNUSED;

/* Adds an empty group of equal-cost next hops; a member of one. */
enum st switch_sai_add_group(const struct switch_sai *sai,
                             sai_object_id_t *group,
                             struct err *err) ST_WARN_UNUSED;
enum st switch_sai_add_member(const struct switch_sai *sai,
                              sai_object_id_t group, sai_object_id_t next_hop,
                              sai_object_id_t *member,
                              struct err *err) ST_WARN_UNUSED;

/* Removes an object that one of the functions above has added. */
enum st switch_sai_remove(const struct switch_sai *sai, sai_object_type_t type,
                          sai_object_id_t oid, struct err *err) ST_WARN_UNUSED;

/* Adds the route to 'prefix' with 'length' bits, or changes it if 'exists':
 * 'target' is a next hop or a group; null: packets are discarded. */
enum st switch_sai_set_route(const struct switch_sai *sai,
                             const struct address *prefix, unsigned int length,
                             sai_object_id_t target, bool exists,
                             struct err *err) ST_WARN_UNUSED;
enum st switch_sai_remove_route(const struct switch_sai *sai,
                                const struct address *prefix,
                                unsigned int length,
                                struct err *err) ST_WARN_UNUSED;

/* Makes all ports send and obey 802.3x pauses. */
enum st switch_sai_pause_links(const struct switch_sai *sai,
                               struct err *err) ST_WARN_UNUSED;

/* VLANs -------------------------------------------------------------------- */

/* Stores the VLAN of which every port is a member at first in '*vlan'. */
enum st switch_sai_default_vlan(const struct switch_sai *sai,
                                sai_object_id_t *vlan,
                                struct err *err) ST_WARN_UNUSED;

/* Removes all ports from 'vlan' but those in the 'n' 'slots'. */
enum st switch_sai_reduce_vlan(const struct switch_sai *sai,
                               sai_object_id_t vlan, const uint32_t *slots,
                               size_t n, struct err *err) ST_WARN_UNUSED;

/* Stores the bridge port of the port in 'slot' in '*bridge_port'.
 * ST_NOT_FOUND: it has none. */
enum st switch_sai_bridge_port(const struct switch_sai *sai, uint32_t slot,
                               sai_object_id_t *bridge_port,
                               struct err *err) ST_WARN_UNUSED;

/* Makes the bridge learn the source addresses of what it receives there. */
enum st switch_sai_learn(const struct switch_sai *sai,
                         sai_object_id_t bridge_port,
                         struct err *err) ST_WARN_UNUSED;

/* Removes learned addresses 'seconds' after they were last seen; 0: never. */
enum st switch_sai_set_aging(const struct switch_sai *sai, uint32_t seconds,
                             struct err *err) ST_WARN_UNUSED;

/* Adds the router interface of 'vlan'. */
enum st switch_sai_add_vlan_interface(const struct switch_sai *sai,
                                      sai_object_id_t vlan,
                                      sai_object_id_t *interface,
                                      struct err *err) ST_WARN_UNUSED;

/* Adds 'mac' in 'vlan' behind 'bridge_port': permanently, or ('is_learned') as
 * if it had been learned now. */
enum st switch_sai_add_address(const struct switch_sai *sai,
                               sai_object_id_t vlan, uint64_t mac,
                               sai_object_id_t bridge_port, bool is_learned,
                               struct err *err) ST_WARN_UNUSED;

/* Removes 'mac' from the forwarding table of 'vlan'. */
enum st switch_sai_remove_address(const struct switch_sai *sai,
                                  sai_object_id_t vlan, uint64_t mac,
                                  struct err *err) ST_WARN_UNUSED;

/* Removes the neighbor 'address' on 'interface'. */
enum st switch_sai_remove_neighbor(const struct switch_sai *sai,
                                   sai_object_id_t interface,
                                   const struct address *address,
                                   struct err *err) ST_WARN_UNUSED;

/* Access lists ------------------------------------------------------------- */

/* Adds an access list that matches destination and traffic class of whatever
 * the switch receives. */
enum st switch_sai_add_access_list(const struct switch_sai *sai,
                                   sai_object_id_t *table,
                                   struct err *err) ST_WARN_UNUSED;

/* Makes 'table' drop packets of class 'tc' to 'address'; switch_sai_remove()
 * ends that. */
enum st switch_sai_add_drop(const struct switch_sai *sai, sai_object_id_t table,
                            const struct address *address, uint8_t tc,
                            sai_object_id_t *entry,
                            struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/switch_sai.h */
