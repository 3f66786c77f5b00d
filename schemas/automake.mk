# What a row of CONFIG_DB may contain.
yangdir = $(pkgdatadir)/yang
dist_yang_DATA = \
	schemas/sonic-buffer-pg.yang \
	schemas/sonic-buffer-pool.yang \
	schemas/sonic-buffer-port-egress-profile-list.yang \
	schemas/sonic-buffer-port-ingress-profile-list.yang \
	schemas/sonic-buffer-profile.yang \
	schemas/sonic-buffer-queue.yang \
	schemas/sonic-cable-length.yang \
	schemas/sonic-default-lossless-buffer-parameter.yang \
	schemas/sonic-device_metadata.yang \
	schemas/sonic-dot1p-tc-map.yang \
	schemas/sonic-dscp-fc-map.yang \
	schemas/sonic-dscp-tc-map.yang \
	schemas/sonic-exp-fc-map.yang \
	schemas/sonic-flex-counter.yang \
	schemas/sonic-llr-port.yang \
	schemas/sonic-llr-profile.yang \
	schemas/sonic-lossless-traffic-pattern.yang \
	schemas/sonic-mpls-tc-map.yang \
	schemas/sonic-pfc-priority-priority-group-map.yang \
	schemas/sonic-pfc-priority-queue-map.yang \
	schemas/sonic-pfcwd.yang \
	schemas/sonic-port.yang \
	schemas/sonic-port-qos-map.yang \
	schemas/sonic-queue.yang \
	schemas/sonic-scheduler.yang \
	schemas/sonic-switch-trimming.yang \
	schemas/sonic-system-port.yang \
	schemas/sonic-tc-dot1p-map.yang \
	schemas/sonic-tc-dscp-map.yang \
	schemas/sonic-tc-priority-group-map.yang \
	schemas/sonic-tc-queue-map.yang \
	schemas/sonic-types.yang \
	schemas/sonic-watermark.yang \
	schemas/sonic-wred-profile.yang
