# Which counters are read when, and what is computed from them.  Pure.
noinst_LIBRARIES += libpolling.a
libpolling_a_SOURCES = \
	orchd/telemetry/polling/counter_group.c \
	orchd/telemetry/polling/counter_group.h \
	orchd/telemetry/polling/live_counters.c \
	orchd/telemetry/polling/live_counters.h \
	orchd/telemetry/polling/object_list.c orchd/telemetry/polling/object_list.h \
	orchd/telemetry/polling/pause.c orchd/telemetry/polling/pause.h \
	orchd/telemetry/polling/poll_slice.c orchd/telemetry/polling/poll_slice.h \
	orchd/telemetry/polling/polled_object.c \
	orchd/telemetry/polling/polled_object.h \
	orchd/telemetry/polling/poller.c orchd/telemetry/polling/poller.h \
	orchd/telemetry/polling/poller_state.c \
	orchd/telemetry/polling/poller_state.h \
	orchd/telemetry/polling/rates.c orchd/telemetry/polling/rates.h \
	orchd/telemetry/polling/supported_counters.c \
	orchd/telemetry/polling/supported_counters.h \
	orchd/telemetry/polling/watermarks.c orchd/telemetry/polling/watermarks.h
polling_libs = libpolling.a $(sai_core_libs)

# Polling at work: settings from CONFIG_DB, results into COUNTERS_DB.
noinst_LIBRARIES += libtelemetry.a
libtelemetry_a_SOURCES = \
	orchd/telemetry/clear_request.c orchd/telemetry/clear_request.h \
	orchd/telemetry/counter_capabilities.c \
	orchd/telemetry/counter_capabilities.h \
	orchd/telemetry/counter_rows.c orchd/telemetry/counter_rows.h \
	orchd/telemetry/counters.c orchd/telemetry/counters.h \
	orchd/telemetry/name_maps.c orchd/telemetry/name_maps.h \
	orchd/telemetry/polled_scope.c orchd/telemetry/polled_scope.h \
	orchd/telemetry/pool_map.c orchd/telemetry/pool_map.h \
	orchd/telemetry/port_children.c orchd/telemetry/port_children.h \
	orchd/telemetry/port_rates.c orchd/telemetry/port_rates.h
telemetry_libs = libtelemetry.a $(reconcile_libs) $(polling_libs) $(db_libs)
