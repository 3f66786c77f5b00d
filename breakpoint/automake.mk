# The language of breakpoint scenarios and its runner.
noinst_LIBRARIES += libbreakpoint.a
libbreakpoint_a_SOURCES = \
	breakpoint/probe_attempt.c breakpoint/probe_attempt.h \
	breakpoint/bench.h \
	breakpoint/step_expect.c \
	breakpoint/expression.c breakpoint/expression.h \
	breakpoint/scenario_files.c breakpoint/scenario_files.h \
	breakpoint/map_keys.c breakpoint/map_keys.h \
	breakpoint/step_expect_rx.c \
	breakpoint/loader.c breakpoint/loader.h \
	breakpoint/parser.c breakpoint/parser.h breakpoint/parser_input.h \
	breakpoint/probe.c breakpoint/probe.h breakpoint/probe_types.h \
	breakpoint/ranges.c breakpoint/ranges.h \
	breakpoint/config_rows.c breakpoint/config_rows.h \
	breakpoint/run_record.c breakpoint/run_record.h \
	breakpoint/runner.c breakpoint/runner.h \
	breakpoint/scenario.c breakpoint/scenario.h \
	breakpoint/send_cause.c breakpoint/send_cause.h \
	breakpoint/sets.c breakpoint/sets.h \
	breakpoint/steps.c breakpoint/steps.h \
	breakpoint/frame_log.c breakpoint/frame_log.h \
	breakpoint/thresholds.c breakpoint/thresholds.h \
	breakpoint/topology.c breakpoint/topology.h \
	breakpoint/trace.c breakpoint/trace.h \
	breakpoint/step_traffic.c \
	breakpoint/values.c breakpoint/values.h
breakpoint_libs = libbreakpoint.a $(breakpoint_target_libs) \
	$(yaml_document_libs)
libbreakpoint_a_CFLAGS = $(AM_CFLAGS) $(FYAML_CFLAGS)

# The switch as a scenario sees it, for those who provide one.
noinst_LIBRARIES += libbreakpoint-target.a
libbreakpoint_target_a_SOURCES = breakpoint/target.c breakpoint/target.h
breakpoint_target_libs = libbreakpoint-target.a $(base_libs)
