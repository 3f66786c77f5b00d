# What the libraries made here have in common: exported functions and function
# tables.  A library contains these archives whole, because nothing in it refers
# to what it exports.  The archives and what they need bypass libtool, which
# would warn about archives.
noinst_LIBRARIES += libsai-exports.a libsai-tables.a
libsai_exports_a_SOURCES = \
	vendors/libsai/exports.c \
	vendors/libsai/libsai.h
libsai_tables_a_SOURCES = \
	vendors/libsai/stubs.c vendors/libsai/stubs.h \
	vendors/libsai/function_tables.c vendors/libsai/function_tables.h
libsai_libs = libsai-exports.a libsai-tables.a
