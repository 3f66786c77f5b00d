# CONFIG_DB as it was.
noinst_LTLIBRARIES += libhistory.la
libhistory_la_SOURCES = \
	orchd/history/history.c orchd/history/history.h \
	orchd/history/history_file.c orchd/history/history_file.h
libhistory_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libhistory_la_LIBADD = libbase.la $(JANSSON_LIBS)
