# The outside of the libraries that are made here: exported functions and
# function tables.
noinst_LTLIBRARIES += libsai-outside.la
libsai_outside_la_SOURCES = \
	vendors/libsai/exports.c \
	vendors/libsai/libsai.h \
	vendors/libsai/stubs.c vendors/libsai/stubs.h \
	vendors/libsai/tables.c vendors/libsai/tables.h
