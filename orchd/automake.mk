# The flow without its surroundings.
noinst_LTLIBRARIES += libagent.la
libagent_la_SOURCES = orchd/agent.c orchd/agent.h \
	orchd/effects.c orchd/effects.h
libagent_la_LIBADD = libreconcile.la libderive-rows.la libwatchdog.la libtranslate.la libintent.la \
	libsai-core.la libbase.la
