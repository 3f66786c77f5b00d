# The history of CONFIG_DB.
noinst_LIBRARIES += libhistory.a
libhistory_a_SOURCES = \
	orchd/history/burst.c orchd/history/burst.h \
	orchd/history/history.c orchd/history/history.h \
	orchd/history/history_query.c orchd/history/history_query.h \
	orchd/history/history_read.c orchd/history/history_state.h \
	orchd/history/history_file.c orchd/history/history_file.h
history_libs = libhistory.a $(base_libs) $(JANSSON_LIBS)
libhistory_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
