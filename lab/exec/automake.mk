# Runs a scenario: builds the fabric and drives its clock.
noinst_LIBRARIES += libexec.a
libexec_a_SOURCES = \
	lab/exec/communicator.h \
	lab/exec/run.c lab/exec/run.h \
	lab/exec/run_affected.c \
	lab/exec/run_balance.c \
	lab/exec/run_barrier.c \
	lab/exec/run_break.c \
	lab/exec/run_capture.c \
	lab/exec/run_card.c \
	lab/exec/run_credits.c \
	lab/exec/run_deadlock.c \
	lab/exec/run_dependency.c \
	lab/exec/run_disk.c \
	lab/exec/run_drift.c \
	lab/exec/run_estats.c lab/exec/run_estats_state.h \
	lab/exec/run_estats_report.c \
	lab/exec/run_failover.c lab/exec/run_failover_report.c \
	lab/exec/run_failover_state.h \
	lab/exec/run_faults.c \
	lab/exec/run_fluid.c \
	lab/exec/run_gaps.c \
	lab/exec/run_hosts.c \
	lab/exec/run_memory.c \
	lab/exec/run_observe.c \
	lab/exec/run_journal.c lab/exec/run_journal.h \
	lab/exec/run_apart.c \
	lab/exec/run_lanes.c \
	lab/exec/run_fence.c \
	lab/exec/run_llr.c \
	lab/exec/run_oracles.c \
	lab/exec/run_predict.c \
	lab/exec/run_queue_pairs.c lab/exec/run_queue_pairs.h \
	lab/exec/run_ranks.c lab/exec/run_ranks_state.h \
	lab/exec/run_ranks_flows.c \
	lab/exec/run_ranks_frames.c \
	lab/exec/run_relay.c lab/exec/run_relay.h \
	lab/exec/run_repair.c \
	lab/exec/run_report.c \
	lab/exec/run_restart.c \
	lab/exec/run_ring.c lab/exec/run_ring.h \
	lab/exec/run_rollout.c \
	lab/exec/run_series.c \
	lab/exec/run_set.c \
	lab/exec/run_shared.c \
	lab/exec/run_settings.h \
	lab/exec/run_parts.h \
	lab/exec/run_state.h \
	lab/exec/run_switches.c \
	lab/exec/run_traffic.c \
	lab/exec/run_pcie.c \
	lab/exec/run_planned.c \
	lab/exec/proxy.c lab/exec/proxy.h \
	lab/exec/run_software.c \
	lab/exec/run_srd.c \
	lab/exec/run_steps.c \
	lab/exec/run_sk_rdma.c \
	lab/exec/run_su_rdma.c lab/exec/run_storage.h \
	lab/exec/run_progress.h \
	lab/exec/run_vlans.c \
	lab/exec/run_watchdogs.c
libexec_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
# The ranks of MPI: a library of its own, because only orchlab is linked to it.
noinst_LIBRARIES += liblaunch.a
liblaunch_a_SOURCES = lab/exec/launch.h
liblaunch_a_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
EXTRA_DIST += lab/exec/launch_mpi.c lab/exec/launch_none.c \
	lab/exec/partition.c lab/exec/partition.h
if HAVE_MPI
liblaunch_a_SOURCES += lab/exec/launch_mpi.c lab/exec/partition.c
else
liblaunch_a_SOURCES += lab/exec/launch_none.c
endif
launch_libs = liblaunch.a $(MPI_LIBS) $(METIS_LIBS)
exec_libs = libexec.a $(lab_switch_libs) $(lab_topology_libs) $(measure_libs) \
	$(oracle_libs) $(estats_libs) libstorage.a libtwin.a $(base_libs) -lm

# For tests of the above.
lab_run = tests/support/lab_run.c tests/support/lab_run.h
rank_processes = tests/support/rank_processes.c \
	tests/support/rank_processes.h
lab_run_flags = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'
# Verdicts of runs, from their results files.
noinst_LIBRARIES += libjudge.a
libjudge_a_SOURCES = lab/exec/judge.c lab/exec/judge.h
judge_libs = libjudge.a $(measure_libs) $(lab_scenario_libs)
