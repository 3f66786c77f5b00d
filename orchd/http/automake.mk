# HTTP: the head of a request, addresses, and a server with a table of pages.
noinst_LIBRARIES += libhttp.a
libhttp_a_SOURCES = \
	orchd/http/http_address.c orchd/http/http_address.h \
	orchd/http/http_exchange.h \
	orchd/http/http_listen.c orchd/http/http_listen.h \
	orchd/http/http_query.c orchd/http/http_query.h \
	orchd/http/http_request.c orchd/http/http_request.h \
	orchd/http/http_response.c orchd/http/http_response.h \
	orchd/http/http_server.c orchd/http/http_server.h
http_libs = libhttp.a $(process_libs)
libhttp_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
