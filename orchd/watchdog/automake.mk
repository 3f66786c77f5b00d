# PFC storms: detection, restoration, accounting.  Pure.
noinst_LIBRARIES += libwatchdog.a
libwatchdog_a_SOURCES = \
	orchd/watchdog/account.c orchd/watchdog/account.h \
	orchd/watchdog/detector.c orchd/watchdog/detector.h \
	orchd/watchdog/policy.c orchd/watchdog/policy.h \
	orchd/watchdog/sample.h \
	orchd/watchdog/watchdog.c orchd/watchdog/watchdog.h
watchdog_libs = libwatchdog.a $(intent_libs)
