# Property tests: random steps against a reference, seeded and repeatable.
property_tests =
# Classes and ports of a switch, for other folders as well.
sim_setup = tests/support/sim_setup.c tests/support/sim_setup.h
# Properties that hold for every seed.
seeds = tests/support/seeds.c tests/support/seeds.h
check_PROGRAMS += $(property_tests)
TESTS += $(property_tests)

property_tests += tests/property/test_mmu_model
tests_property_test_mmu_model_SOURCES = tests/property/test_mmu_model.c \
	tests/property/mmu_reference.c tests/property/mmu_reference.h \
	tests/property/mmu_steps.c tests/property/mmu_steps.h
tests_property_test_mmu_model_LDADD = $(twin_libs)

property_tests += tests/property/test_mmu_policy
tests_property_test_mmu_policy_SOURCES = tests/property/test_mmu_policy.c \
	tests/support/mmu_setup.c tests/support/mmu_setup.h
tests_property_test_mmu_policy_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"'
tests_property_test_mmu_policy_LDADD = $(chip_libs) $(twin_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_credit
tests_property_test_credit_LDADD = $(twin_libs)

property_tests += tests/property/test_acl
tests_property_test_acl_LDADD = $(twin_libs)

property_tests += tests/property/test_dcqcn_lazy
tests_property_test_dcqcn_lazy_SOURCES = tests/property/test_dcqcn_lazy.c \
	tests/property/dcqcn_eager.c tests/property/dcqcn_eager.h
tests_property_test_dcqcn_lazy_LDADD = $(twin_libs) $(CMOCKA_LIBS)

flights = tests/support/flights.c tests/support/flights.h
rc_pair = tests/support/rc_pair.c tests/support/rc_pair.h $(flights)

property_tests += tests/property/test_llr
tests_property_test_llr_SOURCES = tests/property/test_llr.c $(llr_pair)
tests_property_test_llr_LDADD = $(twin_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_rc
tests_property_test_rc_SOURCES = tests/property/test_rc.c $(rc_pair)
tests_property_test_rc_LDADD = $(twin_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_rc_goodput
tests_property_test_rc_goodput_SOURCES = tests/property/test_rc_goodput.c \
	$(rc_pair)
tests_property_test_rc_goodput_LDADD = $(twin_libs) $(CMOCKA_LIBS)

tcp_pair = tests/support/tcp_pair.c tests/support/tcp_pair.h $(flights)
srd_pair = tests/support/srd_pair.c tests/support/srd_pair.h $(flights)

property_tests += tests/property/test_message
tests_property_test_message_LDADD = $(twin_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_srd
tests_property_test_srd_SOURCES = tests/property/test_srd.c $(srd_pair) \
	$(seeds)
tests_property_test_srd_LDADD = $(twin_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_tcp
tests_property_test_tcp_SOURCES = tests/property/test_tcp.c $(tcp_pair) \
	$(seeds)
tests_property_test_tcp_LDADD = $(twin_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_tcp_response
tests_property_test_tcp_response_SOURCES = \
	tests/property/test_tcp_response.c $(tcp_pair)
tests_property_test_tcp_response_LDADD = $(twin_libs) $(CMOCKA_LIBS) -lm

property_tests += tests/property/test_dcqcn_star
tests_property_test_dcqcn_star_SOURCES = tests/property/test_dcqcn_star.c \
	tests/support/dcqcn_star.c tests/support/dcqcn_star.h
tests_property_test_dcqcn_star_LDADD = $(twin_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_event_order
tests_property_test_event_order_LDADD = $(twin_libs)

property_tests += tests/property/test_fabric_repeat
tests_property_test_fabric_repeat_SOURCES = \
	tests/property/test_fabric_repeat.c $(sim_setup)
tests_property_test_fabric_repeat_LDADD = $(twin_libs)

property_tests += tests/property/test_nic_fabric
tests_property_test_nic_fabric_SOURCES = tests/property/test_nic_fabric.c \
	tests/support/fat_tree.c tests/support/fat_tree.h \
	tests/support/switch_setup.c tests/support/switch_setup.h
tests_property_test_nic_fabric_LDADD = $(twin_libs)
property_tests += tests/property/test_known_flows
tests_property_test_known_flows_LDADD = $(twin_libs)
property_tests += tests/property/test_lab_routes
tests_property_test_lab_routes_LDADD = $(lab_topology_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_dependency
tests_property_test_dependency_LDADD = $(lab_topology_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_lab_oracles
tests_property_test_lab_oracles_SOURCES = \
	tests/property/test_lab_oracles.c $(lab_run)
tests_property_test_lab_oracles_CPPFLAGS = $(lab_run_flags)
tests_property_test_lab_oracles_LDADD = $(exec_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_lab_depths
tests_property_test_lab_depths_SOURCES = \
	tests/property/test_lab_depths.c $(lab_run)
tests_property_test_lab_depths_CPPFLAGS = $(lab_run_flags)
tests_property_test_lab_depths_LDADD = libbreakpoint.a $(exec_libs) \
	$(CMOCKA_LIBS)

property_tests += tests/property/test_estats_faults
tests_property_test_estats_faults_SOURCES = \
	tests/property/test_estats_faults.c $(lab_run)
tests_property_test_estats_faults_CPPFLAGS = $(lab_run_flags)
tests_property_test_estats_faults_LDADD = $(exec_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_lab_faults
tests_property_test_lab_faults_SOURCES = tests/property/test_lab_faults.c \
	$(lab_run)
tests_property_test_lab_faults_CPPFLAGS = $(lab_run_flags)
tests_property_test_lab_faults_LDADD = $(exec_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_lab_fairness
tests_property_test_lab_fairness_SOURCES = \
	tests/property/test_lab_fairness.c $(lab_run)
tests_property_test_lab_fairness_CPPFLAGS = $(lab_run_flags)
tests_property_test_lab_fairness_LDADD = $(exec_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_lab_messages
tests_property_test_lab_messages_SOURCES = \
	tests/property/test_lab_messages.c $(lab_run)
tests_property_test_lab_messages_CPPFLAGS = $(lab_run_flags)
tests_property_test_lab_messages_LDADD = $(exec_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_lab_lanes
tests_property_test_lab_lanes_SOURCES = tests/property/test_lab_lanes.c \
	tests/support/hasty_scenario.h $(lab_run)
tests_property_test_lab_lanes_CPPFLAGS = $(lab_run_flags)
tests_property_test_lab_lanes_LDADD = $(exec_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_lab_ranks
tests_property_test_lab_ranks_SOURCES = tests/property/test_lab_ranks.c \
	tests/support/hasty_scenario.h $(rank_processes) $(lab_run)
tests_property_test_lab_ranks_CPPFLAGS = $(lab_run_flags)
tests_property_test_lab_ranks_LDADD = $(exec_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_lab_tcp
tests_property_test_lab_tcp_SOURCES = tests/property/test_lab_tcp.c $(lab_run)
tests_property_test_lab_tcp_CPPFLAGS = $(lab_run_flags)
tests_property_test_lab_tcp_LDADD = $(exec_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_lab_repeat
tests_property_test_lab_repeat_SOURCES = tests/property/test_lab_repeat.c \
	$(lab_run)
tests_property_test_lab_repeat_CPPFLAGS = $(lab_run_flags)
tests_property_test_lab_repeat_LDADD = $(exec_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_nic_probe
tests_property_test_nic_probe_CPPFLAGS = $(lab_run_flags)
tests_property_test_nic_probe_LDADD = $(lab_probe_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_history
tests_property_test_history_SOURCES = tests/property/test_history.c $(seeds)
tests_property_test_history_LDADD = $(harness_libs)

property_tests += tests/property/test_orchagent
tests_property_test_orchagent_SOURCES = tests/property/test_orchagent.c \
	tests/support/orchagent_model.c tests/support/orchagent_model.h
tests_property_test_orchagent_CPPFLAGS = $(AM_CPPFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"'
tests_property_test_orchagent_LDADD = $(delivery_harness_libs)

property_tests += tests/property/test_bounds
tests_property_test_bounds_SOURCES = tests/property/test_bounds.c $(seeds)
tests_property_test_bounds_LDADD = $(harness_libs)

property_tests += tests/property/test_llr_order
tests_property_test_llr_order_SOURCES = tests/property/test_llr_order.c \
	$(seeds)
tests_property_test_llr_order_LDADD = $(harness_libs)

property_tests += tests/property/test_headroom_proof
tests_property_test_headroom_proof_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"'
tests_property_test_headroom_proof_LDADD = $(headroom_proof_libs) \
	$(CMOCKA_LIBS)

property_tests += tests/property/test_dynamic_flow
tests_property_test_dynamic_flow_SOURCES = tests/property/test_dynamic_flow.c \
	$(seeds)
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
tests_property_test_planner_SOURCES = tests/property/test_planner.c $(seeds)
tests_property_test_planner_LDADD = $(harness_libs)

property_tests += tests/property/test_lab_configs
tests_property_test_lab_configs_SOURCES = tests/property/test_lab_configs.c \
	$(image_setup) $(switch_compare)
tests_property_test_lab_configs_CPPFLAGS = $(image_setup_flags)
tests_property_test_lab_configs_LDADD = $(lab_switch_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_failover
tests_property_test_failover_LDADD = $(storage_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_repair
tests_property_test_repair_LDADD = $(storage_libs) $(CMOCKA_LIBS)

property_tests += tests/property/test_sk_rdma
tests_property_test_sk_rdma_LDADD = $(storage_libs) $(twin_libs) \
	$(CMOCKA_LIBS)

property_tests += tests/property/test_su_rdma
tests_property_test_su_rdma_SOURCES = tests/property/test_su_rdma.c $(seeds)
tests_property_test_su_rdma_LDADD = $(storage_libs) $(CMOCKA_LIBS)
