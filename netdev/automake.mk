# Network interfaces of this machine as the ports of a switch.
noinst_LTLIBRARIES += libnetdev.la
libnetdev_la_SOURCES = \
	netdev/links.c netdev/links.h \
	netdev/namespace.c netdev/namespace.h \
	netdev/netdev.h \
	netdev/netdev-provider.h \
	netdev/netdevs.c \
	netdev/packet.c \
	netdev/segment.c netdev/segment.h \
	netdev/tap.c
libnetdev_la_CFLAGS = $(AM_CFLAGS) $(NL_CFLAGS)
libnetdev_la_LIBADD = libbase.la $(NL_LIBS)
