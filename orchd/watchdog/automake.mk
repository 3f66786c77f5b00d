# PFC storms: detection, restoration, accounting.  Pure.
noinst_LTLIBRARIES += libwatchdog.la
libwatchdog_la_SOURCES = \
	orchd/watchdog/account.c orchd/watchdog/account.h \
	orchd/watchdog/detector.c orchd/watchdog/detector.h \
	orchd/watchdog/policy.c orchd/watchdog/policy.h \
	orchd/watchdog/sample.h \
	orchd/watchdog/watchdog.c orchd/watchdog/watchdog.h
libwatchdog_la_LIBADD = libplatform.la libintent.la libbase.la
