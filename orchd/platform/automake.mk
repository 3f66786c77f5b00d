# Rule sets of platforms, as data.  Pure.
noinst_LIBRARIES += libplatform.a
libplatform_a_SOURCES = orchd/platform/platform.c orchd/platform/platform.h \
	orchd/platform/storm_rule.c orchd/platform/storm_rule.h
platform_libs = libplatform.a
