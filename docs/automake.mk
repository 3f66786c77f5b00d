# The documents, by kind of reader.  Help texts name the installed path.
dist_doc_DATA = docs/README.md docs/glossary.md
tutorialsdir = $(docdir)/tutorials
dist_tutorials_DATA = \
	docs/tutorials/breakpoint-test.md \
	docs/tutorials/enable-ecn.md \
	docs/tutorials/first-fabric.md \
	docs/tutorials/first-steps.md \
	docs/tutorials/lossless-from-nothing.md
howtodir = $(docdir)/howto
dist_howto_DATA = \
	docs/howto/add-a-chip.md \
	docs/howto/add-a-sai-program.md \
	docs/howto/move-to-a-sai-release.md \
	docs/howto/apply-a-configuration.md \
	docs/howto/find-out-why.md \
	docs/howto/hardware-suites.md \
	docs/howto/install.md \
	docs/howto/look-at-a-switch.md \
	docs/howto/monitor.md \
	docs/howto/on-sonic.md \
	docs/howto/plan-a-change.md \
	docs/howto/plan-headroom.md \
	docs/howto/record-sai-calls.md \
	docs/howto/redis-login.md \
	docs/howto/repair-drift.md \
	docs/howto/report-a-bug.md \
	docs/howto/run-in-containers.md \
	docs/howto/run-on-several-ranks.md \
	docs/howto/restart-and-upgrade.md \
	docs/howto/send-real-frames.md \
	docs/howto/sonic-testbed.md \
	docs/howto/sweep-a-threshold.md \
	docs/howto/test-with-pytest.md \
	docs/howto/trace-a-buffer.md \
	docs/howto/watch-for-storms.md
referencedir = $(docdir)/reference
dist_reference_DATA = \
	docs/reference/breakpoints.md \
	docs/reference/chips.md \
	docs/reference/cli.md \
	docs/reference/counters.md \
	docs/reference/http.md \
	docs/reference/lab-configs.md \
	docs/reference/lint.md \
	docs/reference/log.md \
	docs/reference/metrics.md \
	docs/reference/nics.md \
	docs/reference/orchlab.md \
	docs/reference/orchlab-scenario.md \
	docs/reference/python.md \
	docs/reference/remote.md \
	docs/reference/sai-tools.md \
	docs/reference/schema.md \
	docs/reference/settings.md \
	docs/reference/softasicd.md \
	docs/reference/sonic-tools.md \
	docs/reference/stability.md \
	docs/reference/vendors.md
measurementsdir = $(docdir)/explanation/measurements
dist_measurements_DATA = \
	docs/explanation/measurements/storage-frontend.md \
	docs/explanation/measurements/failover.md \
	docs/explanation/measurements/host-costs.md \
	docs/explanation/measurements/service-latency.md \
	docs/explanation/measurements/srd.md \
	docs/explanation/measurements/storage-traffic.md \
	docs/explanation/measurements/sk-rdma.md \
	docs/explanation/measurements/su-rdma.md \
	docs/explanation/measurements/timeouts.md \
	docs/explanation/measurements/traffic-share.md

outagesdir = $(docdir)/explanation/outages
dist_outages_DATA = \
	docs/explanation/outages/deadlock.md \
	docs/explanation/outages/deep-buffers.md \
	docs/explanation/outages/headroom-pool.md \
	docs/explanation/outages/host-network.md \
	docs/explanation/outages/livelock.md \
	docs/explanation/outages/faults.md \
	docs/explanation/outages/long-links.md \
	docs/explanation/outages/loopback.md \
	docs/explanation/outages/macsec.md \
	docs/explanation/outages/onboarding.md \
	docs/explanation/outages/buffers.md \
	docs/explanation/outages/admission.md \
	docs/explanation/outages/link-pause.md \
	docs/explanation/outages/llr.md \
	docs/explanation/outages/trimming.md \
	docs/explanation/outages/trust.md \
	docs/explanation/outages/untrusted.md \
	docs/explanation/outages/pfc-storm.md \
	docs/explanation/outages/restart.md \
	docs/explanation/outages/slow-receiver.md \
	docs/explanation/outages/spread.md
explanationdir = $(docdir)/explanation
dist_explanation_DATA = \
	docs/explanation/beside-sonic.md \
	docs/explanation/buffer-model.md \
	docs/explanation/credits.md \
	docs/explanation/cost.md \
	docs/explanation/dependencies.md \
	docs/explanation/derive.md \
	docs/explanation/fabric.md \
	docs/explanation/nics.md \
	docs/explanation/estats.md \
	docs/explanation/fidelity.md \
	docs/explanation/forwarding.md \
	docs/explanation/headroom.md \
	docs/explanation/qos.md \
	docs/explanation/reconcile.md \
	docs/explanation/scale.md \
	docs/explanation/security.md \
	docs/explanation/srd.md docs/explanation/storage.md \
	docs/explanation/tcp.md \
	docs/explanation/transport.md \
	docs/explanation/tuning.md \
	docs/explanation/watchdog.md
EXTRA_DIST += CONTRIBUTING.md SECURITY.md docs/codemap.dot scripts/check_docs.py \
	scripts/check_stories.py \
	tests/README.md tests/next-generation.md tests/observability.md \
	tests/watchdog.md

# The picture of the code map, where Graphviz is installed.
if HAVE_DOT
nodist_doc_DATA = docs/codemap.svg
CLEANFILES += docs/codemap.svg
docs/codemap.svg: docs/codemap.dot
	@$(MKDIR_P) docs
	$(AM_V_GEN)$(DOT) -Tsvg -o $@ $(srcdir)/docs/codemap.dot
endif
