# Property tests: random steps against a reference, seeded and repeatable.
property_tests =
check_PROGRAMS += $(property_tests)
TESTS += $(property_tests)

property_tests += tests/property/test_mmu_model
tests_property_test_mmu_model_SOURCES = tests/property/test_mmu_model.c \
	tests/property/mmu_reference.c tests/property/mmu_reference.h \
	tests/property/mmu_steps.c tests/property/mmu_steps.h
tests_property_test_mmu_model_LDADD = libtwin.la libbase.la

property_tests += tests/property/test_event_order
tests_property_test_event_order_SOURCES = tests/property/test_event_order.c
tests_property_test_event_order_LDADD = libtwin.la libbase.la

property_tests += tests/property/test_net_repeat
tests_property_test_net_repeat_SOURCES = tests/property/test_net_repeat.c
tests_property_test_net_repeat_LDADD = libtwin.la libbase.la

property_tests += tests/property/test_history
tests_property_test_history_SOURCES = tests/property/test_history.c
tests_property_test_history_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_property_test_history_LDADD = librig.la $(CMOCKA_LIBS)

property_tests += tests/property/test_bounds
tests_property_test_bounds_SOURCES = tests/property/test_bounds.c
tests_property_test_bounds_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_property_test_bounds_LDADD = librig.la $(CMOCKA_LIBS)

property_tests += tests/property/test_headroom_proof
tests_property_test_headroom_proof_SOURCES = \
	tests/property/test_headroom_proof.c
tests_property_test_headroom_proof_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"'
tests_property_test_headroom_proof_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_property_test_headroom_proof_LDADD = libheadroom-proof.la $(CMOCKA_LIBS)

property_tests += tests/property/test_dynamic_flow
tests_property_test_dynamic_flow_SOURCES = tests/property/test_dynamic_flow.c
tests_property_test_dynamic_flow_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_property_test_dynamic_flow_LDADD = librig.la $(CMOCKA_LIBS)

property_tests += tests/property/test_storms
tests_property_test_storms_SOURCES = tests/property/test_storms.c
tests_property_test_storms_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_property_test_storms_LDADD = libstorm-model.la $(CMOCKA_LIBS)

property_tests += tests/property/test_probe
tests_property_test_probe_SOURCES = tests/property/test_probe.c
tests_property_test_probe_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"' \
	-DYANG_DIR='"$(abs_top_srcdir)/schemas"' \
	-DSOFTASIC='"$(abs_top_builddir)/.libs/libsai-softasic.so"'
tests_property_test_probe_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(JANSSON_CFLAGS)
tests_property_test_probe_LDADD = librehearse.la libbreakpoint.la liblocal.la \
	libsai-wrap.la libsai-loader.la libbase.la $(CMOCKA_LIBS) $(JANSSON_LIBS)
