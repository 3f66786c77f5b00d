# Protocols of storage over RDMA, and what they need; pure.
noinst_LIBRARIES += libstorage.a
libstorage_a_SOURCES = \
	lab/storage/failover.c lab/storage/failover.h \
	lab/storage/integrity.c lab/storage/integrity.h \
	lab/storage/io.c lab/storage/io.h \
	lab/storage/repair.c lab/storage/repair.h \
	lab/storage/sk_rdma.c lab/storage/sk_rdma.h \
	lab/storage/slab_pool.c lab/storage/slab_pool.h \
	lab/storage/ssd.c lab/storage/ssd.h \
	lab/storage/su_rdma.c lab/storage/su_rdma.h
storage_libs = libstorage.a $(base_libs)
