# Unit tests: one program per module, built on cmocka.
if HAVE_CMOCKA
unit_tests =
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)

unit_tests += tests/unit/test_chip
tests_unit_test_chip_SOURCES = tests/unit/test_chip.c
tests_unit_test_chip_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'
tests_unit_test_chip_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_chip_LDADD = libchip.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_counters
tests_unit_test_counters_SOURCES = tests/unit/test_counters.c
tests_unit_test_counters_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_counters_LDADD = libcounters.la libintent.la libsai-core.la \
	libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_mmu
tests_unit_test_mmu_SOURCES = tests/unit/test_mmu.c
tests_unit_test_mmu_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_mmu_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_classify
tests_unit_test_classify_SOURCES = tests/unit/test_classify.c
tests_unit_test_classify_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_classify_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_scheduler
tests_unit_test_scheduler_SOURCES = tests/unit/test_scheduler.c
tests_unit_test_scheduler_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_scheduler_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pause
tests_unit_test_pause_SOURCES = tests/unit/test_pause.c
tests_unit_test_pause_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_pause_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_shaper
tests_unit_test_shaper_SOURCES = tests/unit/test_shaper.c
tests_unit_test_shaper_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_shaper_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_wred
tests_unit_test_wred_SOURCES = tests/unit/test_wred.c
tests_unit_test_wred_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_wred_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_lpm
tests_unit_test_lpm_SOURCES = tests/unit/test_lpm.c
tests_unit_test_lpm_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_lpm_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_packet
tests_unit_test_packet_SOURCES = tests/unit/test_packet.c
tests_unit_test_packet_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_packet_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_router
tests_unit_test_router_SOURCES = tests/unit/test_router.c
tests_unit_test_router_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_router_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_mmu_families
tests_unit_test_mmu_families_SOURCES = tests/unit/test_mmu_families.c
tests_unit_test_mmu_families_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_mmu_families_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_bridge
tests_unit_test_bridge_SOURCES = tests/unit/test_bridge.c
tests_unit_test_bridge_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_bridge_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sim_hold
tests_unit_test_sim_hold_SOURCES = tests/unit/test_sim_hold.c
tests_unit_test_sim_hold_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sim_hold_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)
unit_tests += tests/unit/test_sim_qos
tests_unit_test_sim_qos_SOURCES = tests/unit/test_sim_qos.c
tests_unit_test_sim_qos_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sim_qos_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sim
tests_unit_test_sim_SOURCES = tests/unit/test_sim.c
tests_unit_test_sim_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sim_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pause_frame
tests_unit_test_pause_frame_SOURCES = tests/unit/test_pause_frame.c
tests_unit_test_pause_frame_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_pause_frame_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_event_queue
tests_unit_test_event_queue_SOURCES = tests/unit/test_event_queue.c
tests_unit_test_event_queue_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_event_queue_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_net_headroom
tests_unit_test_net_headroom_SOURCES = tests/unit/test_net_headroom.c
tests_unit_test_net_headroom_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_net_headroom_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pace
tests_unit_test_pace_SOURCES = tests/unit/test_pace.c
tests_unit_test_pace_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_pace_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sink
tests_unit_test_sink_SOURCES = tests/unit/test_sink.c
tests_unit_test_sink_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sink_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_link
tests_unit_test_link_SOURCES = tests/unit/test_link.c
tests_unit_test_link_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_link_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_station
tests_unit_test_station_SOURCES = tests/unit/test_station.c
tests_unit_test_station_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_station_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pcap
tests_unit_test_pcap_SOURCES = tests/unit/test_pcap.c
tests_unit_test_pcap_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_pcap_LDADD = libtwin.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_random
tests_unit_test_random_SOURCES = tests/unit/test_random.c
tests_unit_test_random_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_random_LDADD = libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_control_server
tests_unit_test_control_server_SOURCES = tests/unit/test_control_server.c
tests_unit_test_control_server_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(EVENT_CFLAGS)
tests_unit_test_control_server_LDADD = libcontrol-server.la libbase.la \
	$(EVENT_LIBS) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_expression
tests_unit_test_expression_SOURCES = tests/unit/test_expression.c
tests_unit_test_expression_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_expression_LDADD = libbreakpoint.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_probe
tests_unit_test_probe_SOURCES = tests/unit/test_probe.c
tests_unit_test_probe_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_probe_LDADD = libbreakpoint.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_runner
tests_unit_test_runner_SOURCES = tests/unit/test_runner.c
tests_unit_test_runner_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_runner_LDADD = libbreakpoint.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_scenario_switch
tests_unit_test_scenario_switch_SOURCES = tests/unit/test_scenario_switch.c
tests_unit_test_scenario_switch_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_scenario_switch_LDADD = libbreakpoint.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_tally
tests_unit_test_tally_SOURCES = tests/unit/test_tally.c
tests_unit_test_tally_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_tally_LDADD = libbreakpoint.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_front
tests_unit_test_front_SOURCES = tests/unit/test_front.c
tests_unit_test_front_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_front_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_segment
tests_unit_test_segment_SOURCES = tests/unit/test_segment.c
tests_unit_test_segment_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_segment_LDADD = libnetdev.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_netdev
tests_unit_test_netdev_SOURCES = tests/unit/test_netdev.c
tests_unit_test_netdev_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_netdev_LDADD = libnetdev.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasicd
tests_unit_test_softasicd_SOURCES = tests/unit/test_softasicd.c \
	saihostd/clock.c saihostd/names.c saihostd/ports_options.c
tests_unit_test_softasicd_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_softasicd_LDADD = libnetdev.la libbase.la $(JANSSON_LIBS) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_peers
tests_unit_test_softasic_peers_SOURCES = tests/unit/test_softasic_peers.c
tests_unit_test_softasic_peers_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_peers_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_deadlock
tests_unit_test_deadlock_SOURCES = tests/unit/test_deadlock.c
tests_unit_test_deadlock_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_deadlock_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_scenario
tests_unit_test_scenario_SOURCES = tests/unit/test_scenario.c
tests_unit_test_scenario_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_scenario_LDADD = libbreakpoint.la libbase.la $(CMOCKA_LIBS)

# The whole flow in memory, shared by unit and property tests.
check_LTLIBRARIES += librig.la
librig_la_SOURCES = tests/support/rig.c tests/support/rig.h tests/support/seed.h
librig_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"'
librig_la_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
librig_la_LIBADD = libagent.la libstore.la $(CMOCKA_LIBS)

check_LTLIBRARIES += libtempfile.la
libtempfile_la_SOURCES = tests/support/tempfile.c tests/support/tempfile.h
libtempfile_la_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
libtempfile_la_LIBADD = libbase.la $(CMOCKA_LIBS)

check_LTLIBRARIES += libstorm-model.la
libstorm_model_la_SOURCES = \
	tests/support/storm_model.c tests/support/storm_model.h \
	tests/support/storm_trial.c tests/support/storm_trial.h
libstorm_model_la_LIBADD = libwatchdog.la

unit_tests += tests/unit/test_detector
tests_unit_test_detector_SOURCES = tests/unit/test_detector.c
tests_unit_test_detector_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_detector_LDADD = libstorm-model.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_account
tests_unit_test_account_SOURCES = tests/unit/test_account.c
tests_unit_test_account_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_account_LDADD = libwatchdog.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_storm_guard
tests_unit_test_storm_guard_SOURCES = tests/unit/test_storm_guard.c
tests_unit_test_storm_guard_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_storm_guard_LDADD = libpfcwd.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_watchdog
tests_unit_test_watchdog_SOURCES = tests/unit/test_watchdog.c
tests_unit_test_watchdog_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_watchdog_LDADD = libstorm-model.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_agent
tests_unit_test_agent_SOURCES = tests/unit/test_agent.c
tests_unit_test_agent_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_agent_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_agent_watchdog
tests_unit_test_agent_watchdog_SOURCES = tests/unit/test_agent_watchdog.c
tests_unit_test_agent_watchdog_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_agent_watchdog_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_agent_bulk
tests_unit_test_agent_bulk_SOURCES = tests/unit/test_agent_bulk.c
tests_unit_test_agent_bulk_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_agent_bulk_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_exposition
tests_unit_test_exposition_SOURCES = tests/unit/test_exposition.c
tests_unit_test_exposition_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_exposition_LDADD = libmetrics-text.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_drift
tests_unit_test_drift_SOURCES = tests/unit/test_drift.c
tests_unit_test_drift_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_drift_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_agent_trouble
tests_unit_test_agent_trouble_SOURCES = tests/unit/test_agent_trouble.c
tests_unit_test_agent_trouble_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_agent_trouble_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_agent_qos
tests_unit_test_agent_qos_SOURCES = tests/unit/test_agent_qos.c
tests_unit_test_agent_qos_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_agent_qos_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_peer_bugs
tests_unit_test_peer_bugs_SOURCES = tests/unit/test_peer_bugs.c
tests_unit_test_peer_bugs_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_peer_bugs_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_buffer_tables
tests_unit_test_buffer_tables_SOURCES = tests/unit/test_buffer_tables.c
tests_unit_test_buffer_tables_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_buffer_tables_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_fields
tests_unit_test_fields_SOURCES = tests/unit/test_fields.c
tests_unit_test_fields_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_fields_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_derived_rows
tests_unit_test_derived_rows_SOURCES = tests/unit/test_derived_rows.c
tests_unit_test_derived_rows_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_derived_rows_LDADD = libtempfile.la librig.la libdocument.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_dynamic
tests_unit_test_dynamic_SOURCES = tests/unit/test_dynamic.c
tests_unit_test_dynamic_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_dynamic_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_asic_file
tests_unit_test_asic_file_SOURCES = tests/unit/test_asic_file.c
tests_unit_test_asic_file_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_asic_file_LDADD = libtempfile.la libdocument.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_shut
tests_unit_test_shut_SOURCES = tests/unit/test_shut.c
tests_unit_test_shut_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_shut_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_zero_file
tests_unit_test_zero_file_SOURCES = tests/unit/test_zero_file.c
tests_unit_test_zero_file_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_zero_file_LDADD = libtempfile.la libdocument.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_translate
tests_unit_test_translate_SOURCES = tests/unit/test_translate.c
tests_unit_test_translate_CPPFLAGS = $(AM_CPPFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"'
tests_unit_test_translate_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_translate_LDADD = libagent.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/property/test_planner
tests_property_test_planner_SOURCES = tests/property/test_planner.c
tests_property_test_planner_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_property_test_planner_LDADD = librig.la $(CMOCKA_LIBS)

intent_test_cflags = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(JANSSON_CFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"' \
	-DDEFAULT_SHARED='"$(abs_top_srcdir)/../shared"'
intent_test_ldadd = libintent.la libbase.la $(CMOCKA_LIBS) $(JANSSON_LIBS)

unit_tests += tests/unit/test_key
tests_unit_test_key_SOURCES = tests/unit/test_key.c
tests_unit_test_key_CFLAGS = $(intent_test_cflags)
tests_unit_test_key_LDADD = $(intent_test_ldadd)

unit_tests += tests/unit/test_schema
tests_unit_test_schema_SOURCES = tests/unit/test_schema.c
tests_unit_test_schema_CFLAGS = $(intent_test_cflags)
tests_unit_test_schema_LDADD = $(intent_test_ldadd)

unit_tests += tests/unit/test_judge
tests_unit_test_judge_SOURCES = tests/unit/test_judge.c
tests_unit_test_judge_CFLAGS = $(intent_test_cflags)
tests_unit_test_judge_LDADD = $(intent_test_ldadd)

unit_tests += tests/unit/test_intent
tests_unit_test_intent_SOURCES = tests/unit/test_intent.c
tests_unit_test_intent_CFLAGS = $(intent_test_cflags)
tests_unit_test_intent_LDADD = $(intent_test_ldadd)

unit_tests += tests/unit/test_headroom
tests_unit_test_headroom_SOURCES = tests/unit/test_headroom.c
tests_unit_test_headroom_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_headroom_LDADD = libderive.la -lm $(CMOCKA_LIBS)

unit_tests += tests/unit/test_headroom_plan
tests_unit_test_headroom_plan_SOURCES = tests/unit/test_headroom_plan.c
tests_unit_test_headroom_plan_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"'
tests_unit_test_headroom_plan_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_headroom_plan_LDADD = libheadroom.la $(CMOCKA_LIBS) \
	$(JANSSON_LIBS)

unit_tests += tests/unit/test_derive
tests_unit_test_derive_SOURCES = tests/unit/test_derive.c
tests_unit_test_derive_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_derive_LDADD = libderive-rows.la libintent.la libbase.la \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_lookup
tests_unit_test_lookup_SOURCES = tests/unit/test_lookup.c
tests_unit_test_lookup_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_lookup_LDADD = libderive.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_pool
tests_unit_test_pool_SOURCES = tests/unit/test_pool.c
tests_unit_test_pool_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_pool_LDADD = libderive.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_port_state
tests_unit_test_port_state_SOURCES = tests/unit/test_port_state.c
tests_unit_test_port_state_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_port_state_LDADD = libderive.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_reclaim
tests_unit_test_reclaim_SOURCES = tests/unit/test_reclaim.c
tests_unit_test_reclaim_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_reclaim_LDADD = libderive.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_base
tests_unit_test_base_SOURCES = tests/unit/test_base.c
tests_unit_test_base_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_base_LDADD = libbase.la $(CMOCKA_LIBS)
unit_tests += tests/unit/test_sai_deep
tests_unit_test_sai_deep_SOURCES = tests/unit/test_sai_deep.c
tests_unit_test_sai_deep_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_deep_LDADD = libsai-core.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_entry
tests_unit_test_sai_entry_SOURCES = tests/unit/test_sai_entry.c
tests_unit_test_sai_entry_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_entry_LDADD = libsai-core.la libbase.la $(CMOCKA_LIBS)

# A library to load, as several releases.
fake_sai = libfakesai.la libfakesai-1-10.la libfakesai-1-8.la \
	libfakesai-unknown.la
fake_sai_sources = tests/unit/fake_sai.c tests/unit/fake_sai.h
fake_sai_ldflags = -module -shared -avoid-version -rpath $(abs_builddir)
check_LTLIBRARIES += $(fake_sai)
libfakesai_la_SOURCES = $(fake_sai_sources)
libfakesai_la_CPPFLAGS = $(AM_CPPFLAGS) -DFAKE_VERSION=11801
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
tests_unit_test_sai_faults_SOURCES = tests/unit/test_sai_faults.c
tests_unit_test_sai_faults_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_faults_LDADD = libsai-wrap.la libstore.la libsai-core.la \
	libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_guard
tests_unit_test_sai_guard_SOURCES = tests/unit/test_sai_guard.c
tests_unit_test_sai_guard_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_guard_LDADD = libsai-wrap.la libstore.la libsai-core.la \
	libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_loader
tests_unit_test_sai_loader_SOURCES = tests/unit/test_sai_loader.c \
	tests/unit/fake_sai.h
tests_unit_test_sai_loader_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFAKE_DIR='"$(abs_top_builddir)/.libs"'
tests_unit_test_sai_loader_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_loader_LDADD = libsai-loader.la libsai-core.la \
	libbase.la $(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_loader_DEPENDENCIES = $(fake_sai)

unit_tests += tests/unit/test_sai_metadata
tests_unit_test_sai_metadata_SOURCES = tests/unit/test_sai_metadata.c
tests_unit_test_sai_metadata_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_metadata_LDADD = libsai-core.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_recorder
tests_unit_test_sai_recorder_SOURCES = tests/unit/test_sai_recorder.c
tests_unit_test_sai_recorder_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_recorder_LDADD = libsai-wrap.la libstore.la libsai-core.la \
	libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_replay
tests_unit_test_sai_replay_SOURCES = tests/unit/test_sai_replay.c
tests_unit_test_sai_replay_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_sai_replay_LDADD = libsai-wrap.la libstore.la libsai-core.la \
	libbase.la $(CMOCKA_LIBS) $(JANSSON_LIBS)

unit_tests += tests/unit/test_sai_bulk
tests_unit_test_sai_bulk_SOURCES = tests/unit/test_sai_bulk.c
tests_unit_test_sai_bulk_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"' \
	-DLIB_DIR='"$(abs_top_builddir)/.libs"'
tests_unit_test_sai_bulk_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_bulk_LDADD = libsai-loader.la libsai-wrap.la \
	libsai-core.la libbase.la $(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_bulk_DEPENDENCIES = libsai-softasic.la \
	libsai-store.la

unit_tests += tests/unit/test_sai_notifications
tests_unit_test_sai_notifications_SOURCES = tests/unit/test_sai_notifications.c
tests_unit_test_sai_notifications_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_notifications_LDADD = libsai-wrap.la libsai-core.la libbase.la \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_many
tests_unit_test_sai_many_SOURCES = tests/unit/test_sai_many.c
tests_unit_test_sai_many_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_many_LDADD = libsai-loader.la libsai-core.la libbase.la \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_vendor_stats
tests_unit_test_vendor_stats_SOURCES = tests/unit/test_vendor_stats.c
tests_unit_test_vendor_stats_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_vendor_stats_LDADD = libsai-loader.la libsai-core.la \
	libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_routes
tests_unit_test_sai_routes_SOURCES = tests/unit/test_sai_routes.c
tests_unit_test_sai_routes_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_sai_routes_LDADD = libsai-loader.la libsai-core.la libbase.la \
	$(CMOCKA_LIBS) $(JANSSON_LIBS)

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
tests_unit_test_sai_negative_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_negative_LDADD = libsai-core.la libbase.la \
	$(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_negative_DEPENDENCIES = $(negative_libs)

unit_tests += tests/unit/test_sai_negative_bridge
tests_unit_test_sai_negative_bridge_SOURCES = tests/unit/test_sai_negative_bridge.c \
	$(negative_sources)
tests_unit_test_sai_negative_bridge_CPPFLAGS = $(negative_cppflags)
tests_unit_test_sai_negative_bridge_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_negative_bridge_LDADD = libsai-core.la libbase.la \
	$(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_negative_bridge_DEPENDENCIES = $(negative_libs)

unit_tests += tests/unit/test_sai_capabilities
tests_unit_test_sai_capabilities_SOURCES = tests/unit/test_sai_capabilities.c \
	$(negative_sources)
tests_unit_test_sai_capabilities_CPPFLAGS = $(negative_cppflags)
tests_unit_test_sai_capabilities_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_capabilities_LDADD = libsai-loader.la libsai-core.la libbase.la \
	$(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_capabilities_DEPENDENCIES = $(negative_libs)

unit_tests += tests/unit/test_sai_negative_qos
tests_unit_test_sai_negative_qos_SOURCES = tests/unit/test_sai_negative_qos.c \
	$(negative_sources)
tests_unit_test_sai_negative_qos_CPPFLAGS = $(negative_cppflags)
tests_unit_test_sai_negative_qos_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_negative_qos_LDADD = libsai-core.la libbase.la \
	$(CMOCKA_LIBS)
EXTRA_tests_unit_test_sai_negative_qos_DEPENDENCIES = $(negative_libs)

unit_tests += tests/unit/test_sai_serialize
tests_unit_test_sai_serialize_SOURCES = tests/unit/test_sai_serialize.c
tests_unit_test_sai_serialize_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_serialize_LDADD = libsai-core.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_status
tests_unit_test_sai_status_SOURCES = tests/unit/test_sai_status.c
tests_unit_test_sai_status_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_status_LDADD = libsai-core.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_validate
tests_unit_test_sai_validate_SOURCES = tests/unit/test_sai_validate.c
tests_unit_test_sai_validate_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_validate_LDADD = libsai-core.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_dbconfig
tests_unit_test_dbconfig_SOURCES = tests/unit/test_dbconfig.c
tests_unit_test_dbconfig_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_dbconfig_LDADD = libtempfile.la libdb.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_gate
tests_unit_test_gate_SOURCES = tests/unit/test_gate.c
tests_unit_test_gate_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_gate_LDADD = libdb.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_outbox
tests_unit_test_outbox_SOURCES = tests/unit/test_outbox.c
tests_unit_test_outbox_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_outbox_LDADD = libdb.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_loop
tests_unit_test_loop_SOURCES = tests/unit/test_loop.c
tests_unit_test_loop_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_loop_LDADD = libloop.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_store
tests_unit_test_store_SOURCES = tests/unit/test_store.c
tests_unit_test_store_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_store_LDADD = libstore.la libsai-core.la libbase.la \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_options
tests_unit_test_options_SOURCES = tests/unit/test_options.c
tests_unit_test_options_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_options_LDADD = libdaemon.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_compare
tests_unit_test_compare_SOURCES = tests/unit/test_compare.c
tests_unit_test_compare_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_compare_LDADD = librig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_config_history
tests_unit_test_config_history_SOURCES = tests/unit/test_config_history.c
tests_unit_test_config_history_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_config_history_LDADD = libhistory.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_journal
tests_unit_test_journal_SOURCES = tests/unit/test_journal.c
tests_unit_test_journal_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_journal_LDADD = libstore.la libsai-wrap.la libbase.la \
	$(CMOCKA_LIBS)

unit_tests += tests/unit/test_settings
tests_unit_test_settings_SOURCES = tests/unit/test_settings.c
tests_unit_test_settings_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_settings_LDADD = libdaemon.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic
tests_unit_test_softasic_SOURCES = tests/unit/test_softasic.c
tests_unit_test_softasic_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'
tests_unit_test_softasic_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_LDADD = libsoftasic.la libstore.la libsai-core.la \
	libchip.la libbase.la $(CMOCKA_LIBS)

# A host in a process of its own, for tests.
check_LTLIBRARIES += libtesthost.la
libtesthost_la_SOURCES = tests/support/testhost.c tests/support/testhost.h
libtesthost_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"' -DTOP_BUILDDIR='"$(abs_top_builddir)"'
libtesthost_la_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
libtesthost_la_LIBADD = $(CMOCKA_LIBS)

# The protocol between clients and hosts.
unit_tests += tests/unit/test_remote
tests_unit_test_remote_SOURCES = tests/unit/test_remote.c
tests_unit_test_remote_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) -pthread
tests_unit_test_remote_LDADD = libtesthost.la libsai-remote-core.la \
	libsai-core.la libbase.la $(CMOCKA_LIBS)
tests_unit_test_remote_LDFLAGS = -pthread

unit_tests += tests/unit/test_remote_session
tests_unit_test_remote_session_SOURCES = tests/unit/test_remote_session.c
tests_unit_test_remote_session_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_remote_session_LDADD = libsai-remote-core.la libstore.la \
	libsai-core.la libbase.la $(CMOCKA_LIBS)
tests_unit_test_remote_session_LDFLAGS = -pthread

unit_tests += tests/unit/test_sai_adopt
tests_unit_test_sai_adopt_SOURCES = tests/unit/test_sai_adopt.c
tests_unit_test_sai_adopt_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_adopt_LDADD = libsai-wrap.la libstore.la libsai-core.la \
	libbase.la $(CMOCKA_LIBS)

# The tests of the software switch once more, on one in another process.
dist_check_SCRIPTS = tests/unit/check_remote.sh
TESTS += tests/unit/check_remote.sh

# The software switch with its tables, for tests.
check_LTLIBRARIES += libasicrig.la
libasicrig_la_SOURCES = tests/support/asicrig.c tests/support/asicrig.h \
	tests/support/l3rig.c tests/support/l3rig.h
libasicrig_la_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'
libasicrig_la_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
libasicrig_la_LIBADD = libtesthost.la libsoftasic.la libstore.la \
	libsai-core.la libchip.la libbase.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_objects
tests_unit_test_softasic_objects_SOURCES = tests/unit/test_softasic_objects.c
tests_unit_test_softasic_objects_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_objects_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_face
tests_unit_test_softasic_face_SOURCES = tests/unit/test_softasic_face.c
tests_unit_test_softasic_face_CPPFLAGS = $(AM_CPPFLAGS) \
	-DDEFAULT_SHARED='"$(abs_top_srcdir)/../shared"'
tests_unit_test_softasic_face_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) \
	$(JANSSON_CFLAGS)
tests_unit_test_softasic_face_LDADD = libasicrig.la $(CMOCKA_LIBS) \
	$(JANSSON_LIBS)

unit_tests += tests/unit/test_softasic_port_buffers
tests_unit_test_softasic_port_buffers_SOURCES = \
	tests/unit/test_softasic_port_buffers.c
tests_unit_test_softasic_port_buffers_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_port_buffers_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_notify
tests_unit_test_softasic_notify_SOURCES = tests/unit/test_softasic_notify.c
tests_unit_test_softasic_notify_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_notify_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_buffers
tests_unit_test_softasic_buffers_SOURCES = tests/unit/test_softasic_buffers.c
tests_unit_test_softasic_buffers_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_buffers_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_classes
tests_unit_test_softasic_classes_SOURCES = tests/unit/test_softasic_classes.c
tests_unit_test_softasic_classes_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_classes_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_copies
tests_unit_test_softasic_copies_SOURCES = tests/unit/test_softasic_copies.c
tests_unit_test_softasic_copies_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_copies_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_l2
tests_unit_test_softasic_l2_SOURCES = tests/unit/test_softasic_l2.c
tests_unit_test_softasic_l2_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_l2_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_qos
tests_unit_test_softasic_qos_SOURCES = tests/unit/test_softasic_qos.c
tests_unit_test_softasic_qos_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_qos_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_sai_negative_l3
tests_unit_test_sai_negative_l3_SOURCES = tests/unit/test_sai_negative_l3.c
tests_unit_test_sai_negative_l3_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sai_negative_l3_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_l3
tests_unit_test_softasic_l3_SOURCES = tests/unit/test_softasic_l3.c
tests_unit_test_softasic_l3_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_l3_LDADD = libasicrig.la $(CMOCKA_LIBS)

unit_tests += tests/unit/test_softasic_module
tests_unit_test_softasic_module_SOURCES = tests/unit/test_softasic_module.c
tests_unit_test_softasic_module_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"' \
	-DMODULE='"$(abs_top_builddir)/.libs/libsai-softasic.so"'
tests_unit_test_softasic_module_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_softasic_module_LDADD = libsai-loader.la libsai-core.la \
	libbase.la $(CMOCKA_LIBS)
EXTRA_tests_unit_test_softasic_module_DEPENDENCIES = libsai-softasic.la
endif
