# JSON documents that commands print: row answers, explanations, differences.
noinst_LIBRARIES += libreport.a
libreport_a_SOURCES = \
	orchd/report/differences.c orchd/report/differences.h \
	orchd/report/explain.c orchd/report/explain.h \
	orchd/report/findings.c orchd/report/findings.h \
	orchd/report/lossless_gap.c orchd/report/lossless_gap.h \
	orchd/report/object_names.c orchd/report/object_names.h \
	orchd/report/unknown_tables.c orchd/report/unknown_tables.h \
	orchd/report/row_answers.c orchd/report/row_answers.h
report_libs = libreport.a $(lint_libs) $(files_libs)
libreport_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
