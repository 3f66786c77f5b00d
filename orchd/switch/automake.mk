# The switch behind SAI: how it is created, and how it is read by name.
noinst_LIBRARIES += libswitch-create.a libswitch-query.a
libswitch_create_a_SOURCES = \
	orchd/switch/switch_create.c orchd/switch/switch_create.h \
	orchd/switch/switch_voq.c orchd/switch/switch_voq.h \
	orchd/switch/switch_identity.c orchd/switch/switch_identity.h \
	orchd/switch/llr_capability.c orchd/switch/llr_capability.h \
	orchd/switch/trimming_capability.c orchd/switch/trimming_capability.h
switch_create_libs = libswitch-create.a $(agent_libs) $(chip_libs) \
	$(sai_loader_libs)
libswitch_query_a_SOURCES = \
	orchd/switch/switch_query.c orchd/switch/switch_query.h
switch_query_libs = libswitch-query.a $(agent_libs)
libswitch_query_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
