/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_SAI_H
#define ORCHD_LAB_BUILDER_SWITCH_SAI_H

/* The SAI calls of a routing stack, on the default virtual router of one
 * switch.
 *
 * Each function is one call.  On failure 'err' has what was refused and SAI's
 * status; the status of the function is that of st_from_sai(). */

#include <stdbool.h>
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

#endif /* lab/builder/switch_sai.h */
