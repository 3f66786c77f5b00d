/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_PORT_LOOKUP_H
#define ORCHD_SOFTASIC_PROGRAM_PORT_LOOKUP_H

/* Converts ports and addresses between SAI's forms and those of the twin, for
 * modules that send frames. */

#include <stdint.h>

#include <sai.h>

struct asic;
struct objects_item;

/* Finds port 'oid', which must carry traffic, and stores it in '*port',
 * borrowed.  SAI_STATUS_INVALID_PARAMETER if it does not (the CPU port); else
 * as objects_locate(). */
sai_status_t port_lookup_locate_port(const struct asic *asic,
                                     sai_object_id_t oid,
                                     struct objects_item **port);

/* Converts an address to that of the twin: the first byte on the wire is the
 * most significant of the 48 bits. */
uint64_t port_lookup_mac_number(const sai_mac_t mac);

/* Converts such a number to SAI's form in 'mac'. */
void port_lookup_mac_bytes(uint64_t number, sai_mac_t mac);

#endif /* vendors/softasic/program/port_lookup.h */
