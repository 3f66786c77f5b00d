# Network interfaces of this machine as the ports of a switch.
noinst_LIBRARIES += libnetdev.a
libnetdev_a_SOURCES = \
	netdev/links.c netdev/links.h \
	netdev/namespace.c netdev/namespace.h \
	netdev/netdev.h \
	netdev/netdev-provider.h \
	netdev/netdevs.c netdev/set.h \
	netdev/packet.c \
	netdev/segment.c netdev/segment.h \
	netdev/tap.c \
	netdev/interface_location.c netdev/interface_location.h
netdev_libs = libnetdev.a $(base_libs) $(NL_LIBS)
libnetdev_a_CFLAGS = $(AM_CFLAGS) $(NL_CFLAGS)
