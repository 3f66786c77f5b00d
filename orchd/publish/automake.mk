# What orchd tells the world through Redis.
noinst_LIBRARIES += libpublish.a
libpublish_a_SOURCES = \
	orchd/publish/abilities.c orchd/publish/abilities.h \
	orchd/publish/clear_request.c orchd/publish/clear_request.h \
	orchd/publish/counter_rows.c orchd/publish/counter_rows.h \
	orchd/publish/counters.c orchd/publish/counters.h \
	orchd/publish/drifts.c orchd/publish/drifts.h \
	orchd/publish/events.c orchd/publish/events.h \
	orchd/publish/explanations.c orchd/publish/explanations.h \
	orchd/publish/maps.c orchd/publish/maps.h \
	orchd/publish/mirror.c orchd/publish/mirror.h \
	orchd/publish/makers.c orchd/publish/makers.h \
	orchd/publish/places.c orchd/publish/places.h \
	orchd/publish/pools.c orchd/publish/pools.h \
	orchd/publish/port_states.c orchd/publish/port_states.h \
	orchd/publish/port_watch.c orchd/publish/port_watch.h \
	orchd/publish/publish.c orchd/publish/publish.h \
	orchd/publish/response.c orchd/publish/response.h \
	orchd/publish/scope.c orchd/publish/scope.h \
	orchd/publish/tables.c orchd/publish/tables.h
publish_libs = libpublish.a $(reconcile_libs) $(counters_libs) $(db_libs) \
	$(derive_libs)
