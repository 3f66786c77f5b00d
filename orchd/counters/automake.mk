# Which counters are read when, and what is made of them.  Pure.
noinst_LTLIBRARIES += libcounters.la
libcounters_la_SOURCES = \
	orchd/counters/group.c orchd/counters/group.h \
	orchd/counters/pause.c orchd/counters/pause.h \
	orchd/counters/poller.c orchd/counters/poller.h \
	orchd/counters/rates.c orchd/counters/rates.h \
	orchd/counters/watermarks.c orchd/counters/watermarks.h
libcounters_la_LIBADD = libsai-core.la libbase.la
EXTRA_DIST += docs/counters.md
