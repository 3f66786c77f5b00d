# What every process needs: configuration files, event loop (which alone reads a clock), log,
# sockets, reports to the service manager, the end of standard output, and which process it is.
noinst_LIBRARIES += libprocess.a
libprocess_a_SOURCES = \
	process/huge_pages.c process/huge_pages.h \
	process/acceptor.c process/acceptor.h \
	process/audit_tally.c process/audit_tally.h \
	process/descriptors.c process/descriptors.h \
	process/event_log.c process/event_log.h \
	process/conf_file.c process/conf_file.h \
	process/log.c process/log.h \
	process/loop.c process/loop.h \
	process/notify.c process/notify.h \
	process/operators.c process/operators.h \
	process/output.c process/output.h \
	process/places.c process/places.h \
	process/own_directory.c process/own_directory.h \
	process/peer.c process/peer.h \
	process/process_id.c process/process_id.h \
	process/process_image.c process/process_image.h \
	process/socket.c process/socket.h \
	process/wallclock.c process/wallclock.h
# Apart, because the commit changes more often than all else.  Who may not ask
# Git, as root at "make install", keeps the commit of the build.
noinst_LIBRARIES += libversion.a
libversion_a_SOURCES = process/version.c process/version.h
nodist_libversion_a_SOURCES = version_commit.h
BUILT_SOURCES = version_commit.h
process/version.$(OBJEXT): version_commit.h
CLEANFILES += version_commit.h
EXTRA_DIST += scripts/commit.sh
.PHONY: always
version_commit.h: always
	@new=$@.$$$$; \
	printf '#define VERSION_COMMIT "%s"\n' \
		"`$(srcdir)/scripts/commit.sh $(srcdir)`" >$$new; \
	if cmp -s $$new $@ || { grep -q unknown $$new && test -f $@; }; \
		then rm $$new; else mv $$new $@; fi
always:
version_libs = libversion.a $(base_libs)

process_libs = libprocess.a $(base_libs) $(EVENT_LIBS)
libprocess_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)

# The rights that a daemon gives up, and its user.  Apart, because only daemons need libseccomp.
noinst_LIBRARIES += libconfinement.a
libconfinement_a_SOURCES = \
	process/call_filter.c process/call_filter.h \
	process/capabilities.c process/capabilities.h \
	process/confinement.c process/confinement.h \
	process/user.c process/user.h
libconfinement_a_CFLAGS = $(AM_CFLAGS) $(SECCOMP_CFLAGS)
confinement_libs = libconfinement.a $(base_libs) $(SECCOMP_LIBS)
