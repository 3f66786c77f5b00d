# The command-line client.
bin_PROGRAMS += orchctl/orchctl
orchctl_orchctl_SOURCES = \
	orchctl/asic_verbs.c \
	orchctl/breakpoint_verbs.c \
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
orchctl_orchctl_LDADD = libbreakpoint.la libcontrol-protocol.la libdocument.la \
	libheadroom.la libsettings.la librehearse.la liblocal.la \
	libsai-wrap.la libsai-loader.la libbase.la \
	$(JANSSON_LIBS) $(SMARTCOLS_LIBS)

# What "headroom plan" works out, without its surroundings.
noinst_LTLIBRARIES += libheadroom.la
libheadroom_la_SOURCES = \
	orchctl/headroom_emit.c orchctl/headroom_emit.h \
	orchctl/headroom_need.c orchctl/headroom_need.h \
	orchctl/headroom_plan.c orchctl/headroom_plan.h \
	orchctl/headroom_text.c orchctl/headroom_text.h
libheadroom_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libheadroom_la_LIBADD = libderive.la libchip.la libbase.la $(JANSSON_LIBS)

EXTRA_DIST += docs/derive.md docs/headroom.md
