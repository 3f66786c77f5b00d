# A libsai in a process of its own; the software switch in one.
EXTRA_DIST += docs/softasicd.md
noinst_LTLIBRARIES += libsaihost.la
libsaihost_la_SOURCES = \
	saihostd/clients.c saihostd/clients.h \
	saihostd/library.c saihostd/library.h \
	vendors/softasic/forms.c vendors/softasic/forms.h \
	vendors/softasic/ops_host.c vendors/softasic/ops_host.h
libsaihost_la_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
libsaihost_la_LIBADD = libsai-remote-core.la libsai-loader.la libloop.la \
	libbase.la

sbin_PROGRAMS += saihostd/saihostd saihostd/softasicd
saihostd_saihostd_SOURCES = saihostd/main.c saihostd/ports_none.c
saihostd_saihostd_LDADD = libsaihost.la
saihostd_saihostd_LDFLAGS = -pthread
saihostd_softasicd_SOURCES = saihostd/main.c \
	saihostd/clock.c saihostd/clock.h \
	saihostd/names.c saihostd/names.h \
	saihostd/ports.c saihostd/ports.h \
	saihostd/ports_options.c saihostd/ports_options.h
saihostd_softasicd_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS)
saihostd_softasicd_CPPFLAGS = $(AM_CPPFLAGS) -DSOFTASICD
saihostd_softasicd_LDADD = libsaihost.la libnetdev.la $(JANSSON_LIBS)
saihostd_softasicd_LDFLAGS = -pthread
