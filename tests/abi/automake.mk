# The SAI headers: that they compile alone, and that they are what they claim.
TESTS += tests/abi/check_abi.sh tests/abi/check_headers.sh
EXTRA_DIST += tests/abi/check_abi.sh tests/abi/check_headers.sh \
	tests/abi/compare_metadata.py

check_PROGRAMS += tests/abi/dump_metadata
tests_abi_dump_metadata_SOURCES = tests/abi/dump_metadata.c
tests_abi_dump_metadata_LDADD = libsai-core.la libbase.la
