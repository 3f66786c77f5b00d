# PFC storms: detection, restoration, accounting.  Pure.
noinst_LIBRARIES += libwatchdog.a
libwatchdog_a_SOURCES = \
	orchd/watchdog/detection/detector.c orchd/watchdog/detection/detector.h \
	orchd/watchdog/detection/policy.c orchd/watchdog/detection/policy.h \
	orchd/watchdog/detection/sample.h \
	orchd/watchdog/detection/storm_account.c \
	orchd/watchdog/detection/storm_account.h \
	orchd/watchdog/detection/storm_rule.c orchd/watchdog/detection/storm_rule.h \
	orchd/watchdog/detection/watchdog.c orchd/watchdog/detection/watchdog.h
watchdog_libs = libwatchdog.a $(intent_libs)

# The PFC watchdog at work: reads counters through SAI, writes to a store.
noinst_LIBRARIES += libpfcwd.a
libpfcwd_a_SOURCES = \
	orchd/watchdog/hardware_recovery.c orchd/watchdog/hardware_recovery.h \
	orchd/watchdog/memory_store.c orchd/watchdog/memory_store.h \
	orchd/watchdog/pfcwd.h \
	orchd/watchdog/pfcwd_flex_rows.c \
	orchd/watchdog/pfcwd_hardware.c \
	orchd/watchdog/pfcwd_poll.c \
	orchd/watchdog/pfcwd_report.c \
	orchd/watchdog/pfcwd_restore.c \
	orchd/watchdog/pfcwd_state.h \
	orchd/watchdog/storm_counters.c orchd/watchdog/storm_counters.h \
	orchd/watchdog/storm_reader.c orchd/watchdog/storm_reader.h \
	orchd/watchdog/storm_rows.c orchd/watchdog/storm_rows.h \
	orchd/watchdog/storm_store.h
pfcwd_libs = libpfcwd.a $(agent_libs)
