# Rows of CONFIG_DB as SAI attributes.  Pure.
noinst_LIBRARIES += libtranslate.a
libtranslate_a_SOURCES = \
	orchd/translate/llr_row.c orchd/translate/llr_row.h \
	orchd/translate/name.c orchd/translate/name.h \
	orchd/translate/rules.c orchd/translate/rules.h \
	orchd/translate/translate.c orchd/translate/translate.h
translate_libs = libtranslate.a $(sai_core_libs) $(intent_libs)
