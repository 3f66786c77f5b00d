# A libsai in a process of its own; the same for the software switch.
noinst_LIBRARIES += libsaihost.a
libsaihost_a_SOURCES = \
	saihostd/audit.c saihostd/audit.h \
	saihostd/clients.c saihostd/clients.h \
	saihostd/config_words.c saihostd/config_words.h \
	saihostd/library.c saihostd/library.h \
	saihostd/option_table.c saihostd/option_table.h \
	saihostd/roles.c saihostd/roles.h \
	vendors/softasic/remote/forms.c vendors/softasic/remote/forms.h \
	vendors/softasic/remote/marshal.c vendors/softasic/remote/marshal.h \
	vendors/softasic/remote/ops.def \
	vendors/softasic/remote/ops_host.c vendors/softasic/remote/ops_host.h
saihost_libs = libsaihost.a $(sai_remote_core_libs) $(sai_loader_libs) \
	$(process_libs)
libsaihost_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)

sbin_PROGRAMS += saihostd/saihostd saihostd/softasicd
saihostd_saihostd_SOURCES = saihostd/main.c \
	saihostd/options.c saihostd/options.h \
	saihostd/interface_helper_none.c saihostd/ports_none.c
saihostd_saihostd_LDADD = $(saihost_libs) $(confinement_libs) $(version_libs)
saihostd_saihostd_LDFLAGS = $(AM_LDFLAGS) -pthread
saihostd_softasicd_SOURCES = saihostd/main.c \
	saihostd/clock.c saihostd/clock.h \
	saihostd/hostifs.c saihostd/hostifs.h \
	saihostd/interface_helper.c saihostd/interface_helper.h \
	saihostd/names.c saihostd/names.h \
	saihostd/options.c saihostd/options.h \
	saihostd/ports.c saihostd/ports.h \
	saihostd/ports_options.c saihostd/ports_options.h \
	saihostd/ports_trial.c saihostd/ports_trial.h \
	saihostd/sonic_files.c saihostd/sonic_files.h
saihostd_softasicd_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS)
saihostd_softasicd_CPPFLAGS = $(AM_CPPFLAGS) -DSOFTASICD
saihostd_softasicd_LDADD = $(saihost_libs) $(netdev_libs) \
	$(confinement_libs) $(version_libs)
saihostd_softasicd_LDFLAGS = $(AM_LDFLAGS) -pthread
