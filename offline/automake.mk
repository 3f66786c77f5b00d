# What runs without a daemon: the pipeline with a switch of its own, for dry runs
# and tests, and breakpoint scenarios on it.
noinst_LIBRARIES += libpipeline.a libdry-run.a
libpipeline_a_SOURCES = \
	offline/pipeline.c offline/pipeline.h
pipeline_libs = libpipeline.a $(switch_create_libs) $(sai_stack_libs)
libdry_run_a_SOURCES = \
	offline/dry_run.c offline/dry_run.h \
	offline/dry_run_bench.c offline/dry_run_bench.h \
	offline/dry_run_watchdog.c offline/dry_run_watchdog.h \
	offline/memory_store.c offline/memory_store.h \
	offline/row_log.c offline/row_log.h
dry_run_libs = libdry-run.a $(testbench_libs) $(pfcwd_libs) $(pipeline_libs)
libdry_run_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
