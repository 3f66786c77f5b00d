# Runs a scenario: builds the fabric and drives its clock.
noinst_LIBRARIES += libexec.a
libexec_a_SOURCES = lab/exec/run.h lab/exec/run_break.c
exec_libs = libexec.a $(base_libs) -lm

# Verdicts of runs, from their results files.
noinst_LIBRARIES += libjudge.a
libjudge_a_SOURCES = lab/exec/judge.c lab/exec/judge.h
judge_libs = libjudge.a $(measure_libs) $(lab_scenario_libs)
