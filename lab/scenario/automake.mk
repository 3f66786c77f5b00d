# The language of fabric scenarios, and the topologies that it describes.
noinst_LIBRARIES += liblab-scenario.a
liblab_scenario_a_SOURCES = \
	lab/scenario/expect_spec.h lab/scenario/fabric_spec.h \
	lab/scenario/host_spec.h lab/scenario/traffic_spec.h \
	lab/scenario/fields.c lab/scenario/fields.h \
	lab/scenario/quantity.c lab/scenario/quantity.h \
	lab/scenario/scenario.c lab/scenario/scenario.h \
	lab/scenario/section_expect.c \
	lab/scenario/section_fabric.c \
	lab/scenario/section_faults.c \
	lab/scenario/section_hosts.c \
	lab/scenario/section_record.c \
	lab/scenario/section_roles.c \
	lab/scenario/section_traffic.c \
	lab/scenario/sections.h \
	lab/scenario/sweep.c lab/scenario/sweep.h
liblab_scenario_a_CFLAGS = $(AM_CFLAGS) $(FYAML_CFLAGS)
lab_scenario_libs = liblab-scenario.a $(yaml_document_libs)

# Nodes, links, routes and flows of a scenario.
noinst_LIBRARIES += liblab-topology.a
liblab_topology_a_SOURCES = \
	lab/builder/flows.c lab/builder/flows.h \
	lab/builder/name_pattern.c lab/builder/name_pattern.h \
	lab/builder/references.c lab/builder/references.h \
	lab/builder/routes.c lab/builder/routes_read.c \
	lab/builder/routes.h lab/builder/routes_state.h \
	lab/builder/shape_graph.c lab/builder/shape_preset.c \
	lab/builder/shape.h \
	lab/builder/topology.c lab/builder/topology.h
lab_topology_libs = liblab-topology.a $(lab_scenario_libs)
