# Breakpoint scenarios on a switch in this process.
noinst_LTLIBRARIES += librehearse.la
librehearse_la_SOURCES = \
	orchd/rehearse/answers.c orchd/rehearse/answers.h \
	orchd/rehearse/notes.c orchd/rehearse/notes.h \
	orchd/rehearse/rehearse.c orchd/rehearse/rehearse.h \
	orchd/rehearse/stand.c orchd/rehearse/stand.h \
	orchd/rehearse/watch.c orchd/rehearse/watch.h
librehearse_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
librehearse_la_LIBADD = libswitch-rig.la libfacts.la liblocal.la libpfcwd.la \
	libagent.la libchip.la libsai-wrap.la libbase.la $(JANSSON_LIBS)
