# The metadata of SAI, and modules that need nothing else.
noinst_LIBRARIES += libsai-core.a
libsai_core_a_SOURCES = \
	sai/core/backend.c sai/core/backend.h \
	sai/core/capability.c sai/core/capability.h \
	sai/core/bridge_members.c sai/core/bridge_members.h \
	sai/core/bulk_get.c sai/core/bulk_get.h \
	sai/core/compound_text.c sai/core/compound_text.h \
	sai/core/attr_value.c sai/core/attr_value.h \
	sai/core/entry.c sai/core/entry.h \
	sai/core/ip.c sai/core/ip.h \
	sai/core/kind.c sai/core/kind.h \
	sai/core/qos_map_entry.c sai/core/qos_map_entry.h \
	sai/core/metadata.c sai/core/metadata.h \
	sai/core/op.c sai/core/op.h \
	sai/core/struct_json.c sai/core/struct_json.h \
	sai/core/serialize.c sai/core/serialize.h \
	sai/core/status.c sai/core/status.h \
	sai/core/metadata_tables.c sai/core/metadata_tables.h \
	sai/core/validate.c sai/core/validate.h
sai_core_libs = libsai-core.a $(base_libs) $(JANSSON_LIBS)
libsai_core_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)

# Backends that wrap a backend, traces and replays.
noinst_LIBRARIES += libsai-stack.a
libsai_stack_a_SOURCES = \
	sai/stack/adoption.c sai/stack/adoption.h \
	sai/stack/chain.c sai/stack/chain.h \
	sai/stack/discovery.c sai/stack/discovery.h \
	sai/stack/fault_rules.c sai/stack/fault_rules.h \
	sai/stack/faults.c sai/stack/faults.h \
	sai/stack/guard.c sai/stack/guard.h \
	sai/stack/record_snapshot.c sai/stack/record_snapshot.h \
	sai/stack/journal.c sai/stack/journal.h \
	sai/stack/call_check.c sai/stack/call_check.h \
	sai/stack/meter.c sai/stack/meter.h \
	sai/stack/notifications.c sai/stack/notifications.h \
	sai/stack/recorder.c sai/stack/recorder.h \
	sai/replay/recording.c sai/replay/recording.h \
	sai/stack/registry.c sai/stack/registry.h \
	sai/replay/replay_snapshot.c sai/replay/replay_snapshot.h \
	sai/replay/replay.c sai/replay/replay.h \
	sai/replay/replay_map.c sai/replay/replay_map.h \
	sai/stack/set_changed.c sai/stack/set_changed.h \
	sai/trace/trace.c sai/trace/trace.h \
	sai/trace/trace_parse.c sai/trace/trace_parse.h
sai_stack_libs = libsai-stack.a $(sai_core_libs)
libsai_stack_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)

# A vendor library as a backend.
noinst_LIBRARIES += libsai-loader.a
libsai_loader_a_SOURCES = \
	sai/loader/loader.c sai/loader/loader.h \
	sai/loader/function_table.c sai/loader/function_table.h \
	sai/loader/vendor.c sai/loader/vendor.h \
	sai/loader/vendor_library.c sai/loader/vendor_library.h \
	sai/loader/vendor_bulk.c sai/loader/vendor_bulk.h \
	sai/loader/vendor_stats.c sai/loader/vendor_stats.h
sai_loader_libs = libsai-loader.a $(sai_core_libs)

# Our own SAI headers, which are installed for clients and vendors.
saiincludedir = $(includedir)/orchd/sai
saiinclude_HEADERS = \
	sai/include/all.def \
	sai/include/sai.h \
	sai/include/saiacl.h \
	sai/include/saibridge.h \
	sai/include/saibuffer.h \
	sai/include/saidebugcounter.h \
	sai/include/saifdb.h \
	sai/include/saihash.h \
	sai/include/saihostif.h \
	sai/include/sailag.h \
	sai/include/saimirror.h \
	sai/include/saimymac.h \
	sai/include/saineighbor.h \
	sai/include/sainexthop.h \
	sai/include/sainexthopgroup.h \
	sai/include/saiobject.h \
	sai/include/saipolicer.h \
	sai/include/saiport.h \
	sai/include/saiqosmap.h \
	sai/include/saiqueue.h \
	sai/include/sairoute.h \
	sai/include/sairouterinterface.h \
	sai/include/saisamplepacket.h \
	sai/include/saischeduler.h \
	sai/include/saischedulergroup.h \
	sai/include/saistatus.h \
	sai/include/saiswitch.h \
	sai/include/saisystemport.h \
	sai/include/saitunnel.h \
	sai/include/saitypes.h \
	sai/include/saiversion.h \
	sai/include/saivirtualrouter.h \
	sai/include/saivlan.h \
	sai/include/saiwred.h

# The tables that the headers include.
saiobjectdir = $(saiincludedir)/object
saiobject_HEADERS = \
	sai/include/object/acl_counter.def \
	sai/include/object/acl_entry.def \
	sai/include/object/acl_range.def \
	sai/include/object/acl_table.def \
	sai/include/object/acl_table_chain_group.def \
	sai/include/object/acl_table_group.def \
	sai/include/object/acl_table_group_member.def \
	sai/include/object/bridge.def \
	sai/include/object/bridge_port.def \
	sai/include/object/buffer_pool.def \
	sai/include/object/buffer_profile.def \
	sai/include/object/debug_counter.def \
	sai/include/object/declare.def \
	sai/include/object/fdb_entry.def \
	sai/include/object/fdb_flush.def \
	sai/include/object/hash.def \
	sai/include/object/hostif.def \
	sai/include/object/hostif_packet.def \
	sai/include/object/hostif_table_entry.def \
	sai/include/object/hostif_trap.def \
	sai/include/object/hostif_trap_group.def \
	sai/include/object/hostif_user_defined_trap.def \
	sai/include/object/ingress_priority_group.def \
	sai/include/object/lag.def \
	sai/include/object/lag_member.def \
	sai/include/object/mirror_session.def \
	sai/include/object/my_mac.def \
	sai/include/object/neighbor_entry.def \
	sai/include/object/next_hop.def \
	sai/include/object/next_hop_group.def \
	sai/include/object/next_hop_group_map.def \
	sai/include/object/next_hop_group_member.def \
	sai/include/object/policer.def \
	sai/include/object/port.def \
	sai/include/object/port_connector.def \
	sai/include/object/port_llr_profile.def \
	sai/include/object/port_pool.def \
	sai/include/object/port_serdes.def \
	sai/include/object/qos_map.def \
	sai/include/object/queue.def \
	sai/include/object/route_entry.def \
	sai/include/object/router_interface.def \
	sai/include/object/samplepacket.def \
	sai/include/object/scheduler.def \
	sai/include/object/scheduler_group.def \
	sai/include/object/switch.def \
	sai/include/object/switch_tunnel.def \
	sai/include/object/system_port.def \
	sai/include/object/tunnel.def \
	sai/include/object/tunnel_map.def \
	sai/include/object/tunnel_map_entry.def \
	sai/include/object/tunnel_term_table_entry.def \
	sai/include/object/virtual_router.def \
	sai/include/object/vlan.def \
	sai/include/object/vlan_member.def \
	sai/include/object/wred.def
saienumdir = $(saiincludedir)/enum
saienum_HEADERS = \
	sai/include/enum/acl.def \
	sai/include/enum/api.def \
	sai/include/enum/bridge.def \
	sai/include/enum/buffer.def \
	sai/include/enum/debugcounter.def \
	sai/include/enum/declare.def \
	sai/include/enum/fdb.def \
	sai/include/enum/hash.def \
	sai/include/enum/hostif.def \
	sai/include/enum/mirror.def \
	sai/include/enum/nexthop.def \
	sai/include/enum/nexthopgroup.def \
	sai/include/enum/policer.def \
	sai/include/enum/port.def \
	sai/include/enum/qosmap.def \
	sai/include/enum/queue.def \
	sai/include/enum/routerinterface.def \
	sai/include/enum/samplepacket.def \
	sai/include/enum/scheduler.def \
	sai/include/enum/switch.def \
	sai/include/enum/systemport.def \
	sai/include/enum/tunnel.def \
	sai/include/enum/types.def \
	sai/include/enum/vlan.def \
	sai/include/enum/wred.def

# A page about each object type, made from the metadata.  README.md is written
# last, so it stands for all pages.
noinst_PROGRAMS += sai/core/print_pages
sai_core_print_pages_LDADD = $(sai_core_libs)
if RUNS_PROGRAMS
noinst_DATA += docs/sai/README.md
docs/sai/README.md: sai/core/print_pages$(EXEEXT)
	$(AM_V_GEN)rm -rf docs/sai && $(MKDIR_P) docs/sai && \
	$(TARGET_RUN) sai/core/print_pages$(EXEEXT) $(srcdir)/sai/include docs/sai
install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(docdir)/sai"
	$(INSTALL_DATA) docs/sai/*.md "$(DESTDIR)$(docdir)/sai"
uninstall-local:
	rm -rf "$(DESTDIR)$(docdir)/sai"
endif
clean-local:
	rm -rf docs/sai
