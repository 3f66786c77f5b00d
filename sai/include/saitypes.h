/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAITYPES_H
#define ORCHD_SAI_INCLUDE_SAITYPES_H

/* The types that all SAI headers share.
 *
 * These headers are our own.  They are ABI-compatible with release 1.18.1 of
 * the Open Compute Project's Switch Abstraction Interface: the same names,
 * numbers, layouts and order of functions, so that a client built with either
 * works with a library built with the other.
 *
 * Every attribute, counter and enumerator is described once, in a .def file:
 * object/OBJECT.def and enum/HEADER.def; all.def lists these files.  To include
 * one, define the macros of its rows before and undefine them after.  These
 * headers make enumerations from the rows; metadata, validation and text forms
 * come from the same rows.
 *
 * SAI_ATTR_BEGIN(object, OBJECT) and SAI_ATTR_END(object, OBJECT) enclose the
 * attributes of an object type; SAI_ATTR_END_EXTENSIBLE also declares where the
 * range of extensions begins.  SAI_STAT_BEGIN(object) and SAI_STAT_END(object)
 * enclose its counters.
 *
 * SAI_ATTR(name, id, kind, flags, default, condition, since[, limit]).  'kind'
 * is the member of sai_attribute_value_t in capitals, with exceptions: BOOL is
 * booldata, POINTER is ptr, ENUM(e) is an s32 of type sai_e_t, ENUMLIST(e) an
 * s32list of those, OID(T(A) T(B)) an oid of one of these object types, never
 * null, OID_OR_NULL(...) one that may be null, OBJLIST(...) a list of oids.
 * 'default' is NO_DEFAULT, EMPTY_LIST, a value that depends on the device
 * (INTERNAL) or on its vendor (VENDOR), SAME_AS(TYPE, attribute), the value of
 * the switch or router to which the object belongs, or DEFAULT(x), where 0 also
 * means no callback, the empty string and all zeros.  'condition' is ALWAYS; or
 * REQUIRED_IF_ANY(EQ(attribute, value)...): exists (and, if mandatory, is
 * needed) only while one of the equations holds; or VALID_IF_ANY(...),
 * VALID_IF_ALL(...), VALID_IF_FIRST_AND_ANY(...): accepted at any time, but
 * with an effect only while one (all, the first and one of the others) of them
 * holds.  'since' is the release as major * 10000 + minor * 100 + revision;
 * 10700 and 10900 also include all older releases.  'limit' is the limit on
 * every switch for a number or the elements of a list of numbers: UNIT(u), a
 * METADATA_UNIT_ of sai/core/metadata.h; RANGE(min, max), both included;
 * RANGE_OF(min, max, u).
 *
 * SAI_ATTR_ALIAS(alias, name): another name of the same attribute.
 * SAI_ATTR_MARK(name, id): a boundary that is no attribute.
 *
 * SAI_STAT(name, id, since), and SAI_STAT_MARK(name, id) for a boundary that
 * is no counter.  SAI_ENUM_BEGIN(e), SAI_ENUM_VALUE(name, value),
 * SAI_ENUM_MARK(name, value) for a boundary, SAI_ENUM_END(e);
 * SAI_FLAGS_BEGIN(e) begins an enumeration of bits that may be combined. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Scalars.  An object id is opaque: sai_object_type_query() returns its type;
 * never decode its bits. */
typedef int32_t sai_status_t;
typedef uint32_t sai_switch_profile_id_t;
typedef uint16_t sai_vlan_id_t;
typedef uint32_t sai_attr_id_t;
typedef uint8_t sai_cos_t;
typedef uint8_t sai_queue_index_t;
typedef uint8_t sai_mac_t[6];
typedef uint32_t sai_ip4_t;
typedef uint8_t sai_ip6_t[16];
typedef uint32_t sai_switch_hash_seed_t;
typedef uint32_t sai_label_id_t;
typedef uint32_t sai_stat_id_t;
typedef uint8_t sai_encrypt_key_t[32];
typedef uint8_t sai_auth_key_t[16];
typedef uint8_t sai_macsec_sak_t[32];
typedef uint8_t sai_macsec_auth_key_t[16];
typedef uint8_t sai_macsec_salt_t[12];
typedef uint64_t sai_uint64_t;
typedef int64_t sai_int64_t;
typedef uint32_t sai_uint32_t;
typedef int32_t sai_int32_t;
typedef uint16_t sai_uint16_t;
typedef int16_t sai_int16_t;
typedef uint8_t sai_uint8_t;
typedef int8_t sai_int8_t;
typedef size_t sai_size_t;
typedef uint64_t sai_object_id_t;
typedef void *sai_pointer_t;

/* No object. */
#define SAI_NULL_OBJECT_ID 0ULL

/* Enumerations; their members are in enum/types.def. */
#define SAI_ENUM_FILE "types.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Lists.  In create and set the library copies what 'list' points to.  In
 * get the caller sets 'count' to the capacity; if that is too small the call
 * ends in SAI_STATUS_BUFFER_OVERFLOW with the count needed and 'list'
 * untouched, else 'count' becomes the number of elements filled in. */
/* Objects. */
typedef struct _sai_object_list_t {
    uint32_t count;
    sai_object_id_t *list;
} sai_object_list_t;

/* Numbers.  A list of enumerators is an s32 list. */
typedef struct _sai_u8_list_t {
    uint32_t count;
    uint8_t *list;
} sai_u8_list_t;

typedef struct _sai_s8_list_t {
    uint32_t count;
    int8_t *list;
} sai_s8_list_t;

typedef struct _sai_u16_list_t {
    uint32_t count;
    uint16_t *list;
} sai_u16_list_t;

typedef struct _sai_s16_list_t {
    uint32_t count;
    int16_t *list;
} sai_s16_list_t;

typedef struct _sai_u32_list_t {
    uint32_t count;
    uint32_t *list;
} sai_u32_list_t;

typedef struct _sai_s32_list_t {
    uint32_t count;
    int32_t *list;
} sai_s32_list_t;

/* VLAN ids. */
typedef struct _sai_vlan_list_t {
    uint32_t count;
    sai_vlan_id_t *list;
} sai_vlan_list_t;

/* Serdes taps: per tap, a value for each lane. */
typedef struct _sai_taps_list_t {
    uint32_t count;
    sai_s32_list_t *list;
} sai_taps_list_t;

/* Ranges, both ends included. */
typedef struct _sai_u16_range_t {
    uint16_t min;
    uint16_t max;
} sai_u16_range_t;

typedef struct _sai_u32_range_t {
    uint32_t min;
    uint32_t max;
} sai_u32_range_t;

typedef struct _sai_s32_range_t {
    int32_t min;
    int32_t max;
} sai_s32_range_t;

typedef struct _sai_u64_range_t {
    uint64_t min;
    uint64_t max;
} sai_u64_range_t;

/* Several ranges. */
typedef struct _sai_u16_range_list_t {
    uint32_t count;
    sai_u16_range_t *list;
} sai_u16_range_list_t;

typedef struct _sai_u64_range_list_t {
    uint32_t count;
    sai_u64_range_t *list;
} sai_u64_range_list_t;

/* A point in time or a difference of two. */
typedef struct _sai_timespec_t {
    uint64_t tv_sec;
    uint32_t tv_nsec;
} sai_timespec_t;

/* Addresses, in network byte order. */
/* The bytes of an address.  The family is stored separately. */
typedef union _sai_ip_addr_t {
    sai_ip4_t ip4;
    sai_ip6_t ip6;
} sai_ip_addr_t;

/* An address with its family, which says which member of 'addr' holds. */
typedef struct _sai_ip_address_t {
    sai_ip_addr_family_t addr_family;
    sai_ip_addr_t addr;
} sai_ip_address_t;

typedef struct _sai_ip_address_list_t {
    uint32_t count;
    sai_ip_address_t *list;
} sai_ip_address_list_t;

typedef struct _sai_ip_prefix_t {
    sai_ip_addr_family_t addr_family;
    sai_ip_addr_t addr;
    sai_ip_addr_t mask; /* Not a length. */
} sai_ip_prefix_t;

typedef struct _sai_ip_prefix_list_t {
    uint32_t count;
    sai_ip_prefix_t *list;
} sai_ip_prefix_list_t;

/* SRv6 segments. */
typedef struct _sai_segment_list_t {
    uint32_t count;
    sai_ip6_t *list;
} sai_segment_list_t;

/* QoS maps.  Key and value have the same form; the type of the map says
 * which members count, the others are ignored. */
typedef struct _sai_qos_map_params_t {
    sai_cos_t tc; /* Traffic class. */
    sai_uint8_t dscp;
    sai_uint8_t dot1p;
    sai_uint8_t prio;              /* PFC priority. */
    sai_uint8_t pg;                /* Priority group. */
    sai_queue_index_t queue_index; /* An index, not an object. */
    sai_packet_color_t color;
    sai_uint8_t mpls_exp;
    sai_uint8_t fc; /* Forwarding class. */
} sai_qos_map_params_t;

/* One entry of a map. */
typedef struct _sai_qos_map_t {
    sai_qos_map_params_t key;
    sai_qos_map_params_t value;
} sai_qos_map_t;

typedef struct _sai_qos_map_list_t {
    uint32_t count;
    sai_qos_map_t *list;
} sai_qos_map_list_t;

/* A map of numbers, for example traffic class to milliseconds. */
typedef struct _sai_map_t {
    sai_uint32_t key;
    sai_int32_t value;
} sai_map_t;

typedef struct _sai_map_list_t {
    uint32_t count;
    sai_map_t *list;
} sai_map_list_t;

/* Access lists. */
/* The bits of a field that must match; the type of the field determines the
 * member. */
typedef union _sai_acl_field_data_mask_t {
    sai_uint8_t u8;
    sai_int8_t s8;
    sai_uint16_t u16;
    sai_int16_t s16;
    sai_uint32_t u32;
    sai_int32_t s32;
    sai_uint64_t u64;
    sai_mac_t mac;
    sai_ip4_t ip4;
    sai_ip6_t ip6;
    sai_u8_list_t u8list;
} sai_acl_field_data_mask_t;

/* What these bits must be. */
typedef union _sai_acl_field_data_data_t {
    bool booldata;
    sai_uint8_t u8;
    sai_int8_t s8;
    sai_uint16_t u16;
    sai_int16_t s16;
    sai_uint32_t u32;
    sai_int32_t s32;
    sai_uint64_t u64;
    sai_mac_t mac;
    sai_ip4_t ip4;
    sai_ip6_t ip6;
    sai_object_id_t oid;
    sai_object_list_t objlist;
    sai_u8_list_t u8list;
} sai_acl_field_data_data_t;

/* A field of an entry; ignored unless it is enabled. */
typedef struct _sai_acl_field_data_t {
    bool enable;
    sai_acl_field_data_mask_t mask;
    sai_acl_field_data_data_t data;
} sai_acl_field_data_t;

/* The argument of an action. */
typedef union _sai_acl_action_parameter_t {
    bool booldata;
    sai_uint8_t u8;
    sai_int8_t s8;
    sai_uint16_t u16;
    sai_int16_t s16;
    sai_uint32_t u32;
    sai_int32_t s32;
    sai_mac_t mac;
    sai_ip4_t ip4;
    sai_ip6_t ip6;
    sai_object_id_t oid;
    sai_object_list_t objlist;
    sai_ip_address_t ipaddr;
} sai_acl_action_parameter_t;

/* An action of an entry; not taken unless it is enabled. */
typedef struct _sai_acl_action_data_t {
    bool enable;
    sai_acl_action_parameter_t parameter;
} sai_acl_action_data_t;

/* What a stage of the pipeline can do. */
typedef struct _sai_acl_capability_t {
    bool is_action_list_mandatory;
    sai_s32_list_t action_list;
    sai_acl_table_supported_match_type_t supported_match_type;
    bool is_non_contiguous_bits_exact_match_supported;
} sai_acl_capability_t;

/* How many more tables fit, by stage and bind point. */
typedef struct _sai_acl_resource_t {
    sai_acl_stage_t stage;
    sai_acl_bind_point_type_t bind_point;
    sai_uint32_t avail_num;
} sai_acl_resource_t;

typedef struct _sai_acl_resource_list_t {
    uint32_t count;
    sai_acl_resource_t *list;
} sai_acl_resource_list_t;

/* How a group of chained tables matches. */
typedef struct _sai_acl_chain_t {
    sai_acl_table_chain_group_stage_t chain_group_stage;
    sai_acl_table_supported_match_type_t supported_match_type;
} sai_acl_chain_t;

/* One element per stage of a chain. */
typedef struct _sai_acl_chain_list_t {
    uint32_t count;
    sai_acl_chain_t *list;
} sai_acl_chain_list_t;

/* SRv6. */
/* Authentication of a segment list. */
typedef struct _sai_hmac_t {
    sai_uint32_t key_id;
    sai_uint32_t hmac[8];
} sai_hmac_t;

/* The contents of an option, by its type. */
typedef union _sai_tlv_entry_t {
    sai_ip6_t ingress_node;
    sai_ip6_t egress_node;
    sai_uint32_t opaque_container[4];
    sai_hmac_t hmac;
} sai_tlv_entry_t;

/* An option of a segment routing header. */
typedef struct _sai_tlv_t {
    sai_tlv_type_t tlv_type;
    sai_tlv_entry_t entry;
} sai_tlv_t;

typedef struct _sai_tlv_list_t {
    uint32_t count;
    sai_tlv_t *list;
} sai_tlv_list_t;

/* State of ports and of their lanes. */
typedef struct _sai_latch_status_t {
    bool current_status;
    bool changed; /* Since the previous reading. */
} sai_latch_status_t;

/* The same for one lane of a port. */
typedef struct _sai_port_lane_latch_status_t {
    uint32_t lane;
    sai_latch_status_t value;
} sai_port_lane_latch_status_t;

typedef struct _sai_port_lane_latch_status_list_t {
    uint32_t count;
    sai_port_lane_latch_status_t *list;
} sai_port_lane_latch_status_list_t;

/* Errors of a port. */
typedef struct _sai_port_err_status_list_t {
    uint32_t count;
    sai_port_err_status_t *list;
} sai_port_err_status_list_t;

/* Whether a switch can be reached through a fabric port. */
typedef struct _sai_fabric_port_reachability_t {
    uint32_t switch_id;
    bool reachable;
} sai_fabric_port_reachability_t;

/* Opening of the eye of a lane, in steps of the serdes. */
typedef struct _sai_port_lane_eye_values_t {
    uint32_t lane;
    int32_t left;
    int32_t right;
    int32_t up;
    int32_t down;
} sai_port_lane_eye_values_t;

typedef struct _sai_port_eye_values_list_t {
    uint32_t count;
    sai_port_lane_eye_values_t *list;
} sai_port_eye_values_list_t;

/* Height and width of the three eyes of a PAM4 lane. */
typedef struct _sai_port_pam4_lane_eye_values_t {
    uint32_t lane;
    int32_t upper_ht;
    int32_t upper_wd;
    int32_t middle_ht;
    int32_t middle_wd;
    int32_t lower_ht;
    int32_t lower_wd;
} sai_port_pam4_lane_eye_values_t;

typedef struct _sai_port_pam4_eye_values_list_t {
    uint32_t count;
    sai_port_pam4_lane_eye_values_t *list;
} sai_port_pam4_eye_values_list_t;

/* Frequency offset of a lane in parts per million. */
typedef struct _sai_port_frequency_offset_ppm_values_t {
    uint32_t lane;
    sai_int16_t ppm;
} sai_port_frequency_offset_ppm_values_t;

typedef struct _sai_port_frequency_offset_ppm_list_t {
    uint32_t count;
    sai_port_frequency_offset_ppm_values_t *list;
} sai_port_frequency_offset_ppm_list_t;

/* Signal to noise ratio of a lane. */
typedef struct _sai_port_snr_values_t {
    uint32_t lane;
    sai_uint16_t snr;
} sai_port_snr_values_t;

typedef struct _sai_port_snr_list_t {
    uint32_t count;
    sai_port_snr_values_t *list;
} sai_port_snr_list_t;

/* What a powered device takes. */
typedef struct _sai_poe_port_power_consumption_t {
    sai_poe_port_active_channel_type_t active_channel;
    uint32_t voltage;
    uint32_t current;
    uint32_t consumption;
    sai_poe_port_signature_type_t signature_type;
    sai_poe_port_class_method_type_t class_method;
    uint8_t measured_class_a;
    uint8_t assigned_class_a;
    uint8_t measured_class_b;
    uint8_t assigned_class_b;
} sai_poe_port_power_consumption_t;

/* Test patterns. */
/* The receiver and its errors since the previous reading. */
typedef struct _sai_prbs_rx_state_t {
    sai_port_prbs_rx_status_t rx_status;
    uint32_t error_count;
} sai_prbs_rx_state_t;

/* Mantissa times ten to the power of minus exponent. */
typedef struct _sai_prbs_bit_error_rate_t {
    uint8_t exponent;
    uint64_t mantissa;
} sai_prbs_bit_error_rate_t;

/* The receiver of one lane. */
typedef struct _sai_prbs_per_lane_rx_status_t {
    uint32_t lane;
    sai_port_prbs_rx_status_t rx_status;
} sai_prbs_per_lane_rx_status_t;

typedef struct _sai_prbs_per_lane_rx_status_list_t {
    uint32_t count;
    sai_prbs_per_lane_rx_status_t *list;
} sai_prbs_per_lane_rx_status_list_t;

/* The receiver of one lane and its errors. */
typedef struct _sai_prbs_per_lane_rx_state_t {
    uint32_t lane;
    sai_prbs_rx_state_t rx_state;
} sai_prbs_per_lane_rx_state_t;

typedef struct _sai_prbs_per_lane_rx_state_list_t {
    uint32_t count;
    sai_prbs_per_lane_rx_state_t *list;
} sai_prbs_per_lane_rx_state_list_t;

/* Error rate of one lane. */
typedef struct _sai_prbs_per_lane_bit_error_rate_t {
    uint32_t lane;
    sai_prbs_bit_error_rate_t ber;
} sai_prbs_per_lane_bit_error_rate_t;

typedef struct _sai_prbs_per_lane_bit_error_rate_list_t {
    uint32_t count;
    sai_prbs_per_lane_bit_error_rate_t *list;
} sai_prbs_per_lane_bit_error_rate_list_t;

/* System ports of a chassis. */
/* A port of the chassis: which switch and core it is attached to, its speed
 * in Mbit/s and its virtual output queues. */
typedef struct _sai_system_port_config_t {
    uint32_t port_id;
    uint32_t attached_switch_id;
    uint32_t attached_core_index;
    uint32_t attached_core_port_index;
    uint32_t speed;
    uint32_t num_voq;
} sai_system_port_config_t;

typedef struct _sai_system_port_config_list_t {
    uint32_t count;
    sai_system_port_config_t *list;
} sai_system_port_config_list_t;

/* Text in JSON. */
typedef struct _sai_json_t {
    sai_s8_list_t json;
} sai_json_t;

/* The value of an attribute.  Which member holds is a property of the
 * attribute: the column 'kind' of its .def file.  A library zeroes all of it
 * before it fills a member in, because later releases use what is padding
 * today. */
typedef union _sai_attribute_value_t {
    bool booldata;     /* One byte: do not read more. */
    char chardata[32]; /* At most 31 characters and a terminator. */
    sai_uint8_t u8;
    sai_int8_t s8;
    sai_uint16_t u16;
    sai_int16_t s16;
    sai_uint32_t u32;
    sai_int32_t s32; /* Also every enumeration. */
    sai_uint64_t u64;
    sai_int64_t s64;
    sai_pointer_t ptr; /* A callback. */
    sai_mac_t mac;
    sai_ip4_t ip4;
    sai_ip6_t ip6;
    sai_ip_address_t ipaddr;
    sai_ip_prefix_t ipprefix;
    sai_prbs_rx_state_t rx_state;
    sai_object_id_t oid;
    sai_object_list_t objlist;
    sai_u8_list_t u8list;
    sai_s8_list_t s8list;
    sai_u16_list_t u16list;
    sai_s16_list_t s16list;
    sai_u32_list_t u32list;
    sai_s32_list_t s32list;
    sai_u32_range_t u32range;
    sai_s32_range_t s32range;
    sai_u16_range_list_t u16rangelist;
    sai_vlan_list_t vlanlist;
    sai_qos_map_list_t qosmap;
    sai_map_list_t maplist;
    sai_acl_field_data_t aclfield;
    sai_acl_action_data_t aclaction;
    sai_acl_field_data_mask_t aclmask;
    sai_acl_capability_t aclcapability;
    sai_acl_resource_list_t aclresource;
    sai_tlv_list_t tlvlist;
    sai_segment_list_t segmentlist;
    sai_ip_address_list_t ipaddrlist;
    sai_port_eye_values_list_t porteyevalues;
    sai_timespec_t timespec;
    sai_encrypt_key_t encrypt_key;
    sai_auth_key_t authkey;
    sai_macsec_sak_t macsecsak;
    sai_macsec_auth_key_t macsecauthkey;
    sai_macsec_salt_t macsecsalt;
    sai_system_port_config_t sysportconfig;
    sai_system_port_config_list_t sysportconfiglist;
    sai_fabric_port_reachability_t reachability;
    sai_port_err_status_list_t porterror;
    sai_port_lane_latch_status_list_t portlanelatchstatuslist;
    sai_latch_status_t latchstatus;
    sai_json_t json;
    sai_ip_prefix_list_t ipprefixlist;
    sai_acl_chain_list_t aclchainlist;
    sai_port_frequency_offset_ppm_list_t portfrequencyoffsetppmlist;
    sai_port_snr_list_t portsnrlist;
    sai_poe_port_power_consumption_t portpowerconsumption;
    sai_port_pam4_eye_values_list_t portpam4eyevalues;
    sai_taps_list_t portserdestaps;
    sai_u16_range_t u16range;
    sai_prbs_per_lane_rx_status_list_t prbs_rx_status_list;
    sai_prbs_per_lane_rx_state_list_t prbs_rx_state_list;
    sai_prbs_bit_error_rate_t prbs_ber;
    sai_prbs_per_lane_bit_error_rate_list_t prbs_ber_list;
    sai_u64_range_t u64range;
    sai_u64_range_list_t u64rangelist;
} sai_attribute_value_t;

/* An attribute: its id, from the enumeration of its object type, and its
 * value. */
typedef struct _sai_attribute_t {
    sai_attr_id_t id;
    sai_attribute_value_t value;
} sai_attribute_t;

/* Health events. */
/* A soft error.  'ser_log_type' is a set of sai_ser_log_type_t. */
typedef struct _sai_ser_health_data_t {
    sai_ser_type_t type;
    sai_ser_correction_type_t correction_type;
    uint32_t ser_log_type;
} sai_ser_health_data_t;

/* What an event carries, by its type. */
typedef union _sai_health_data_t {
    sai_ser_health_data_t ser;
} sai_health_data_t;

/* An event with the data of its type. */
typedef struct _sai_switch_health_data_t {
    sai_health_data_type_t data_type;
    sai_health_data_t data;
} sai_switch_health_data_t;

/* A counter and the set of sai_stats_mode_t in which it can be read. */
typedef struct _sai_stat_capability_t {
    sai_stat_id_t stat_enum;
    uint32_t stat_modes;
} sai_stat_capability_t;

typedef struct _sai_stat_capability_list_t {
    uint32_t count;
    sai_stat_capability_t *list;
} sai_stat_capability_list_t;

/* The same with the shortest interval of streaming, in nanoseconds. */
typedef struct _sai_stat_st_capability_t {
    sai_stat_capability_t capability;
    uint64_t minimal_polling_interval;
} sai_stat_st_capability_t;

typedef struct _sai_stat_st_capability_list_t {
    uint32_t count;
    sai_stat_st_capability_t *list;
} sai_stat_st_capability_list_t;

/* Bulk calls: one status per object.  The result is SAI_STATUS_SUCCESS only
 * if all succeeded, else SAI_STATUS_FAILURE.  After the first failure
 * SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR leaves the rest at
 * SAI_STATUS_NOT_EXECUTED. */
typedef sai_status_t (*sai_bulk_object_create_fn)(
    sai_object_id_t switch_id, uint32_t object_count,
    const uint32_t *attr_count, const sai_attribute_t **attr_list,
    sai_bulk_op_error_mode_t mode, sai_object_id_t *object_id,
    sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_object_remove_fn)(
    uint32_t object_count, const sai_object_id_t *object_id,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_object_set_attribute_fn)(
    uint32_t object_count, const sai_object_id_t *object_id,
    const sai_attribute_t *attr_list, sai_bulk_op_error_mode_t mode,
    sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_object_get_attribute_fn)(
    uint32_t object_count, const sai_object_id_t *object_id,
    const uint32_t *attr_count, sai_attribute_t **attr_list,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);

#endif /* saitypes.h */
