# The flow with a switch of its own, for dry runs and tests.
noinst_LTLIBRARIES += liblocal.la
liblocal_la_SOURCES = \
	orchd/local/local.c orchd/local/local.h \
	orchd/local/switch.c orchd/local/switch.h
liblocal_la_LIBADD = libagent.la libchip.la libsai-wrap.la libsai-loader.la libbase.la
