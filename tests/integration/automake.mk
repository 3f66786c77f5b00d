# Tests of the unmodified daemon with a real redis-server.
TEST_EXTENSIONS = .py
PY_LOG_COMPILER = env PYTHON3='$(PYTHON3)' top_srcdir='$(abs_top_srcdir)' \
	top_builddir='$(abs_top_builddir)' \
	$(srcdir)/tests/integration/run-python
TESTS += $(integration_tests)
# The tests of the command line and the database once more, on another libsai.
if !SANITIZERS
TESTS += tests/integration/test_foreign.py
# Its program is not built with sanitizers, so it cannot load what is.
TESTS += tests/integration/test_sai_program.py
# Python cannot load a library with sanitizers.
TESTS += tests/integration/test_sonic_vs.py
endif
EXTRA_DIST += $(integration_tests) tests/integration/test_foreign.py \
	tests/integration/test_sai_program.py \
	tests/integration/test_sonic_vs.py \
	tests/integration/harness.py tests/integration/sonic_tools.py \
	tests/integration/sonic_db_cli.py \
	tests/support/orchagent_double.py \
	tests/support/with_slurm.sh \
	tests/integration/namespaces.py \
	tests/integration/browser.py \
	tests/integration/executors.py \
	tests/integration/firefox.py tests/integration/test_firefox.py \
	tests/integration/run-python
integration_tests = \
	tests/integration/test_beside.py \
	tests/integration/test_breakpoint.py \
	tests/integration/test_sweep.py \
	tests/integration/test_syncd_polling.py \
	tests/integration/test_trace.py \
	tests/integration/test_trimming.py \
	tests/integration/test_twin.py \
	tests/integration/test_cli.py \
	tests/integration/test_configs.py \
	tests/integration/test_counters.py \
	tests/integration/test_db.py \
	tests/integration/test_docs.py \
	tests/integration/test_drift.py \
	tests/integration/test_dynamic.py \
	tests/integration/test_voq.py \
	tests/integration/test_frames.py \
	tests/integration/test_headroom.py \
	tests/integration/test_host_options.py \
	tests/integration/test_lab_rows.py \
	tests/integration/test_lint.py \
	tests/integration/test_llr.py \
	tests/integration/test_listeners.py \
	tests/integration/test_live.py \
	tests/integration/test_manual.py \
	tests/integration/test_metrics.py \
	tests/integration/test_orchagent.py \
	tests/integration/test_orchlab.py \
	tests/integration/test_orchlab_checkpoint.py \
	tests/integration/test_orchlab_deadlock.py \
	tests/integration/test_orchlab_executor.py \
	tests/integration/test_orchlab_merge.py \
	tests/integration/test_orchlab_papers.py \
	tests/integration/test_orchlab_ranks.py \
	tests/integration/test_orchlab_ranks_checkpoint.py \
	tests/integration/test_orchlab_receivers.py \
	tests/integration/test_orchlab_tune.py \
	tests/integration/test_orchlab_whatif.py \
	tests/integration/test_orchlab_capture.py \
	tests/integration/test_orchlab_publish.py \
	tests/integration/test_owner.py \
	tests/integration/test_page.py \
	tests/integration/test_page_server.py \
	tests/integration/test_plan.py \
	tests/integration/test_port_rows.py \
	tests/integration/test_next_frames.py \
	tests/integration/test_ports.py \
	tests/integration/test_privileges.py \
	tests/integration/test_publish.py \
	tests/integration/test_python.py \
	tests/integration/test_qos.py \
	tests/integration/test_proxies.py \
	tests/integration/test_redis_login.py \
	tests/integration/test_remote.py \
	tests/integration/test_asic_maps.py \
	tests/integration/test_restart.py \
	tests/integration/test_restart_unlisted.py \
	tests/integration/test_roles.py \
	tests/integration/test_sonic_env.py \
	tests/integration/test_techsupport.py \
	tests/integration/test_thrift.py \
	tests/integration/test_tools.py \
	tests/integration/test_upgrade.py \
	tests/integration/test_version.py \
	tests/integration/test_watchdog.py \
	tests/integration/test_rollback.py \
	tests/integration/test_sai_tools.py \
	tests/integration/test_seccomp.py \
	tests/integration/test_settings.py \
	tests/integration/test_slices.py \
	tests/integration/test_stories.py \
	tests/integration/test_writeback.py

# Pictures of the page.
MOSTLYCLEANFILES += tests/integration/page-*.png

# The switch of test_frames.py.
check_PROGRAMS += tests/support/write_run
tests_support_write_run_SOURCES = tests/support/write_run.c \
	tests/support/lab_results.c tests/support/lab_results.h
tests_support_write_run_LDADD = $(measure_libs)

check_PROGRAMS += tests/integration/frame_switch
tests_integration_frame_switch_LDADD = $(asic_setup_libs)

# The router of test_ports.py.
check_PROGRAMS += tests/integration/router_switch
tests_integration_router_switch_LDADD = $(asic_setup_libs)
