# Breakpoint scenarios on a switch in this process.
noinst_LIBRARIES += librehearse.a
librehearse_a_SOURCES = \
	orchd/rehearse/answers.c orchd/rehearse/answers.h \
	orchd/rehearse/notes.c orchd/rehearse/notes.h \
	orchd/rehearse/rehearse.c orchd/rehearse/rehearse.h \
	orchd/rehearse/stand.c orchd/rehearse/stand.h \
	orchd/rehearse/watch.c orchd/rehearse/watch.h
rehearse_libs = librehearse.a $(switch_rig_libs) $(pfcwd_libs) $(local_libs)
librehearse_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
