# The language of fabric scenarios, and the topologies that it describes.
noinst_LIBRARIES += liblab-scenario.a
liblab_scenario_a_SOURCES = \
	lab/scenario/expect_spec.h lab/scenario/fabric_spec.h \
	lab/scenario/host_spec.h lab/scenario/traffic_spec.h \
	lab/scenario/fields.c lab/scenario/fields.h \
	lab/scenario/nic_files.c lab/scenario/nic_files.h \
	lab/scenario/quantity.c lab/scenario/quantity.h \
	lab/scenario/scenario_read.c lab/scenario/scenario.h \
	lab/scenario/section_adapter.c \
	lab/scenario/section_drift.c \
	lab/scenario/section_memory.c \
	lab/scenario/section_credits.c \
	lab/scenario/section_disk.c \
	lab/scenario/section_expect.c \
	lab/scenario/section_failover.c \
	lab/scenario/section_flips.c \
	lab/scenario/section_fabric.c \
	lab/scenario/section_faults.c \
	lab/scenario/section_graph.c \
	lab/scenario/section_hosts.c \
	lab/scenario/section_record.c \
	lab/scenario/section_repairs.c \
	lab/scenario/section_restarts.c \
	lab/scenario/section_rollout.c lab/scenario/rollout_spec.h \
	lab/scenario/section_roles.c \
	lab/scenario/section_traffic.c \
	lab/scenario/section_llr.c \
	lab/scenario/section_macsec.c \
	lab/scenario/section_pcie.c \
	lab/scenario/section_vlan.c \
	lab/scenario/section_srd.c \
	lab/scenario/section_ssd.c \
	lab/scenario/section_tcp.c \
	lab/scenario/section_cpu.c \
	lab/scenario/section_pingmesh.c \
	lab/scenario/section_watchdog.c \
	lab/scenario/sections.h \
	lab/scenario/sweep.c lab/scenario/sweep.h
liblab_scenario_a_CFLAGS = $(AM_CFLAGS) $(FYAML_CFLAGS)
lab_scenario_libs = liblab-scenario.a $(yaml_document_libs)

# Nodes, links, routes and flows of a scenario.
noinst_LIBRARIES += liblab-topology.a
liblab_topology_a_SOURCES = \
	lab/builder/dependency.c lab/builder/dependency.h \
	lab/builder/experiment.c lab/builder/experiment.h \
	lab/builder/flows.c lab/builder/flows.h \
	lab/builder/name_pattern.c lab/builder/name_pattern.h \
	lab/builder/nearness.c lab/builder/nearness.h \
	lab/builder/nic_folder.c lab/builder/nic_folder.h \
	lab/builder/references.c lab/builder/references.h \
	lab/builder/routes_read.c lab/builder/routes_search.c \
	lab/builder/routes.h lab/builder/routes_state.h \
	lab/builder/shape_graph.c lab/builder/shape_preset.c \
	lab/builder/shape.h \
	lab/builder/topology_build.c lab/builder/topology.h
lab_topology_libs = liblab-topology.a $(lab_scenario_libs)

nobase_dist_pkgdata_DATA += \
	nics/gen1.yaml \
	nics/gen2-bugs.yaml \
	nics/gen2-fixed.yaml \
	nics/gen2.yaml \
	nics/gen3-fixed.yaml \
	nics/gen3.yaml \
	nics/hpcc.yaml \
	lab/scenarios/a1/share.yaml \
	lab/scenarios/a1/storage-mix.yaml \
	lab/scenarios/a10/watchdog.yaml \
	lab/scenarios/a11/pfc-storm-small.yaml \
	lab/scenarios/a11/pfc-storm.yaml \
	lab/scenarios/a11/slow-receiver.yaml \
	lab/scenarios/a11/switch-port.yaml \
	lab/scenarios/a12/untrusted.yaml \
	lab/scenarios/a13/memory.yaml \
	lab/scenarios/a13/modes.yaml \
	lab/scenarios/a14/chunks.yaml \
	lab/scenarios/a18/sides.yaml \
	lab/scenarios/a15/gradual.yaml \
	lab/scenarios/a15/storm.yaml \
	lab/scenarios/a16/flow.yaml \
	lab/scenarios/a17/crc.yaml \
	lab/scenarios/a19/pfc-point.yaml \
	lab/scenarios/a2/rtt.yaml \
	lab/scenarios/a20/line-rate.yaml \
	lab/scenarios/a21/headroom.yaml \
	lab/scenarios/a21/long-links.yaml \
	lab/scenarios/a22/burst-room.yaml \
	lab/scenarios/a22/headroom-pool.yaml \
	lab/scenarios/a23/generations.yaml \
	lab/scenarios/a24/context-misses.yaml \
	lab/scenarios/a25/too-many-cnps.yaml \
	lab/scenarios/a26/interoperation.yaml \
	lab/scenarios/a27/dcqcn-queue.yaml \
	lab/scenarios/a28/first-mark.yaml \
	lab/scenarios/a28/sparse-marking.yaml \
	lab/scenarios/a28/who-fires-first.yaml \
	lab/scenarios/a29/faults.yaml \
	lab/scenarios/a30/restart.yaml \
	lab/scenarios/a3/deep-buffers.yaml \
	lab/scenarios/a35/tail.yaml \
	lab/scenarios/a36/fence.yaml \
	lab/scenarios/a36/sk-rdma.yaml \
	lab/scenarios/a31/repair.yaml \
	lab/scenarios/a32/in-turn.yaml \
	lab/scenarios/a33/frontend-cpu.yaml \
	lab/scenarios/a34/distance.yaml \
	lab/scenarios/a34/reads.yaml \
	lab/scenarios/a34/writes.yaml \
	lab/scenarios/a37/macsec.yaml \
	lab/scenarios/a38/leak.yaml \
	lab/scenarios/cbfc/lossless.yaml \
	lab/scenarios/cbfc/pool.yaml \
	lab/scenarios/cbfc/sweep.yaml \
	lab/scenarios/llr/go-back-n.yaml \
	lab/scenarios/llr/sweep.yaml \
	lab/scenarios/trim/incast.yaml \
	lab/scenarios/tune/degraded.yaml \
	lab/scenarios/tune/fabric.yaml \
	lab/scenarios/tune/replicas.yaml \
	lab/scenarios/tune/shuffle.yaml \
	lab/scenarios/a39/loopback.yaml \
	lab/scenarios/a39/watchdog.yaml \
	lab/scenarios/a40/knee.yaml \
	lab/scenarios/a41/gpu-host.yaml \
	lab/scenarios/a42/buffers.yaml \
	lab/scenarios/a42/equal-rules.yaml \
	lab/scenarios/a42/partitions.yaml \
	lab/scenarios/a43/lossless.yaml \
	lab/scenarios/a43/lossy.yaml \
	lab/scenarios/a44/as-data.yaml \
	lab/scenarios/a45/last-steps.yaml \
	lab/scenarios/a4/disk.yaml \
	lab/scenarios/a5/reconstruction.yaml \
	lab/scenarios/a6/isolation.yaml \
	lab/scenarios/a7/go-back-n.yaml \
	lab/scenarios/a8/host-costs.yaml \
	lab/scenarios/a9/rtt-fairness.yaml \
	lab/scenarios/b1/drift.yaml \
	lab/scenarios/b2/pauses.yaml \
	lab/scenarios/b3/always-on.yaml \
	lab/scenarios/b3/pingmesh.yaml \
	lab/scenarios/b4/service.yaml \
	lab/scenarios/b5/clos60-small.yaml \
	lab/scenarios/b5/clos60.yaml \
	lab/scenarios/b6/two-tier.yaml \
	lab/scenarios/b7/polarization.yaml \
	lab/scenarios/c1/trust.yaml \
	lab/scenarios/c10/onboarding.yaml \
	lab/scenarios/c2/per-priority.yaml \
	lab/scenarios/c3/cells.yaml \
	lab/scenarios/c4/verbs.yaml \
	lab/scenarios/c5/go-back-0.yaml \
	lab/scenarios/c5/livelock.yaml \
	lab/scenarios/c6/bounce.yaml \
	lab/scenarios/c6/deadlock.yaml \
	lab/scenarios/c7/pause-storm.yaml \
	lab/scenarios/c8/confine.yaml \
	lab/scenarios/c8/contexts.yaml \
	lab/scenarios/c8/mtt.yaml \
	lab/scenarios/c9/unfairness.yaml \
	lab/scenarios/c9/victim.yaml \
	lab/scenarios/d1/timeouts.yaml \
	lab/scenarios/d10/lasting.yaml \
	lab/scenarios/d11/ecmp.yaml \
	lab/scenarios/d11/uplinks-50g.yaml \
	lab/scenarios/d12/bulk.yaml \
	lab/scenarios/d2/spread.yaml \
	lab/scenarios/d3/elephants.yaml \
	lab/scenarios/d4/outage.yaml \
	lab/scenarios/d5/order.yaml \
	lab/scenarios/d6/flight.yaml \
	lab/scenarios/d7/queue-pairs.yaml \
	lab/scenarios/d8/tags.yaml \
	lab/scenarios/d9/incast.yaml
EXTRA_DIST += nics/README.md tests/lab
