# Times of operations of RDMA as hosts see them, and whose they are; pure.
noinst_LIBRARIES += libestats.a
libestats_a_SOURCES = \
	lab/estats/clock.c lab/estats/clock.h \
	lab/estats/groups.c lab/estats/groups.h \
	lab/estats/side.c lab/estats/side.h
estats_libs = libestats.a $(base_libs)
