# The SAI objects of a switch, kept for softasic and the attribute store.
noinst_LIBRARIES += libobjects.a
libobjects_a_SOURCES = \
	vendors/objects/dump.c vendors/objects/dump.h \
	vendors/objects/objects_store.c vendors/objects/objects.h \
	vendors/objects/objects_bytes.c vendors/objects/objects_pool.c \
	vendors/objects/objects_query.c \
	vendors/objects/objects_share.c vendors/objects/objects_state.h \
	vendors/objects/port_family.c vendors/objects/port_family.h
objects_libs = libobjects.a $(sai_core_libs)
