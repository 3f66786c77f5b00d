# The rows of CONFIG_DB in memory, judged by the YANG modules.
noinst_LIBRARIES += libintent.a
libintent_a_SOURCES = \
	orchd/intent/content.c orchd/intent/content.h \
	orchd/intent/field.h \
	orchd/intent/intent.c orchd/intent/intent.h \
	orchd/intent/key.c orchd/intent/key.h \
	orchd/intent/normalize.c orchd/intent/normalize.h \
	orchd/intent/partial.c orchd/intent/partial.h \
	orchd/intent/row_rules.c orchd/intent/row_rules.h \
	orchd/intent/schema.c orchd/intent/schema.h \
	orchd/intent/table.c orchd/intent/table.h orchd/intent/tables.def \
	orchd/intent/yang_type.c orchd/intent/yang_type.h \
	orchd/intent/yang.c orchd/intent/yang.h
intent_libs = libintent.a $(base_libs) $(YANG_LIBS)
libintent_a_CFLAGS = $(AM_CFLAGS) $(YANG_CFLAGS)
