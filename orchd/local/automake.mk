# The flow with a switch of its own, for dry runs and tests.
noinst_LIBRARIES += liblocal.a
liblocal_a_SOURCES = \
	orchd/local/local.c orchd/local/local.h \
	orchd/local/switch.c orchd/local/switch.h
local_libs = liblocal.a $(agent_libs) $(chip_libs) $(sai_loader_libs) \
	$(sai_wrap_libs)
