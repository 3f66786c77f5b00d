# Configurations and scenarios to begin with.
examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = examples/leaf-32x100g.config_db.json
examplesbreakpointdir = $(pkgdatadir)/examples/breakpoint
dist_examplesbreakpoint_DATA = examples/breakpoint/threshold.yaml \
	examples/breakpoint/victim.yaml examples/breakpoint/xoff.yaml
examplesprometheusdir = $(pkgdatadir)/examples/prometheus
dist_examplesprometheus_DATA = examples/prometheus/alerts.yml \
	examples/prometheus/prometheus.yml
examplesgrafanadir = $(pkgdatadir)/examples/grafana
dist_examplesgrafana_DATA = examples/grafana/orchd.json
examplessaiclientdir = $(pkgdatadir)/examples/sai-client
dist_examplessaiclient_DATA = examples/sai-client/sai-client.c
examplescontainerlabdir = $(pkgdatadir)/examples/containerlab
dist_examplescontainerlab_DATA = examples/containerlab/two-leaves.clab.yml
