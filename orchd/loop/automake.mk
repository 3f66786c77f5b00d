# The event loop and the log: the only readers of a clock.
EXTRA_DIST += docs/log.md
noinst_LTLIBRARIES += libloop.la
libloop_la_SOURCES = \
	orchd/loop/log.c orchd/loop/log.h \
	orchd/loop/loop.c orchd/loop/loop.h \
	orchd/loop/socket.c orchd/loop/socket.h \
	orchd/loop/wallclock.c orchd/loop/wallclock.h
libloop_la_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
libloop_la_LIBADD = libbase.la $(EVENT_LIBS)
