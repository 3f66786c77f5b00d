# What Prometheus is told, and how.
noinst_LTLIBRARIES += libmetrics.la libmetrics-text.la
libmetrics_text_la_SOURCES = \
	orchd/metrics/durations.c orchd/metrics/durations.h \
	orchd/metrics/exposition.c orchd/metrics/exposition.h
libmetrics_text_la_LIBADD = libbase.la
libmetrics_la_SOURCES = \
	orchd/metrics/counter_metrics.c \
	orchd/metrics/exporter.c orchd/metrics/exporter.h \
	orchd/metrics/metrics.c orchd/metrics/metrics.h \
	orchd/metrics/pause_metrics.c
libmetrics_la_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
libmetrics_la_LIBADD = libmetrics-text.la libcounters.la libbase.la \
	$(EVENT_LIBS)
