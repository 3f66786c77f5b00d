# Network interfaces of this machine as the ports of a switch.
noinst_LIBRARIES += libnetdev.a
libnetdev_a_SOURCES = \
	netdev/links.c netdev/links.h \
	netdev/namespace.c netdev/namespace.h \
	netdev/netdev.h \
	netdev/netdev-provider.h \
	netdev/netdevs.c netdev/set.h \
	netdev/netlink.c netdev/netlink.h \
	netdev/packet.c \
	netdev/privileged.c netdev/privileged.h \
	netdev/privileged_channel.c netdev/privileged_channel.h \
	netdev/privileged_link.c netdev/privileged_link.h \
	netdev/privileged_open.c netdev/privileged_open.h \
	netdev/privileged_request.h \
	netdev/refused.c netdev/refused.h \
	netdev/segment.c netdev/segment.h \
	netdev/tap.c \
	netdev/interface_location.c netdev/interface_location.h
netdev_libs = libnetdev.a $(base_libs) $(NL_LIBS)
libnetdev_a_CFLAGS = $(AM_CFLAGS) $(NL_CFLAGS)
