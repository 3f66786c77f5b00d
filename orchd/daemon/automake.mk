# The daemon.  What its main.c wires together is in a library, for tests.
noinst_LTLIBRARIES += libdaemon.la
libdaemon_la_SOURCES = \
	orchd/daemon/asic.c orchd/daemon/asic.h \
	orchd/daemon/feed.c orchd/daemon/feed.h \
	orchd/daemon/options.c orchd/daemon/options.h \
	orchd/daemon/settings.c orchd/daemon/settings.h
libdaemon_la_LIBADD = libcontrol.la libdocument.la libpublish.la libdb.la liblocal.la libagent.la \
	libsai-wrap.la libsai-loader.la libloop.la libbase.la

sbin_PROGRAMS += orchd/orchd
orchd_orchd_SOURCES = orchd/daemon/main.c
orchd_orchd_LDADD = libdaemon.la
