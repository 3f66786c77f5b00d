# Headroom, shared headroom pool, pool sizes, lossless profiles.  Pure.
noinst_LIBRARIES += libderive.a
libderive_a_SOURCES = \
	orchd/derive/generated.h \
	orchd/derive/headroom.c orchd/derive/headroom.h \
	orchd/derive/limit.c orchd/derive/limit.h \
	orchd/derive/lookup.c orchd/derive/lookup.h \
	orchd/derive/pool.c orchd/derive/pool.h \
	orchd/derive/port_state.c orchd/derive/port_state.h \
	orchd/derive/reclaim.c orchd/derive/reclaim.h \
	orchd/derive/term.c orchd/derive/term.h
derive_libs = libderive.a $(platform_libs) $(base_libs)

# The rows that follow from others.  Pure.
noinst_LIBRARIES += libderive-rows.a
libderive_rows_a_SOURCES = \
	orchd/derive/asic_rows.c orchd/derive/asic_rows.h \
	orchd/derive/count.c orchd/derive/count.h \
	orchd/derive/derive.c orchd/derive/derive.h \
	orchd/derive/dynamic.c orchd/derive/dynamic.h \
	orchd/derive/explanation.c orchd/derive/explanation.h \
	orchd/derive/growth.c orchd/derive/growth.h \
	orchd/derive/known.c orchd/derive/known.h \
	orchd/derive/made.c orchd/derive/made.h \
	orchd/derive/model.c orchd/derive/model.h \
	orchd/derive/outcome.c orchd/derive/outcome.h \
	orchd/derive/port_facts.c orchd/derive/port_facts.h \
	orchd/derive/room.c orchd/derive/room.h \
	orchd/derive/shut.c orchd/derive/shut.h \
	orchd/derive/sizing.c orchd/derive/sizing.h \
	orchd/derive/zeros.c orchd/derive/zeros.h
derive_rows_libs = libderive-rows.a $(derive_libs) $(intent_libs)
