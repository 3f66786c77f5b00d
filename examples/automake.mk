# Configurations and scenarios to begin with.
examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = examples/leaf-32x100g.config_db.json
examplesbreakpointdir = $(pkgdatadir)/examples/breakpoint
dist_examplesbreakpoint_DATA = examples/breakpoint/threshold.yaml \
	examples/breakpoint/victim.yaml examples/breakpoint/xoff.yaml
examplespytestdir = $(pkgdatadir)/examples/pytest
dist_examplespytest_DATA = examples/pytest/lossless-4x.config_db.json \
	examples/pytest/ecn_marks.yaml examples/pytest/test_ecn_marks.py \
	examples/pytest/first_pause.yaml examples/pytest/test_first_pause.py \
	examples/pytest/headroom_pool.yaml examples/pytest/test_headroom_pool.py \
	examples/pytest/lossy_drop.yaml examples/pytest/test_lossy_drop.py \
	examples/pytest/pfc_watchdog.yaml examples/pytest/test_pfc_watchdog.py
examplesprometheusdir = $(pkgdatadir)/examples/prometheus
dist_examplesprometheus_DATA = examples/prometheus/alerts.yml \
	examples/prometheus/prometheus.yml
examplesgrafanadir = $(pkgdatadir)/examples/grafana
dist_examplesgrafana_DATA = examples/grafana/orchd.json
examplessaiclientdir = $(pkgdatadir)/examples/sai-client
dist_examplessaiclient_DATA = examples/sai-client/sai-client.c
examplescontainerlabdir = $(pkgdatadir)/examples/containerlab
dist_examplescontainerlab_DATA = examples/containerlab/two-leaves.clab.yml
