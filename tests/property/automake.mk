# Property tests: random steps against a reference, seeded and repeatable.
property_tests =
check_PROGRAMS += $(property_tests)
TESTS += $(property_tests)

property_tests += tests/property/test_mmu_model
tests_property_test_mmu_model_SOURCES = tests/property/test_mmu_model.c \
	tests/property/mmu_reference.c tests/property/mmu_reference.h \
	tests/property/mmu_steps.c tests/property/mmu_steps.h
tests_property_test_mmu_model_LDADD = $(twin_libs)

property_tests += tests/property/test_event_order
tests_property_test_event_order_LDADD = $(twin_libs)

property_tests += tests/property/test_fabric_repeat
tests_property_test_fabric_repeat_LDADD = $(twin_libs)

property_tests += tests/property/test_lab_routes
tests_property_test_lab_routes_LDADD = $(lab_topology_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_history
tests_property_test_history_LDADD = $(harness_libs)

property_tests += tests/property/test_bounds
tests_property_test_bounds_LDADD = $(harness_libs)

property_tests += tests/property/test_headroom_proof
tests_property_test_headroom_proof_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"'
tests_property_test_headroom_proof_LDADD = $(headroom_proof_libs) \
	$(CMOCKA_LIBS)

property_tests += tests/property/test_dynamic_flow
tests_property_test_dynamic_flow_LDADD = $(harness_libs)

property_tests += tests/property/test_storms
tests_property_test_storms_LDADD = $(storm_model_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_probe
tests_property_test_probe_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"' \
	-DYANG_DIR='"$(abs_top_srcdir)/schemas"' \
	-DSOFTASIC='"$(abs_top_builddir)/.libs/libsai-softasic.so"'
tests_property_test_probe_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(JANSSON_CFLAGS)
tests_property_test_probe_LDADD = $(offline_libs) $(breakpoint_libs) \
	$(CMOCKA_LIBS)

property_tests += tests/property/test_planner
tests_property_test_planner_LDADD = $(harness_libs)
