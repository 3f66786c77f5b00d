# The PFC watchdog at work: reads counters through SAI, writes to a store.
noinst_LIBRARIES += libpfcwd.a
libpfcwd_a_SOURCES = \
	orchd/pfcwd/pfcwd.h \
	orchd/pfcwd/pfcwd_describe.c \
	orchd/pfcwd/pfcwd_guard.c \
	orchd/pfcwd/pfcwd_past.c \
	orchd/pfcwd/pfcwd_poll.c \
	orchd/pfcwd/pfcwd_state.h \
	orchd/pfcwd/pfcwd_tell.c \
	orchd/pfcwd/storm_guard.c orchd/pfcwd/storm_guard.h \
	orchd/pfcwd/storm_reader.c orchd/pfcwd/storm_reader.h \
	orchd/pfcwd/storm_rows.c orchd/pfcwd/storm_rows.h \
	orchd/pfcwd/storm_store.h
pfcwd_libs = libpfcwd.a $(agent_libs)

EXTRA_DIST += docs/watchdog.md
