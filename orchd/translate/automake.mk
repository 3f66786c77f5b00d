# Rows of CONFIG_DB as SAI attributes.  Pure.
noinst_LTLIBRARIES += libtranslate.la
libtranslate_la_SOURCES = \
	orchd/translate/name.c orchd/translate/name.h \
	orchd/translate/rules.c orchd/translate/rules.h \
	orchd/translate/translate.c orchd/translate/translate.h
