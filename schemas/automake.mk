# What a row of CONFIG_DB may contain.
yangdir = $(pkgdatadir)/yang
dist_yang_DATA = \
	schemas/sonic-buffer-pg.yang \
	schemas/sonic-buffer-pool.yang \
	schemas/sonic-buffer-profile.yang \
	schemas/sonic-buffer-queue.yang \
	schemas/sonic-device_metadata.yang \
	schemas/sonic-dscp-tc-map.yang \
	schemas/sonic-port-qos-map.yang \
	schemas/sonic-port.yang \
	schemas/sonic-tc-priority-group-map.yang \
	schemas/sonic-tc-queue-map.yang \
	schemas/sonic-types.yang
EXTRA_DIST += docs/schema.md
