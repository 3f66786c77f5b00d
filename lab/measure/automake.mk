# Results of runs: recorded into SQLite, read, judged.
# libmetric has the expressions alone, for programs that only check them.
noinst_LIBRARIES += libmetric.a
libmetric_a_SOURCES = lab/measure/metric.c lab/measure/metric.h
metric_libs = libmetric.a $(base_libs) -lm

noinst_LIBRARIES += libmeasure.a
libmeasure_a_SOURCES = \
	lab/measure/merged.c lab/measure/merged.h \
	lab/measure/quantile.c lab/measure/quantile.h \
	lab/measure/rank.c lab/measure/rank.h \
	lab/measure/reader.c lab/measure/reader.h \
	lab/measure/result_hash.c lab/measure/result_hash.h \
	lab/measure/results.c lab/measure/results.h \
	lab/measure/results_sink.c lab/measure/results_state.h \
	lab/measure/sink.c lab/measure/sink.h \
	lab/measure/verdict.c lab/measure/verdict.h
measure_libs = libmeasure.a $(results_libs) $(metric_libs)
