# The language of fabric scenarios, and the topologies that it describes.
noinst_HEADERS = \
	lab/builder/flows.h lab/builder/references.h lab/builder/routes.h \
	lab/builder/topology.h \
	lab/scenario/expect_spec.h lab/scenario/fabric_spec.h \
	lab/scenario/host_spec.h lab/scenario/quantity.h \
	lab/scenario/scenario.h lab/scenario/traffic_spec.h
