/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_KIND_H
#define ORCHD_SAI_CORE_KIND_H

/* The kinds of attribute values and their layouts in memory.
 *
 * Motivation: sai_attribute_value_t is a union of some seventy members.  Code
 * that copies, compares, prints or transports values needs three facts about a
 * member: how many bytes of the union it uses, whether it points to a list, and
 * which bytes are padding.  One row per member states them, so such code need
 * not mention members by name.
 *
 * A kind has the name of its member of the union in capitals (BOOL is
 * 'booldata', POINTER is 'ptr').  Enumerations are of kind S32 and lists of
 * them of kind S32LIST; the metadata of the attribute name the enumeration
 * (sai/core/metadata.h).  Only the kinds that attributes use have a row. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <saitypes.h>

/* X(KIND, member, value type, runs...): values that live in the union.  The
 * runs {offset, size} are the meaningful bytes; the rest is padding. */
#define KIND_SCALARS(X)                                                        \
    X(BOOL, booldata, bool, {0, 1})                                            \
    X(CHARDATA, chardata, char[32], {0, 32})                                   \
    X(U8, u8, sai_uint8_t, {0, 1})                                             \
    X(S8, s8, sai_int8_t, {0, 1})                                              \
    X(U16, u16, sai_uint16_t, {0, 2})                                          \
    X(U32, u32, sai_uint32_t, {0, 4})                                          \
    X(S32, s32, sai_int32_t, {0, 4})                                           \
    X(U64, u64, sai_uint64_t, {0, 8})                                          \
    X(POINTER, ptr, sai_pointer_t, {0, 8})                                     \
    X(MAC, mac, sai_mac_t, {0, 6})                                             \
    X(IPADDR, ipaddr, sai_ip_address_t, {0, 20})                               \
    X(IP4, ip4, sai_ip4_t, {0, 4})                                             \
    X(IP6, ip6, sai_ip6_t, {0, 16})                                            \
    X(ACLMASK, aclmask, sai_acl_field_data_mask_t, {0, 16})                    \
    X(OID, oid, sai_object_id_t, {0, 8})                                       \
    X(U16RANGE, u16range, sai_u16_range_t, {0, 4})                             \
    X(U32RANGE, u32range, sai_u32_range_t, {0, 8})                             \
    X(TIMESPEC, timespec, sai_timespec_t, {0, 12})                             \
    X(RX_STATE, rx_state, sai_prbs_rx_state_t, {0, 8})                         \
    X(REACHABILITY, reachability, sai_fabric_port_reachability_t, {0, 5})      \
    X(LATCHSTATUS, latchstatus, sai_latch_status_t, {0, 2})                    \
    X(SYSPORTCONFIG, sysportconfig, sai_system_port_config_t, {0, 24})

/* X(KIND, member, value type, runs...): fields and actions of access lists.
 * What follows the first _ is the kind of their data, and of the mask of a
 * field, if there is one.  The first byte says whether they are enabled; else
 * the others mean nothing. */
#define KIND_ACL_SCALARS(X)                                                    \
    X(ACLFIELD_BOOL, aclfield, sai_acl_field_data_t, {0, 1}, {24, 1})          \
    X(ACLFIELD_U8, aclfield, sai_acl_field_data_t, {0, 1}, {8, 1}, {24, 1})    \
    X(ACLFIELD_U16, aclfield, sai_acl_field_data_t, {0, 1}, {8, 2}, {24, 2})   \
    X(ACLFIELD_U32, aclfield, sai_acl_field_data_t, {0, 1}, {8, 4}, {24, 4})   \
    X(ACLFIELD_S32, aclfield, sai_acl_field_data_t, {0, 1}, {8, 4}, {24, 4})   \
    X(ACLFIELD_U64, aclfield, sai_acl_field_data_t, {0, 1}, {8, 8}, {24, 8})   \
    X(ACLFIELD_MAC, aclfield, sai_acl_field_data_t, {0, 1}, {8, 6}, {24, 6})   \
    X(ACLFIELD_IP4, aclfield, sai_acl_field_data_t, {0, 1}, {8, 4}, {24, 4})   \
    X(ACLFIELD_IP6, aclfield, sai_acl_field_data_t, {0, 1}, {8, 16}, {24, 16}) \
    X(ACLFIELD_OID, aclfield, sai_acl_field_data_t, {0, 1}, {24, 8})           \
    X(ACLACTION_BOOL, aclaction, sai_acl_action_data_t, {0, 1}, {8, 1})        \
    X(ACLACTION_U8, aclaction, sai_acl_action_data_t, {0, 1}, {8, 1})          \
    X(ACLACTION_U16, aclaction, sai_acl_action_data_t, {0, 1}, {8, 2})         \
    X(ACLACTION_U32, aclaction, sai_acl_action_data_t, {0, 1}, {8, 4})         \
    X(ACLACTION_S32, aclaction, sai_acl_action_data_t, {0, 1}, {8, 4})         \
    X(ACLACTION_MAC, aclaction, sai_acl_action_data_t, {0, 1}, {8, 6})         \
    X(ACLACTION_IP4, aclaction, sai_acl_action_data_t, {0, 1}, {8, 4})         \
    X(ACLACTION_IP6, aclaction, sai_acl_action_data_t, {0, 1}, {8, 16})        \
    X(ACLACTION_OID, aclaction, sai_acl_action_data_t, {0, 1}, {8, 8})         \
    X(ACLACTION_IPADDR, aclaction, sai_acl_action_data_t, {0, 1}, {8, 20})

/* X(KIND, member, list type, element type, runs...): values that own a list.
 * The runs are those of an element. */
#define KIND_LISTS(X)                                                          \
    X(OBJLIST, objlist, sai_object_list_t, sai_object_id_t, {0, 8})            \
    X(U8LIST, u8list, sai_u8_list_t, uint8_t, {0, 1})                          \
    X(S8LIST, s8list, sai_s8_list_t, int8_t, {0, 1})                           \
    X(U32LIST, u32list, sai_u32_list_t, uint32_t, {0, 4})                      \
    X(S32LIST, s32list, sai_s32_list_t, int32_t, {0, 4})                       \
    X(QOSMAP, qosmap, sai_qos_map_list_t, sai_qos_map_t, {0, 6}, {8, 6},       \
      {16, 6}, {24, 6})                                                        \
    X(MAPLIST, maplist, sai_map_list_t, sai_map_t, {0, 8})                     \
    X(ACLRESOURCE, aclresource, sai_acl_resource_list_t, sai_acl_resource_t,   \
      {0, 12})                                                                 \
    X(ACLCHAINLIST, aclchainlist, sai_acl_chain_list_t, sai_acl_chain_t,       \
      {0, 8})                                                                  \
    X(SYSPORTCONFIGLIST, sysportconfiglist, sai_system_port_config_list_t,     \
      sai_system_port_config_t, {0, 24})                                       \
    X(PORTERROR, porterror, sai_port_err_status_list_t, sai_port_err_status_t, \
      {0, 4})                                                                  \
    X(PORTEYEVALUES, porteyevalues, sai_port_eye_values_list_t,                \
      sai_port_lane_eye_values_t, {0, 20})                                     \
    X(PORTPAM4EYEVALUES, portpam4eyevalues, sai_port_pam4_eye_values_list_t,   \
      sai_port_pam4_lane_eye_values_t, {0, 28})                                \
    X(PORTLANELATCHSTATUSLIST, portlanelatchstatuslist,                        \
      sai_port_lane_latch_status_list_t, sai_port_lane_latch_status_t, {0, 6}) \
    X(PORTFREQUENCYOFFSETPPMLIST, portfrequencyoffsetppmlist,                  \
      sai_port_frequency_offset_ppm_list_t,                                    \
      sai_port_frequency_offset_ppm_values_t, {0, 6})                          \
    X(PORTSNRLIST, portsnrlist, sai_port_snr_list_t, sai_port_snr_values_t,    \
      {0, 6})                                                                  \
    X(PRBS_RX_STATUS_LIST, prbs_rx_status_list,                                \
      sai_prbs_per_lane_rx_status_list_t, sai_prbs_per_lane_rx_status_t,       \
      {0, 8})                                                                  \
    X(PRBS_RX_STATE_LIST, prbs_rx_state_list,                                  \
      sai_prbs_per_lane_rx_state_list_t, sai_prbs_per_lane_rx_state_t,         \
      {0, 12})                                                                 \
    X(PRBS_BER_LIST, prbs_ber_list, sai_prbs_per_lane_bit_error_rate_list_t,   \
      sai_prbs_per_lane_bit_error_rate_t, {0, 4}, {8, 1}, {16, 8})

/* Some kinds are special.  ACLCAPABILITY is a scalar that contains a list of
 * s32.  JSON is a list of s8 with another name.  PORTSERDESTAPS is a list of
 * lists of s32: its element is the header of an inner list, so a copy of the
 * bytes of its elements copies only the lengths of the inner lists.
 *
 * Fields and actions of access lists can have lists, too.  Of a list of bytes,
 * which has a list as its mask, only the data are copied.
 *
 * Of an IPv4 IPADDR only the first 8 bytes are used. */
enum kind {
#define X(KIND, ...) KIND_##KIND,
    KIND_SCALARS(X) KIND_ACL_SCALARS(X) KIND_LISTS(X)
#undef X
        KIND_ACLCAPABILITY,
    KIND_JSON,
    KIND_PORTSERDESTAPS,
    KIND_ACLFIELD_OBJLIST,
    KIND_ACLFIELD_U8LIST,
    KIND_ACLACTION_OBJLIST,
    KIND_N,
};

/* A run of meaningful bytes.  Bytes between runs are padding. */
struct kind_run {
    uint8_t offset;
    uint8_t size;
};

#define KIND_MAX_RUNS 4

/* The layout of a value in memory.  Unused runs have size 0. */
struct kind_layout {
    const char *name;     /* The member of the union: "u32list". */
    uint8_t size;         /* Bytes that it uses in the union. */
    uint8_t list_offset;  /* Of {count, list} in it, if it has a list. */
    uint8_t element_size; /* 0: no list. */
    struct kind_run value_runs[KIND_MAX_RUNS]; /* Without the list. */
    struct kind_run element_runs[KIND_MAX_RUNS];
};

/* The longest list that is accepted from outside. */
#define KIND_LIST_MAX 65536u

/* Returns the layout of 'kind', which is valid.  Static. */
const struct kind_layout *kind_layout(enum kind kind);

/* Returns whether values of 'kind' have a list. */
bool kind_has_list(enum kind kind);

/* Return or set the length and the elements of the list in '*value', whose kind
 * has one.  All lists of SAI have the same form. */
uint32_t kind_list_count(enum kind kind, const sai_attribute_value_t *value);
void *kind_list_elements(enum kind kind, const sai_attribute_value_t *value);
void kind_list_set(enum kind kind, sai_attribute_value_t *value, uint32_t count,
                   void *elements);

/* Returns the kind of the data of a field or an action of an access list,
 * KIND_N if 'kind' is neither. */
enum kind kind_acl_part(enum kind kind);

/* Returns whether a value of such a kind is a field, which has a mask. */
bool kind_is_acl_field(enum kind kind);

/* Where the mask and the data of a field are, and the data of an action. */
enum {
    KIND_ACL_MASK_OFFSET = 8,
    KIND_ACL_FIELD_OFFSET = 24,
    KIND_ACL_ACTION_OFFSET = 8,
};

/* Returns the object ids in '*value', and their number in '*n': that of an OID,
 * the elements of a list, or what an enabled field or action of an access list
 * names.  NULL and 0 for a kind without ids. */
const sai_object_id_t *kind_object_ids(enum kind kind,
                                       const sai_attribute_value_t *value,
                                       uint32_t *n);

/* Returns the count in the list of '*value' as it stands, also of a field that
 * is not enabled: the capacity of a get, or how many elements it needs. */
uint32_t kind_list_capacity(enum kind kind, const sai_attribute_value_t *value);

#endif /* sai/core/kind.h */
