# Legal but unwise.  Pure.
noinst_LTLIBRARIES += liblint.la
liblint_la_SOURCES = \
	orchd/lint/facts.c orchd/lint/facts.h \
	orchd/lint/lint.c orchd/lint/lint.h \
	orchd/lint/model_buffer.c orchd/lint/model_buffer.h \
	orchd/lint/report.c orchd/lint/report.h \
	orchd/lint/rule.c orchd/lint/rule.h \
	orchd/lint/rules.h \
	orchd/lint/rules_class.c \
	orchd/lint/rules_headroom.c \
	orchd/lint/rules_memory.c
liblint_la_LIBADD = libagent.la libderive.la libtwin.la libbase.la
EXTRA_DIST += docs/lint.md
