# What Prometheus is told, and how.
noinst_LIBRARIES += libmetrics.a libmetrics-text.a
libmetrics_text_a_SOURCES = \
	orchd/metrics/durations.c orchd/metrics/durations.h \
	orchd/metrics/exposition.c orchd/metrics/exposition.h
metrics_text_libs = libmetrics-text.a $(base_libs)
libmetrics_a_SOURCES = \
	orchd/metrics/counter_metrics.c \
	orchd/metrics/exporter.c orchd/metrics/exporter.h \
	orchd/metrics/metrics.c orchd/metrics/metrics.h \
	orchd/metrics/pause_metrics.c
metrics_libs = libmetrics.a $(publish_libs) $(agent_libs) $(sai_wrap_libs) \
	$(metrics_text_libs)
libmetrics_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
