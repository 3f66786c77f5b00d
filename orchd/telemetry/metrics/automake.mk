# The metrics for Prometheus, and their text format.
noinst_LIBRARIES += libmetrics.a libmetrics-text.a
libmetrics_text_a_SOURCES = \
	orchd/telemetry/metrics/durations.c orchd/telemetry/metrics/durations.h \
	orchd/telemetry/metrics/exposition.c orchd/telemetry/metrics/exposition.h
metrics_text_libs = libmetrics-text.a $(base_libs)
libmetrics_a_SOURCES = \
	orchd/telemetry/metrics/counter_metrics.c \
	orchd/telemetry/metrics/metrics.c orchd/telemetry/metrics/metrics.h \
	orchd/telemetry/metrics/pause_metrics.c
metrics_libs = libmetrics.a $(publish_libs) $(agent_libs) $(sai_stack_libs) \
	$(metrics_text_libs)
