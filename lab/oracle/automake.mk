# What theory says about a fabric; pure.
noinst_LIBRARIES += liboracle.a
liboracle_a_SOURCES = \
	lab/oracle/buffer.c lab/oracle/buffer.h \
	lab/oracle/dcqcn_point.c lab/oracle/dcqcn_point.h \
	lab/oracle/delay.c lab/oracle/delay.h \
	lab/oracle/fairness.c lab/oracle/fairness.h \
	lab/oracle/hashing.c lab/oracle/hashing.h \
	lab/oracle/marking.c lab/oracle/marking.h \
	lab/oracle/receiver.c lab/oracle/receiver.h \
	lab/oracle/retry.c lab/oracle/retry.h \
	lab/oracle/transport.c lab/oracle/transport.h
oracle_libs = liboracle.a $(base_libs) -lm
