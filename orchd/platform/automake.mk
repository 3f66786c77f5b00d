# Rule sets of platforms, as data.  Pure.
noinst_LTLIBRARIES += libplatform.la
libplatform_la_SOURCES = orchd/platform/platform.c orchd/platform/platform.h \
	orchd/platform/storm_rule.c orchd/platform/storm_rule.h
