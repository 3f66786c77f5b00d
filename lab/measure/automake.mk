# Results of runs: recorded into SQLite, read, judged.
noinst_LIBRARIES += libmeasure.a
libmeasure_a_SOURCES = \
	lab/measure/histogram.c lab/measure/histogram.h \
	lab/measure/metric.h \
	lab/measure/quantile.c lab/measure/quantile.h \
	lab/measure/result_hash.c lab/measure/result_hash.h \
	lab/measure/results.h \
	lab/measure/sink.c lab/measure/sink.h \
	lab/measure/verdict.h
measure_libs = libmeasure.a $(oracle_libs) $(SQLITE_LIBS)
libmeasure_a_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
