# The rows of CONFIG_DB in memory, judged by the YANG modules.
noinst_LTLIBRARIES += libintent.la
libintent_la_SOURCES = \
	orchd/intent/intent.h \
	orchd/intent/key.c orchd/intent/key.h \
	orchd/intent/schema.h \
	orchd/intent/table.c orchd/intent/table.h
libintent_la_CFLAGS = $(AM_CFLAGS) $(YANG_CFLAGS)
libintent_la_LIBADD = libbase.la $(YANG_LIBS)
