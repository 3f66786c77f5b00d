# What the command-line programs share: options, tables, the terminal.
noinst_LIBRARIES += libcommand.a
libcommand_a_SOURCES = \
	command/bars.c command/bars.h \
	command/complete.c command/complete.h \
	command/executor.c command/executor.h \
	command/file_digest.c command/file_digest.h \
	command/folder.c command/folder.h \
	command/grid.c command/grid.h \
	command/line.c command/line.h \
	command/manual.c command/manual.h \
	command/option.c command/option.h \
	command/terminal.c command/terminal.h
command_libs = libcommand.a $(base_libs) $(SMARTCOLS_LIBS) $(JANSSON_LIBS)
libcommand_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(SMARTCOLS_CFLAGS)
