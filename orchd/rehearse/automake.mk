# Breakpoint scenarios on a switch in this process.
noinst_LTLIBRARIES += librehearse.la
librehearse_la_SOURCES = \
	orchd/rehearse/answers.c orchd/rehearse/answers.h \
	orchd/rehearse/blocks.c orchd/rehearse/blocks.h \
	orchd/rehearse/flows.c orchd/rehearse/flows.h \
	orchd/rehearse/rehearse.c orchd/rehearse/rehearse.h \
	orchd/rehearse/stand.h \
	orchd/rehearse/target.c orchd/rehearse/target.h
librehearse_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
librehearse_la_LIBADD = libbreakpoint.la libfacts.la liblocal.la libagent.la \
	libchip.la libsai-wrap.la libbase.la $(JANSSON_LIBS)
