# The control socket: the daemon's side, and what its clients share with it.
noinst_LIBRARIES += libcontrol.a libcontrol-protocol.a libcontrol-server.a
libcontrol_protocol_a_SOURCES = \
	orchd/control/protocol.c orchd/control/protocol.h
control_protocol_libs = libcontrol-protocol.a $(base_libs)
libcontrol_server_a_SOURCES = \
	orchd/control/request.c orchd/control/request.h \
	orchd/control/server.c orchd/control/server.h \
	orchd/control/state.h
control_server_libs = libcontrol-server.a $(process_libs)
libcontrol_server_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
libcontrol_a_SOURCES = \
	orchd/control/access.c orchd/control/access.h \
	orchd/control/advance.c orchd/control/advance.h \
	orchd/control/arguments.c orchd/control/arguments.h \
	orchd/control/asic_commands.c \
	orchd/control/audit.c orchd/control/audit.h \
	orchd/control/breakpoint_commands.c \
	orchd/control/breakpoint_rows.c orchd/control/breakpoint_rows.h \
	orchd/control/columns.c orchd/control/columns.h \
	orchd/control/command.c orchd/control/command.h \
	orchd/control/command_table.c orchd/control/command_table.h \
	orchd/control/config_commands.c \
	orchd/control/counted_elsewhere.c orchd/control/counted_elsewhere.h \
	orchd/control/counters_reading.c orchd/control/counters_reading.h \
	orchd/control/control.c orchd/control/control.h \
	orchd/control/effort.c orchd/control/effort.h \
	orchd/control/find_rows.c orchd/control/find_rows.h \
	orchd/control/history_check.c orchd/control/history_check.h \
	orchd/control/history_commands.c \
	orchd/control/json_reader.c orchd/control/json_reader.h \
	orchd/control/json_writer.c orchd/control/json_writer.h \
	orchd/control/live.c orchd/control/live.h \
	orchd/control/live_commands.c \
	orchd/control/live_stats.c orchd/control/live_stats.h \
	orchd/control/live_layout.c orchd/control/live_layout.h \
	orchd/control/log_commands.c \
	orchd/control/moment.c orchd/control/moment.h \
	orchd/control/sai_commands.c \
	orchd/control/save_commands.c \
	orchd/control/session.c orchd/control/session.h \
	orchd/control/settings_commands.c \
	orchd/control/show_commands.c \
	orchd/control/show_counters.c orchd/control/show_counters.h \
	orchd/control/show_llr.c orchd/control/show_llr.h \
	orchd/control/show_trimming.c orchd/control/show_trimming.h \
	orchd/control/show_places.c orchd/control/show_places.h \
	orchd/control/show_walk.c orchd/control/show_walk.h \
	orchd/control/snapshot_commands.c \
	orchd/control/status_command.c orchd/control/status_command.h \
	orchd/control/sync_commands.c \
	orchd/control/sync_point.c orchd/control/sync_point.h \
	orchd/control/twin_commands.c \
	orchd/control/value.c orchd/control/value.h
control_libs = libcontrol.a $(report_libs) $(testbench_libs) $(chip_libs) \
	$(sai_stack_libs) $(db_libs) $(control_server_libs) $(history_libs)
libcontrol_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS)
