# Finds how adapters behave, by experiment.
noinst_LIBRARIES += liblab-probe.a
liblab_probe_a_SOURCES = \
	lab/probe/nic_probe.c lab/probe/nic_probe.h \
	lab/probe/nic_probe_rate.c lab/probe/nic_probe_state.h \
	lab/probe/probe_bench.c lab/probe/probe_bench.h
lab_probe_libs = liblab-probe.a $(exec_libs)
