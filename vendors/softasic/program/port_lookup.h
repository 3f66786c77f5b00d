/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_PORT_LOOKUP_H
#define ORCHD_SOFTASIC_PROGRAM_PORT_LOOKUP_H

/* Ports and addresses as those see them who put frames on the wire: SAI's
 * names on one side, the twin's on the other. */

#include <stdint.h>

#include <sai.h>

struct daemon_switch;
struct objects_item;

/* Finds port 'oid', which must be one that carries traffic, and stores it in
 * '*port', borrowed.  SAI_STATUS_INVALID_PARAMETER if it is one that does not
 * (the CPU port); else as objects_locate(). */
sai_status_t port_lookup_locate_port(const struct daemon_switch *asic,
                                     sai_object_id_t oid,
                                     struct objects_item **port);

/* Returns the address as the twin has it: the first byte on the wire is the
 * most significant of the 48 bits. */
uint64_t port_lookup_mac_number(const sai_mac_t mac);

/* Stores such a number in 'mac' as SAI has it. */
void port_lookup_mac_bytes(uint64_t number, sai_mac_t mac);

#endif /* vendors/softasic/program/port_lookup.h */
