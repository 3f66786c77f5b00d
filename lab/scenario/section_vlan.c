/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the VLAN of the hosts of a switch. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/picoseconds.h"
#include "lab/scenario/sections.h"

static const char *const unknowns[] = {
#define X(member, name) name,
    VLAN_UNKNOWN(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct vlan_spec, member)

static const struct field vlan_fields[] = {
    {"mac_ageing", FIELD_TIME, AT(mac_ageing_ps), "0..1000000s", "300s", NULL},
    {"arp_ageing", FIELD_TIME, AT(arp_ageing_ps), "1s..inf", "240min", NULL},
    {"uplinks", FIELD_BOOL, AT(uplinks), NULL, "false", NULL},
    {"unknown", FIELD_WORD, AT(unknown), NULL, "flood", unknowns},
    {"priorities", FIELD_BITS, AT(priorities), "0..7", "3, 4", NULL},
};

#undef AT

enum st
section_vlan(struct reader *reader, struct fy_node *node,
             struct vlan_spec *vlan)
{
    enum st st;

    *vlan = (struct vlan_spec){.enabled = false};
    fields_init(reader, vlan_fields, N_FIELDS(vlan_fields), vlan);
    st = fields_on_off(reader, node, "'vlan'", &vlan->enabled);
    if (st || !fy_node_is_mapping(node)) {
        return st;
    }
    st = fields_read(reader, node, "'vlan'", vlan_fields, N_FIELDS(vlan_fields),
                     vlan, NULL);
    return !st && vlan->mac_ageing_ps % PS_PER_S
               ? document_fail(reader->document, node, reader->err,
                               "'mac_ageing' is in whole seconds, as in SAI")
               : st;
}
