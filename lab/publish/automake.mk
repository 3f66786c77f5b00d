# A switch of a fabric in Redis, by an orchd that reads a copy of it.
noinst_LIBRARIES += liblab-publish.a
liblab_publish_a_SOURCES = \
	lab/publish/child.c lab/publish/child.h \
	lab/publish/publication.c lab/publish/publication.h \
	lab/publish/snapshot_db.c lab/publish/snapshot_db.h \
	lab/publish/switch_server.c lab/publish/switch_server.h \
	vendors/softasic/remote/asic_host.c vendors/softasic/remote/asic_host.h
liblab_publish_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(HIREDIS_CFLAGS)
# Behind what has libsoftasic.a.
lab_publish_libs = liblab-publish.a $(saihost_libs) $(lab_switch_libs) \
	$(remote_libs) $(db_libs)
