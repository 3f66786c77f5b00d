# The program for experiments on fabrics.
bin_PROGRAMS += orchlab/orchlab
orchlab_orchlab_SOURCES = \
	orchlab/board.c orchlab/board.h \
	orchlab/checkpoint.c orchlab/checkpoint.h \
	orchlab/checkpoint_file.c orchlab/checkpoint_file.h \
	orchlab/checkpoint_set.c orchlab/checkpoint_set.h \
	orchlab/compare_verb.c \
	orchlab/complete.c orchlab/complete.h \
	orchlab/deadlock_verb.c \
	orchlab/drive.c orchlab/drive.h \
	orchlab/elsewhere.c orchlab/elsewhere.h \
	orchlab/explain_verb.c \
	orchlab/failure_effect.c orchlab/failure_effect.h \
	orchlab/list_verb.c \
	orchlab/main.c \
	orchlab/metric_verb.c \
	orchlab/paper_rows.h \
	orchlab/papers_figure.c orchlab/papers_figure.h \
	orchlab/papers_page.c orchlab/papers_page.h \
	orchlab/papers_values.c orchlab/papers_values.h \
	orchlab/papers_verb.c \
	orchlab/plot_verb.c \
	orchlab/probe_verb.c \
	orchlab/progress.c orchlab/progress.h \
	orchlab/ranks.c orchlab/ranks.h \
	orchlab/rows.c orchlab/rows.h \
	orchlab/run_database.c orchlab/run_database.h \
	orchlab/run_files.c orchlab/run_files.h \
	orchlab/run_folders.c orchlab/run_folders.h \
	orchlab/run_gather.c orchlab/run_gather.h \
	orchlab/run_key.c orchlab/run_key.h \
	orchlab/run_lock.c orchlab/run_lock.h \
	orchlab/run_one.c orchlab/run_one.h \
	orchlab/run_plan.c orchlab/run_plan.h \
	orchlab/run_publish.c orchlab/run_publish.h \
	orchlab/run_report.c orchlab/run_report.h \
	orchlab/run_verb.c \
	orchlab/show_verb.c \
	orchlab/tune.h \
	orchlab/tune_choice.c \
	orchlab/tune_grid.c \
	orchlab/tune_loads.c \
	orchlab/tune_report.c \
	orchlab/tune_rows.c \
	orchlab/tune_runs.c \
	orchlab/tune_verb.c \
	orchlab/value_list.c orchlab/value_list.h \
	orchlab/value_put.c orchlab/value_put.h \
	orchlab/verb.c orchlab/verb.h \
	orchlab/verbs.c \
	orchlab/whatif.h \
	orchlab/whatif_change.c \
	orchlab/whatif_fail.c \
	orchlab/whatif_headroom.c orchlab/whatif_headroom.h \
	orchlab/whatif_inquiry.h \
	orchlab/whatif_links.c orchlab/whatif_links.h \
	orchlab/whatif_questions.c \
	orchlab/whatif_report.c orchlab/whatif_report.h \
	orchlab/whatif_room.c orchlab/whatif_room.h \
	orchlab/whatif_rows.c orchlab/whatif_rows.h \
	orchlab/whatif_verb.c
orchlab_orchlab_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
orchlab_orchlab_LDFLAGS = $(lto_ldflags)
orchlab_orchlab_LDADD = $(judge_libs) $(launch_libs) $(lab_probe_libs) $(fluid_libs) $(lab_publish_libs) $(process_libs) $(command_libs) \
	$(version_libs)

nobase_dist_pkgdata_DATA += \
	lab/figs/a1.gp \
	lab/figs/affected.gp \
	lab/figs/b4.gp \
	lab/figs/a18.gp \
	lab/figs/a31.gp \
	lab/figs/a23.gp \
	lab/figs/a24.gp \
	lab/figs/a33.gp \
	lab/figs/a34.gp \
	lab/figs/a36.gp \
	lab/figs/a36_latency.gp \
	lab/figs/b5.gp \
	lab/figs/b6.gp \
	lab/figs/d10.gp \
	lab/figs/d11.gp \
	lab/figs/d3.gp \
	lab/figs/d9.gp \
	lab/figs/d9_cdf.gp \
	lab/figs/buffers.gp \
	lab/figs/frontier.gp \
	lab/figs/deadlock.gp \
	lab/figs/drops.gp \
	lab/figs/estats.gp \
	lab/figs/errors.gp \
	lab/figs/fct.gp \
	lab/figs/gaps.gp \
	lab/figs/goodput.gp \
	lab/figs/hosts.gp \
	lab/figs/latency.gp \
	lab/figs/links.gp \
	lab/figs/parts.gp \
	lab/figs/pauses.gp \
	lab/figs/rollout.gp \
	lab/figs/series.gp \
	lab/figs/share.gp \
	lab/figs/sides.gp \
	lab/figs/sweep.gp \
	lab/figs/papers/expectations.gp \
	lab/figs/whatif/change.gp \
	lab/figs/whatif/fail.gp \
	lab/figs/whatif/tune.gp \
	lab/figs/whatif/values.gp
