# Objects of the ASIC by name, and their counters.
noinst_LTLIBRARIES += libfacts.la
libfacts_la_SOURCES = orchd/facts/facts.c orchd/facts/facts.h
libfacts_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libfacts_la_LIBADD = libbase.la $(JANSSON_LIBS)
