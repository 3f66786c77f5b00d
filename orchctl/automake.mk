# The command-line client.
bin_PROGRAMS += orchctl/orchctl
orchctl_orchctl_SOURCES = \
	orchctl/asic_verbs.c \
	orchctl/breakpoint_verbs.c \
	orchctl/client.c orchctl/client.h \
	orchctl/config_verbs.c \
	orchctl/dryrun.c orchctl/dryrun.h \
	orchctl/grid.c orchctl/grid.h \
	orchctl/live.c orchctl/live.h \
	orchctl/main.c \
	orchctl/objects.c orchctl/objects.h \
	orchctl/plan_verb.c orchctl/plan_verb.h \
	orchctl/report.c orchctl/report.h \
	orchctl/sai_verbs.c \
	orchctl/show_verbs.c \
	orchctl/verb.h
orchctl_orchctl_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(SMARTCOLS_CFLAGS)
orchctl_orchctl_LDADD = libbreakpoint.la libcontrol-protocol.la libdocument.la \
	liblocal.la libsai-wrap.la libsai-loader.la libbase.la \
	$(JANSSON_LIBS) $(SMARTCOLS_LIBS)
