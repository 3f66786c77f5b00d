/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_KIND_H
#define ORCHD_SAI_KIND_H

/* The kinds of attribute values, and how each lies in memory.
 *
 * Motivation: sai_attribute_value_t is a union of some seventy members.  What
 * copies, compares, prints or transports values needs to know three things of
 * a member: how many of the union's bytes it uses, whether it owns a list
 * elsewhere, and which bytes are padding and therefore meaningless.  One row
 * per member says so, and no such code mentions a member by name again.
 *
 * A kind is named after its member of the union, in capitals (BOOL is
 * 'booldata', POINTER is 'ptr').  Enumerations are S32 and lists of them
 * S32LIST: that they are is a property of the attribute (sai/metadata.h).
 * Only the kinds that occur in attr/.def have a row. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <saitypes.h>

/* X(KIND, member, value type).  Values that live in the union. */
#define KIND_SCALARS(X)                                                        \
    X(BOOL, booldata, bool)                                                    \
    X(CHARDATA, chardata, char[32])                                            \
    X(U8, u8, sai_uint8_t)                                                     \
    X(S8, s8, sai_int8_t)                                                      \
    X(U16, u16, sai_uint16_t)                                                  \
    X(U32, u32, sai_uint32_t)                                                  \
    X(S32, s32, sai_int32_t)                                                   \
    X(U64, u64, sai_uint64_t)                                                  \
    X(POINTER, ptr, sai_pointer_t)                                             \
    X(MAC, mac, sai_mac_t)                                                     \
    X(OID, oid, sai_object_id_t)                                               \
    X(U16RANGE, u16range, sai_u16_range_t)                                     \
    X(U32RANGE, u32range, sai_u32_range_t)                                     \
    X(TIMESPEC, timespec, sai_timespec_t)                                      \
    X(RX_STATE, rx_state, sai_prbs_rx_state_t)                                 \
    X(REACHABILITY, reachability, sai_fabric_port_reachability_t)              \
    X(LATCHSTATUS, latchstatus, sai_latch_status_t)

/* X(KIND, member, list type, element type).  Values that own a list. */
#define KIND_LISTS(X)                                                          \
    X(OBJLIST, objlist, sai_object_list_t, sai_object_id_t)                    \
    X(U8LIST, u8list, sai_u8_list_t, uint8_t)                                  \
    X(S8LIST, s8list, sai_s8_list_t, int8_t)                                   \
    X(U32LIST, u32list, sai_u32_list_t, uint32_t)                              \
    X(S32LIST, s32list, sai_s32_list_t, int32_t)                               \
    X(QOSMAP, qosmap, sai_qos_map_list_t, sai_qos_map_t)                       \
    X(MAPLIST, maplist, sai_map_list_t, sai_map_t)                             \
    X(ACLRESOURCE, aclresource, sai_acl_resource_list_t, sai_acl_resource_t)   \
    X(ACLCHAINLIST, aclchainlist, sai_acl_chain_list_t, sai_acl_chain_t)       \
    X(SYSPORTCONFIGLIST, sysportconfiglist, sai_system_port_config_list_t,     \
      sai_system_port_config_t)                                                \
    X(PORTERROR, porterror, sai_port_err_status_list_t, sai_port_err_status_t) \
    X(PORTEYEVALUES, porteyevalues, sai_port_eye_values_list_t,                \
      sai_port_lane_eye_values_t)                                              \
    X(PORTPAM4EYEVALUES, portpam4eyevalues, sai_port_pam4_eye_values_list_t,   \
      sai_port_pam4_lane_eye_values_t)                                         \
    X(PORTLANELATCHSTATUSLIST, portlanelatchstatuslist,                        \
      sai_port_lane_latch_status_list_t, sai_port_lane_latch_status_t)         \
    X(PORTFREQUENCYOFFSETPPMLIST, portfrequencyoffsetppmlist,                  \
      sai_port_frequency_offset_ppm_list_t,                                    \
      sai_port_frequency_offset_ppm_values_t)                                  \
    X(PORTSNRLIST, portsnrlist, sai_port_snr_list_t, sai_port_snr_values_t)    \
    X(PRBS_RX_STATUS_LIST, prbs_rx_status_list,                                \
      sai_prbs_per_lane_rx_status_list_t, sai_prbs_per_lane_rx_status_t)       \
    X(PRBS_RX_STATE_LIST, prbs_rx_state_list,                                  \
      sai_prbs_per_lane_rx_state_list_t, sai_prbs_per_lane_rx_state_t)         \
    X(PRBS_BER_LIST, prbs_ber_list, sai_prbs_per_lane_bit_error_rate_list_t,   \
      sai_prbs_per_lane_bit_error_rate_t)

/* ACLCAPABILITY is a scalar with a list of s32 inside, the only one. */
enum kind {
#define X(KIND, ...) KIND_##KIND,
    KIND_SCALARS(X) KIND_LISTS(X)
#undef X
        KIND_ACLCAPABILITY,
    KIND_N,
};

/* A run of meaningful bytes; what is between runs is padding. */
struct kind_run {
    uint8_t offset;
    uint8_t size;
};

#define KIND_MAX_RUNS 4

/* How a value lies in memory. */
struct kind_layout {
    const char *name; /* The member of the union: "u32list". */

    /* Of the value itself. */
    uint8_t size;                              /* Bytes of the union. */
    uint8_t list_offset;                       /* Of {count, list}. */
    struct kind_run value_runs[KIND_MAX_RUNS]; /* Without the list. */

    /* Of the elements of its list; 0 if there is none. */
    uint8_t element_size;
    struct kind_run element_runs[KIND_MAX_RUNS];
};

/* Longest list that is accepted from outside. */
#define KIND_LIST_MAX 65536u

/* Returns the layout of 'kind', which is valid.  Static. */
const struct kind_layout *kind_layout(enum kind kind);

/* Returns whether values of 'kind' have a list. */
bool kind_has_list(enum kind kind);

/* Give the length and the elements of the list in '*value', whose kind has
 * one.  All lists of SAI have the same form. */
uint32_t kind_list_count(enum kind kind, const sai_attribute_value_t *value);
void *kind_list_elements(enum kind kind, const sai_attribute_value_t *value);
void kind_list_set(enum kind kind, sai_attribute_value_t *value, uint32_t count,
                   void *elements);

#endif /* sai/kind.h */
