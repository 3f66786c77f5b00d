# The digital twin of a switch ASIC.  libtwin is pure; libchip reads chips/.
noinst_LIBRARIES += libtwin.a
libtwin_a_SOURCES = \
	twin/l3/address.c twin/l3/address.h \
	twin/l3/ecmp.c twin/l3/ecmp.h \
	twin/l3/lpm.c twin/l3/lpm.h \
	twin/l3/packet.c twin/l3/packet.h \
	twin/l3/router_tables.c twin/l3/router.h \
	twin/l3/router_decide.c twin/l3/router_state.h \
	twin/event/engine.c twin/event/engine.h \
	twin/event/event_queue.c twin/event/event_queue.h \
	twin/l3/traps.c twin/l3/traps.h \
	twin/mmu/mmu.h \
	twin/mmu/mmu_account.c \
	twin/mmu/mmu_admit.h twin/mmu/mmu_quick.h \
	twin/mmu/mmu_check.c \
	twin/mmu/mmu_flow.c \
	twin/mmu/mmu_packet.c \
	twin/mmu/mmu_pool.c \
	twin/mmu/mmu_port.c \
	twin/mmu/mmu_profile.c \
	twin/mmu/mmu_share.c \
	twin/mmu/mmu_state.h \
	twin/mmu/mmu_stats.c \
	twin/mmu/model.c twin/mmu/model.h \
	twin/net/capture.c twin/net/capture.h \
	twin/net/intake.c twin/net/intake.h \
	twin/net/link.c twin/net/link.h \
	twin/net/net.c twin/net/net.h \
	twin/net/pace.c twin/net/pace.h \
	twin/net/pcap.c twin/net/pcap.h \
	twin/net/sink.c twin/net/sink.h \
	twin/net/station.c twin/net/station.h \
	twin/qos/classify.c twin/qos/classify.h \
	twin/qos/deadlock.c twin/qos/deadlock.h \
	twin/qos/pause.c twin/qos/pause.h \
	twin/qos/pause_frame.c twin/qos/pause_frame.h \
	twin/qos/scheduler_pick.c twin/qos/scheduler_tree.c twin/qos/scheduler.h twin/qos/scheduler_state.h \
	twin/qos/shaper.c twin/qos/shaper.h \
	twin/qos/wred.c twin/qos/wred.h \
	twin/sim/age.c \
	twin/sim/bridge.c twin/sim/bridge.h \
	twin/sim/deadlock.c \
	twin/sim/fdb.c twin/sim/fdb.h \
	twin/sim/fifo.c twin/sim/fifo.h \
	twin/sim/forward.c \
	twin/sim/frame.c twin/sim/frame.h \
	twin/sim/lag.c \
	twin/sim/life.c \
	twin/sim/pause.c \
	twin/sim/port.c \
	twin/sim/queue.c \
	twin/sim/receive.c \
	twin/sim/sim.h \
	twin/sim/sim_state.h \
	twin/sim/transmit.c
twin_libs = libtwin.a $(base_libs)

noinst_LIBRARIES += libchip.a
libchip_a_SOURCES = \
	twin/chip/chip.c twin/chip/chip.h \
	twin/chip/facts.c twin/chip/facts.h \
	twin/chip/chip_fields.c twin/chip/chip_fields.h \
	twin/chip/chip_list.c twin/chip/chip_list.h \
	twin/chip/chip_value.c twin/chip/chip_value.h
chip_libs = libchip.a $(twin_libs) $(FYAML_LIBS)
libchip_a_CFLAGS = $(AM_CFLAGS) $(FYAML_CFLAGS)

nobase_dist_pkgdata_DATA += \
	chips/generic.yaml \
	chips/j2c+.yaml \
	chips/jr2.yaml \
	chips/spc1.yaml \
	chips/spc2.yaml \
	chips/spc3.yaml \
	chips/spc4.yaml \
	chips/spc5.yaml \
	chips/td2.yaml \
	chips/td3.yaml \
	chips/th.yaml \
	chips/th2.yaml \
	chips/th5.yaml \
	chips/th6.yaml \
	chips/tofino2.yaml
EXTRA_DIST += chips/README.md
