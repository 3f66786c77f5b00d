# The attribute store: a backend for tests.
noinst_LIBRARIES += libstore.a
libstore_a_SOURCES = \
	vendors/store/store.c vendors/store/store.h
store_libs = libstore.a $(objects_libs)

# The same as a library to load: a vendor that is not softasic, for tests.
noinst_LTLIBRARIES += libsai-store.la
libsai_store_la_SOURCES = \
	vendors/store/exports.c \
	vendors/store/library.c vendors/store/library.h \
	vendors/store/function_tables.c vendors/store/function_tables.h
store_archives = libstore.a libsai-tables.a libobjects.a libsai-core.a libbase.a
libsai_store_la_LDFLAGS = -module -avoid-version -shared $(HARDENING_LDFLAGS) \
	-rpath $(abs_builddir) \
	-export-symbols $(srcdir)/vendors/store/store.sym \
	-Wl,--whole-archive $(store_archives:%=-Wl,%) -Wl,--no-whole-archive \
	$(JANSSON_LIBS:%=-Wl,%)
libsai_store_la_DEPENDENCIES = \
	vendors/store/store.sym $(store_archives)
EXTRA_DIST += vendors/store/store.sym
