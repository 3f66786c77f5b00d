# Property tests: random steps against a reference, seeded and repeatable.
property_tests =
check_PROGRAMS += $(property_tests)
TESTS += $(property_tests)

property_tests += tests/property/test_mmu_model
tests_property_test_mmu_model_SOURCES = tests/property/test_mmu_model.c
tests_property_test_mmu_model_LDADD = libtwin.la libbase.la
