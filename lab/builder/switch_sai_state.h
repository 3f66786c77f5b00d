/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_SAI_STATE_H
#define ORCHD_LAB_BUILDER_SWITCH_SAI_STATE_H

/* What the SAI calls of switch_sai.h have in common, for switch_sai.c and
 * switch_sai_bridge.c only.  'what' is for messages: "router interface".
 * Failures are those of the switch. */

#include <sai.h>
#include <stdint.h>

#include "base/status.h"
#include "sai/core/op.h"

struct switch_image_port;
struct switch_sai;

/* Create an object; read and set one attribute. */
enum st switch_sai_create__(const struct switch_sai *sai,
                            sai_object_type_t type, uint32_t n,
                            const sai_attribute_t *attributes,
                            sai_object_id_t *oid, const char *what,
                            struct err *err) ST_WARN_UNUSED;
enum st switch_sai_get__(const struct switch_sai *sai, sai_object_type_t type,
                         sai_object_id_t oid, sai_attribute_t *attribute,
                         const char *what, struct err *err) ST_WARN_UNUSED;
enum st switch_sai_set__(const struct switch_sai *sai, sai_object_type_t type,
                         sai_object_id_t oid, const sai_attribute_t *attribute,
                         const char *what, struct err *err) ST_WARN_UNUSED;

/* Carries out 'op' on the entry of 'type' with 'key'. */
enum st switch_sai_do_entry__(const struct switch_sai *sai, enum op op,
                              sai_object_type_t type, sai_object_key_t *key,
                              uint32_t n, sai_attribute_t *attributes,
                              const char *what, struct err *err) ST_WARN_UNUSED;

/* Returns the port in 'slot', or NULL; fails because there is none. */
const struct switch_image_port *switch_sai_port__(const struct switch_sai *sai,
                                                  uint32_t slot);
enum st switch_sai_no_port__(uint32_t slot, struct err *err);

/* Writes the bytes of 'mac'. */
void switch_sai_write_mac__(uint64_t mac, sai_mac_t bytes);

#endif /* lab/builder/switch_sai_state.h */
