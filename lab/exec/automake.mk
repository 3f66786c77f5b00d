# Runs a scenario: builds the fabric and drives its clock.
noinst_LIBRARIES += libexec.a
libexec_a_SOURCES = lab/exec/run.h lab/exec/run_break.c
exec_libs = libexec.a $(base_libs) -lm
