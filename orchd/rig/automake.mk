# The verbs of breakpoint scenarios on a switch that is at hand.
noinst_LIBRARIES += libswitch-rig.a
libswitch_rig_a_SOURCES = \
	orchd/rig/blocks.c orchd/rig/blocks.h \
	orchd/rig/changes.c orchd/rig/changes.h \
	orchd/rig/flows.c orchd/rig/flows.h \
	orchd/rig/rig.c orchd/rig/rig.h \
	orchd/rig/baseline.c orchd/rig/baseline.h
switch_rig_libs = libswitch-rig.a $(facts_libs) $(breakpoint_target_libs)
libswitch_rig_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
