# Redis: the only users of hiredis.
noinst_LIBRARIES += libdb.a
libdb_a_SOURCES = \
	orchd/db/barrier.c orchd/db/barrier.h \
	orchd/db/dbconfig.c orchd/db/dbconfig.h \
	orchd/db/dbconfig_file.c orchd/db/dbconfig_file.h \
	orchd/db/endpoint.c orchd/db/endpoint.h \
	orchd/db/gate.c orchd/db/gate.h \
	orchd/db/link.c orchd/db/link.h \
	orchd/db/login.c orchd/db/login.h \
	orchd/db/notify.c orchd/db/notify.h \
	orchd/db/outbox.c orchd/db/outbox.h \
	orchd/db/owner.c orchd/db/owner.h \
	orchd/db/pending.c orchd/db/pending.h \
	orchd/db/reader.c orchd/db/reader.h \
	orchd/db/redis.h orchd/db/redis_state.h \
	orchd/db/redis_ask.c \
	orchd/db/redis_links.c \
	orchd/db/redis_write.c \
	orchd/db/reply_objects.c orchd/db/reply_objects.h \
	orchd/db/rows.c orchd/db/rows.h \
	orchd/db/scan.c orchd/db/scan.h \
	orchd/db/spawn.c orchd/db/spawn.h \
	orchd/db/refusals.c orchd/db/refusals.h \
	orchd/db/silent_commands.c orchd/db/silent_commands.h \
	orchd/db/redis_types.h
db_libs = libdb.a $(process_libs) $(intent_libs) $(HIREDIS_LIBS) $(JANSSON_LIBS)
# hiredis's own flags put its folder first, where its headers have names as
# common as read.h; we include them as <hiredis/...>.
libdb_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS)
