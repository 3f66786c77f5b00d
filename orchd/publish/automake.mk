# What orchd reports through Redis.
noinst_LIBRARIES += libpublish.a
libpublish_a_SOURCES = \
	orchd/publish/asic_maps.c orchd/publish/asic_maps.h \
	orchd/publish/asic_mirror.c orchd/publish/asic_mirror.h \
	orchd/publish/buffer_tables.c orchd/publish/buffer_tables.h \
	orchd/publish/drifts.c orchd/publish/drifts.h \
	orchd/publish/events.c orchd/publish/events.h \
	orchd/publish/explanations.c orchd/publish/explanations.h \
	orchd/publish/object_rows.c orchd/publish/object_rows.h \
	orchd/publish/port_states.c orchd/publish/port_states.h \
	orchd/publish/switch_capabilities.c orchd/publish/switch_capabilities.h \
	orchd/publish/port_table.c orchd/publish/port_table.h \
	orchd/publish/publish.c orchd/publish/publish.h \
	orchd/publish/response.c orchd/publish/response.h
publish_libs = libpublish.a $(telemetry_libs) $(derive_rows_libs)
