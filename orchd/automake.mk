# The flow without its surroundings.
noinst_LTLIBRARIES += libagent.la
libagent_la_SOURCES = orchd/agent.c orchd/agent.h
libagent_la_LIBADD = libreconcile.la libderive-rows.la libtranslate.la libintent.la \
	libsai-core.la libbase.la
