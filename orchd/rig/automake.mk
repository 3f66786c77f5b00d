# The verbs of breakpoint scenarios on a switch that is at hand.
noinst_LTLIBRARIES += libswitch-rig.la
libswitch_rig_la_SOURCES = \
	orchd/rig/blocks.c orchd/rig/blocks.h \
	orchd/rig/changes.c orchd/rig/changes.h \
	orchd/rig/flows.c orchd/rig/flows.h \
	orchd/rig/rig.c orchd/rig/rig.h \
	orchd/rig/baseline.c orchd/rig/baseline.h
libswitch_rig_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libswitch_rig_la_LIBADD = libbreakpoint-target.la libfacts.la libagent.la \
	libsai-wrap.la libbase.la $(JANSSON_LIBS)
