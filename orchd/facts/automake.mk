# Objects of the ASIC by name, and their counters.
noinst_LIBRARIES += libfacts.a
libfacts_a_SOURCES = orchd/facts/facts.c orchd/facts/facts.h
facts_libs = libfacts.a $(agent_libs)
libfacts_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
