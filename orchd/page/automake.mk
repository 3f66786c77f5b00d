# The live page: files, verbs by HTTP, and events.
noinst_LIBRARIES += libpage.a
libpage_a_SOURCES = \
	orchd/page/delta.c orchd/page/delta.h \
	orchd/page/gzip.c orchd/page/gzip.h \
	orchd/page/page.c orchd/page/page.h \
	orchd/page/page_api.c orchd/page/page_api.h \
	orchd/page/page_events.c orchd/page/page_events.h \
	orchd/page/page_files.c orchd/page/page_files.h \
	orchd/page/topics.c orchd/page/topics.h \
	orchd/page/verb_path.c orchd/page/verb_path.h
page_libs = libpage.a $(control_libs) $(http_libs) $(ZLIB_LIBS)
libpage_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(ZLIB_CFLAGS)
