# JSON for people and scripts: configurations, and the answers to them.
noinst_LIBRARIES += libdocument.a
libdocument_a_SOURCES = \
	orchd/document/answers.c orchd/document/answers.h \
	orchd/document/asic_file.c orchd/document/asic_file.h \
	orchd/document/config_file.c orchd/document/config_file.h \
	orchd/document/differences.c orchd/document/differences.h \
	orchd/document/explain.c orchd/document/explain.h \
	orchd/document/findings.c orchd/document/findings.h \
	orchd/document/lookup_file.c orchd/document/lookup_file.h \
	orchd/document/names.c orchd/document/names.h \
	orchd/document/zero_file.c orchd/document/zero_file.h
document_libs = libdocument.a $(lint_libs)
libdocument_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
