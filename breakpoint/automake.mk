# The language of breakpoint scenarios and its runner.
noinst_LTLIBRARIES += libbreakpoint.la
libbreakpoint_la_SOURCES = \
	breakpoint/attempt.c breakpoint/attempt.h \
	breakpoint/bench.h \
	breakpoint/claims.c \
	breakpoint/document.c breakpoint/document.h \
	breakpoint/expression.c breakpoint/expression.h \
	breakpoint/files.c breakpoint/files.h \
	breakpoint/form.c breakpoint/form.h \
	breakpoint/frames.c \
	breakpoint/loader.c breakpoint/loader.h \
	breakpoint/parser.c breakpoint/parser.h \
	breakpoint/probe.c breakpoint/probe.h breakpoint/probe_terms.h \
	breakpoint/ranges.c breakpoint/ranges.h \
	breakpoint/rows.c breakpoint/rows.h \
	breakpoint/runner.c breakpoint/runner.h \
	breakpoint/scenario.c breakpoint/scenario.h \
	breakpoint/steps.c breakpoint/steps.h \
	breakpoint/tally.c breakpoint/tally.h \
	breakpoint/theory.c breakpoint/theory.h \
	breakpoint/topology.c breakpoint/topology.h \
	breakpoint/traffic.c \
	breakpoint/values.c breakpoint/values.h
libbreakpoint_la_CFLAGS = $(AM_CFLAGS) $(FYAML_CFLAGS)
libbreakpoint_la_LIBADD = libbreakpoint-target.la libbase.la $(FYAML_LIBS)

# The switch as a scenario sees it, for those who provide one.
noinst_LTLIBRARIES += libbreakpoint-target.la
libbreakpoint_target_la_SOURCES = breakpoint/target.c breakpoint/target.h
libbreakpoint_target_la_LIBADD = libbase.la
