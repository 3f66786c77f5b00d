# Settings, which dry runs share with the daemon.
noinst_LIBRARIES += libsettings.a
libsettings_a_SOURCES = \
	orchd/daemon/apply_settings.c orchd/daemon/apply_settings.h \
	orchd/daemon/settings.c orchd/daemon/settings.h \
	orchd/daemon/settings_text.c orchd/daemon/settings_text.h
settings_libs = libsettings.a $(report_libs) $(process_libs)

# The daemon.  All but its command line is in a library, for tests.
noinst_LIBRARIES += libdaemon.a
libdaemon_a_SOURCES = \
	orchd/daemon/daemon_switch.c orchd/daemon/daemon_switch.h \
	orchd/daemon/chip_rows.c orchd/daemon/chip_rows.h \
	orchd/daemon/clocks.c orchd/daemon/clocks.h \
	orchd/daemon/counters_json.c orchd/daemon/counters_json.h \
	orchd/daemon/daemon.c orchd/daemon/daemon.h \
	orchd/daemon/daemon_http.c orchd/daemon/daemon_http.h \
	orchd/daemon/daemon_redis.c orchd/daemon/daemon_redis.h \
	orchd/daemon/daemon_service.c orchd/daemon/daemon_service.h \
	orchd/daemon/daemon_reload.c orchd/daemon/daemon_reload.h \
	orchd/daemon/daemon_state.h \
	orchd/daemon/daemon_status.c orchd/daemon/daemon_status.h \
	orchd/daemon/drop_reasons.c orchd/daemon/drop_reasons.h \
	orchd/daemon/feed.c orchd/daemon/feed.h \
	orchd/daemon/options.c orchd/daemon/options.h \
	orchd/daemon/provider.h \
	orchd/daemon/provider_kinds.c orchd/daemon/provider_kinds.h \
	orchd/daemon/provider_orchagent.c orchd/daemon/provider_orchagent.h \
	orchd/daemon/provider_sai.c orchd/daemon/provider_sai.h \
	orchd/daemon/startup.c orchd/daemon/startup.h \
	orchd/daemon/daemon_watchdog.c orchd/daemon/daemon_watchdog.h \
	orchd/daemon/switch_stack.c orchd/daemon/switch_stack.h \
	orchd/daemon/tester_watch.c orchd/daemon/tester_watch.h \
	orchd/daemon/writeback.c orchd/daemon/writeback.h
daemon_libs = libdaemon.a $(page_libs) $(settings_libs) $(control_libs) \
	$(metrics_libs) $(http_libs) \
	$(pfcwd_libs) $(orchagent_libs) $(pipeline_libs) $(control_protocol_libs) \
	$(sai_remote_core_libs) \
	$(confinement_libs)

sbin_PROGRAMS += orchd/orchd
orchd_orchd_SOURCES = orchd/daemon/main.c
orchd_orchd_LDADD = $(daemon_libs) $(version_libs)

# The configuration file to install: all settings, commented out.  Cross builds
# cannot run orchd; there, it comes from "orchd --print-config" on the target.
if !CROSS_COMPILING
installed_conf = orchd/orchd.conf
noinst_DATA += $(installed_conf)
CLEANFILES += $(installed_conf)
orchd/orchd.conf: orchd/orchd$(EXEEXT)
	$(AM_V_GEN)env -i ORCHD_CONFIG=/dev/null orchd/orchd$(EXEEXT) \
		--print-config >$@.tmp && mv $@.tmp $@
endif
