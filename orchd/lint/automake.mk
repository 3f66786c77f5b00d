# Legal but unwise.  Pure.
noinst_LIBRARIES += liblint.a
liblint_a_SOURCES = \
	orchd/lint/facts.c orchd/lint/facts.h \
	orchd/lint/lint.c orchd/lint/lint.h \
	orchd/lint/model_buffer.c orchd/lint/model_buffer.h \
	orchd/lint/report.c orchd/lint/report.h \
	orchd/lint/rule.c orchd/lint/rule.h \
	orchd/lint/rules.h \
	orchd/lint/rules_class.c \
	orchd/lint/rules_headroom.c \
	orchd/lint/rules_memory.c
lint_libs = liblint.a $(agent_libs) $(twin_libs)
EXTRA_DIST += docs/lint.md
