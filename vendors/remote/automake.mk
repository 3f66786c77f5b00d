# A switch in another process as a libsai.
noinst_LTLIBRARIES += libremote.la
libremote_la_SOURCES = \
	vendors/remote/connection.c vendors/remote/connection.h \
	vendors/remote/remote.c vendors/remote/remote.h \
	vendors/remote/verbs.c vendors/remote/verbs.h

pkglib_LTLIBRARIES += libsai-remote.la
libsai_remote_la_SOURCES = vendors/remote/inside.c
libsai_remote_la_LIBADD = libremote.la libsai-outside.la \
	libsai-remote-core.la libsai-core.la libbase.la
libsai_remote_la_LDFLAGS = -module -avoid-version -shared -pthread \
	-export-symbols $(srcdir)/vendors/remote/remote.sym
libsai_remote_la_DEPENDENCIES = \
	vendors/remote/remote.sym $(libsai_remote_la_LIBADD)
EXTRA_DIST += vendors/remote/remote.sym docs/remote.md
