# The software switch as a SAI library.  Tests link the archive; a host loads
# the module.
noinst_LIBRARIES += libsoftasic.a
libsoftasic_a_SOURCES = \
	vendors/softasic/able.c vendors/softasic/able.h \
	vendors/softasic/asic.c vendors/softasic/asic.h \
	vendors/softasic/bulk.c vendors/softasic/bulk.h \
	vendors/softasic/computed.c vendors/softasic/computed.h \
	vendors/softasic/counters.c vendors/softasic/counters.h \
	vendors/softasic/deadlocks.c vendors/softasic/deadlocks.h \
	vendors/softasic/entries.c vendors/softasic/entries.h \
	vendors/softasic/entry.c vendors/softasic/entry.h \
	vendors/softasic/face.c vendors/softasic/face.h \
	vendors/softasic/face_entry.c vendors/softasic/face_entry.h \
	vendors/softasic/far.c vendors/softasic/far.h \
	vendors/softasic/forms.c vendors/softasic/forms.h \
	vendors/softasic/frames.c vendors/softasic/frames.h \
	vendors/softasic/hostif.c vendors/softasic/hostif.h \
	vendors/softasic/hosts.c vendors/softasic/hosts.h \
	vendors/softasic/inside.c \
	vendors/softasic/inspect.c vendors/softasic/inspect.h \
	vendors/softasic/l2.c vendors/softasic/l2.h \
	vendors/softasic/l3.c vendors/softasic/l3.h \
	vendors/softasic/lag.c vendors/softasic/lag.h \
	vendors/softasic/leave.c vendors/softasic/leave.h \
	vendors/softasic/library.c vendors/softasic/library.h \
	vendors/softasic/maps.c vendors/softasic/maps.h \
	vendors/softasic/notify.c vendors/softasic/notify.h \
	vendors/softasic/ops.c \
	vendors/softasic/ops_remote.c vendors/softasic/ops_remote.h \
	vendors/softasic/front_table.c vendors/softasic/front.h \
	vendors/softasic/panel.c vendors/softasic/panel.h \
	vendors/softasic/peers.c vendors/softasic/peers.h \
	vendors/softasic/port_buffers.c vendors/softasic/port_buffers.h \
	vendors/softasic/program.c vendors/softasic/program.h \
	vendors/softasic/qos.c vendors/softasic/qos.h \
	vendors/softasic/routes.c vendors/softasic/routes.h \
	vendors/softasic/scheduling.c vendors/softasic/scheduling.h \
	vendors/softasic/select.c vendors/softasic/select.h \
	vendors/softasic/served.c vendors/softasic/served.h \
	vendors/softasic/state.h \
	vendors/softasic/traffic.c vendors/softasic/traffic.h \
	vendors/softasic/trees.c vendors/softasic/trees.h \
	vendors/softasic/wire.c vendors/softasic/wire.h \
	vendors/softasic/wreds.c vendors/softasic/wreds.h
softasic_libs = libsai-outside.a libsoftasic.a $(remote_libs) $(chip_libs) $(store_libs)

# For whoever writes tests against the switch.
softasicincludedir = $(includedir)/orchd
softasicinclude_HEADERS = vendors/softasic/softasic.h

pkglib_LTLIBRARIES += libsai-softasic.la
libsai_softasic_la_SOURCES =
softasic_archives = libsai-outside.a libsoftasic.a libremote.a \
	libsai-remote-core.a libstore.a libchip.a libtwin.a libsai-core.a \
	libbase.a
libsai_softasic_la_LDFLAGS = -module -avoid-version -shared -pthread \
	-export-symbols $(srcdir)/vendors/softasic/softasic.sym \
	-Wl,--whole-archive $(softasic_archives:%=-Wl,%) -Wl,--no-whole-archive \
	$(FYAML_LIBS:%=-Wl,%) $(JANSSON_LIBS:%=-Wl,%)
libsai_softasic_la_DEPENDENCIES = \
	vendors/softasic/softasic.sym $(softasic_archives)
EXTRA_DIST += vendors/softasic/softasic.sym docs/forwarding.md docs/qos.md
