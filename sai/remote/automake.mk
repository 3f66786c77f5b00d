# A switch in another process: the protocol, its client and its host.
noinst_LIBRARIES += libsai-remote-core.a
libsai_remote_core_a_SOURCES = \
	sai/remote/execute_query.c \
	sai/remote/call.c sai/remote/call.h \
	sai/remote/client.c sai/remote/client.h \
	sai/remote/host_objects.c sai/remote/host_objects.h \
	sai/remote/handshake.c sai/remote/handshake.h \
	sai/remote/sai_host.c sai/remote/sai_host.h \
	sai/remote/stream.c sai/remote/stream.h \
	sai/remote/tester_report.c sai/remote/tester_report.h \
	sai/remote/tester_rule.c sai/remote/tester_rule.h \
	sai/remote/testers.c sai/remote/testers.h \
	sai/remote/testers_table.h \
	sai/remote/library.h \
	sai/remote/listener.c sai/remote/listener.h \
	sai/remote/notification_queue.c sai/remote/notification_queue.h \
	sai/remote/message.c sai/remote/message.h \
	sai/remote/notification.c sai/remote/notification.h \
	sai/remote/execute.c sai/remote/execute.h \
	sai/remote/query.c sai/remote/query.h \
	sai/remote/values.c sai/remote/values.h \
	sai/remote/wire.c sai/remote/wire.h
sai_remote_core_libs = libsai-remote-core.a $(sai_core_libs)
libsai_remote_core_a_CFLAGS = $(AM_CFLAGS) -pthread
