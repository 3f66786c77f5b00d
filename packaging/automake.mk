# What surrounds installed programs: service manager, pkg-config, packages.

# Units, and what they are made of.  Paths are those of this build.
packaging_edit = sed \
	-e 's|@sbindir[@]|$(sbindir)|g' -e 's|@sysconfdir[@]|$(sysconfdir)|g' \
	-e 's|@docdir[@]|$(docdir)|g' -e 's|@pkglibdir[@]|$(pkglibdir)|g' \
	-e 's|@pkgdatadir[@]|$(pkgdatadir)|g' -e 's|@libdir[@]|$(libdir)|g' \
	-e 's|@includedir[@]|$(includedir)|g' -e 's|@prefix[@]|$(prefix)|g' \
	-e 's|@exec_prefix[@]|$(exec_prefix)|g' \
	-e 's|@PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|g'
units_in = packaging/systemd/orchd.service.in \
	packaging/systemd/saihostd@.service.in \
	packaging/systemd/softasicd@.service.in
dist_noinst_DATA += $(units_in) packaging/softasic.pc.in
systemdunitdir = @systemdunitdir@
nodist_systemdunit_DATA = packaging/systemd/orchd.service \
	packaging/systemd/saihostd@.service \
	packaging/systemd/softasicd@.service
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = packaging/softasic.pc
sonicvsdir = $(pkgdatadir)/sonic-vs
dist_sonicvs_SCRIPTS = packaging/sonic-vs/start-softasicd
nodist_sonicvs_DATA = packaging/sonic-vs/softasicd.conf
dist_noinst_DATA += packaging/sonic-vs/softasicd.conf.in
made_of_paths = $(nodist_systemdunit_DATA) $(nodist_pkgconfig_DATA) \
	$(nodist_sonicvs_DATA)
CLEANFILES += $(made_of_paths)
$(made_of_paths): %: %.in Makefile
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(packaging_edit) $< >$@.tmp && mv $@.tmp $@

# Both are named after what reads them; installed they are named orchd.conf.
EXTRA_DIST += packaging/systemd/sysusers.conf packaging/systemd/tmpfiles.conf
install-data-hook: install-packaging
uninstall-hook: uninstall-packaging
.PHONY: install-packaging uninstall-packaging
# A configuration file that exists is the user's.
install-packaging:
	$(MKDIR_P) '$(DESTDIR)$(prefix)/lib/sysusers.d' \
		'$(DESTDIR)$(prefix)/lib/tmpfiles.d' '$(DESTDIR)$(sysconfdir)/orchd'
	$(INSTALL_DATA) $(srcdir)/packaging/systemd/sysusers.conf \
		'$(DESTDIR)$(prefix)/lib/sysusers.d/orchd.conf'
	$(INSTALL_DATA) $(srcdir)/packaging/systemd/tmpfiles.conf \
		'$(DESTDIR)$(prefix)/lib/tmpfiles.d/orchd.conf'
	test -z '$(installed_conf)' || \
		test -e '$(DESTDIR)$(sysconfdir)/orchd/orchd.conf' || \
		$(INSTALL_DATA) $(installed_conf) \
		'$(DESTDIR)$(sysconfdir)/orchd/orchd.conf'
uninstall-packaging:
	rm -f '$(DESTDIR)$(prefix)/lib/sysusers.d/orchd.conf' \
		'$(DESTDIR)$(prefix)/lib/tmpfiles.d/orchd.conf'
	test -n '$(installed_conf)' && cmp -s $(installed_conf) \
		'$(DESTDIR)$(sysconfdir)/orchd/orchd.conf' && \
		rm -f '$(DESTDIR)$(sysconfdir)/orchd/orchd.conf' || :

# In the syncd container of a virtual SONiC switch: syncd loads libsaivs.so.0,
# and its supervisor runs softasicd.  A real libsaivs must not be there.
supervisordir = $(sysconfdir)/supervisor/conf.d
.PHONY: install-sonic-vs uninstall-sonic-vs
install-sonic-vs: packaging/sonic-vs/softasicd.conf
	@if test -e '$(DESTDIR)$(libdir)/libsaivs.so.0' && \
		test ! -L '$(DESTDIR)$(libdir)/libsaivs.so.0'; then \
		echo 'install-sonic-vs: $(DESTDIR)$(libdir)/libsaivs.so.0 is' \
		'that of another package: remove libsaivs' >&2; exit 1; fi
	$(MKDIR_P) '$(DESTDIR)$(libdir)' '$(DESTDIR)$(supervisordir)'
	ln -sf '$(pkglibdir)/libsai-softasic.so' \
		'$(DESTDIR)$(libdir)/libsaivs.so.0'
	$(INSTALL_DATA) packaging/sonic-vs/softasicd.conf \
		'$(DESTDIR)$(supervisordir)/softasicd.conf'
uninstall-sonic-vs:
	test ! -L '$(DESTDIR)$(libdir)/libsaivs.so.0' || \
		rm -f '$(DESTDIR)$(libdir)/libsaivs.so.0'
	rm -f '$(DESTDIR)$(supervisordir)/softasicd.conf'

# Packages for Debian, from what "make dist" would pack, in the folder deb; needs
# the build dependencies of debian/control and no network.  Their tests run
# only with DEB_BUILD_OPTIONS=parallel=N.
EXTRA_DIST += debian
DEB_BUILD_OPTIONS ?= nocheck parallel=2
deb_folder = deb
.PHONY: deb
deb:
	@command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null || { \
		echo 'make deb needs dpkg-buildpackage and dh: sudo apt install' \
			'dpkg-dev debhelper, and for what packages are built' \
			'with, in the source tree, sudo apt build-dep .' >&2; \
		exit 1; }
	rm -rf '$(deb_folder)'
	$(MKDIR_P) '$(deb_folder)'
	$(MAKE) $(AM_MAKEFLAGS) distdir \
		distdir='$(deb_folder)/$(PACKAGE)-$(VERSION)'
	cd '$(deb_folder)/$(PACKAGE)-$(VERSION)' && \
		env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u DESTDIR \
		DEB_BUILD_OPTIONS='$(DEB_BUILD_OPTIONS)' \
		dpkg-buildpackage -us -uc -b
	@ls '$(deb_folder)'/*.deb

# An OCI image of the packages, as a layout in the folder oci and as an archive.
EXTRA_DIST += packaging/oci
.PHONY: oci
oci: deb
	$(srcdir)/packaging/oci/build.sh '$(deb_folder)' oci $(VERSION)
	tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C oci \
		-cf orchd-oci-$(VERSION).tar .
	@echo orchd-oci-$(VERSION).tar
clean-local: clean-deb
.PHONY: clean-deb
clean-deb:
	rm -rf deb oci orchd-oci-$(VERSION).tar
