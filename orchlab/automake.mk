# The program for experiments on fabrics.
bin_PROGRAMS += orchlab/orchlab
orchlab_orchlab_SOURCES = \
	orchlab/compare_verb.c \
	orchlab/explain_verb.c \
	orchlab/figure.c orchlab/figure.h \
	orchlab/list_verb.c \
	orchlab/main.c \
	orchlab/metric_verb.c \
	orchlab/plot_verb.c \
	orchlab/rows.c orchlab/rows.h \
	orchlab/run_files.c orchlab/run_files.h \
	orchlab/show_verb.c \
	orchlab/verb.c orchlab/verb.h \
	orchlab/verbs.c
orchlab_orchlab_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
orchlab_orchlab_LDADD = $(measure_libs) $(process_libs) $(command_libs)

nobase_dist_pkgdata_DATA += \
	lab/figs/fct.gp \
	lab/figs/goodput.gp \
	lab/figs/latency.gp \
	lab/figs/links.gp \
	lab/figs/pauses.gp \
	lab/figs/series.gp
