# What is known of SAI, and what works by it alone.
noinst_LIBRARIES += libsai-core.a
libsai_core_a_SOURCES = \
	sai/backend.c sai/backend.h \
	sai/capability.c sai/capability.h \
	sai/column.c sai/column.h \
	sai/compound.c sai/compound.h \
	sai/deep.c sai/deep.h \
	sai/entry.c sai/entry.h \
	sai/ip.c sai/ip.h \
	sai/kind.c sai/kind.h \
	sai/map.c sai/map.h \
	sai/metadata.c sai/metadata.h \
	sai/op.c sai/op.h \
	sai/record.c sai/record.h \
	sai/serialize.c sai/serialize.h \
	sai/status.c sai/status.h \
	sai/tables.c sai/tables.h \
	sai/validate.c sai/validate.h
sai_core_libs = libsai-core.a $(base_libs) $(JANSSON_LIBS)
libsai_core_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)

# Backends around a backend.
noinst_LIBRARIES += libsai-wrap.a
libsai_wrap_a_SOURCES = \
	sai/adopt.c sai/adopt.h \
	sai/chain.c sai/chain.h \
	sai/discovery.c sai/discovery.h \
	sai/fault_rules.c sai/fault_rules.h \
	sai/faults.c sai/faults.h \
	sai/guard.c sai/guard.h \
	sai/introduce.c sai/introduce.h \
	sai/journal.c sai/journal.h \
	sai/judge.c sai/judge.h \
	sai/meter.c sai/meter.h \
	sai/notifications.c sai/notifications.h \
	sai/recorder.c sai/recorder.h \
	sai/recording.c sai/recording.h \
	sai/registry.c sai/registry.h \
	sai/reintroduce.c sai/reintroduce.h \
	sai/replay.c sai/replay.h \
	sai/replay_map.c sai/replay_map.h \
	sai/sift.c sai/sift.h \
	sai/trace.c sai/trace.h \
	sai/trace_parse.c sai/trace_parse.h
sai_wrap_libs = libsai-wrap.a $(sai_core_libs)
libsai_wrap_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)

# A vendor's library behind the backend interface.
noinst_LIBRARIES += libsai-loader.a
libsai_loader_a_SOURCES = \
	sai/loader.c sai/loader.h \
	sai/routes.c sai/routes.h \
	sai/vendor.c sai/vendor.h \
	sai/vendor_library.c sai/vendor_library.h \
	sai/vendor_many.c sai/vendor_many.h \
	sai/vendor_stats.c sai/vendor_stats.h
sai_loader_libs = libsai-loader.a $(sai_core_libs)

# SAI: our own headers, which are also installed for clients and vendors.
EXTRA_DIST += docs/sai-tools.md
saiincludedir = $(includedir)/orchd/sai
saiinclude_HEADERS = \
	sai/include/sai.h \
	sai/include/saibridge.h \
	sai/include/saibuffer.h \
	sai/include/saifdb.h \
	sai/include/saihostif.h \
	sai/include/sailag.h \
	sai/include/saineighbor.h \
	sai/include/sainexthop.h \
	sai/include/sainexthopgroup.h \
	sai/include/saiobject.h \
	sai/include/saiport.h \
	sai/include/saiqosmap.h \
	sai/include/saiqueue.h \
	sai/include/sairoute.h \
	sai/include/sairouterinterface.h \
	sai/include/saischeduler.h \
	sai/include/saischedulergroup.h \
	sai/include/saistatus.h \
	sai/include/saiswitch.h \
	sai/include/saitypes.h \
	sai/include/saiversion.h \
	sai/include/saivirtualrouter.h \
	sai/include/saivlan.h \
	sai/include/saiwred.h

# The tables that the headers include.
saiattrdir = $(saiincludedir)/attr
saiattr_HEADERS = \
	sai/include/attr/bridge.def \
	sai/include/attr/bridge_port.def \
	sai/include/attr/buffer_pool.def \
	sai/include/attr/buffer_profile.def \
	sai/include/attr/fdb_entry.def \
	sai/include/attr/fdb_flush.def \
	sai/include/attr/hostif.def \
	sai/include/attr/hostif_packet.def \
	sai/include/attr/hostif_table_entry.def \
	sai/include/attr/hostif_trap.def \
	sai/include/attr/hostif_trap_group.def \
	sai/include/attr/hostif_user_defined_trap.def \
	sai/include/attr/ingress_priority_group.def \
	sai/include/attr/lag.def \
	sai/include/attr/lag_member.def \
	sai/include/attr/neighbor_entry.def \
	sai/include/attr/next_hop.def \
	sai/include/attr/next_hop_group.def \
	sai/include/attr/next_hop_group_map.def \
	sai/include/attr/next_hop_group_member.def \
	sai/include/attr/port.def \
	sai/include/attr/port_connector.def \
	sai/include/attr/port_llr_profile.def \
	sai/include/attr/port_pool.def \
	sai/include/attr/port_serdes.def \
	sai/include/attr/qos_map.def \
	sai/include/attr/queue.def \
	sai/include/attr/route_entry.def \
	sai/include/attr/router_interface.def \
	sai/include/attr/scheduler.def \
	sai/include/attr/scheduler_group.def \
	sai/include/attr/switch.def \
	sai/include/attr/switch_tunnel.def \
	sai/include/attr/virtual_router.def \
	sai/include/attr/vlan.def \
	sai/include/attr/vlan_member.def \
	sai/include/attr/wred.def
saienumdir = $(saiincludedir)/enum
saienum_HEADERS = \
	sai/include/enum/all.def \
	sai/include/enum/api.def \
	sai/include/enum/bridge.def \
	sai/include/enum/buffer.def \
	sai/include/enum/declare.def \
	sai/include/enum/fdb.def \
	sai/include/enum/hostif.def \
	sai/include/enum/nexthop.def \
	sai/include/enum/nexthopgroup.def \
	sai/include/enum/port.def \
	sai/include/enum/qosmap.def \
	sai/include/enum/queue.def \
	sai/include/enum/routerinterface.def \
	sai/include/enum/scheduler.def \
	sai/include/enum/switch.def \
	sai/include/enum/types.def \
	sai/include/enum/vlan.def \
	sai/include/enum/wred.def
saistatdir = $(saiincludedir)/stat
saistat_HEADERS = \
	sai/include/stat/bridge.def \
	sai/include/stat/bridge_port.def \
	sai/include/stat/buffer_pool.def \
	sai/include/stat/ingress_priority_group.def \
	sai/include/stat/port.def \
	sai/include/stat/port_pool.def \
	sai/include/stat/queue.def \
	sai/include/stat/router_interface.def \
	sai/include/stat/switch.def \
	sai/include/stat/vlan.def
