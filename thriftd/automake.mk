# The Thrift interface of suites for QoS on hardware.
noinst_LIBRARIES += librpc.a
librpc_a_SOURCES = \
	thriftd/rpc.c thriftd/rpc.h \
	thriftd/rpc_switch.c thriftd/rpc_switch.h \
	thriftd/rpc_values.c thriftd/rpc_values.h \
	thriftd/tbinary.c thriftd/tbinary.h
rpc_libs = librpc.a $(sai_remote_core_libs) $(process_libs)

sbin_PROGRAMS += thriftd/softasic-thriftd
thriftd_softasic_thriftd_SOURCES = thriftd/main.c \
	saihostd/config_words.c saihostd/names.c saihostd/option_table.c \
	saihostd/sonic_files.c \
	thriftd/listen.c thriftd/listen.h \
	thriftd/options.c thriftd/options.h \
	thriftd/server.c thriftd/server.h
thriftd_softasic_thriftd_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS)
thriftd_softasic_thriftd_LDADD = $(rpc_libs) $(confinement_libs) \
	$(version_libs)
thriftd_softasic_thriftd_LDFLAGS = $(AM_LDFLAGS) -pthread

# What clients are made of: thriftd/make-client puts it together.
thriftdir = $(pkgdatadir)/thriftd
dist_thrift_DATA = thriftd/switch_sai.thrift
dist_thrift_SCRIPTS = thriftd/make-client
EXTRA_DIST += scripts/sai_headers.py
if HAVE_MANUAL
thrift_DATA = thriftd/sai_headers.py
CLEANFILES += thriftd/sai_headers.py

thriftd/sai_headers.py: scripts/sai_headers.py $(saiinclude_HEADERS) Makefile
	@$(MKDIR_P) thriftd
	$(AM_V_GEN)$(PYTHON3) $(srcdir)/scripts/sai_headers.py \
		$(srcdir)/sai/include $(CC) >$@.new && mv $@.new $@
endif
