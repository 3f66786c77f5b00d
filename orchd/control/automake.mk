# The control socket: the daemon's side, and what its clients share with it.
noinst_LTLIBRARIES += libcontrol.la libcontrol-protocol.la \
	libcontrol-server.la
libcontrol_protocol_la_SOURCES = \
	orchd/control/protocol.c orchd/control/protocol.h
libcontrol_protocol_la_LIBADD = libbase.la
libcontrol_server_la_SOURCES = \
	orchd/control/server.c orchd/control/server.h \
	orchd/control/state.h
libcontrol_server_la_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
libcontrol_server_la_LIBADD = libloop.la libbase.la $(EVENT_LIBS)
libcontrol_la_SOURCES = \
	orchd/control/asic_commands.c \
	orchd/control/breakpoint_commands.c \
	orchd/control/command.c orchd/control/command.h \
	orchd/control/config_commands.c \
	orchd/control/control.c orchd/control/control.h \
	orchd/control/history_commands.c \
	orchd/control/sai_commands.c \
	orchd/control/session.c orchd/control/session.h \
	orchd/control/show_commands.c \
	orchd/control/value.c orchd/control/value.h
libcontrol_la_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS)
libcontrol_la_LIBADD = libcontrol-protocol.la libcontrol-server.la \
	libswitch-rig.la libfacts.la libdocument.la libhistory.la \
	libsai-wrap.la libbase.la \
	$(JANSSON_LIBS)
