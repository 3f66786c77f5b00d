# What "make install" installs, and packages made of it.
if !SANITIZERS
TESTS += tests/packaging/test_install.py
endif
EXTRA_DIST += tests/packaging/test_install.py
