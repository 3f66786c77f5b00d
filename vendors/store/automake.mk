# The attribute store: a backend for tests, and the bookkeeping of softasic.
noinst_LIBRARIES += libstore.a
libstore_a_SOURCES = \
	vendors/store/dump.c vendors/store/dump.h \
	vendors/store/family.c vendors/store/family.h \
	vendors/store/objects.c vendors/store/objects_answer.c \
	vendors/store/objects.h \
	vendors/store/store.c vendors/store/store.h
store_libs = libstore.a $(sai_core_libs)

# The same as a library to load: a vendor that is not softasic, for tests.
noinst_LTLIBRARIES += libsai-store.la
libsai_store_la_SOURCES = \
	vendors/store/entry.c \
	vendors/store/library.c vendors/store/library.h \
	vendors/store/tables.c vendors/store/tables.h
store_archives = libstore.a libsai-core.a libbase.a
libsai_store_la_LDFLAGS = -module -avoid-version -shared \
	-rpath $(abs_builddir) \
	-export-symbols $(srcdir)/vendors/store/store.sym \
	-Wl,--whole-archive $(store_archives:%=-Wl,%) -Wl,--no-whole-archive \
	$(JANSSON_LIBS:%=-Wl,%)
libsai_store_la_DEPENDENCIES = \
	vendors/store/store.sym $(store_archives)
EXTRA_DIST += vendors/store/store.sym docs/vendors.md
