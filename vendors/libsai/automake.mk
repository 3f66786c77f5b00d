# The outside of the libraries that are made here: exported functions and
# function tables.  Such a library contains archives whole, for nothing in it
# asks for what it exports; they and what they need go past libtool, which would
# warn of archives.
noinst_LIBRARIES += libsai-outside.a
libsai_outside_a_SOURCES = \
	vendors/libsai/exports.c \
	vendors/libsai/libsai.h \
	vendors/libsai/stubs.c vendors/libsai/stubs.h \
	vendors/libsai/function_tables.c vendors/libsai/function_tables.h
