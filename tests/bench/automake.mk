# Benchmarks: "make bench" builds and runs them all.  Each prints one JSON object
# per line.
EXTRA_PROGRAMS += $(bench_programs)
CLEANFILES += $(bench_programs)
bench_programs =
fabric_setup = tests/support/fat_tree.c tests/support/fat_tree.h \
	tests/support/switch_setup.c tests/support/switch_setup.h
bench_measure = tests/bench/measure.c tests/bench/measure.h
EXTRA_DIST += tests/bench/bench_churn.py tests/bench/bench_orchagent.py \
	tests/bench/bench_counters.py tests/bench/bench_daemon.py \
	tests/bench/bench_listeners.py \
	tests/bench/bench_model.py tests/bench/bench_ports.py \
	tests/bench/bench_page.py \
	tests/bench/bench_ranks.py \
	tests/bench/bench_requests.py \
	tests/bench/bench_tables.py tests/bench/turn_clock.c

bench_programs += tests/bench/bench_mmu
tests_bench_bench_mmu_SOURCES = tests/bench/bench_mmu.c \
	tests/bench/bare_mmu.c tests/bench/bare_mmu.h $(bench_measure)
tests_bench_bench_mmu_LDADD = $(twin_libs)
tests_bench_bench_mmu_LDFLAGS = $(lto_ldflags)

bench_programs += tests/bench/bare_publisher
tests_bench_bare_publisher_LDADD = libbase.a $(HIREDIS_LIBS)

bench_programs += tests/bench/bench_incast
tests_bench_bench_incast_SOURCES = tests/bench/bench_incast.c $(bench_measure)
tests_bench_bench_incast_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"'
tests_bench_bench_incast_LDADD = $(chip_libs)

bench_programs += tests/bench/bench_qos
tests_bench_bench_qos_LDADD = $(twin_libs)

bench_programs += tests/bench/bench_acl
tests_bench_bench_acl_SOURCES = tests/bench/bench_acl.c $(bench_measure)
tests_bench_bench_acl_LDADD = $(twin_libs)

bench_programs += tests/bench/bench_agent
tests_bench_bench_agent_CPPFLAGS = $(AM_CPPFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"'
tests_bench_bench_agent_LDADD = $(agent_libs) $(store_libs)

bench_programs += tests/bench/bench_dynamic
tests_bench_bench_dynamic_CPPFLAGS = $(AM_CPPFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"'
tests_bench_bench_dynamic_LDADD = $(agent_libs) $(store_libs)

bench_programs += tests/bench/bench_event
tests_bench_bench_event_SOURCES = tests/bench/bench_event.c $(bench_measure)
tests_bench_bench_event_LDADD = $(twin_libs)

bench_programs += tests/bench/bench_proxy
tests_bench_bench_proxy_LDADD = $(exec_libs)

bench_programs += tests/bench/bench_derive
tests_bench_bench_derive_LDADD = $(derive_rows_libs)

bench_programs += tests/bench/bench_watchdog
tests_bench_bench_watchdog_LDADD = $(storm_model_libs)

bench_programs += tests/bench/bench_pfcwd
tests_bench_bench_pfcwd_SOURCES = tests/bench/bench_pfcwd.c $(bench_measure)
tests_bench_bench_pfcwd_CPPFLAGS = $(AM_CPPFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"' \
	-DCHIPS='"$(abs_top_srcdir)/chips"' \
	-DLIBSAI='"$(abs_top_builddir)/.libs/libsai-softasic.so"'
tests_bench_bench_pfcwd_LDADD = $(offline_libs)
EXTRA_tests_bench_bench_pfcwd_DEPENDENCIES = libsai-softasic.la

bench_programs += tests/bench/bench_llr
tests_bench_bench_llr_SOURCES = tests/bench/bench_llr.c $(bench_measure)
tests_bench_bench_llr_LDFLAGS = $(lto_ldflags)
tests_bench_bench_llr_LDADD = $(twin_libs)

bench_programs += tests/bench/bench_sim
tests_bench_bench_sim_LDFLAGS = $(lto_ldflags)
tests_bench_bench_sim_LDADD = $(twin_libs)

bench_programs += tests/bench/bench_fabric
tests_bench_bench_fabric_SOURCES = tests/bench/bench_fabric.c \
	$(bench_measure) $(fabric_setup)
tests_bench_bench_fabric_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"'
tests_bench_bench_fabric_LDFLAGS = $(lto_ldflags)
tests_bench_bench_fabric_LDADD = $(chip_libs) $(process_libs)

bench_programs += tests/bench/bench_guard
tests_bench_bench_guard_LDADD = $(sai_stack_libs) $(store_libs)

bench_programs += tests/bench/bench_transport
tests_bench_bench_transport_SOURCES = tests/bench/bench_transport.c \
	$(bench_measure)
tests_bench_bench_transport_LDADD = $(twin_libs)

bench_programs += tests/bench/bench_lpm
tests_bench_bench_lpm_LDADD = $(twin_libs)

bench_programs += tests/bench/bench_sai
tests_bench_bench_sai_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"' \
	-DLIBSAI='"$(abs_top_builddir)/.libs/libsai-softasic.so"'
tests_bench_bench_sai_LDADD = $(sai_loader_libs) $(sai_stack_libs)
EXTRA_tests_bench_bench_sai_DEPENDENCIES = libsai-softasic.la

bench_programs += tests/bench/bench_remote
tests_bench_bench_remote_CPPFLAGS = $(AM_CPPFLAGS) \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"' \
	-DLIBSAI='"$(abs_top_builddir)/.libs/libsai-softasic.so"'
tests_bench_bench_remote_LDADD = $(testhost_libs) $(sai_loader_libs)
EXTRA_tests_bench_bench_remote_DEPENDENCIES = libsai-softasic.la

# Not benchmarks, but measurements: TCP against that of the kernel, DCQCN
# against a public simulator.
bench_programs += tests/bench/trace_tcp
tests_bench_trace_tcp_SOURCES = tests/bench/trace_tcp.c $(tcp_pair)
tests_bench_trace_tcp_LDADD = $(twin_libs)
EXTRA_DIST += tests/bench/linux_tcp.py

bench_programs += tests/bench/anchor_dcqcn
tests_bench_anchor_dcqcn_SOURCES = tests/bench/anchor_dcqcn.c \
	tests/support/mrg32k3a.c tests/support/mrg32k3a.h \
	$(bench_measure) $(fabric_setup)
tests_bench_anchor_dcqcn_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"'
tests_bench_anchor_dcqcn_LDADD = $(chip_libs) -lm

# Not a benchmark, but a measurement: the twin against real switches.
check_PROGRAMS += tests/bench/calibrate
tests_bench_calibrate_SOURCES = \
	tests/bench/calibrate.c \
	tests/bench/calibrate_csv.c tests/bench/calibrate_csv.h \
	tests/bench/calibrate_switch.c tests/bench/calibrate_switch.h \
	tests/bench/calibrate_roles.c tests/bench/calibrate_roles.h
tests_bench_calibrate_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"'
tests_bench_calibrate_LDADD = $(softasic_libs)

TESTS += tests/bench/check_calibrate.sh
# Hundreds of millions of packets: with sanitizers they would take too long.
if !SANITIZERS
TESTS += tests/bench/check_given.sh tests/bench/check_theory.py
endif
EXTRA_DIST += tests/bench/check_calibrate.sh tests/bench/check_given.sh \
	tests/bench/check_theory.py \
	tests/bench/rows/own.csv tests/bench/rows/bytes.yaml \
	tests/bench/rows/combo.yaml

# How well the twin does, as a page.  The table is not part of this project.
EXTRA_DIST += scripts/fidelity.sh
.PHONY: fidelity
fidelity: tests/bench/calibrate
	$(srcdir)/scripts/fidelity.sh tests/bench/calibrate \
	    "$${ORCHD_SHARED:-$(abs_top_srcdir)/../shared}/data/calibration/given.csv" \
	    >fidelity.tmp
	mv fidelity.tmp $(srcdir)/docs/explanation/fidelity.md

.PHONY: bench
bench: $(bench_programs)
	@for program in $(bench_programs); do ./$$program || exit 1; done
	@if test -z '$(PYTHON3)'; then echo "no python3: bench_daemon is left out"; \
	else $(MAKE) -s all && top_srcdir='$(abs_top_srcdir)' \
	    top_builddir='$(abs_top_builddir)' PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON3) $(srcdir)/tests/bench/bench_daemon.py && \
	    top_srcdir='$(abs_top_srcdir)' \
	    top_builddir='$(abs_top_builddir)' PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON3) $(srcdir)/tests/bench/bench_page.py && \
	    top_srcdir='$(abs_top_srcdir)' \
	    top_builddir='$(abs_top_builddir)' PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON3) $(srcdir)/tests/bench/bench_requests.py && \
	    top_srcdir='$(abs_top_srcdir)' \
	    top_builddir='$(abs_top_builddir)' PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON3) $(srcdir)/tests/bench/bench_counters.py && \
	    top_srcdir='$(abs_top_srcdir)' \
	    top_builddir='$(abs_top_builddir)' PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON3) $(srcdir)/tests/bench/bench_model.py && \
	    top_srcdir='$(abs_top_srcdir)' \
	    top_builddir='$(abs_top_builddir)' PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON3) $(srcdir)/tests/bench/bench_tables.py && \
	    top_srcdir='$(abs_top_srcdir)' \
	    top_builddir='$(abs_top_builddir)' PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON3) $(srcdir)/tests/bench/bench_churn.py && \
	    top_srcdir='$(abs_top_srcdir)' \
	    top_builddir='$(abs_top_builddir)' PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON3) $(srcdir)/tests/bench/bench_listeners.py && \
	    top_srcdir='$(abs_top_srcdir)' \
	    top_builddir='$(abs_top_builddir)' PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON3) $(srcdir)/tests/bench/bench_ports.py || \
	    test $$? -eq 77; fi

# Not a benchmark, but a judgement: whether memory or descriptors become more.
EXTRA_DIST += tests/bench/soak.py
.PHONY: soak
soak: all
	PYTHONDONTWRITEBYTECODE=1 top_srcdir='$(abs_top_srcdir)' \
	top_builddir='$(abs_top_builddir)' $(PYTHON3) \
		$(srcdir)/tests/bench/soak.py '$(or $(MINUTES),30)'

# The headroom formulas against the twin: "make headroom-tables" prints the
# tables of docs/explanation/headroom.md.
check_LIBRARIES += libheadroom-proof.a
libheadroom_proof_a_SOURCES = \
	tests/bench/headroom_case.c tests/bench/headroom_case.h \
	tests/bench/headroom_crowd.c tests/bench/headroom_crowd.h \
	tests/bench/headroom_far.c tests/bench/headroom_far.h \
	tests/bench/headroom_setup.c tests/bench/headroom_setup.h $(sim_setup)
headroom_proof_libs = libheadroom-proof.a $(headroom_libs)

check_PROGRAMS += tests/bench/headroom_proof
tests_bench_headroom_proof_CPPFLAGS = $(AM_CPPFLAGS) \
	-DCHIPS_DIR='"$(abs_top_srcdir)/chips"'
tests_bench_headroom_proof_LDADD = $(headroom_proof_libs)

if !SANITIZERS
TESTS += tests/bench/check_headroom.sh
endif
EXTRA_DIST += tests/bench/check_headroom.sh

.PHONY: headroom-tables
headroom-tables: tests/bench/headroom_proof
	@tests/bench/headroom_proof --markdown

bench_programs += tests/bench/bench_images
tests_bench_bench_images_SOURCES = tests/bench/bench_images.c \
	$(bench_measure) $(image_setup)
tests_bench_bench_images_CPPFLAGS = $(image_setup_flags)
tests_bench_bench_images_LDADD = $(lab_switch_libs)

bench_programs += tests/bench/bench_create
tests_bench_bench_create_SOURCES = tests/bench/bench_create.c \
	$(bench_measure) $(lab_run)
tests_bench_bench_create_CPPFLAGS = $(lab_run_flags)
tests_bench_bench_create_LDADD = $(exec_libs)

# The same scenarios, built by several compilers: see scripts/compare_builds.sh.
bench_programs += tests/bench/print_hashes
tests_bench_print_hashes_SOURCES = tests/bench/print_hashes.c $(lab_run)
tests_bench_print_hashes_CPPFLAGS = $(lab_run_flags)
tests_bench_print_hashes_LDFLAGS = $(lto_ldflags)
tests_bench_print_hashes_LDADD = $(exec_libs)
