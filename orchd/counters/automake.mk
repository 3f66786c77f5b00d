# Which counters are read when, and what is made of them.  Pure.
noinst_LIBRARIES += libcounters.a
libcounters_a_SOURCES = \
	orchd/counters/counted.c orchd/counters/counted.h \
	orchd/counters/group.c orchd/counters/group.h \
	orchd/counters/narrow.c orchd/counters/narrow.h \
	orchd/counters/pause.c orchd/counters/pause.h \
	orchd/counters/poller.c orchd/counters/poller.h \
	orchd/counters/poller_state.c orchd/counters/poller_state.h \
	orchd/counters/rates.c orchd/counters/rates.h \
	orchd/counters/roster.c orchd/counters/roster.h \
	orchd/counters/slice.c orchd/counters/slice.h \
	orchd/counters/watermarks.c orchd/counters/watermarks.h
counters_libs = libcounters.a $(sai_core_libs)
EXTRA_DIST += docs/counters.md docs/observability.md
