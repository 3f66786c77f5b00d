# A switch in another process as a libsai.
noinst_LIBRARIES += libremote.a
libremote_a_SOURCES = \
	vendors/remote/connection.c vendors/remote/connection.h \
	vendors/remote/remote.c vendors/remote/remote.h \
	vendors/remote/testers_table.c \
	vendors/remote/verbs.c vendors/remote/verbs.h
remote_libs = libremote.a $(sai_remote_core_libs)

pkglib_LTLIBRARIES += libsai-remote.la
libsai_remote_la_SOURCES = vendors/remote/provider.c
remote_archives = libremote.a $(libsai_libs) libsai-remote-core.a \
	libsai-core.a libbase.a
libsai_remote_la_LDFLAGS = -module -avoid-version -shared $(HARDENING_LDFLAGS) -pthread \
	-export-symbols $(srcdir)/vendors/remote/remote.sym \
	-Wl,--whole-archive $(remote_archives:%=-Wl,%) -Wl,--no-whole-archive \
	$(JANSSON_LIBS:%=-Wl,%)
libsai_remote_la_DEPENDENCIES = \
	vendors/remote/remote.sym $(remote_archives)
EXTRA_DIST += vendors/remote/remote.sym

# The same without sai_get_object_key(), for tests: not every libsai can list
# its objects.
check_LTLIBRARIES += libsai-remote-unlisted.la
libsai_remote_unlisted_la_SOURCES = vendors/remote/provider.c
libsai_remote_unlisted_la_LDFLAGS = -module -avoid-version -shared \
	$(HARDENING_LDFLAGS) -pthread -rpath $(abs_builddir) \
	-export-symbols vendors/remote/unlisted.sym \
	-Wl,--whole-archive $(remote_archives:%=-Wl,%) -Wl,--no-whole-archive \
	$(JANSSON_LIBS:%=-Wl,%)
libsai_remote_unlisted_la_DEPENDENCIES = \
	vendors/remote/unlisted.sym $(remote_archives)
vendors/remote/unlisted.sym: $(srcdir)/vendors/remote/remote.sym
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	grep -v '^sai_get_object_key$$' $(srcdir)/vendors/remote/remote.sym >$@
CLEANFILES += vendors/remote/unlisted.sym
