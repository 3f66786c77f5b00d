# The digital twin of a switch ASIC.  libtwin is pure; libchip reads chips/.
noinst_LIBRARIES += libtwin.a
libtwin_a_SOURCES = \
	twin/forwarding/address.c twin/forwarding/address.h \
	twin/forwarding/ecmp.c twin/forwarding/ecmp.h \
	twin/forwarding/flow_hash.c twin/forwarding/flow_hash.h \
	twin/forwarding/lpm.c twin/forwarding/lpm.h \
	twin/forwarding/packet.c twin/forwarding/packet.h \
	twin/forwarding/router_tables.c twin/forwarding/router.h \
	twin/forwarding/router_my_mac.c \
	twin/forwarding/router_neighbors.c \
	twin/forwarding/router_decide.c twin/forwarding/router_state.h \
	twin/event/engine.c twin/event/engine.h \
	twin/event/lanes.c \
	twin/event/event.h \
	twin/event/post_sort.c twin/event/post_sort.h \
	twin/event/random_stream.c twin/event/random_stream.h \
	twin/event/timer_heap.c twin/event/timer_heap.h \
	twin/event/wheel.c twin/event/wheel.h \
	twin/forwarding/traps.c twin/forwarding/traps.h \
	twin/forwarding/tunnel.c twin/forwarding/tunnel.h \
	twin/mmu/mmu.h \
	twin/mmu/mmu_account.c twin/mmu/mmu_account.h \
	twin/mmu/mmu_admit.h twin/mmu/mmu_fast_path.h \
	twin/mmu/mmu_check.c \
	twin/mmu/mmu_departure.c \
	twin/mmu/mmu_load.c twin/mmu/mmu_load.h \
	twin/mmu/mmu_xoff.c \
	twin/mmu/mmu_packet.c \
	twin/mmu/mmu_policy.c twin/mmu/mmu_policy.h \
	twin/mmu/mmu_pool.c \
	twin/mmu/mmu_port.c \
	twin/mmu/mmu_profile.c \
	twin/mmu/mmu_port_limit.c \
	twin/mmu/mmu_state.h \
	twin/mmu/mmu_stats.c \
	twin/chip/chip.c twin/chip/chip.h \
	twin/chip/chip_trimming.c twin/chip/chip_trimming.h \
	twin/host/capture.c twin/host/capture.h \
	twin/link/arrival_pacer.c twin/link/arrival_pacer.h \
	twin/link/bit_errors.c twin/link/bit_errors.h \
	twin/link/link.c twin/link/link.h \
	twin/link/llr_ends.c twin/link/llr.h \
	twin/link/llr_rx.c twin/link/llr_state.h \
	twin/link/llr_tx.c \
	twin/fabric/census.c \
	twin/fabric/divide.c \
	twin/fabric/fabric_state.h \
	twin/fabric/fabric_build.c twin/fabric/fabric.h \
	twin/fabric/loop.c \
	twin/host/pacing.c twin/host/pacing.h \
	twin/host/pcap.c twin/host/pcap.h \
	twin/host/processor.c twin/host/processor.h \
	twin/host/receiver.c twin/host/receiver.h \
	twin/nic/lookup_cache.c twin/nic/lookup_cache.h \
	twin/nic/lookups.c twin/nic/lookups.h \
	twin/nic/nic_lifecycle.c twin/nic/nic.h \
	twin/nic/nic_configure.c \
	twin/nic/nic_foresee.c \
	twin/nic/nic_frame.c \
	twin/nic/nic_pause.c \
	twin/nic/nic_pcie.c \
	twin/nic/pcie_tree.c twin/nic/pcie_tree.h \
	twin/nic/nic_receive.c \
	twin/nic/nic_send.c \
	twin/nic/nic_srd.c \
	twin/nic/nic_state.h \
	twin/nic/nic_tcp.c \
	twin/nic/nic_transport.c \
	twin/nic/ready.c twin/nic/ready.h \
	twin/nic/rx_fifo.c twin/nic/rx_fifo.h \
	twin/host/host_run.c twin/host/host.h twin/host/host_state.h \
	twin/qos/classify.c twin/qos/classify.h \
	twin/qos/classify_table.c twin/qos/classify_table.h \
	twin/qos/credit.c twin/qos/credit.h \
	twin/qos/credit_frame.c twin/qos/credit_frame.h \
	twin/qos/deadlock.c twin/qos/deadlock.h \
	twin/qos/pause.c twin/qos/pause.h \
	twin/qos/pause_delay.c twin/qos/pause_delay.h \
	twin/qos/pause_frame.c twin/qos/pause_frame.h \
	twin/qos/scheduler_flat.c twin/qos/scheduler_pick.c twin/qos/scheduler_tree.c twin/qos/scheduler.h twin/qos/scheduler_state.h \
	twin/qos/policer.c twin/qos/policer.h \
	twin/qos/shaper.c twin/qos/shaper.h \
	twin/qos/wred.c twin/qos/wred.h \
	twin/switch/access_list.c \
	twin/forwarding/acl.c twin/forwarding/acl.h \
	twin/forwarding/acl_filter.c twin/forwarding/acl_filter.h \
	twin/switch/age.c \
	twin/forwarding/bridge.c twin/forwarding/bridge.h \
	twin/switch/deadlock_watch.c \
	twin/switch/decapsulate.c \
	twin/switch/delays.c twin/switch/delays.h \
	twin/forwarding/fdb.c twin/forwarding/fdb.h \
	twin/switch/fifo.c twin/switch/fifo.h \
	twin/switch/flow_table.c twin/switch/flow_table.h \
	twin/switch/known_flow.c \
	twin/switch/foresee.c \
	twin/switch/forward.c \
	twin/forwarding/frame.c twin/forwarding/frame.h \
	twin/forwarding/frame_pool.c twin/forwarding/frame_pool.h \
	twin/forwarding/wire.h \
	twin/switch/lag.c \
	twin/switch/sim_lifecycle.c \
	twin/switch/port_credit.c twin/switch/port_credit.h \
	twin/switch/port_pause.c \
	twin/switch/port.c \
	twin/switch/queue.c \
	twin/switch/receive.c \
	twin/switch/sim.h \
	twin/switch/sim_state.h \
	twin/switch/size_runs.c twin/switch/size_runs.h \
	twin/switch/voq.c twin/switch/voq.h \
	twin/switch/transmit.c \
	twin/switch/trim.c \
	twin/transport/bounds.c twin/transport/bounds.h \
	twin/transport/dcqcn.c twin/transport/dcqcn.h \
	twin/transport/dcqcn_profile.c \
	twin/transport/opcode.c twin/transport/opcode.h \
	twin/transport/pacer.c twin/transport/pacer.h \
	twin/transport/rc.h \
	twin/transport/rc_ack.c \
	twin/transport/rc_check.c \
	twin/transport/rc_config.c \
	twin/transport/rc_lifecycle.c \
	twin/transport/rc_reply.c \
	twin/transport/rc_responder.c \
	twin/transport/rc_selective.c \
	twin/transport/rc_sender.c \
	twin/transport/rc_state.h \
	twin/transport/region.c twin/transport/region.h \
	twin/transport/message.c twin/transport/message.h \
	twin/transport/ring.c twin/transport/ring.h \
	twin/transport/srd.h \
	twin/transport/srd_ack.c \
	twin/transport/srd_lifecycle.c \
	twin/transport/srd_path.c \
	twin/transport/srd_qp.c twin/transport/srd_qp.h \
	twin/transport/srd_rate.c \
	twin/transport/srd_receiver.c \
	twin/transport/srd_sender.c \
	twin/transport/srd_state.h \
	twin/transport/tcp.h \
	twin/transport/tcp_ack.c \
	twin/transport/tcp_congestion.c twin/transport/tcp_congestion.h \
	twin/transport/tcp_cubic.c \
	twin/transport/tcp_lifecycle.c \
	twin/transport/tcp_loss.c \
	twin/transport/tcp_receiver.c \
	twin/transport/tcp_sender.c \
	twin/transport/tcp_state.h
libtwin_a_CFLAGS = $(AM_CFLAGS) $(LTO_CFLAGS)
twin_libs = libtwin.a $(base_libs)

noinst_LIBRARIES += libchip.a
libchip_a_SOURCES = \
	twin/chip/yaml/chip_file.c twin/chip/yaml/chip_file.h \
	twin/chip/chip_parameters.c twin/chip/chip_parameters.h \
	twin/chip/yaml/chip_fields.c twin/chip/yaml/chip_fields.h \
	twin/chip/yaml/chip_list.c twin/chip/yaml/chip_list.h \
	twin/chip/yaml/chip_value.c twin/chip/yaml/chip_value.h \
	twin/chip/yaml/other_chips.c twin/chip/yaml/other_chips.h
chip_libs = libchip.a $(twin_libs) $(FYAML_LIBS)
libchip_a_CFLAGS = $(AM_CFLAGS) $(FYAML_CFLAGS)

nobase_dist_pkgdata_DATA += \
	chips/generic.yaml \
	chips/hpcc-fork.yaml \
	chips/j2c+.yaml \
	chips/jr2.yaml \
	chips/jr2-chassis.yaml \
	chips/other.hwskus \
	chips/pg_lookup.ini \
	chips/q3d.yaml \
	chips/spc1.yaml \
	chips/spc2.yaml \
	chips/spc3.yaml \
	chips/spc4.yaml \
	chips/spc5.yaml \
	chips/td2.yaml \
	chips/td3.yaml \
	chips/th.yaml \
	chips/th2.yaml \
	chips/th3.yaml \
	chips/th5.yaml \
	chips/th6.yaml \
	chips/tofino2.yaml
EXTRA_DIST += chips/README.md
