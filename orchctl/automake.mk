# The command-line client.
bin_PROGRAMS += orchctl/orchctl
orchctl_orchctl_SOURCES = \
	orchctl/asic_verbs.c \
	orchctl/breakpoint_verbs.c \
	orchctl/call_verb.c orchctl/call_verb.h \
	orchctl/cases.c orchctl/cases.h \
	orchctl/client.c orchctl/client.h \
	orchctl/config_verbs.c \
	orchctl/describe.c orchctl/describe.h \
	orchctl/diff_verb.c orchctl/diff_verb.h \
	orchctl/dryrun.c orchctl/dryrun.h \
	orchctl/formats.c orchctl/formats.h \
	orchctl/grid.c orchctl/grid.h \
	orchctl/headroom_verbs.c \
	orchctl/implied.c orchctl/implied.h \
	orchctl/lint_verb.c orchctl/lint_verb.h \
	orchctl/lists.c orchctl/lists.h \
	orchctl/live.c orchctl/live.h \
	orchctl/main.c \
	orchctl/objects.c orchctl/objects.h \
	orchctl/plan_verb.c orchctl/plan_verb.h \
	orchctl/probe_verb.c orchctl/probe_verb.h \
	orchctl/report.c orchctl/report.h \
	orchctl/sai_verbs.c \
	orchctl/show_verbs.c \
	orchctl/prompt.c orchctl/prompt.h \
	orchctl/stage.c orchctl/stage.h \
	orchctl/suite.c orchctl/suite.h \
	orchctl/verb.h
orchctl_orchctl_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(SMARTCOLS_CFLAGS)
orchctl_orchctl_LDADD = $(breakpoint_libs) $(control_protocol_libs) \
	$(headroom_libs) $(settings_libs) $(dry_run_libs) $(SMARTCOLS_LIBS)

# What "headroom plan" works out, without its surroundings.
noinst_LIBRARIES += libheadroom.a
libheadroom_a_SOURCES = \
	orchctl/headroom_emit.c orchctl/headroom_emit.h \
	orchctl/headroom_json.c orchctl/headroom_json.h \
	orchctl/headroom_need.c orchctl/headroom_need.h \
	orchctl/headroom_plan.c orchctl/headroom_plan.h \
	orchctl/headroom_text.c orchctl/headroom_text.h
headroom_libs = libheadroom.a $(derive_libs) $(chip_libs) $(JANSSON_LIBS)
libheadroom_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)

