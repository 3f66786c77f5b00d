# Fuzzing: one target per parser that takes bytes from outside.  "make check"
# replays the corpus with any compiler; "make fuzz" builds the fuzzers.

fuzz_common = tests/fuzz/fuzz.h tests/fuzz/bytes.c tests/fuzz/folder.c \
	tests/fuzz/snapshot.h tests/fuzz/snapshot.c
# Mutators, of fuzzers only.
mutate_text = tests/fuzz/mutate.h tests/fuzz/mutate.c tests/fuzz/mutate_text.c
mutate_steps = tests/fuzz/mutate.h tests/fuzz/mutate.c tests/fuzz/mutate_steps.c
fuzz_switch = tests/fuzz/switch.h tests/fuzz/switch.c
fuzz_modules = tests/fuzz/modules.h tests/fuzz/modules.c
fuzz_cppflags = $(AM_CPPFLAGS) -DFUZZ_DIR='"$(abs_top_srcdir)/tests/fuzz"' \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"'
fuzz_replay = $(fuzz_common) tests/fuzz/replay.c

EXTRA_DIST += tests/fuzz/README.md tests/fuzz/chips tests/fuzz/corpus \
	tests/fuzz/coverage.sh tests/fuzz/run_fuzzers.sh tests/fuzz/seeds.sh \
	tests/fuzz/control.dict tests/fuzz/rows.dict tests/fuzz/sai_files.dict

# The regression corpus.
replay_programs =
check_PROGRAMS += $(replay_programs)
TESTS += $(replay_programs)

replay_programs += tests/fuzz/replay_chip
tests_fuzz_replay_chip_SOURCES = tests/fuzz/fuzz_chip.c tests/fuzz/leaks.c \
	$(fuzz_replay)
tests_fuzz_replay_chip_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"chip"'
tests_fuzz_replay_chip_LDADD = $(chip_libs)

replay_programs += tests/fuzz/replay_client
tests_fuzz_replay_client_SOURCES = tests/fuzz/fuzz_client.c $(fuzz_replay)
tests_fuzz_replay_client_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"client"'
tests_fuzz_replay_client_LDADD = $(sai_remote_core_libs)
tests_fuzz_replay_client_LDFLAGS = -pthread

replay_programs += tests/fuzz/replay_control
tests_fuzz_replay_control_SOURCES = tests/fuzz/fuzz_control.c $(fuzz_switch) \
	$(fuzz_modules) $(fuzz_replay)
tests_fuzz_replay_control_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"control"'
tests_fuzz_replay_control_LDADD = $(page_libs) $(softasic_libs)

replay_programs += tests/fuzz/replay_history
tests_fuzz_replay_history_SOURCES = tests/fuzz/fuzz_history.c $(fuzz_replay)
tests_fuzz_replay_history_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"history"'
tests_fuzz_replay_history_LDADD = $(history_libs)

replay_programs += tests/fuzz/replay_http
tests_fuzz_replay_http_SOURCES = tests/fuzz/fuzz_http.c $(fuzz_replay)
tests_fuzz_replay_http_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"http"'
tests_fuzz_replay_http_LDADD = $(page_libs) $(JANSSON_LIBS)

replay_programs += tests/fuzz/replay_intent
tests_fuzz_replay_intent_SOURCES = tests/fuzz/fuzz_intent.c $(fuzz_modules) \
	$(fuzz_replay)
tests_fuzz_replay_intent_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"intent"'
tests_fuzz_replay_intent_LDADD = $(agent_libs) $(store_libs)

replay_programs += tests/fuzz/replay_metric
tests_fuzz_replay_metric_SOURCES = tests/fuzz/fuzz_metric.c $(fuzz_replay)
tests_fuzz_replay_metric_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"metric"'
tests_fuzz_replay_metric_LDADD = $(metric_libs)
replay_programs += tests/fuzz/replay_lab_scenario
tests_fuzz_replay_lab_scenario_SOURCES = tests/fuzz/fuzz_lab_scenario.c \
	tests/fuzz/leaks.c $(fuzz_replay)
tests_fuzz_replay_lab_scenario_CPPFLAGS = $(fuzz_cppflags) \
	-DTARGET='"lab_scenario"'
tests_fuzz_replay_lab_scenario_LDADD = $(lab_topology_libs)

replay_programs += tests/fuzz/replay_options
tests_fuzz_replay_options_SOURCES = tests/fuzz/fuzz_options.c $(fuzz_replay)
tests_fuzz_replay_options_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"options"'
tests_fuzz_replay_options_LDADD = $(daemon_libs)

replay_programs += tests/fuzz/replay_packet
tests_fuzz_replay_packet_SOURCES = tests/fuzz/fuzz_packet.c $(fuzz_replay)
tests_fuzz_replay_packet_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"packet"'
tests_fuzz_replay_packet_LDADD = $(twin_libs)

replay_programs += tests/fuzz/replay_pcap
tests_fuzz_replay_pcap_SOURCES = tests/fuzz/fuzz_pcap.c $(fuzz_replay)
tests_fuzz_replay_pcap_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"pcap"'
tests_fuzz_replay_pcap_LDADD = $(twin_libs)

replay_programs += tests/fuzz/replay_privileged
tests_fuzz_replay_privileged_SOURCES = tests/fuzz/fuzz_privileged.c \
	$(descriptor_message) $(fuzz_replay)
tests_fuzz_replay_privileged_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"privileged"'
tests_fuzz_replay_privileged_LDADD = $(netdev_libs)

replay_programs += tests/fuzz/replay_redis
tests_fuzz_replay_redis_SOURCES = tests/fuzz/fuzz_redis.c $(fuzz_replay)
tests_fuzz_replay_redis_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"redis"'
tests_fuzz_replay_redis_LDADD = $(db_libs)

replay_programs += tests/fuzz/replay_remote
tests_fuzz_replay_remote_SOURCES = tests/fuzz/fuzz_remote.c $(fuzz_switch) \
	$(fuzz_replay) vendors/softasic/remote/ops_host.c
tests_fuzz_replay_remote_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"remote"'
tests_fuzz_replay_remote_LDADD = $(softasic_libs)
tests_fuzz_replay_remote_LDFLAGS = -pthread

replay_programs += tests/fuzz/replay_rows
tests_fuzz_replay_rows_SOURCES = tests/fuzz/fuzz_rows.c $(fuzz_modules) \
	$(fuzz_replay)
tests_fuzz_replay_rows_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"rows"'
tests_fuzz_replay_rows_LDADD = $(agent_libs)

replay_programs += tests/fuzz/replay_sai_files
tests_fuzz_replay_sai_files_SOURCES = tests/fuzz/fuzz_sai_files.c \
	$(fuzz_replay)
tests_fuzz_replay_sai_files_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"sai_files"'
tests_fuzz_replay_sai_files_LDADD = $(sai_stack_libs) $(store_libs)

replay_programs += tests/fuzz/replay_scenario
tests_fuzz_replay_scenario_SOURCES = tests/fuzz/fuzz_scenario.c tests/fuzz/leaks.c \
	$(fuzz_replay)
tests_fuzz_replay_scenario_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"scenario"'
tests_fuzz_replay_scenario_LDADD = $(breakpoint_libs)

replay_programs += tests/fuzz/replay_sonic_files
tests_fuzz_replay_sonic_files_SOURCES = tests/fuzz/fuzz_sonic_files.c \
	saihostd/sonic_files.c $(fuzz_replay)
tests_fuzz_replay_sonic_files_CPPFLAGS = $(fuzz_cppflags) \
	-DTARGET='"sonic_files"'
tests_fuzz_replay_sonic_files_LDADD = libbase.a

replay_programs += tests/fuzz/replay_segment
tests_fuzz_replay_segment_SOURCES = tests/fuzz/fuzz_segment.c $(fuzz_replay)
tests_fuzz_replay_segment_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"segment"'
tests_fuzz_replay_segment_LDADD = $(netdev_libs)

replay_programs += tests/fuzz/replay_serialize
tests_fuzz_replay_serialize_SOURCES = tests/fuzz/fuzz_serialize.c $(fuzz_replay)
tests_fuzz_replay_serialize_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"serialize"'
tests_fuzz_replay_serialize_LDADD = $(sai_core_libs)

replay_programs += tests/fuzz/replay_softasic
tests_fuzz_replay_softasic_SOURCES = tests/fuzz/fuzz_softasic.c $(fuzz_switch) \
	$(fuzz_replay)
tests_fuzz_replay_softasic_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"softasic"'
tests_fuzz_replay_softasic_LDADD = $(softasic_libs)

replay_programs += tests/fuzz/replay_thrift
tests_fuzz_replay_thrift_SOURCES = tests/fuzz/fuzz_thrift.c $(fuzz_replay)
tests_fuzz_replay_thrift_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"thrift"'
tests_fuzz_replay_thrift_LDADD = $(rpc_libs)

replay_programs += tests/fuzz/replay_transport
tests_fuzz_replay_transport_SOURCES = tests/fuzz/fuzz_transport.c \
	$(fuzz_replay)
tests_fuzz_replay_transport_CPPFLAGS = $(fuzz_cppflags) \
	-DTARGET='"transport"'
tests_fuzz_replay_transport_LDADD = $(twin_libs)

replay_programs += tests/fuzz/replay_twin
tests_fuzz_replay_twin_SOURCES = tests/fuzz/fuzz_twin.c $(fuzz_replay)
tests_fuzz_replay_twin_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"twin"'
tests_fuzz_replay_twin_LDADD = $(twin_libs)

replay_programs += tests/fuzz/replay_vendor
tests_fuzz_replay_vendor_SOURCES = tests/fuzz/fuzz_vendor.c $(fuzz_replay)
tests_fuzz_replay_vendor_CPPFLAGS = $(fuzz_cppflags) -DTARGET='"vendor"'
tests_fuzz_replay_vendor_LDADD = $(report_libs)

# The fuzzers.  They need clang's libFuzzer, and the whole product compiled for
# it, beside what the configured compiler makes.
fuzzers =
EXTRA_PROGRAMS += $(fuzzers)
EXTRA_LIBRARIES = libfuzzed.a libfuzzed_model.a
CLEANFILES += $(fuzzers) $(EXTRA_LIBRARIES)
FUZZ_CC = clang
fuzz_sanitize = -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined -fno-omit-frame-pointer
fuzz_cflags = $(AM_CFLAGS) -g -O2 $(fuzz_sanitize) -fsanitize=fuzzer-no-link
# A heap of their own (snapshot.h).
fuzz_ldflags = $(fuzz_sanitize) -fsanitize=fuzzer \
	-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=aligned_alloc -Wl,--wrap=free
fuzzer_cppflags = $(fuzz_cppflags) -DFUZZ_SNAPSHOT
# The two libraries need each other.  libtool drops the second of two equal names.
fuzz_ldadd = libfuzzed.a libfuzzed_model.a ./libfuzzed.a ./libfuzzed_model.a $(EVENT_LIBS) \
	$(FYAML_LIBS) $(HIREDIS_LIBS) $(JANSSON_LIBS) $(NL_LIBS) $(YANG_LIBS) \
	$(ZLIB_LIBS)

libfuzzed_a_SOURCES = \
	$(libbreakpoint_a_SOURCES) \
	$(libbreakpoint_target_a_SOURCES) \
	$(libchip_a_SOURCES) \
	$(libcontrol_a_SOURCES) \
	$(libswitch_query_a_SOURCES) \
	$(libcontrol_protocol_a_SOURCES) \
	$(libcontrol_server_a_SOURCES) \
	$(libdb_a_SOURCES) \
	$(libreport_a_SOURCES) \
	$(libhistory_a_SOURCES) \
	$(libhttp_a_SOURCES) \
	$(liblab_scenario_a_SOURCES) \
	$(liblint_a_SOURCES) \
	$(libmetric_a_SOURCES) \
	$(libprocess_a_SOURCES) \
	$(libnetdev_a_SOURCES) \
	$(libpage_a_SOURCES) \
	$(libremote_a_SOURCES) \
	$(librpc_a_SOURCES) \
	$(libsai_exports_a_SOURCES) $(libsai_tables_a_SOURCES) \
	$(libsai_remote_core_a_SOURCES) \
	$(libsai_stack_a_SOURCES) \
	$(libfiles_a_SOURCES) \
	$(libyaml_document_a_SOURCES) \
	orchd/daemon/options.c orchd/daemon/options.h \
	orchd/daemon/settings.c orchd/daemon/settings.h \
	orchd/daemon/settings_text.c orchd/daemon/settings_text.h
libfuzzed_a_CFLAGS = $(fuzz_cflags) $(EVENT_CFLAGS) $(FYAML_CFLAGS) \
	$(JANSSON_CFLAGS) $(NL_CFLAGS) $(YANG_CFLAGS)

# What an input reaches as operations, not as text.  To note the operands of
# each comparison there takes half of the time and tells nothing of the input.
libfuzzed_model_a_SOURCES = \
	$(libagent_a_SOURCES) \
	$(libbase_a_SOURCES) \
	$(libderive_a_SOURCES) \
	$(libderive_rows_a_SOURCES) \
	$(libintent_a_SOURCES) \
	$(liblab_topology_a_SOURCES) \
	$(libreconcile_a_SOURCES) \
	$(libsai_core_a_SOURCES) \
	$(libsoftasic_a_SOURCES) \
	$(libobjects_a_SOURCES) \
	$(libstore_a_SOURCES) \
	$(libtestbench_a_SOURCES) \
	$(libtranslate_a_SOURCES) \
	$(libtwin_a_SOURCES) \
	$(libwatchdog_a_SOURCES)
libfuzzed_model_a_CFLAGS = $(libfuzzed_a_CFLAGS) \
	-fno-sanitize-coverage=trace-cmp

fuzzers += tests/fuzz/fuzz_chip
tests_fuzz_fuzz_chip_SOURCES = tests/fuzz/fuzz_chip.c tests/fuzz/leaks.c \
	$(fuzz_common) \
	$(mutate_text)
tests_fuzz_fuzz_chip_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_chip_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_chip_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_chip_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_client
tests_fuzz_fuzz_client_SOURCES = tests/fuzz/fuzz_client.c $(fuzz_common)
tests_fuzz_fuzz_client_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_client_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_client_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_client_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_control
tests_fuzz_fuzz_control_SOURCES = tests/fuzz/fuzz_control.c $(fuzz_switch) \
	$(fuzz_modules) $(fuzz_common) \
	$(mutate_text)
tests_fuzz_fuzz_control_CPPFLAGS = $(fuzzer_cppflags) -DMUTATE_LINES=3
tests_fuzz_fuzz_control_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_control_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_control_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_history
tests_fuzz_fuzz_history_SOURCES = tests/fuzz/fuzz_history.c $(fuzz_common) \
	$(mutate_text)
tests_fuzz_fuzz_history_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_history_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_history_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_history_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_http
tests_fuzz_fuzz_http_SOURCES = tests/fuzz/fuzz_http.c $(fuzz_common)
tests_fuzz_fuzz_http_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_http_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_http_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_http_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_intent
tests_fuzz_fuzz_intent_SOURCES = tests/fuzz/fuzz_intent.c $(fuzz_modules) \
	$(fuzz_common) \
	$(mutate_steps)
tests_fuzz_fuzz_intent_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_intent_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_intent_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_intent_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_metric
tests_fuzz_fuzz_metric_SOURCES = tests/fuzz/fuzz_metric.c $(fuzz_common) \
	$(mutate_text)
tests_fuzz_fuzz_metric_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_metric_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_metric_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_metric_LDADD = $(fuzz_ldadd)
fuzzers += tests/fuzz/fuzz_lab_scenario
tests_fuzz_fuzz_lab_scenario_SOURCES = tests/fuzz/fuzz_lab_scenario.c \
	tests/fuzz/leaks.c $(fuzz_common) \
	$(mutate_text)
tests_fuzz_fuzz_lab_scenario_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_lab_scenario_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_lab_scenario_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_lab_scenario_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_options
tests_fuzz_fuzz_options_SOURCES = tests/fuzz/fuzz_options.c $(fuzz_common)
tests_fuzz_fuzz_options_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_options_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_options_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_options_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_packet
tests_fuzz_fuzz_packet_SOURCES = tests/fuzz/fuzz_packet.c $(fuzz_common)
tests_fuzz_fuzz_packet_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_packet_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_packet_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_packet_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_pcap
tests_fuzz_fuzz_pcap_SOURCES = tests/fuzz/fuzz_pcap.c $(fuzz_common)
tests_fuzz_fuzz_pcap_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_pcap_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_pcap_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_pcap_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_privileged
tests_fuzz_fuzz_privileged_SOURCES = tests/fuzz/fuzz_privileged.c \
	$(descriptor_message) $(fuzz_common)
tests_fuzz_fuzz_privileged_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_privileged_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_privileged_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_privileged_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_redis
tests_fuzz_fuzz_redis_SOURCES = tests/fuzz/fuzz_redis.c $(fuzz_common)
tests_fuzz_fuzz_redis_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_redis_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_redis_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_redis_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_remote
tests_fuzz_fuzz_remote_SOURCES = tests/fuzz/fuzz_remote.c $(fuzz_switch) \
	$(fuzz_common) vendors/softasic/remote/ops_host.c
tests_fuzz_fuzz_remote_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_remote_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_remote_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_remote_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_rows
tests_fuzz_fuzz_rows_SOURCES = tests/fuzz/fuzz_rows.c $(fuzz_modules) \
	$(fuzz_common) \
	$(mutate_text)
tests_fuzz_fuzz_rows_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_rows_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_rows_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_rows_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_sai_files
tests_fuzz_fuzz_sai_files_SOURCES = tests/fuzz/fuzz_sai_files.c $(fuzz_common) \
	$(mutate_text)
tests_fuzz_fuzz_sai_files_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_sai_files_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_sai_files_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_sai_files_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_scenario
tests_fuzz_fuzz_scenario_SOURCES = tests/fuzz/fuzz_scenario.c tests/fuzz/leaks.c \
	$(fuzz_common) \
	$(mutate_text)
tests_fuzz_fuzz_scenario_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_scenario_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_scenario_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_scenario_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_sonic_files
tests_fuzz_fuzz_sonic_files_SOURCES = tests/fuzz/fuzz_sonic_files.c \
	saihostd/sonic_files.c $(fuzz_common)
tests_fuzz_fuzz_sonic_files_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_sonic_files_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_sonic_files_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_sonic_files_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_segment
tests_fuzz_fuzz_segment_SOURCES = tests/fuzz/fuzz_segment.c $(fuzz_common)
tests_fuzz_fuzz_segment_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_segment_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_segment_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_segment_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_serialize
tests_fuzz_fuzz_serialize_SOURCES = tests/fuzz/fuzz_serialize.c $(fuzz_common)
tests_fuzz_fuzz_serialize_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_serialize_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_serialize_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_serialize_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_softasic
tests_fuzz_fuzz_softasic_SOURCES = tests/fuzz/fuzz_softasic.c $(fuzz_switch) \
	$(fuzz_common) \
	$(mutate_steps)
tests_fuzz_fuzz_softasic_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_softasic_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_softasic_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_softasic_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_thrift
tests_fuzz_fuzz_thrift_SOURCES = tests/fuzz/fuzz_thrift.c $(fuzz_common)
tests_fuzz_fuzz_thrift_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_thrift_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_thrift_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_thrift_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_transport
tests_fuzz_fuzz_transport_SOURCES = tests/fuzz/fuzz_transport.c \
	$(fuzz_common)
tests_fuzz_fuzz_transport_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_transport_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_transport_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_transport_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_twin
tests_fuzz_fuzz_twin_SOURCES = tests/fuzz/fuzz_twin.c $(fuzz_common) \
	$(mutate_steps)
tests_fuzz_fuzz_twin_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_twin_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_twin_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_twin_LDADD = $(fuzz_ldadd)

fuzzers += tests/fuzz/fuzz_vendor
tests_fuzz_fuzz_vendor_SOURCES = tests/fuzz/fuzz_vendor.c $(fuzz_common) \
	$(mutate_text)
tests_fuzz_fuzz_vendor_CPPFLAGS = $(fuzzer_cppflags)
tests_fuzz_fuzz_vendor_CFLAGS = $(fuzz_cflags)
tests_fuzz_fuzz_vendor_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_vendor_LDADD = $(fuzz_ldadd)

.PHONY: fuzz fuzz-coverage fuzz-replays fuzz-tools
fuzz-replays: $(replay_programs)

fuzz-coverage:
	FUZZ_CC='$(FUZZ_CC)' $(SHELL) $(srcdir)/tests/fuzz/coverage.sh '$(srcdir)'

fuzz: fuzz-tools
	$(MAKE) CC='$(FUZZ_CC)' $(fuzzers)
	@if [ -n "$(MINUTES)" ] && [ "$(MINUTES)" != 0 ]; then \
	    $(SHELL) $(srcdir)/tests/fuzz/run_fuzzers.sh '$(srcdir)' \
	        '$(MINUTES)' $(fuzzers); \
	fi

# Says what is missing before anything is compiled.
fuzz-tools:
	@echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n);' \
	    'int LLVMFuzzerTestOneInput(const char *d, unsigned long n)' \
	    '{ (void)d; (void)n; return 0; }' >fuzz-probe.c; \
	$(FUZZ_CC) $(fuzz_sanitize) -fsanitize=fuzzer -o fuzz-probe fuzz-probe.c \
	    >/dev/null 2>&1; \
	status=$$?; rm -f fuzz-probe fuzz-probe.c; \
	test $$status -eq 0 || { \
	    echo "make fuzz needs clang with libFuzzer:" \
	        "apt-get install clang libclang-rt-14-dev" \
	        "(or FUZZ_CC=another clang)" >&2; exit 1; }
