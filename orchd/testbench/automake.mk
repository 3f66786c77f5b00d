# The verbs of breakpoint scenarios on a switch that exists already.
noinst_LIBRARIES += libtestbench.a
libtestbench_a_SOURCES = \
	orchd/testbench/baseline.c orchd/testbench/baseline.h \
	orchd/testbench/blocks.c orchd/testbench/blocks.h \
	orchd/testbench/flows.c orchd/testbench/flows.h \
	orchd/testbench/port_rules.c orchd/testbench/port_rules.h \
	orchd/testbench/saved_attributes.c orchd/testbench/saved_attributes.h \
	orchd/testbench/sending.c orchd/testbench/sending.h \
	orchd/testbench/testbench.c orchd/testbench/testbench.h
testbench_libs = libtestbench.a $(switch_query_libs) $(breakpoint_target_libs)
libtestbench_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
