# The language of breakpoint scenarios and its runner.
noinst_LIBRARIES += libbreakpoint.a
libbreakpoint_a_SOURCES = \
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
breakpoint_libs = libbreakpoint.a $(breakpoint_target_libs) $(FYAML_LIBS)
libbreakpoint_a_CFLAGS = $(AM_CFLAGS) $(FYAML_CFLAGS)

# The switch as a scenario sees it, for those who provide one.
noinst_LIBRARIES += libbreakpoint-target.a
libbreakpoint_target_a_SOURCES = breakpoint/target.c breakpoint/target.h
breakpoint_target_libs = libbreakpoint-target.a $(base_libs)
