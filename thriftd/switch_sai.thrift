// SPDX-License-Identifier: Apache-2.0

// The calls that softasic-thriftd serves: the part of the interface
// switch_sai_rpc that suites for QoS on hardware use.  Names, types and ids are
// those of the interface.  Ids of attributes and counters are the numbers of
// SAI; unsigned numbers travel as signed ones of the same size.
//
// Any field may be absent.  A call that fails is answered by an application
// exception with the reason.

namespace py switch_sai_thrift

typedef i64 sai_thrift_object_id_t
typedef i64 sai_thrift_uint64_t
typedef string sai_thrift_mac_t // "aa:bb:cc:dd:ee:ff"
typedef i32 sai_thrift_status_t // 0: success
typedef i32 sai_thrift_port_stat_counter_t
typedef i32 sai_thrift_queue_stat_counter_t
typedef i32 sai_thrift_pg_stat_counter_t
typedef i32 sai_thrift_buffer_pool_stat_counter_t

struct sai_thrift_object_list_t {
    1: i32 count,
    2: list<sai_thrift_object_id_t> object_id_list,
}

struct sai_thrift_s32_list_t {
    1: i32 count,
    2: list<i32> s32list,
}

struct sai_thrift_u32_list_t {
    1: i32 count,
    2: list<i32> u32list,
}

// The field of the kind of the attribute is set.
struct sai_thrift_attribute_value_t {
    1: bool booldata,
    3: byte u8,
    4: byte s8,
    5: i16 u16,
    7: i32 u32,
    8: i32 s32,
    9: i64 u64,
    11: sai_thrift_mac_t mac,
    12: sai_thrift_object_id_t oid,
    16: sai_thrift_object_list_t objlist,
    20: sai_thrift_u32_list_t u32list,
    21: sai_thrift_s32_list_t s32list,
}

struct sai_thrift_attribute_t {
    1: i32 id,
    2: sai_thrift_attribute_value_t value,
}

struct sai_thrift_attribute_list_t {
    1: list<sai_thrift_attribute_t> attr_list,
    2: i32 attr_count,
}

service switch_sai_rpc {
    // ADMIN_STATE, PKT_TX_ENABLE or QOS_SCHEDULER_PROFILE_ID.
    sai_thrift_status_t sai_thrift_set_port_attribute(
        1: sai_thrift_object_id_t port_id,
        2: sai_thrift_attribute_t thrift_attr),

    // QOS_QUEUE_LIST, INGRESS_PRIORITY_GROUP_LIST, HW_LANE_LIST, OPER_STATUS,
    // MTU.
    sai_thrift_attribute_list_t sai_thrift_get_port_attribute(
        1: sai_thrift_object_id_t port_id),

    // One value per id, in their order.
    list<sai_thrift_uint64_t> sai_thrift_get_port_stats(
        1: sai_thrift_object_id_t port_id,
        2: list<sai_thrift_port_stat_counter_t> counter_ids,
        3: i32 number_of_counters),
    sai_thrift_status_t sai_thrift_clear_port_all_stats(
        1: sai_thrift_object_id_t port_id),

    // PORT_NUMBER, PORT_LIST.
    sai_thrift_attribute_list_t sai_thrift_get_switch_attribute(),

    // SRC_MAC_ADDRESS or CREDIT_WD.
    sai_thrift_status_t sai_thrift_set_switch_attribute(
        1: sai_thrift_attribute_t attribute),

    // PORT_LIST, in the order of the numbers in the names of ports.
    sai_thrift_attribute_t sai_thrift_get_port_list_by_front_port(),

    // 0: there is no port of this name.
    sai_thrift_object_id_t sai_thrift_get_port_id_by_front_port(
        1: string port_name),

    list<sai_thrift_uint64_t> sai_thrift_get_queue_stats(
        1: sai_thrift_object_id_t queue_id,
        2: list<sai_thrift_queue_stat_counter_t> counter_ids,
        3: i32 number_of_counters),
    sai_thrift_status_t sai_thrift_clear_queue_stats(
        1: sai_thrift_object_id_t queue_id,
        2: list<sai_thrift_queue_stat_counter_t> counter_ids,
        3: i32 number_of_counters),
    list<sai_thrift_uint64_t> sai_thrift_get_buffer_pool_stats(
        1: sai_thrift_object_id_t buffer_pool_id,
        2: list<sai_thrift_buffer_pool_stat_counter_t> counter_ids),
    sai_thrift_status_t sai_thrift_clear_buffer_pool_stats(
        1: sai_thrift_object_id_t buffer_pool_id,
        2: list<sai_thrift_buffer_pool_stat_counter_t> counter_ids),
    list<sai_thrift_uint64_t> sai_thrift_get_pg_stats(
        1: sai_thrift_object_id_t pg_id,
        2: list<sai_thrift_pg_stat_counter_t> counter_ids,
        3: i32 number_of_counters),

    // The scheduler is removed when the connection ends, if no port uses it.
    sai_thrift_object_id_t sai_thrift_create_scheduler_profile(
        1: list<sai_thrift_attribute_t> thrift_attr_list),

    // System ports are those of VOQ switches; 0: there are none.
    sai_thrift_object_id_t sai_thrift_get_sys_port_obj_id_by_port_id(
        1: i32 sys_port_id),
    sai_thrift_attribute_list_t sai_thrift_get_system_port_attribute(
        1: sai_thrift_object_id_t sys_port_object_id),
}
