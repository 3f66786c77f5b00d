# Headroom, shared headroom pool, pool sizes, lossless profiles.  Pure.
noinst_LIBRARIES += libderive.a
libderive_a_SOURCES = \
	orchd/derive/generated_profile.h \
	orchd/derive/headroom.c orchd/derive/headroom.h \
	orchd/derive/headroom_limit.c orchd/derive/headroom_limit.h \
	orchd/derive/llr_lookup.c orchd/derive/llr_lookup.h \
	orchd/derive/lookup_lines.c orchd/derive/lookup_lines.h \
	orchd/derive/lookup_pairs.c orchd/derive/lookup_pairs.h \
	orchd/derive/pg_profile_lookup.c orchd/derive/pg_profile_lookup.h \
	orchd/derive/platform.c orchd/derive/platform.h \
	orchd/derive/pool.c orchd/derive/pool.h \
	orchd/derive/port_state.c orchd/derive/port_state.h \
	orchd/derive/reclaim.c orchd/derive/reclaim.h \
	orchd/derive/shipped_lookups.c orchd/derive/shipped_lookups.h \
	orchd/derive/terms.c orchd/derive/terms.h
derive_libs = libderive.a $(base_libs)

# The rows that follow from others.  Pure.
noinst_LIBRARIES += libderive-rows.a
libderive_rows_a_SOURCES = \
	orchd/derive/asic_rows.c orchd/derive/asic_rows.h \
	orchd/derive/pool_users.c orchd/derive/pool_users.h \
	orchd/derive/derive.c orchd/derive/derive.h \
	orchd/derive/dynamic.c orchd/derive/dynamic.h \
	orchd/derive/explanation.c orchd/derive/explanation.h \
	orchd/derive/llr_ports.c orchd/derive/llr_ports.h \
	orchd/derive/profile_growth.c orchd/derive/profile_growth.h \
	orchd/derive/buffer_rows.c orchd/derive/buffer_rows.h \
	orchd/derive/generated_profiles.c orchd/derive/generated_profiles.h \
	orchd/derive/dynamic_state.c orchd/derive/dynamic_state.h \
	orchd/derive/derived_rows.c orchd/derive/derived_rows.h \
	orchd/derive/port_inputs.c orchd/derive/port_inputs.h \
	orchd/derive/headroom_check.c orchd/derive/headroom_check.h \
	orchd/derive/shut_ports.c orchd/derive/shut_ports.h \
	orchd/derive/pool_sizing.c orchd/derive/pool_sizing.h \
	orchd/derive/zero_profiles.c orchd/derive/zero_profiles.h
derive_rows_libs = libderive-rows.a $(derive_libs) $(intent_libs)
