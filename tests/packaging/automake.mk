# What "make install" installs, and what daemons report to a service manager.
if !SANITIZERS
TESTS += tests/packaging/test_install.py
endif
TESTS += tests/packaging/test_service.py
EXTRA_DIST += tests/packaging/test_install.py tests/packaging/test_service.py \
	tests/packaging/service_manager.py tests/packaging/check_packages.py \
	tests/packaging/check_reproducible.sh tests/packaging/check_oci.py \
	tests/packaging/check_arm64.sh
