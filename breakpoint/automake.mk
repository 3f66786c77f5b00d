# The language of breakpoint scenarios and its runner.
noinst_LTLIBRARIES += libbreakpoint.la
libbreakpoint_la_SOURCES = \
	breakpoint/claims.c \
	breakpoint/document.c breakpoint/document.h \
	breakpoint/expression.c breakpoint/expression.h \
	breakpoint/loader.c breakpoint/loader.h \
	breakpoint/parser.c breakpoint/parser.h \
	breakpoint/runner.c breakpoint/runner.h \
	breakpoint/scenario.c breakpoint/scenario.h \
	breakpoint/target.c breakpoint/target.h
libbreakpoint_la_CFLAGS = $(AM_CFLAGS) $(FYAML_CFLAGS)
libbreakpoint_la_LIBADD = libbase.la $(FYAML_LIBS)
