# The software switch as a SAI library.  Tests link the archive; a host loads
# the module.
noinst_LIBRARIES += libsoftasic.a
libsoftasic_a_SOURCES = \
	vendors/softasic/sai/capabilities.c vendors/softasic/sai/capabilities.h \
	vendors/softasic/sai/asic.c vendors/softasic/sai/asic.h \
	vendors/softasic/sai/asic_backend.c \
	vendors/softasic/sai/asic_backend.h \
	vendors/softasic/sai/asic_share.c vendors/softasic/sai/asic_share.h \
	vendors/softasic/sai/bulk.c vendors/softasic/sai/bulk.h \
	vendors/softasic/sai/computed.c vendors/softasic/sai/computed.h \
	vendors/softasic/program/counters.c vendors/softasic/program/counters.h \
	vendors/softasic/program/deadlocks.c vendors/softasic/program/deadlocks.h \
	vendors/softasic/program/fdb_entries.c \
	vendors/softasic/program/fdb_entries.h \
	vendors/softasic/sai/in_process.c vendors/softasic/sai/in_process.h \
	vendors/softasic/sai/local_verbs.c vendors/softasic/sai/local_verbs.h \
	vendors/softasic/traffic/peer_switch.c \
	vendors/softasic/traffic/peer_switch.h \
	vendors/softasic/remote/forms.c vendors/softasic/remote/forms.h \
	vendors/softasic/traffic/frames.c vendors/softasic/traffic/frames.h \
	vendors/softasic/traffic/hostif.c vendors/softasic/traffic/hostif.h \
	vendors/softasic/traffic/hostif_frames.c \
	vendors/softasic/traffic/hostif_frames.h \
	vendors/softasic/sai/provider.c \
	vendors/softasic/traffic/inspect.c vendors/softasic/traffic/inspect.h \
	vendors/softasic/program/l2.c vendors/softasic/program/l2.h \
	vendors/softasic/program/addresses.c \
	vendors/softasic/program/addresses.h \
	vendors/softasic/program/l3.c vendors/softasic/program/l3.h \
	vendors/softasic/program/hashes.c vendors/softasic/program/hashes.h \
	vendors/softasic/program/lag.c vendors/softasic/program/lag.h \
	vendors/softasic/program/my_macs.c vendors/softasic/program/my_macs.h \
	vendors/softasic/program/queue_profiles.c \
	vendors/softasic/program/queue_profiles.h \
	vendors/softasic/program/system_port_lookup.c \
	vendors/softasic/program/system_port_lookup.h \
	vendors/softasic/program/system_ports.c \
	vendors/softasic/program/system_ports.h \
	vendors/softasic/program/tunnels.c vendors/softasic/program/tunnels.h \
	vendors/softasic/sai/warm_restart.c vendors/softasic/sai/warm_restart.h \
	vendors/softasic/sai/library.c vendors/softasic/sai/library.h \
	vendors/softasic/program/qos_maps.c vendors/softasic/program/qos_maps.h \
	vendors/softasic/program/notify.c vendors/softasic/program/notify.h \
	vendors/softasic/remote/marshal.c vendors/softasic/remote/marshal.h \
	vendors/softasic/remote/ops.c vendors/softasic/remote/ops.def \
	vendors/softasic/remote/ops_remote.c vendors/softasic/remote/ops_remote.h \
	vendors/softasic/sai/front_table.c vendors/softasic/front_panel.h \
	vendors/softasic/sai/gaps.c vendors/softasic/sai/gaps.h \
	vendors/softasic/traffic/panel.c vendors/softasic/traffic/panel.h \
	vendors/softasic/traffic/peers.c vendors/softasic/traffic/peers.h \
	vendors/softasic/program/access_entries.c \
	vendors/softasic/program/access_entries.h \
	vendors/softasic/program/access_fields.c \
	vendors/softasic/program/access_fields.h \
	vendors/softasic/program/access_lists.c \
	vendors/softasic/program/access_lists.h \
	vendors/softasic/program/policers.c \
	vendors/softasic/program/policers.h \
	vendors/softasic/program/port_buffers.c \
	vendors/softasic/program/port_buffers.h \
	vendors/softasic/program/credit_counters.c \
	vendors/softasic/program/credit_counters.h \
	vendors/softasic/program/credits.c \
	vendors/softasic/program/credits.h \
	vendors/softasic/sai/program.c vendors/softasic/sai/program.h \
	vendors/softasic/program/qos.c vendors/softasic/program/qos.h \
	vendors/softasic/program/routes.c vendors/softasic/program/routes.h \
	vendors/softasic/program/scheduling.c vendors/softasic/program/scheduling.h \
	vendors/softasic/sai/chip_select.c vendors/softasic/sai/chip_select.h \
	vendors/softasic/program/supported_attributes.c \
	vendors/softasic/program/supported_attributes.h \
	vendors/softasic/state.h \
	vendors/softasic/traffic/traffic.c vendors/softasic/traffic/traffic.h \
	vendors/softasic/traffic/watch.c vendors/softasic/traffic/watch.h \
	vendors/softasic/program/scheduler_trees.c \
	vendors/softasic/program/scheduler_trees.h \
	vendors/softasic/program/port_limits.c \
	vendors/softasic/program/port_limits.h \
	vendors/softasic/program/port_slots.c \
	vendors/softasic/program/port_slots.h \
	vendors/softasic/program/port_lookup.c \
	vendors/softasic/program/port_lookup.h \
	vendors/softasic/program/stored.c vendors/softasic/program/stored.h \
	vendors/softasic/program/trimming.c \
	vendors/softasic/program/trimming.h \
	vendors/softasic/program/wred_profiles.c \
	vendors/softasic/program/wred_profiles.h
softasic_libs = libsai-exports.a libsoftasic.a libsai-tables.a \
	$(remote_libs) $(chip_libs) $(objects_libs)

# For tests of other projects that use the switch.
softasicincludedir = $(includedir)/orchd
softasicinclude_HEADERS = vendors/softasic/cbfc.h \
	vendors/softasic/softasic.h \
	vendors/softasic/watch.h

pkglib_LTLIBRARIES += libsai-softasic.la
libsai_softasic_la_SOURCES =
softasic_archives = $(libsai_libs) libsoftasic.a libremote.a \
	libsai-remote-core.a libobjects.a libchip.a libtwin.a libsai-core.a \
	libbase.a
# libtool passes -fno-lto on only in this form.
libsai_softasic_la_LDFLAGS = -module -avoid-version -shared $(HARDENING_LDFLAGS) -pthread \
	$(NO_LTO_LDFLAGS:%=-Wc,%) \
	-export-symbols $(srcdir)/vendors/softasic/softasic.sym \
	-Wl,--whole-archive $(softasic_archives:%=-Wl,%) -Wl,--no-whole-archive \
	$(FYAML_LIBS:%=-Wl,%) $(JANSSON_LIBS:%=-Wl,%)
libsai_softasic_la_DEPENDENCIES = \
	vendors/softasic/softasic.sym $(softasic_archives)
EXTRA_DIST += vendors/softasic/softasic.sym
