# The event loop and the log: the only readers of a clock.
EXTRA_DIST += docs/log.md
noinst_LIBRARIES += libloop.a
libloop_a_SOURCES = \
	orchd/loop/log.c orchd/loop/log.h \
	orchd/loop/loop.c orchd/loop/loop.h \
	orchd/loop/socket.c orchd/loop/socket.h \
	orchd/loop/wallclock.c orchd/loop/wallclock.h
loop_libs = libloop.a $(base_libs) $(EVENT_LIBS)
libloop_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
