# Legal but unwise.  Pure.
noinst_LIBRARIES += liblint.a
liblint_a_SOURCES = \
	orchd/lint/lint_input.c orchd/lint/lint_input.h \
	orchd/lint/lint.c orchd/lint/lint.h \
	orchd/lint/lint_buffer.c orchd/lint/lint_buffer.h \
	orchd/lint/report.c orchd/lint/report.h \
	orchd/lint/rule.c orchd/lint/rule.h \
	orchd/lint/rules.h \
	orchd/lint/rules_class.c \
	orchd/lint/rules_ports.c orchd/lint/rules_trimming.c \
	orchd/lint/rules_headroom.c \
	orchd/lint/rules_memory.c
lint_libs = liblint.a $(agent_libs) $(twin_libs)
