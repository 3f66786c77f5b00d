# The flow without its surroundings.
noinst_LIBRARIES += libagent.a
libagent_a_SOURCES = orchd/agent.c orchd/agent.h \
	orchd/effects.c orchd/effects.h
agent_libs = libagent.a $(reconcile_libs) $(derive_rows_libs) $(watchdog_libs)
