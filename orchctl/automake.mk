# The command-line client.
bin_PROGRAMS += orchctl/orchctl
orchctl_orchctl_SOURCES = \
	orchctl/asic_verbs.c \
	orchctl/breakpoint_verbs.c \
	orchctl/buffer_plot.c orchctl/buffer_plot.h \
	orchctl/buffer_verb.c orchctl/buffer_verb.h \
	orchctl/buffer_view.c orchctl/buffer_view.h \
	orchctl/call_verb.c orchctl/call_verb.h \
	orchctl/storm_verb.c orchctl/storm_verb.h \
	orchctl/case_elsewhere.c orchctl/case_elsewhere.h \
	orchctl/case_runner.c orchctl/case_runner.h \
	orchctl/case_store.c orchctl/case_store.h \
	orchctl/client.c orchctl/client.h \
	orchctl/complete.c orchctl/complete.h \
	orchctl/config_verbs.c \
	orchctl/credits_verb.c orchctl/credits_verb.h \
	orchctl/describe.c orchctl/describe.h \
	orchctl/diff_verb.c orchctl/diff_verb.h \
	orchctl/env_verb.c orchctl/env_verb.h \
	orchctl/offline_config.c orchctl/offline_config.h \
	orchctl/result_files.c orchctl/result_files.h \
	orchctl/result_rows.c orchctl/result_rows.h \
	orchctl/sweep_plot.c orchctl/sweep_plot.h \
	orchctl/sweep_points.c orchctl/sweep_points.h \
	orchctl/sweep_query.c orchctl/sweep_query.h \
	orchctl/sweep_report.c orchctl/sweep_report.h \
	orchctl/sweep_verbs.c \
	orchctl/stop_signal.c orchctl/stop_signal.h \
	orchctl/sweep_progress.c orchctl/sweep_progress.h \
	orchctl/result_formats.c orchctl/result_formats.h \
	orchctl/headroom_plot.c orchctl/headroom_plot.h \
	orchctl/headroom_print.c orchctl/headroom_print.h \
	orchctl/headroom_verbs.c \
	orchctl/picture.c orchctl/picture.h \
	orchctl/probe_prediction.c orchctl/probe_prediction.h \
	orchctl/lint_verb.c orchctl/lint_verb.h \
	orchctl/history_verbs.c orchctl/history_verbs.h \
	orchctl/json_file.c orchctl/json_file.h \
	orchctl/json_list.c orchctl/json_list.h \
	orchctl/live_bench.c orchctl/live_bench.h \
	orchctl/log_verbs.c \
	orchctl/main.c \
	orchctl/object_table.c orchctl/object_table.h \
	orchctl/plan_verb.c orchctl/plan_verb.h \
	orchctl/probe_verb.c orchctl/probe_verb.h \
	orchctl/run_files.c orchctl/run_files.h \
	orchctl/run_report.c orchctl/run_report.h \
	orchctl/sai_verbs.c \
	orchctl/settings_verbs.c orchctl/settings_verbs.h \
	orchctl/live_history.c orchctl/live_history.h \
	orchctl/live_list.c orchctl/live_list.h \
	orchctl/live_rows.c orchctl/live_rows.h \
	orchctl/show_tables.c orchctl/show_tables.h \
	orchctl/show_verbs.c \
	orchctl/status_verb.c orchctl/status_verb.h \
	orchctl/prompt.c orchctl/prompt.h \
	orchctl/bench_select.c orchctl/bench_select.h \
	orchctl/case_list.c orchctl/case_list.h \
	orchctl/member.c orchctl/member.h \
	orchctl/techsupport_verb.c orchctl/techsupport_verb.h \
	orchctl/trace_data.c orchctl/trace_data.h \
	orchctl/trace_file.c orchctl/trace_file.h \
	orchctl/trace_plot.c orchctl/trace_plot.h \
	orchctl/trace_table.c orchctl/trace_table.h \
	orchctl/twin_peaks.c orchctl/twin_peaks.h \
	orchctl/twin_verbs.c \
	orchctl/verb.c orchctl/verb.h
orchctl_orchctl_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(SMARTCOLS_CFLAGS)
orchctl_orchctl_LDADD = $(breakpoint_libs) $(control_protocol_libs) \
	$(headroom_libs) $(settings_libs) $(offline_libs) $(process_libs) \
	$(command_libs) $(version_libs) $(results_libs) \
	$(sai_remote_core_libs)

# What "headroom plan" works out, without its surroundings.
noinst_LIBRARIES += libheadroom.a
libheadroom_a_SOURCES = \
	orchctl/headroom_rows.c orchctl/headroom_rows.h \
	orchctl/headroom_json.c orchctl/headroom_json.h \
	orchctl/headroom_lookup.c orchctl/headroom_lookup.h \
	orchctl/headroom_need.c orchctl/headroom_need.h \
	orchctl/headroom_plan.c orchctl/headroom_plan.h \
	orchctl/headroom_parse.c orchctl/headroom_parse.h
headroom_libs = libheadroom.a $(derive_libs) $(chip_libs) $(JANSSON_LIBS)
libheadroom_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)


# Templates of the figures of sweeps.
nobase_dist_pkgdata_DATA += \
	orchctl/figs/frontier.gp \
	orchctl/figs/headroom.gp \
	orchctl/figs/marking.gp \
	orchctl/figs/occupancy.gp \
	orchctl/figs/points.gp \
	orchctl/figs/shares.gp \
	orchctl/figs/switch/buffer.gp \
	orchctl/figs/watchdog.gp \
	orchctl/figs/xoff.gp
