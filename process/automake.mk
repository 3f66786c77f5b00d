# What every process needs: event loop (which alone reads a clock), log, sockets,
# the end of standard output, and which process it is.
noinst_LIBRARIES += libprocess.a
libprocess_a_SOURCES = \
	process/acceptor.c process/acceptor.h \
	process/descriptors.c process/descriptors.h \
	process/event_log.c process/event_log.h \
	process/log.c process/log.h \
	process/loop.c process/loop.h \
	process/output.c process/output.h \
	process/own_directory.c process/own_directory.h \
	process/peer.c process/peer.h \
	process/process_id.c process/process_id.h \
	process/socket.c process/socket.h \
	process/wallclock.c process/wallclock.h
process_libs = libprocess.a $(base_libs) $(EVENT_LIBS)
libprocess_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
