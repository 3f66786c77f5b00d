# What runs without a daemon: the pipeline with a switch of its own, for dry runs
# and tests, and breakpoint scenarios on it.
noinst_LIBRARIES += libpipeline.a liboffline.a
libpipeline_a_SOURCES = \
	offline/pipeline.c offline/pipeline.h
pipeline_libs = libpipeline.a $(switch_create_libs) $(sai_stack_libs)
liboffline_a_SOURCES = \
	offline/offline_bench.c offline/offline_bench.h \
	offline/offline_target.c offline/offline_target.h \
	offline/offline_trace.c offline/offline_trace.h \
	offline/offline_watchdog.c offline/offline_watchdog.h \
	offline/port_classes.c offline/port_classes.h \
	offline/row_log.c offline/row_log.h \
	offline/twin_report.c offline/twin_report.h
offline_libs = liboffline.a $(breakpoint_libs) $(testbench_libs) $(lint_libs) \
	$(pfcwd_libs) $(pipeline_libs)
liboffline_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
