# What is known of SAI, and what works by it alone.
noinst_LTLIBRARIES += libsai-core.la
libsai_core_la_SOURCES = \
	sai/backend.c sai/backend.h \
	sai/capability.c sai/capability.h \
	sai/deep.c sai/deep.h \
	sai/kind.c sai/kind.h \
	sai/metadata.c sai/metadata.h \
	sai/record.c sai/record.h \
	sai/serialize.c sai/serialize.h \
	sai/status.c sai/status.h \
	sai/validate.c sai/validate.h
libsai_core_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libsai_core_la_LIBADD = $(JANSSON_LIBS)

# Backends around a backend.
noinst_LTLIBRARIES += libsai-wrap.la
libsai_wrap_la_SOURCES = \
	sai/fault_rules.c sai/fault_rules.h \
	sai/faults.c sai/faults.h \
	sai/guard.c sai/guard.h \
	sai/meter.c sai/meter.h \
	sai/op.c sai/op.h \
	sai/recorder.c sai/recorder.h \
	sai/recording.c sai/recording.h \
	sai/registry.c sai/registry.h \
	sai/replay.c sai/replay.h \
	sai/trace.c sai/trace.h
libsai_wrap_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libsai_wrap_la_LIBADD = libsai-core.la $(JANSSON_LIBS)

# A vendor's library behind the backend interface.
noinst_LTLIBRARIES += libsai-loader.la
libsai_loader_la_SOURCES = sai/loader.c sai/loader.h
libsai_loader_la_LIBADD = libsai-core.la

# SAI: our own headers, which are also installed for clients and vendors.
saiincludedir = $(includedir)/orchd/sai
saiinclude_HEADERS = \
	sai/include/sai.h \
	sai/include/saibuffer.h \
	sai/include/saifdb.h \
	sai/include/saihostif.h \
	sai/include/saineighbor.h \
	sai/include/saiobject.h \
	sai/include/saiport.h \
	sai/include/saiqosmap.h \
	sai/include/saiqueue.h \
	sai/include/sairoute.h \
	sai/include/saischeduler.h \
	sai/include/saischedulergroup.h \
	sai/include/saistatus.h \
	sai/include/saiswitch.h \
	sai/include/saitypes.h \
	sai/include/saiversion.h \
	sai/include/saiwred.h

# The tables that the headers include.
saiattrdir = $(saiincludedir)/attr
saiattr_HEADERS = \
	sai/include/attr/buffer_pool.def \
	sai/include/attr/buffer_profile.def \
	sai/include/attr/ingress_priority_group.def \
	sai/include/attr/port.def \
	sai/include/attr/qos_map.def \
	sai/include/attr/queue.def \
	sai/include/attr/scheduler.def \
	sai/include/attr/scheduler_group.def \
	sai/include/attr/switch.def \
	sai/include/attr/wred.def
saienumdir = $(saiincludedir)/enum
saienum_HEADERS = \
	sai/include/enum/all.def \
	sai/include/enum/api.def \
	sai/include/enum/buffer.def \
	sai/include/enum/declare.def \
	sai/include/enum/port.def \
	sai/include/enum/qosmap.def \
	sai/include/enum/queue.def \
	sai/include/enum/scheduler.def \
	sai/include/enum/switch.def \
	sai/include/enum/types.def \
	sai/include/enum/wred.def
saistatdir = $(saiincludedir)/stat
saistat_HEADERS = \
	sai/include/stat/buffer_pool.def \
	sai/include/stat/ingress_priority_group.def \
	sai/include/stat/port.def \
	sai/include/stat/queue.def \
	sai/include/stat/switch.def
