# The documents, by kind of reader.  Help texts name the installed path.
dist_doc_DATA = docs/README.md docs/glossary.md
tutorialsdir = $(docdir)/tutorials
dist_tutorials_DATA = \
	docs/tutorials/breakpoint-test.md \
	docs/tutorials/enable-ecn.md \
	docs/tutorials/first-steps.md \
	docs/tutorials/lossless-from-nothing.md
howtodir = $(docdir)/howto
dist_howto_DATA =
referencedir = $(docdir)/reference
dist_reference_DATA = \
	docs/reference/breakpoints.md \
	docs/reference/chips.md \
	docs/reference/cli.md \
	docs/reference/counters.md \
	docs/reference/lint.md \
	docs/reference/log.md \
	docs/reference/metrics.md \
	docs/reference/remote.md \
	docs/reference/sai-tools.md \
	docs/reference/schema.md \
	docs/reference/settings.md \
	docs/reference/softasicd.md \
	docs/reference/vendors.md
explanationdir = $(docdir)/explanation
dist_explanation_DATA = \
	docs/explanation/cost.md \
	docs/explanation/dependencies.md \
	docs/explanation/derive.md \
	docs/explanation/fabric.md \
	docs/explanation/fidelity.md \
	docs/explanation/forwarding.md \
	docs/explanation/headroom.md \
	docs/explanation/qos.md \
	docs/explanation/watchdog.md
EXTRA_DIST += tests/observability.md tests/watchdog.md
