# Unit tests: one program per module, built on cmocka, of the source file of its
# name if no other is listed.
if HAVE_CMOCKA
# Set-ups that tests of the twin share.
mmu_setup = tests/support/mmu_setup.c tests/support/mmu_setup.h

unit_tests =
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)

unit_tests += tests/unit/test_chip
tests_unit_test_chip_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"' \
	-DDEFAULT_SHARED='"$(abs_top_srcdir)/../shared"'
tests_unit_test_chip_LDADD = $(tempfile_libs) $(chip_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_check
if SANITIZERS
tests_unit_test_check_CPPFLAGS = $(AM_CPPFLAGS) -DSANITIZED
endif
tests_unit_test_check_LDADD = $(base_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_counters
tests_unit_test_counters_LDADD = $(polling_libs) $(intent_libs) \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_oracle
tests_unit_test_oracle_LDADD = $(oracle_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_dcqcn_fluid
tests_unit_test_dcqcn_fluid_LDADD = $(fluid_libs) $(oracle_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_measure
tests_unit_test_measure_LDADD = $(measure_libs) $(CMOCKA_LIBS)

# A small synthetic run of a fabric.
lab_results = tests/support/lab_results.c tests/support/lab_results.h

unit_tests += tests/unit/test_results
tests_unit_test_results_SOURCES = tests/unit/test_results.c $(lab_results)
tests_unit_test_results_LDADD = $(tempfile_libs) $(measure_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sweep_points
tests_unit_test_sweep_points_SOURCES = tests/unit/test_sweep_points.c \
	orchctl/case_list.c orchctl/sweep_points.c
tests_unit_test_sweep_points_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_sweep_points_LDADD = $(breakpoint_libs) $(JANSSON_LIBS) \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_tcp_bytes
tests_unit_test_tcp_bytes_LDADD = $(measure_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_rocev2
tests_unit_test_rocev2_LDADD = $(measure_libs) $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_run_lock
tests_unit_test_run_lock_SOURCES = tests/unit/test_run_lock.c \
	orchlab/run_lock.c orchlab/run_lock.h
tests_unit_test_run_lock_LDADD = libbase.a $(CMOCKA_LIBS)

unit_tests += tests/unit/test_whatif_rows
tests_unit_test_whatif_rows_SOURCES = tests/unit/test_whatif_rows.c \
	orchlab/whatif_rows.c orchlab/whatif_rows.h
tests_unit_test_whatif_rows_LDADD = $(JANSSON_LIBS) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_drive
tests_unit_test_drive_SOURCES = tests/unit/test_drive.c \
	orchlab/drive.c orchlab/drive.h orchlab/progress.c orchlab/progress.h
tests_unit_test_drive_LDADD = $(measure_libs) $(exec_libs) $(command_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_proxy
tests_unit_test_proxy_SOURCES = tests/unit/test_proxy.c $(rank_processes)
tests_unit_test_proxy_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_verdict
tests_unit_test_verdict_SOURCES = tests/unit/test_verdict.c $(lab_results)
tests_unit_test_verdict_LDADD = $(measure_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_failure_effect
tests_unit_test_failure_effect_SOURCES = tests/unit/test_failure_effect.c \
	orchlab/failure_effect.c orchlab/failure_effect.h $(lab_results)
tests_unit_test_failure_effect_LDADD = $(measure_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_judge
tests_unit_test_judge_SOURCES = tests/unit/test_judge.c $(lab_results)
tests_unit_test_judge_LDADD = $(judge_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_mmu
tests_unit_test_mmu_SOURCES = tests/unit/test_mmu.c $(mmu_setup)
tests_unit_test_mmu_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_mmu_policy
tests_unit_test_mmu_policy_SOURCES = tests/unit/test_mmu_policy.c $(mmu_setup)
tests_unit_test_mmu_policy_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_mmu_busy
tests_unit_test_mmu_busy_SOURCES = tests/unit/test_mmu_busy.c $(mmu_setup)
tests_unit_test_mmu_busy_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_classify
tests_unit_test_classify_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_classify_table
tests_unit_test_classify_table_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_scheduler
tests_unit_test_scheduler_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pause
tests_unit_test_pause_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_nic
tests_unit_test_nic_LDADD = $(twin_libs) $(CMOCKA_LIBS)

adapters = tests/support/adapters.c tests/support/adapters.h \
	tests/support/switch_setup.c tests/support/switch_setup.h
unit_tests += tests/unit/test_nic_srd
tests_unit_test_nic_srd_SOURCES = tests/unit/test_nic_srd.c $(adapters)
tests_unit_test_nic_srd_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_message
tests_unit_test_message_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_nic_tcp
tests_unit_test_nic_tcp_SOURCES = tests/unit/test_nic_tcp.c $(adapters)
tests_unit_test_nic_tcp_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_nic_rc
tests_unit_test_nic_rc_SOURCES = tests/unit/test_nic_rc.c $(adapters)
tests_unit_test_nic_rc_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_rx_fifo
tests_unit_test_rx_fifo_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lookups
tests_unit_test_lookups_LDADD = $(oracle_libs) $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pcie_tree
tests_unit_test_pcie_tree_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_policer
tests_unit_test_policer_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_credit
tests_unit_test_credit_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_port_credit
tests_unit_test_port_credit_SOURCES = \
	tests/unit/test_port_credit.c $(sim_setup)
tests_unit_test_port_credit_LDADD = $(headroom_libs) $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_shaper
tests_unit_test_shaper_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_tunnel
tests_unit_test_tunnel_LDADD = $(twin_libs) $(CMOCKA_LIBS)
unit_tests += tests/unit/test_softasic_tunnel
tests_unit_test_softasic_tunnel_LDADD = $(asic_setup_libs)
unit_tests += tests/unit/test_flow_hash
tests_unit_test_flow_hash_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_wred
tests_unit_test_wred_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_dcqcn
tests_unit_test_dcqcn_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_rc
tests_unit_test_rc_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_srd
tests_unit_test_srd_SOURCES = tests/unit/test_srd.c \
	tests/support/srd_pair.c tests/support/srd_pair.h \
	tests/support/flights.c tests/support/flights.h
tests_unit_test_srd_LDADD = $(twin_libs) $(CMOCKA_LIBS)
unit_tests += tests/unit/test_srd_loss
tests_unit_test_srd_loss_SOURCES = tests/unit/test_srd_loss.c \
	tests/support/srd_bench.h
tests_unit_test_srd_loss_LDADD = $(twin_libs) $(CMOCKA_LIBS)
unit_tests += tests/unit/test_srd_rate
tests_unit_test_srd_rate_SOURCES = tests/unit/test_srd_rate.c \
	tests/support/srd_bench.h
tests_unit_test_srd_rate_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_tcp
tests_unit_test_tcp_SOURCES = tests/unit/test_tcp.c tests/support/tcp_trace.h
tests_unit_test_tcp_LDADD = $(twin_libs) $(CMOCKA_LIBS) -lm
unit_tests += tests/unit/test_tcp_kernel
tests_unit_test_tcp_kernel_SOURCES = tests/unit/test_tcp_kernel.c \
	tests/support/tcp_trace.h
tests_unit_test_tcp_kernel_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_tcp_rack
tests_unit_test_tcp_rack_SOURCES = tests/unit/test_tcp_rack.c \
	tests/support/tcp_trace.h
tests_unit_test_tcp_rack_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_transport
tests_unit_test_transport_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_flow_table
tests_unit_test_flow_table_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lpm
tests_unit_test_lpm_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_packet
tests_unit_test_packet_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_router
tests_unit_test_router_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_mmu_families
tests_unit_test_mmu_families_SOURCES = tests/unit/test_mmu_families.c $(mmu_setup)
tests_unit_test_mmu_families_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_hpcc_chip
tests_unit_test_hpcc_chip_SOURCES = tests/unit/test_hpcc_chip.c $(mmu_setup)
tests_unit_test_hpcc_chip_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"'
tests_unit_test_hpcc_chip_LDADD = $(chip_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_access_flow
tests_unit_test_access_flow_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_bridge
tests_unit_test_bridge_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_mrg32k3a
tests_unit_test_mrg32k3a_SOURCES = tests/unit/test_mrg32k3a.c \
	tests/support/mrg32k3a.c tests/support/mrg32k3a.h
tests_unit_test_mrg32k3a_LDADD = $(CMOCKA_LIBS) -lm
unit_tests += tests/unit/test_sim_filter
tests_unit_test_sim_filter_LDADD = $(twin_libs) $(CMOCKA_LIBS)
unit_tests += tests/unit/test_sim_hold
tests_unit_test_sim_hold_SOURCES = tests/unit/test_sim_hold.c $(mmu_setup) \
	$(sim_setup)
tests_unit_test_sim_hold_LDADD = $(twin_libs) $(CMOCKA_LIBS)
unit_tests += tests/unit/test_sim_trim
tests_unit_test_sim_trim_SOURCES = tests/unit/test_sim_trim.c $(mmu_setup) \
	$(sim_setup)
tests_unit_test_sim_trim_LDADD = $(twin_libs) $(CMOCKA_LIBS)
unit_tests += tests/unit/test_voq
tests_unit_test_voq_SOURCES = tests/unit/test_voq.c $(mmu_setup) \
	$(sim_setup)
tests_unit_test_voq_LDADD = $(twin_libs) $(CMOCKA_LIBS)
unit_tests += tests/unit/test_sim_sizes
tests_unit_test_sim_sizes_LDADD = $(twin_libs) $(CMOCKA_LIBS)
unit_tests += tests/unit/test_sim_qos
tests_unit_test_sim_qos_SOURCES = tests/unit/test_sim_qos.c $(sim_setup)
tests_unit_test_sim_qos_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sim
tests_unit_test_sim_SOURCES = tests/unit/test_sim.c $(mmu_setup) \
	$(sim_setup)
tests_unit_test_sim_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pause_frame
tests_unit_test_pause_frame_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_engine
tests_unit_test_engine_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_fabric_divide
tests_unit_test_fabric_divide_SOURCES = tests/unit/test_fabric_divide.c \
	tests/support/fat_tree.c tests/support/fat_tree.h \
	tests/support/switch_setup.c tests/support/switch_setup.h
tests_unit_test_fabric_divide_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"'
tests_unit_test_fabric_divide_LDADD = $(chip_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lanes
tests_unit_test_lanes_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_fabric
tests_unit_test_fabric_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_fabric_headroom
tests_unit_test_fabric_headroom_SOURCES = \
	tests/unit/test_fabric_headroom.c $(sim_setup)
tests_unit_test_fabric_headroom_LDADD = $(headroom_libs) $(twin_libs) \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_llr_headroom
tests_unit_test_llr_headroom_SOURCES = \
	tests/unit/test_llr_headroom.c $(sim_setup)
tests_unit_test_llr_headroom_LDADD = $(headroom_libs) $(twin_libs) \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_processor
tests_unit_test_processor_LDADD = $(twin_libs) $(CMOCKA_LIBS) -lm

unit_tests += tests/unit/test_pacing
tests_unit_test_pacing_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_delays
tests_unit_test_delays_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_receiver
tests_unit_test_receiver_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_link
tests_unit_test_link_LDADD = $(twin_libs) $(CMOCKA_LIBS)

llr_pair = tests/support/llr_pair.c tests/support/llr_pair.h

unit_tests += tests/unit/test_llr
tests_unit_test_llr_SOURCES = tests/unit/test_llr.c $(llr_pair)
tests_unit_test_llr_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_wire
tests_unit_test_wire_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_host
tests_unit_test_host_SOURCES = tests/unit/test_host.c $(sim_setup)
tests_unit_test_host_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pcap
tests_unit_test_pcap_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_random_stream
tests_unit_test_random_stream_LDADD = $(twin_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_random
tests_unit_test_random_LDADD = $(base_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_digraph
tests_unit_test_digraph_LDADD = $(base_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_hash_index
tests_unit_test_hash_index_LDADD = $(base_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_access
tests_unit_test_access_LDADD = $(control_libs) $(control_protocol_libs) $(CMOCKA_LIBS)

unix_client = tests/support/unix_client.c tests/support/unix_client.h

unit_tests += tests/unit/test_http
tests_unit_test_http_SOURCES = tests/unit/test_http.c $(unix_client)
tests_unit_test_http_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(EVENT_CFLAGS)
tests_unit_test_http_LDADD = $(http_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_http_query
tests_unit_test_http_query_SOURCES = tests/unit/test_http_query.c \
	tests/support/test_arguments.h
tests_unit_test_http_query_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_http_query_LDADD = $(page_libs) $(CMOCKA_LIBS) \
	$(JANSSON_LIBS)

unit_tests += tests/unit/test_page_delta
tests_unit_test_page_delta_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_page_delta_LDADD = $(page_libs) $(CMOCKA_LIBS) \
	$(JANSSON_LIBS)

unit_tests += tests/unit/test_page_gzip
tests_unit_test_page_gzip_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(ZLIB_CFLAGS)
tests_unit_test_page_gzip_LDADD = $(page_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_page_events
tests_unit_test_page_events_SOURCES = tests/unit/test_page_events.c \
	$(unix_client)
tests_unit_test_page_events_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(EVENT_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_page_events_LDADD = $(page_libs) $(CMOCKA_LIBS) \
	$(JANSSON_LIBS)

unit_tests += tests/unit/test_confinement
tests_unit_test_confinement_LDADD = $(confinement_libs) $(CMOCKA_LIBS) -lpthread

unit_tests += tests/unit/test_own_directory
tests_unit_test_own_directory_LDADD = $(process_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_json_reader
tests_unit_test_json_reader_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_json_reader_LDADD = $(control_libs) $(CMOCKA_LIBS) \
	$(JANSSON_LIBS)

unit_tests += tests/unit/test_json_writer
tests_unit_test_json_writer_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_json_writer_LDADD = $(control_libs) $(CMOCKA_LIBS) \
	$(JANSSON_LIBS)

unit_tests += tests/unit/test_control_server
tests_unit_test_control_server_SOURCES = tests/unit/test_control_server.c \
	$(unix_client)
tests_unit_test_control_server_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(EVENT_CFLAGS)
tests_unit_test_control_server_LDADD = $(control_server_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_expression
tests_unit_test_expression_LDADD = $(breakpoint_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_probe
tests_unit_test_probe_LDADD = $(breakpoint_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_runner
tests_unit_test_runner_LDADD = $(breakpoint_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_scenario_switch
tests_unit_test_scenario_switch_LDADD = $(breakpoint_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_frame_log
tests_unit_test_frame_log_LDADD = $(breakpoint_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_panel
tests_unit_test_panel_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_segment
tests_unit_test_segment_LDADD = $(netdev_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_netdev
tests_unit_test_netdev_LDADD = $(netdev_libs) $(CMOCKA_LIBS)

descriptor_message = tests/support/descriptor_message.c \
	tests/support/descriptor_message.h

unit_tests += tests/unit/test_privileged
tests_unit_test_privileged_SOURCES = tests/unit/test_privileged.c \
	$(descriptor_message)
tests_unit_test_privileged_LDADD = $(netdev_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sonic_files
tests_unit_test_sonic_files_SOURCES = tests/unit/test_sonic_files.c \
	saihostd/sonic_files.c
tests_unit_test_sonic_files_LDADD = libbase.a $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasicd
tests_unit_test_softasicd_SOURCES = tests/unit/test_softasicd.c \
	saihostd/clock.c saihostd/names.c saihostd/ports_options.c \
	saihostd/sonic_files.c
tests_unit_test_softasicd_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_softasicd_LDADD = $(netdev_libs) $(JANSSON_LIBS) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_peers
tests_unit_test_softasic_peers_SOURCES = tests/unit/test_softasic_peers.c \
	vendors/softasic/remote/ops_host.c
tests_unit_test_softasic_peers_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_deadlock
tests_unit_test_deadlock_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_scenario
tests_unit_test_scenario_LDADD = $(tempfile_libs) $(breakpoint_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_quantity
tests_unit_test_quantity_LDADD = $(lab_scenario_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_tune_choice
tests_unit_test_tune_choice_SOURCES = tests/unit/test_tune_choice.c \
	orchlab/tune_choice.c orchlab/tune.h
tests_unit_test_tune_choice_LDADD = $(base_libs) -lm $(CMOCKA_LIBS)

unit_tests += tests/unit/test_value_list
tests_unit_test_value_list_SOURCES = tests/unit/test_value_list.c \
	orchlab/value_list.c orchlab/value_list.h
tests_unit_test_value_list_LDADD = $(lab_scenario_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_scenario
tests_unit_test_lab_scenario_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"'
tests_unit_test_lab_scenario_LDADD = $(lab_topology_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_nic_files
tests_unit_test_nic_files_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"'
tests_unit_test_nic_files_LDADD = $(lab_topology_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_topology
tests_unit_test_lab_topology_LDADD = $(lab_topology_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_routes
tests_unit_test_lab_routes_LDADD = $(lab_topology_libs) $(CMOCKA_LIBS)

# The whole flow in memory, shared by unit and property tests.
check_LIBRARIES += libharness.a
libharness_a_SOURCES = tests/support/agent_harness.c tests/support/agent_harness.h \
	tests/support/asic_table.h \
	tests/support/asic_trace.c tests/support/asic_trace.h \
	tests/support/seed.h
harness_libs = libharness.a $(agent_libs) $(store_libs) $(CMOCKA_LIBS)
libharness_a_CPPFLAGS = $(AM_CPPFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"'
libharness_a_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

check_LIBRARIES += libtempfile.a
libtempfile_a_SOURCES = tests/support/tempfile.c tests/support/tempfile.h
tempfile_libs = libtempfile.a $(base_libs) $(CMOCKA_LIBS)
libtempfile_a_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

check_LIBRARIES += libstorm-model.a
libstorm_model_a_SOURCES = \
	tests/support/storm_model.c tests/support/storm_model.h \
	tests/support/storm_trial.c tests/support/storm_trial.h
storm_model_libs = libstorm-model.a $(watchdog_libs) $(derive_libs)

unit_tests += tests/unit/test_detector
tests_unit_test_detector_LDADD = $(storm_model_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_storm_account
tests_unit_test_storm_account_LDADD = $(watchdog_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_hardware_recovery
tests_unit_test_hardware_recovery_LDADD = $(pfcwd_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_watchdog
tests_unit_test_watchdog_LDADD = $(storm_model_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_agent
tests_unit_test_agent_LDADD = $(harness_libs)

unit_tests += tests/unit/test_agent_watchdog
tests_unit_test_agent_watchdog_LDADD = $(harness_libs)

unit_tests += tests/unit/test_agent_bulk
tests_unit_test_agent_bulk_LDADD = $(harness_libs)

unit_tests += tests/unit/test_graph_walk
tests_unit_test_graph_walk_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_graph_walk_LDADD = libreport.a $(harness_libs) $(JANSSON_LIBS)

unit_tests += tests/unit/test_effort
tests_unit_test_effort_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_effort_LDADD = libcontrol.a $(base_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_moment
tests_unit_test_moment_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_moment_LDADD = libcontrol.a $(base_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_report_slices
tests_unit_test_report_slices_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_report_slices_LDADD = libreport.a $(harness_libs) \
	$(JANSSON_LIBS)

unit_tests += tests/unit/test_exposition
tests_unit_test_exposition_LDADD = $(metrics_text_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_plan
tests_unit_test_plan_LDADD = $(harness_libs)

unit_tests += tests/unit/test_refusal
tests_unit_test_refusal_LDADD = $(harness_libs)

unit_tests += tests/unit/test_removal
tests_unit_test_removal_LDADD = $(harness_libs)

unit_tests += tests/unit/test_llr_order
tests_unit_test_llr_order_LDADD = $(harness_libs)

check_LIBRARIES += libdelivery_harness.a
libdelivery_harness_a_SOURCES = tests/support/delivery_harness.c \
	tests/support/delivery_harness.h tests/support/memory_redis.c \
	tests/support/memory_redis.h
libdelivery_harness_a_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
delivery_harness_libs = libdelivery_harness.a $(orchagent_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_evidence
tests_unit_test_evidence_LDADD = $(orchagent_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_syncd_plan
tests_unit_test_syncd_plan_LDADD = $(orchagent_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_port_lanes
tests_unit_test_port_lanes_LDADD = $(orchagent_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_delivery
tests_unit_test_delivery_CPPFLAGS = $(AM_CPPFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"'
tests_unit_test_delivery_LDADD = $(delivery_harness_libs)

unit_tests += tests/unit/test_drift
tests_unit_test_drift_LDADD = $(harness_libs)

unit_tests += tests/unit/test_agent_trouble
tests_unit_test_agent_trouble_LDADD = $(harness_libs)

unit_tests += tests/unit/test_agent_chassis
tests_unit_test_agent_chassis_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS='"$(abs_top_srcdir)/chips"'
tests_unit_test_agent_chassis_LDADD = $(sai_stack_libs) $(harness_libs) \
	libsoftasic.a $(softasic_libs)

unit_tests += tests/unit/test_agent_qos
tests_unit_test_agent_qos_LDADD = $(harness_libs)

unit_tests += tests/unit/test_llr_profiles
tests_unit_test_llr_profiles_LDADD = $(files_libs) $(tempfile_libs) \
	$(harness_libs)

unit_tests += tests/unit/test_peer_bugs
tests_unit_test_peer_bugs_LDADD = $(harness_libs)

unit_tests += tests/unit/test_buffer_tables
tests_unit_test_buffer_tables_LDADD = $(harness_libs)

unit_tests += tests/unit/test_fields
tests_unit_test_fields_LDADD = $(harness_libs)

unit_tests += tests/unit/test_derived_rows
tests_unit_test_derived_rows_LDADD = $(tempfile_libs) $(harness_libs) \
	$(report_libs)

unit_tests += tests/unit/test_dynamic
tests_unit_test_dynamic_LDADD = $(harness_libs)

unit_tests += tests/unit/test_asic_file
tests_unit_test_asic_file_LDADD = $(tempfile_libs) $(report_libs)

unit_tests += tests/unit/test_shut
tests_unit_test_shut_LDADD = $(harness_libs)

unit_tests += tests/unit/test_zero_file
tests_unit_test_zero_file_LDADD = $(tempfile_libs) $(report_libs)

unit_tests += tests/unit/test_translate
tests_unit_test_translate_CPPFLAGS = $(AM_CPPFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"'
tests_unit_test_translate_LDADD = $(agent_libs) $(CMOCKA_LIBS)

intent_test_cflags = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(JANSSON_CFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"' \
	-DDEFAULT_SHARED='"$(abs_top_srcdir)/../shared"'
intent_test_ldadd = $(intent_libs) $(CMOCKA_LIBS) $(JANSSON_LIBS)

unit_tests += tests/unit/test_key
tests_unit_test_key_CFLAGS = $(intent_test_cflags)
tests_unit_test_key_LDADD = $(intent_test_ldadd)

unit_tests += tests/unit/test_schema
tests_unit_test_schema_CFLAGS = $(intent_test_cflags)
tests_unit_test_schema_LDADD = $(tempfile_libs) $(intent_test_ldadd)

unit_tests += tests/unit/test_row_rules
tests_unit_test_row_rules_CFLAGS = $(intent_test_cflags)
tests_unit_test_row_rules_LDADD = $(intent_test_ldadd)

unit_tests += tests/unit/test_normalize
tests_unit_test_normalize_CFLAGS = $(intent_test_cflags)
tests_unit_test_normalize_LDADD = $(intent_test_ldadd)

unit_tests += tests/unit/test_intent
tests_unit_test_intent_CFLAGS = $(intent_test_cflags)
tests_unit_test_intent_LDADD = $(intent_test_ldadd)

unit_tests += tests/unit/test_headroom
tests_unit_test_headroom_LDADD = $(derive_libs) -lm $(CMOCKA_LIBS)

unit_tests += tests/unit/test_headroom_plan
tests_unit_test_headroom_plan_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"'
tests_unit_test_headroom_plan_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_headroom_plan_LDADD = $(headroom_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_derive
tests_unit_test_derive_LDADD = $(derive_rows_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pg_profile_lookup
tests_unit_test_pg_profile_lookup_LDADD = $(derive_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pool
tests_unit_test_pool_LDADD = $(derive_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_port_state
tests_unit_test_port_state_LDADD = $(derive_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_reclaim
tests_unit_test_reclaim_LDADD = $(derive_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_base
tests_unit_test_base_LDADD = $(base_libs) $(CMOCKA_LIBS)
unit_tests += tests/unit/test_attr_value
tests_unit_test_attr_value_LDADD = $(sai_core_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_entry
tests_unit_test_sai_entry_LDADD = $(sai_core_libs) $(CMOCKA_LIBS)

# A library to load, as several releases.
fake_sai = libfakesai.la libfakesai-1-10.la libfakesai-1-8.la \
	libfakesai-unknown.la
fake_sai_sources = tests/unit/fake_sai.c tests/unit/fake_sai.h
fake_sai_ldflags = -module -shared -avoid-version -rpath $(abs_builddir)
check_LTLIBRARIES += $(fake_sai)
libfakesai_la_SOURCES = $(fake_sai_sources)
libfakesai_la_CPPFLAGS = $(AM_CPPFLAGS) -DFAKE_VERSION=SAI_API_VERSION
libfakesai_la_LDFLAGS = $(fake_sai_ldflags)
libfakesai_1_10_la_SOURCES = $(fake_sai_sources)
libfakesai_1_10_la_CPPFLAGS = $(AM_CPPFLAGS) -DFAKE_VERSION=11002
libfakesai_1_10_la_LDFLAGS = $(fake_sai_ldflags)
libfakesai_1_8_la_SOURCES = $(fake_sai_sources)
libfakesai_1_8_la_CPPFLAGS = $(AM_CPPFLAGS) -DFAKE_VERSION=10803
libfakesai_1_8_la_LDFLAGS = $(fake_sai_ldflags)
libfakesai_unknown_la_SOURCES = $(fake_sai_sources)
libfakesai_unknown_la_CPPFLAGS = $(AM_CPPFLAGS) -DFAKE_VERSION=0
libfakesai_unknown_la_LDFLAGS = $(fake_sai_ldflags)

unit_tests += tests/unit/test_sai_faults
tests_unit_test_sai_faults_LDADD = $(sai_stack_libs) $(store_libs) \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_guard
tests_unit_test_sai_guard_LDADD = $(sai_stack_libs) $(store_libs) \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_loader
tests_unit_test_sai_loader_SOURCES = tests/unit/test_sai_loader.c \
	tests/unit/fake_sai.h
tests_unit_test_sai_loader_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFAKE_DIR='"$(abs_top_builddir)/.libs"'
tests_unit_test_sai_loader_LDADD = $(tempfile_libs) $(sai_loader_libs) $(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_loader_DEPENDENCIES = $(fake_sai)

unit_tests += tests/unit/test_sai_metadata
tests_unit_test_sai_metadata_LDADD = $(sai_core_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_recorder
tests_unit_test_sai_recorder_LDADD = $(tempfile_libs) $(sai_stack_libs) $(store_libs) \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_replay
tests_unit_test_sai_replay_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_sai_replay_LDADD = $(tempfile_libs) $(sai_stack_libs) $(store_libs) \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_bulk
tests_unit_test_sai_bulk_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"' \
	-DLIB_DIR='"$(abs_top_builddir)/.libs"'
tests_unit_test_sai_bulk_LDADD = $(sai_loader_libs) $(sai_stack_libs) \
	$(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_bulk_DEPENDENCIES = libsai-softasic.la \
	libsai-store.la

unit_tests += tests/unit/test_sai_notifications
tests_unit_test_sai_notifications_LDADD = $(sai_stack_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_many
tests_unit_test_sai_many_LDADD = $(sai_loader_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_vendor_stats
tests_unit_test_vendor_stats_LDADD = $(sai_loader_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_function_table
tests_unit_test_function_table_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_function_table_LDADD = $(sai_loader_libs) $(CMOCKA_LIBS)

# Wrong calls, on every libsai.
negative_sources = tests/unit/negative.c tests/unit/negative.h
negative_cppflags = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"' \
	-DLIB_DIR='"$(abs_top_builddir)/.libs"'
negative_libs = libsai-softasic.la libsai-store.la

unit_tests += tests/unit/test_sai_negative
tests_unit_test_sai_negative_SOURCES = tests/unit/test_sai_negative.c \
	$(negative_sources)
tests_unit_test_sai_negative_CPPFLAGS = $(negative_cppflags)
tests_unit_test_sai_negative_LDADD = $(tempfile_libs) $(sai_core_libs) $(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_negative_DEPENDENCIES = $(negative_libs)

unit_tests += tests/unit/test_sai_negative_bridge
tests_unit_test_sai_negative_bridge_SOURCES = tests/unit/test_sai_negative_bridge.c \
	$(negative_sources)
tests_unit_test_sai_negative_bridge_CPPFLAGS = $(negative_cppflags)
tests_unit_test_sai_negative_bridge_LDADD = $(sai_core_libs) $(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_negative_bridge_DEPENDENCIES = $(negative_libs)

unit_tests += tests/unit/test_sai_capabilities
tests_unit_test_sai_capabilities_SOURCES = tests/unit/test_sai_capabilities.c \
	$(negative_sources)
tests_unit_test_sai_capabilities_CPPFLAGS = $(negative_cppflags)
tests_unit_test_sai_capabilities_LDADD = $(sai_loader_libs) $(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_capabilities_DEPENDENCIES = $(negative_libs)

unit_tests += tests/unit/test_sai_negative_qos
tests_unit_test_sai_negative_qos_SOURCES = tests/unit/test_sai_negative_qos.c \
	$(negative_sources)
tests_unit_test_sai_negative_qos_CPPFLAGS = $(negative_cppflags)
tests_unit_test_sai_negative_qos_LDADD = $(sai_core_libs) $(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_negative_qos_DEPENDENCIES = $(negative_libs)

unit_tests += tests/unit/test_sai_serialize
tests_unit_test_sai_serialize_LDADD = $(sai_core_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_status
tests_unit_test_sai_status_LDADD = $(sai_core_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_validate
tests_unit_test_sai_validate_LDADD = $(sai_core_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_dbconfig
tests_unit_test_dbconfig_LDADD = $(tempfile_libs) $(db_libs)

unit_tests += tests/unit/test_redis_reader
tests_unit_test_redis_reader_LDADD = $(db_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_redis_refusals
tests_unit_test_redis_refusals_SOURCES = tests/unit/test_redis_refusals.c $(unix_client)
tests_unit_test_redis_refusals_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(EVENT_CFLAGS)
tests_unit_test_redis_refusals_LDADD = $(db_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_gate
tests_unit_test_gate_LDADD = $(db_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_reply_objects
tests_unit_test_reply_objects_LDADD = $(db_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_outbox
tests_unit_test_outbox_LDADD = $(db_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_loop
tests_unit_test_loop_LDADD = $(process_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_huge_pages
tests_unit_test_huge_pages_LDADD = $(process_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_notify
tests_unit_test_notify_LDADD = $(process_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_descriptors
tests_unit_test_descriptors_LDADD = $(process_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_event_log
tests_unit_test_event_log_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(EVENT_CFLAGS)
tests_unit_test_event_log_LDADD = $(process_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_places
tests_unit_test_places_LDADD = $(process_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_process_id
tests_unit_test_process_id_LDADD = $(process_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_store
tests_unit_test_store_LDADD = $(store_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_bars
tests_unit_test_bars_LDADD = $(command_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_live_history
tests_unit_test_live_history_SOURCES = tests/unit/test_live_history.c \
	orchctl/live_history.c
tests_unit_test_live_history_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_live_history_LDADD = $(command_libs) $(JANSSON_LIBS) \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_file_digest
tests_unit_test_file_digest_LDADD = $(tempfile_libs) $(command_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_command_option
tests_unit_test_command_option_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_command_option_LDADD = $(command_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_options
tests_unit_test_options_LDADD = $(daemon_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_compare
tests_unit_test_compare_LDADD = $(harness_libs)

unit_tests += tests/unit/test_burst
tests_unit_test_burst_LDADD = $(history_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_config_history
tests_unit_test_config_history_LDADD = $(tempfile_libs) $(history_libs) $(CMOCKA_LIBS)
tests_unit_test_config_history_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"'
EXTRA_DIST += tests/state/README.md tests/state/history-0.jsonl \
	tests/state/history-1.jsonl

unit_tests += tests/unit/test_journal
tests_unit_test_journal_LDADD = $(store_libs) $(sai_stack_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_settings
tests_unit_test_settings_LDADD = $(daemon_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic
tests_unit_test_softasic_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'
tests_unit_test_softasic_LDADD = $(tempfile_libs) $(asic_setup_libs)

# A host in a process of its own, for tests.
check_LIBRARIES += libtesthost.a
libtesthost_a_SOURCES = tests/support/testhost.c tests/support/testhost.h
testhost_libs = libtesthost.a $(CMOCKA_LIBS)
libtesthost_a_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"' -DTOP_BUILDDIR='"$(abs_top_builddir)"'
libtesthost_a_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

# The protocol between clients and hosts.
unit_tests += tests/unit/test_remote
tests_unit_test_remote_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) -pthread
tests_unit_test_remote_LDADD = $(tempfile_libs) $(testhost_libs) $(sai_remote_core_libs)
tests_unit_test_remote_LDFLAGS = -pthread

unit_tests += tests/unit/test_forms
tests_unit_test_forms_LDADD = $(saihost_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_remote_hostile
tests_unit_test_remote_hostile_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) -pthread
tests_unit_test_remote_hostile_LDADD = $(sai_remote_core_libs) $(CMOCKA_LIBS)
tests_unit_test_remote_hostile_LDFLAGS = -pthread

unit_tests += tests/unit/test_user
tests_unit_test_user_LDADD = $(confinement_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_operators
tests_unit_test_operators_LDADD = $(process_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_host_roles
tests_unit_test_host_roles_LDADD = $(saihost_libs) $(CMOCKA_LIBS)
tests_unit_test_host_roles_LDFLAGS = -pthread

unit_tests += tests/unit/test_remote_session
tests_unit_test_remote_session_LDADD = $(sai_remote_core_libs) $(store_libs) \
	$(CMOCKA_LIBS)
tests_unit_test_remote_session_LDFLAGS = -pthread

unit_tests += tests/unit/test_bulk_get
tests_unit_test_bulk_get_LDADD = $(store_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_adopt
tests_unit_test_sai_adopt_LDADD = $(sai_stack_libs) $(store_libs) \
	$(CMOCKA_LIBS)

# The tests of the software switch once more, on one in another process.
dist_check_SCRIPTS = tests/unit/check_remote.sh
TESTS += tests/unit/check_remote.sh

# The software switch with its tables, for tests.
check_LIBRARIES += libasic-setup.a
libasic_setup_a_SOURCES = tests/support/asic_setup.c tests/support/asic_setup.h \
	tests/support/l3_setup.c tests/support/l3_setup.h \
	tests/support/qos_setup.c tests/support/qos_setup.h
asic_setup_libs = libasic-setup.a $(testhost_libs) \
	$(softasic_libs)
libasic_setup_a_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'
libasic_setup_a_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

unit_tests += tests/unit/test_softasic_objects
tests_unit_test_softasic_objects_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_api
tests_unit_test_softasic_api_CPPFLAGS = $(AM_CPPFLAGS) \
	-DDEFAULT_SHARED='"$(abs_top_srcdir)/../shared"'
tests_unit_test_softasic_api_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_softasic_api_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_port_buffers
tests_unit_test_softasic_port_buffers_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_notify
tests_unit_test_softasic_notify_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_buffers
tests_unit_test_softasic_buffers_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_trimming
tests_unit_test_trimming_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_classes
tests_unit_test_softasic_classes_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_copies
tests_unit_test_softasic_copies_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_l2
tests_unit_test_softasic_l2_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_qos
tests_unit_test_softasic_qos_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_sai_negative_l3
tests_unit_test_sai_negative_l3_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_hash
tests_unit_test_softasic_hash_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_stored
tests_unit_test_softasic_stored_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_voq
tests_unit_test_softasic_voq_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_acl
tests_unit_test_softasic_acl_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_credits
tests_unit_test_softasic_credits_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_policer
tests_unit_test_softasic_policer_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_l3
tests_unit_test_softasic_l3_LDADD = $(asic_setup_libs)

unit_tests += tests/unit/test_softasic_module
tests_unit_test_softasic_module_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"' \
	-DMODULE='"$(abs_top_builddir)/.libs/libsai-softasic.so"'
tests_unit_test_softasic_module_LDADD = $(sai_loader_libs) $(CMOCKA_LIBS)
EXTRA_tests_unit_test_softasic_module_DEPENDENCIES = libsai-softasic.la

unit_tests += tests/unit/test_switch_image
tests_unit_test_switch_image_SOURCES = tests/unit/test_switch_image.c \
	$(image_setup) $(switch_compare)
tests_unit_test_switch_image_CPPFLAGS = $(image_setup_flags)
tests_unit_test_switch_image_LDADD = libpolling.a $(lab_switch_libs) \
	$(CMOCKA_LIBS)

# The same files, with orchctl.
TESTS += tests/unit/check_lab_configs.sh
EXTRA_DIST += tests/unit/check_lab_configs.sh

unit_tests += tests/unit/test_switch_routes
tests_unit_test_switch_routes_SOURCES = tests/unit/test_switch_routes.c \
	$(image_setup)
tests_unit_test_switch_routes_CPPFLAGS = $(image_setup_flags)
tests_unit_test_switch_routes_LDADD = $(lab_switch_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_hosts
tests_unit_test_lab_hosts_SOURCES = tests/unit/test_lab_hosts.c $(lab_run)
tests_unit_test_lab_hosts_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_hosts_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_nics
tests_unit_test_lab_nics_SOURCES = tests/unit/test_lab_nics.c $(lab_run)
tests_unit_test_lab_nics_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_nics_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_estats
tests_unit_test_estats_SOURCES = tests/unit/test_estats.c
tests_unit_test_estats_LDADD = $(estats_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_estats
tests_unit_test_lab_estats_SOURCES = tests/unit/test_lab_estats.c $(lab_run)
tests_unit_test_lab_estats_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_estats_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_software
tests_unit_test_lab_software_SOURCES = tests/unit/test_lab_software.c $(lab_run)
tests_unit_test_lab_software_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_software_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_io
tests_unit_test_io_LDADD = $(storage_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_failover
tests_unit_test_lab_failover_SOURCES = tests/unit/test_lab_failover.c $(lab_run)
tests_unit_test_lab_failover_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_failover_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_repair
tests_unit_test_lab_repair_SOURCES = tests/unit/test_lab_repair.c $(lab_run)
tests_unit_test_lab_repair_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_repair_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_disk
tests_unit_test_lab_disk_SOURCES = tests/unit/test_lab_disk.c $(lab_run)
tests_unit_test_lab_disk_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_disk_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_sk_rdma
tests_unit_test_lab_sk_rdma_SOURCES = tests/unit/test_lab_sk_rdma.c $(lab_run)
tests_unit_test_lab_sk_rdma_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_sk_rdma_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_run_ring
tests_unit_test_run_ring_SOURCES = tests/unit/test_run_ring.c
tests_unit_test_run_ring_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_su_rdma
tests_unit_test_lab_su_rdma_SOURCES = tests/unit/test_lab_su_rdma.c $(lab_run)
tests_unit_test_lab_su_rdma_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_su_rdma_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_faults
tests_unit_test_lab_faults_SOURCES = tests/unit/test_lab_faults.c $(lab_run)
tests_unit_test_lab_faults_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_faults_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_fluid
tests_unit_test_lab_fluid_SOURCES = tests/unit/test_lab_fluid.c $(lab_run)
tests_unit_test_lab_fluid_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_fluid_LDADD = $(fluid_libs) $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_restart
tests_unit_test_lab_restart_SOURCES = tests/unit/test_lab_restart.c $(lab_run)
tests_unit_test_lab_restart_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_restart_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_rollout
tests_unit_test_lab_rollout_SOURCES = tests/unit/test_lab_rollout.c $(lab_run)
tests_unit_test_lab_rollout_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_rollout_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_srd
tests_unit_test_lab_srd_SOURCES = tests/unit/test_lab_srd.c $(lab_run)
tests_unit_test_lab_srd_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_srd_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_barrier
tests_unit_test_lab_barrier_SOURCES = tests/unit/test_lab_barrier.c $(lab_run)
tests_unit_test_lab_barrier_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_barrier_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_vlan
tests_unit_test_lab_vlan_SOURCES = tests/unit/test_lab_vlan.c $(lab_run)
tests_unit_test_lab_vlan_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_vlan_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lab_deadlock
tests_unit_test_lab_deadlock_SOURCES = tests/unit/test_lab_deadlock.c $(lab_run)
tests_unit_test_lab_deadlock_CPPFLAGS = $(lab_run_flags)
tests_unit_test_lab_deadlock_LDADD = $(exec_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_run_errors
tests_unit_test_run_errors_SOURCES = tests/unit/test_run_errors.c $(lab_run)
tests_unit_test_run_errors_CPPFLAGS = $(lab_run_flags)
tests_unit_test_run_errors_LDADD = $(exec_libs) $(CMOCKA_LIBS)
endif
